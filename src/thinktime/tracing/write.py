"""Write the tasks of a run as a trace in the format of the file name."""

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

#: format → endings of file names
FORMATS = {
    "otf2": (".otf2",),
    "perfetto": (".json", ".json.gz"),
    "paje": (".paje", ".trace", ".paje.gz", ".trace.gz"),
    "csv": (".csv", ".csv.gz"),
    "parquet": (".parquet",),
}
Progress = Callable[[float], None]  # receives the simulated time reached


@dataclass(frozen=True)
class Written:
    """The contents of a written trace."""

    path: Path
    format: str
    tasks: int
    jobs: int
    cores: int  # with at least one task
    from_s: float  # start of the first task
    until_s: float  # end of the last task


def write_trace(
    result: object,
    path: str | Path,
    *,
    format: str | None = None,
    window: Window | None = None,
    jobs: Sequence[int] | np.ndarray | None = None,
    group_cores: int = 1,
    markers: bool = False,
    progress: Progress | None = None,
) -> Written:
    """Write the task events of a run for other tools, block by block, completely or not at all.

    Parameters
    ----------
    result
        A run.
    path
        File to write; its ending selects the format: `.otf2`, `.json`, `.paje`, `.csv` or `.parquet`.
    format
        Format, if the ending does not tell: one of `FORMATS`.
    window
        Interval [from, until) in seconds of the simulation; None for an open end.
    jobs
        Job numbers to include; by default all.
    group_cores
        Number of neighbouring cores per location of an OTF2 archive.
    markers
        Mark submissions and starts (OTF2 and Perfetto).
    progress
        Called with the simulated time reached.

    Returns
    -------
    Written
        `path`, `format`, `tasks`, `jobs`, `cores`, `from_s` and `until_s`.

    Examples
    --------
    >>> import tempfile, thinktime as tt
    >>> log = tt.default_workload(jobs=50)
    >>> run = tt.simulate(log, tt.Machine(processors=128), tt.Easy(), applications=tt.Loop(technique="gss"))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tt.write_trace(run, f"{folder}/tasks.csv").jobs
    50
    """
    kind = format_of(path, format)
    _check(kind, group_cores, markers)
    trace = trace_of(result, window, jobs)
    seen = _Counted(trace, progress)
    options: dict[str, Any] = {"group_cores": group_cores} if kind == "otf2" else {}
    options |= {"markers": markers} if kind in ("otf2", "perfetto") else {}
    _writer(kind)(seen.trace, Path(path), **options)
    return seen.written(Path(path), kind)


def format_of(path: str | Path, given: str | None = None) -> str:
    """Return the given format, or that of the ending of the name."""
    if given is not None:
        one_of("format", given, FORMATS)
        return given
    name = Path(path).name.lower()
    for kind, ends in FORMATS.items():
        if name.endswith(ends):
            return kind
    known = ", ".join(end for ends in FORMATS.values() for end in ends)
    raise InputError(f"the name must end in one of {known}, or add format=… (got {path})")


def check_group(group_cores: int) -> None:
    """Raise InputError unless group_cores is a whole number of at least 1."""
    if isinstance(group_cores, bool) or not isinstance(group_cores, (int, np.integer)) or group_cores < 1:
        raise InputError(f"group_cores must be a whole number of at least 1 (got {group_cores})")


def _check(kind: str, group_cores: int, markers: bool) -> None:
    check_group(group_cores)
    if group_cores > 1 and kind != "otf2":
        raise InputError(f"group_cores is for OTF2 archives only (got a {kind} trace)")
    if markers and kind not in ("otf2", "perfetto"):
        raise InputError(f"markers are for OTF2 and Perfetto only (got a {kind} trace)")


def trace_of(result: Any, window: Window | None = None, jobs: Any = None) -> Trace:
    """Return the tasks of a run within the window and of these jobs; raise InputError if there are none."""
    limits = check_window(window)
    numbers = None if jobs is None else _known_jobs(result, np.asarray(jobs))
    blocks = (block for block in result.tasks(limits, numbers) if len(block["core"]))
    first = next(blocks, None)
    if first is None:
        raise InputError(
            f"no task ran in {_scope_text(limits, jobs)}: choose another window or other jobs ({lasts(result)})"
        )
    columns = {name: result.columns[name] for name in ("job", "submit_s", "start_s")}
    hosts = [Host(*host) for host in result.core_names()]
    name = str(result.spec.get("workload", {}).get("name", "workload"))
    return Trace(itertools.chain([first], blocks), hosts, columns, name, {"run": result.digest}, limits)


def lasts(result: Any) -> str:
    """Return the period in which jobs ran, as text."""
    start, end = result.columns["start_s"], result.columns["end_s"]
    if np.isnan(end).all():
        return "no job of the run has ended"
    return f"its jobs ran from {np.nanmin(start):.15g} to {np.nanmax(end):.15g} s"


def _known_jobs(result: Any, numbers: np.ndarray) -> list[int]:
    """Return the numbers that belong to jobs of the run; ignore others."""
    known = numbers[np.isin(numbers, result.columns["job"])]
    if not known.size:
        asked = f"got {numbers[0]}" if numbers.size else "got none"
        raise InputError(f"jobs must be numbers of the {len(result):,} jobs of the run ({asked})")
    return [int(number) for number in known]


def _scope_text(limits: tuple[float, float], jobs: object) -> str:
    window = "the run" if limits == (-np.inf, np.inf) else f"{limits[0]:.15g} to {limits[1]:.15g} s"
    return window if jobs is None else f"{window} of the chosen jobs"


class _Counted:
    """Counts tasks, jobs and cores of the blocks on their way to the writer."""

    def __init__(self, trace: Trace, progress: Progress | None) -> None:
        self.progress = progress
        self.tasks, self.from_s, self.until_s = 0, np.inf, -np.inf
        self.rows, self.cores = np.zeros(len(trace.jobs["job"]), bool), np.zeros(trace.cores, bool)
        self.trace = Trace(self._through(trace.blocks), trace.hosts, trace.jobs, trace.name, trace.facts, trace.window)

    def _through(self, blocks: Any) -> Iterator[Block]:
        for block in blocks:
            self.tasks += len(block["core"])
            self.from_s = min(self.from_s, float(block["start_s"].min()))
            self.until_s = max(self.until_s, float(block["end_s"].max()))
            self.rows[block["row"]] = self.cores[block["core"]] = True
            if self.progress:
                self.progress(float(block["start_s"].max()))
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
