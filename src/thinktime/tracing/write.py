"""A run's tasks as a trace in the format that the file's name says."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.result.tasks import Window, check_window
from thinktime.spec import one_of
from thinktime.tracing.events import Block, Host, Trace

#: format → what names of its files end in
FORMATS = {
    "otf2": (".otf2",),
    "perfetto": (".json", ".json.gz"),
    "paje": (".paje", ".trace", ".paje.gz", ".trace.gz"),
    "csv": (".csv", ".csv.gz"),
    "parquet": (".parquet",),
}
Told = Callable[[float], None]


@dataclass(frozen=True)
class Written:
    """What a trace holds."""

    path: Path
    format: str
    tasks: int
    jobs: int
    cores: int  # that worked
    from_s: float  # of the first task
    until_s: float  # of the last


def write_trace(
    result: Any,
    path: str | Path,
    *,
    format: str | None = None,
    window: Window | None = None,
    jobs: Sequence[int] | np.ndarray | None = None,
    group_cores: int = 1,
    markers: bool = False,
    told: Told | None = None,
) -> Written:
    """Writes `path` block by block, all of it or nothing.

    `window` is [from, until) in seconds of the simulation, with None for an open side; `jobs` are numbers.
    `group_cores` puts so many neighbouring cores into one location of an OTF2 archive; `markers` marks submissions
    and starts in OTF2 and Perfetto traces. `told` is given the time of the simulation that has been reached.
    """
    kind = format_of(path, format)
    _check(kind, group_cores, markers)
    trace = trace_of(result, window, jobs)
    seen = _Seen(trace, told)
    options: dict[str, Any] = {"group_cores": group_cores} if kind == "otf2" else {}
    options |= {"markers": markers} if kind in ("otf2", "perfetto") else {}
    _writer(kind)(seen.trace, Path(path), **options)
    return seen.written(Path(path), kind)


def format_of(path: str | Path, given: str | None = None) -> str:
    """The format that was asked for, or that the name's end says."""
    if given is not None:
        one_of("format", given, FORMATS)
        return given
    name = Path(path).name.lower()
    for kind, ends in FORMATS.items():
        if name.endswith(ends):
            return kind
    known = ", ".join(end for ends in FORMATS.values() for end in ends)
    raise InputError(f"{path} does not say its format: end the name in one of {known}, or name the format")


def check_group(group_cores: int) -> None:
    """How many cores share a location."""
    if isinstance(group_cores, bool) or not isinstance(group_cores, (int, np.integer)) or group_cores < 1:
        raise InputError(f"{group_cores} cores cannot share a location: give 1 or more, a whole number")


def _check(kind: str, group_cores: int, markers: bool) -> None:
    check_group(group_cores)
    if group_cores > 1 and kind != "otf2":
        raise InputError(f"a {kind} trace has all cores in one file: group cores in OTF2 archives only")
    if markers and kind not in ("otf2", "perfetto"):
        raise InputError(f"a {kind} trace has no markers: leave them out, or write OTF2 or Perfetto")


def trace_of(result: Any, window: Window | None = None, jobs: Any = None) -> Trace:
    """The tasks of a run, cut to the window and to some jobs; a sentence where none are left."""
    limits = check_window(window)
    numbers = None if jobs is None else _known_jobs(result, np.asarray(jobs))
    blocks = (block for block in result.tasks(limits, numbers) if len(block["core"]))
    first = next(blocks, None)
    if first is None:
        raise InputError(
            f"no task ran in {_words(limits, jobs)}: choose another window, or other jobs; {lasts(result)}"
        )
    columns = {name: result.columns[name] for name in ("job", "submit_s", "start_s")}
    hosts = [Host(*host) for host in result.core_names()]
    name = str(result.spec.get("workload", {}).get("name", "workload"))
    return Trace(itertools.chain([first], blocks), hosts, columns, name, {"run": result.digest}, limits)


def lasts(result: Any) -> str:
    """For a sentence: from when to when jobs ran."""
    start, end = result.columns["start_s"], result.columns["end_s"]
    if np.isnan(end).all():
        return "no job of the run has ended"
    return f"its jobs ran from {np.nanmin(start):.15g} to {np.nanmax(end):.15g} s"


def _known_jobs(result: Any, numbers: np.ndarray) -> list[int]:
    """Those of the numbers that a job has; a range may hold others."""
    known = numbers[np.isin(numbers, result.columns["job"])]
    if not known.size:
        asked = f"no job {numbers[0]}" if numbers.size else "no job without a number"
        raise InputError(f"the run has {asked}: give numbers of its {len(result):,} jobs")
    return [int(number) for number in known]


def _words(limits: tuple[float, float], jobs: Any) -> str:
    window = "the run" if limits == (-np.inf, np.inf) else f"{limits[0]:.15g} to {limits[1]:.15g} s"
    return window if jobs is None else f"{window} of the chosen jobs"


class _Seen:
    """Watches the blocks on their way to the writer."""

    def __init__(self, trace: Trace, told: Told | None) -> None:
        self.told = told
        self.tasks, self.from_s, self.until_s = 0, np.inf, -np.inf
        self.rows, self.cores = np.zeros(len(trace.jobs["job"]), bool), np.zeros(trace.cores, bool)
        self.trace = Trace(self._through(trace.blocks), trace.hosts, trace.jobs, trace.name, trace.facts, trace.window)

    def _through(self, blocks: Any) -> Iterator[Block]:
        for block in blocks:
            self.tasks += len(block["core"])
            self.from_s = min(self.from_s, float(block["start_s"].min()))
            self.until_s = max(self.until_s, float(block["end_s"].max()))
            self.rows[block["row"]] = self.cores[block["core"]] = True
            if self.told:
                self.told(float(block["start_s"].max()))
            yield block

    def written(self, path: Path, kind: str) -> Written:
        counts = (self.tasks, int(self.rows.sum()), int(self.cores.sum()))
        return Written(path, kind, *counts, self.from_s, self.until_s)


def _writer(kind: str) -> Callable[..., int]:
    from thinktime.tracing import otf2_archive, paje, perfetto, tables

    return {
        "otf2": otf2_archive.write_otf2,
        "perfetto": perfetto.write_perfetto,
        "paje": paje.write_paje,
        "csv": tables.write_csv,
        "parquet": tables.write_parquet,
    }[kind]
