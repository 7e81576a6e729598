"""Constant memory: `thinktime run --stream` on logs of growing length, up to 50 million jobs.

The log is the default workload, repeated: each copy is submitted a whole number of weeks after the one before.
It is written to a temporary folder (about 5 GB at full length) and removed afterwards. The peak memory of the
process is to stay the same from the shortest to the longest log. The shortest run is repeated in memory: every job
must have the same start. Further runs have power and failures on 1,000 nodes, and users who react.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

import numpy as np

from thinktime.errors import InputError
from thinktime_bench.measurement import Case, Measurement
from thinktime_bench.process import COMMAND, with_memory

GOAL_MB = 100.0
LENGTHS, QUICK_LENGTHS = (1_000_000, 10_000_000, 50_000_000), (20_000, 100_000, 200_000)
USERS = "users who react"
#: What else is simulated → options of `run`, and the numbers of jobs, at full length and quick
CLUSTER = '{"groups": {"g": {"core": 1}}, "resources": {"g": 1000}}'
MODELS: dict[str, tuple[tuple[str, ...], int, int]] = {
    "power and failures on 1,000 nodes": (
        ("--cluster", "cluster.json", "--plugin", "power", "--plugin", "failures:mtbf_h=1000"),
        6_000_000,
        100_000,
    ),
    # The log has no waits, so users are ever later: jobs that were read wait in memory, and there is no goal.
    USERS: (("--users", "session-replay"), 1_500_000, 100_000),
}
BASE_JOBS = 60_000  # of one copy
WEEK_S = 7 * 86400.0
LINE_BYTES = 100  # upper bound per job in a log; the results need the same again

NOTHING, NUMPY, PACKAGE = "pass", "import numpy", "import thinktime"


def cases(folder: Path | None, quick: bool) -> Iterator[Case]:
    yield Case("stream", "memory of imports", floor)
    lengths = QUICK_LENGTHS if quick else LENGTHS
    for jobs in lengths:
        yield Case("stream", f"run --stream, {jobs:,} jobs", partial(measure, jobs, jobs == lengths[0]))
    for name, (options, whole, few) in MODELS.items():
        jobs = few if quick else whole
        yield Case("stream", f"run --stream, {jobs:,} jobs, {name}", partial(measure, jobs, False, name, options))


def floor() -> list[Measurement]:
    """Memory of a process before it reads a log."""
    names = {"Python": NOTHING, "Python with numpy": NUMPY, "Python with thinktime": PACKAGE}
    return [
        Measurement("stream", f"{name}, memory", peak, "MB")
        for name, code in names.items()
        if (peak := with_memory(code).peak_mb) is not None
    ]


def measure(jobs: int, compare: bool, name: str = "", options: tuple[str, ...] = ()) -> list[Measurement]:
    """Memory and rate of a streamed run; with `compare`, also whether a run in memory gives the same schedule."""
    title = f"{jobs:,} jobs, {name}".rstrip(", ")
    with TemporaryDirectory(prefix="thinktime-bench-") as scratch:
        log, run = Path(scratch) / "repeated.swf", Path(scratch) / "run"
        _require_space(log.parent, jobs)
        write_repeated(log, jobs)
        (log.parent / "cluster.json").write_text(CLUSTER)
        more = [log.parent / each if each == "cluster.json" else each for each in options]
        command = ("run", log, "--stream", "--scheduler", "easy", "--json", "--out", run, *more)
        ended = with_memory(COMMAND, *command)
        said = ended.json
        same = {"same_starts_as_in_memory": _same_starts(run, log)} if compare else {}
        details = {
            "jobs": said["summary"]["jobs"],
            "events": said["statistics"]["events"],
            "mean_wait_s": said["summary"]["wait_mean_s"],
            "log_mb": log.stat().st_size / 1e6,
            "log_mb_per_s": log.stat().st_size / 1e6 / ended.wall_s,
            "written_mb": sum(path.stat().st_size for path in run.iterdir()) / 1e6,
            "cpu_s": ended.cpu_s,
            "wall_s": ended.wall_s,
            **same,
        }
    rate = Measurement("stream", f"{title}, rate", jobs / ended.cpu_s / 1e6, "M jobs/s", details=details)
    if ended.peak_mb is None:
        return [rate]
    return [
        Measurement(
            "stream", f"{title}, memory", ended.peak_mb, "MB", None if name == USERS else GOAL_MB, details=details
        ),
        rate,
    ]


def _require_space(folder: Path, jobs: int) -> None:
    needs, free = 2 * jobs * LINE_BYTES, shutil.disk_usage(folder).free
    if free < needs:
        raise InputError(
            f"{folder} has {free / 1e6:,.0f} MB free but the log of {jobs:,} jobs needs {needs / 1e6:,.0f} MB:"
            " set $TMPDIR to a folder with more space, or leave this part out with --only"
        )


def write_repeated(path: Path, jobs: int) -> None:
    """Write copies of the default workload one after the other, the last one cut."""
    from thinktime.generate import default_workload
    from thinktime.workload import COLUMNS

    base = default_workload(jobs=min(BASE_JOBS, jobs))
    columns = {name: np.ascontiguousarray(base[name]) for name in COLUMNS}
    period = np.ceil((columns["submit_s"][-1] + 1) / WEEK_S) * WEEK_S
    with path.open("wb") as file:
        file.write(f"; Version: 2.2\n; MaxJobs: {jobs}\n; MaxProcs: {base.machine_processors}\n".encode())
        for copy, first in enumerate(range(0, jobs, len(base))):
            _write_copy(file, columns, first, copy * period, jobs)


def _write_copy(file: IO[bytes], columns: dict[str, np.ndarray], first: int, later_s: float, jobs: int) -> None:
    from thinktime import _engine
    from thinktime.traces import Spellings

    moved = {**columns, "job": columns["job"] + first, "submit_s": columns["submit_s"] + later_s}
    fields = [np.ascontiguousarray(values[: jobs - first]) for values in moved.values()]
    none = Spellings.empty()
    line = np.zeros(len(fields[0]))
    file.write(_engine.swf_format(fields, line, none.line, none.field, none.end, none.blob))


def _same_starts(run: Path, log: Path) -> bool:
    return starts_hash(_read_columns(run)) == starts_hash(_in_memory(log))


def starts_hash(columns: Any) -> str:
    """Hash job number and start time of every job, in the order of the numbers."""
    job, start = (np.asarray(columns[name], dtype=np.float64) for name in ("job", "start_s"))
    order = np.argsort(job, kind="stable")
    return hashlib.sha256(job[order].tobytes() + start[order].tobytes()).hexdigest()


def _read_columns(run: Path) -> Any:
    import polars

    return polars.read_parquet(run / "jobs.parquet", columns=["job", "start_s"])


def _in_memory(log: Path) -> Any:
    from thinktime.platforms import Machine
    from thinktime.schedulers.easy import Easy
    from thinktime.simulation import simulate
    from thinktime.workload import read_swf

    workload = read_swf(log)
    return simulate(workload, Machine(processors=workload.machine_processors or 1), Easy(), timeline=False).columns
