"""Batsim's workload: a delay profile per run time; columns that Batsim does not use are further fields of the jobs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from thinktime.errors import InputError
from thinktime.result.writer import Writer, jobs_table
from thinktime.result.written_series import written_series
from thinktime.traces.header import Header
from thinktime.traces.reader import Block, rows_of
from thinktime.traces.written import KEY, Written
from thinktime.workload import Workload
from thinktime.workload.compressed_file import packed_file

#: Column of a log → field of a job in Batsim.
FIELDS = {"job": "id", "submit_s": "subtime", "processors": "res", "run_s": "profile"}
NEEDED = ("submit_s", "run_s", "processors")


class BatsimWriter(Writer, name="batsim"):
    """Writes Batsim's workload (JSON). Run times are profiles of type delay."""

    endings: ClassVar[tuple[str, ...]] = (".json",)

    def write_blocks(self, blocks: Iterable[Block], path: Path, about: Written, without_jobs: Workload) -> int:
        size = Header.parse(about.header).machine_size()
        state = _Document(without_jobs)
        with packed_file(path) as file:
            file.write(f'{{"{KEY}": {json.dumps(about.to_dict())},\n"jobs": ['.encode())
            for block in blocks:
                file.writelines(text.encode() for text in state.jobs(block))
            resources = size[0] if size else max(without_jobs.machine_processors or 0, state.largest)
            profiles = ",\n".join(f'"{name}": {{"type": "delay", "delay": {s}}}' for name, s in state.profiles.items())
            file.write(f'],\n"profiles": {{{profiles}}},\n"nb_res": {resources:.0f}}}\n'.encode())
        return state.count


class _Document:
    """The jobs written so far: their number, their profiles, the largest of them."""

    def __init__(self, about: Workload) -> None:
        self._about = about
        self.count, self.largest = 0, 1.0
        self.profiles: dict[str, str] = {}  # name → seconds

    def jobs(self, block: Block) -> Iterator[str]:
        """Yield the jobs of a block as JSON."""
        self._require_known(block)
        columns = jobs_table(block)
        self.largest = max(self.largest, float(np.max(columns["processors"], initial=1.0)))
        lists = {name: written_series(name, values, self._about.types).to_list() for name, values in columns.items()}
        for row in range(rows_of(block)):
            yield (",\n" if self.count else "\n") + json.dumps(self._job(lists, row), ensure_ascii=False)
            self.count += 1

    def _job(self, lists: dict[str, list[Any]], row: int) -> dict[str, Any]:
        run_s = lists["run_s"][row]
        profile = f"{run_s!r}"
        self.profiles.setdefault(profile, json.dumps(run_s))
        asked = lists["requested_time_s"][row] if "requested_time_s" in lists else None
        further = {
            name: values[row]
            for name, values in lists.items()
            if name not in FIELDS and (values[row] is not None or self.count == 0)
        }
        return {
            "id": str(self.count + 1),
            "subtime": lists["submit_s"][row],
            "res": lists["processors"][row],
            "profile": profile,
            **({"walltime": asked} if asked is not None and asked > 0 else {}),
            "job": lists["job"][row] if "job" in lists else self.count + 1,
            **further,
        }

    def _require_known(self, block: Block) -> None:
        for name in NEEDED:
            bad = np.flatnonzero(~np.isfinite(block[name]))
            if bad.size:
                raise InputError(
                    f"{name} of row {self.count + bad[0]} is not known, which Batsim needs: remove the job"
                )
