"""Task lengths from a CSV or Parquet file with one row per task: `job` and `task_s`."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.applications.application import ApplicationContext
from thinktime.errors import InputError

if TYPE_CHECKING:
    import polars as pl


def file_hash(path: str, known: str | None) -> str:
    """Return the sha256 of the file; raise InputError if the run was made with another file."""
    if Path(path).exists() and not Path(path).is_file():
        raise InputError(f"tasks of loop is {path}, which is not a regular file: give a CSV or Parquet file")
    try:
        with Path(path).open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"Cannot read tasks of loop, {path} ({error.strerror}): give a CSV or Parquet file") from error
    if known is not None and known != found:
        raise InputError(f"{path} has changed since the run: restore it, or leave tasks_sha256 out")
    return found


def plan_of_tasks(path: str | None, context: ApplicationContext) -> dict[str, Any]:
    """Return the lengths by row of the workload; jobs that are not in the file have drawn lengths."""
    if path is None:
        return {}
    if context.jobs is None:
        raise InputError(
            f"tasks of loop is {path}, which needs all job numbers, but a streamed simulation does not have them:"
            " leave it out, or simulate without streaming"
        )
    frame = _read_tasks(path)
    job, length = frame["job"].to_numpy(), frame["task_s"].to_numpy() / context.speed
    row, known = _rows_of_jobs(context.jobs, job)
    order = np.argsort(row[known], kind="stable")
    start = np.searchsorted(row[known][order], np.arange(len(context.jobs) + 1))
    return {"given": True, "task_s": length[known][order], "task_start": start.astype(np.int64)}


def _read_tasks(path: str) -> pl.DataFrame:
    import polars as pl

    try:
        frame = _task_table(Path(path))
        frame = frame.select(pl.col("job").cast(pl.Float64), pl.col("task_s").cast(pl.Float64))
    except (OSError, pl.exceptions.PolarsError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(
            f"{path} is not a table of tasks ({reason}): give CSV or Parquet with job and task_s"
        ) from error
    job, length = frame["job"].to_numpy(), frame["task_s"].to_numpy()  # NaN where the file has no value
    bad = np.flatnonzero(~((length > 0) & (length <= 1e12) & (job == np.floor(job))))
    if bad.size:
        at = bad[0]
        raise InputError(
            f"{path} has a task of {length[at]:g} s of job {job[at]:g} in row {at + 1}:"
            " give every task a job number and a length above 0 s"
        )
    return frame


def _task_table(path: Path) -> pl.DataFrame:
    """Open the file first: polars treats some paths as patterns or addresses."""
    import polars as pl

    with path.open("rb") as file:
        return pl.read_parquet(file) if path.suffix == ".parquet" else pl.read_csv(file, comment_prefix="#")


def _rows_of_jobs(jobs: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the row of each wanted job number, and whether it exists."""
    order = np.argsort(jobs, kind="stable")
    at = np.minimum(np.searchsorted(jobs[order], wanted), max(len(jobs) - 1, 0))
    row = order[at] if len(jobs) else np.zeros(len(wanted), np.int64)
    return row, (jobs[row] == wanted) if len(jobs) else np.zeros(len(wanted), bool)
