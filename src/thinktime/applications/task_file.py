"""Task lengths from a file: CSV or Parquet with a row for every task, `job` and `task_s`."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.applications.application import Beneath
from thinktime.errors import InputError

if TYPE_CHECKING:
    import polars as pl


def file_hash(path: str, known: str | None) -> str:
    """sha256 of the file, which is the one that a run was made with."""
    if Path(path).exists() and not Path(path).is_file():
        raise InputError(f"tasks of loop is {path}, which is not a regular file: give a CSV or Parquet file")
    try:
        with Path(path).open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"tasks of loop is {path}, which cannot be read ({error.strerror}): give a file") from error
    if known is not None and known != found:
        raise InputError(f"{path} has other tasks than the run was made with: restore it, or leave tasks_sha256 out")
    return found


def plan_of_tasks(path: str | None, beneath: Beneath) -> dict[str, Any]:
    """The lengths by row of the workload; a job that the file does not name has drawn ones."""
    if path is None:
        return {}
    if beneath.jobs is None:
        raise InputError(
            f"tasks of loop is {path}, which is read by job numbers, and a streamed simulation does not know them all:"
            " leave it out, or simulate without streaming"
        )
    frame = _read(path)
    job, length = frame["job"].to_numpy(), frame["task_s"].to_numpy() / beneath.speed
    row, known = _rows(beneath.jobs, job)
    order = np.argsort(row[known], kind="stable")
    start = np.searchsorted(row[known][order], np.arange(len(beneath.jobs) + 1))
    return {"given": True, "task_s": length[known][order], "task_start": start.astype(np.int64)}


def _read(path: str) -> pl.DataFrame:
    import polars as pl

    try:
        frame = _table(Path(path))
        frame = frame.select(pl.col("job").cast(pl.Float64), pl.col("task_s").cast(pl.Float64))
    except (OSError, pl.exceptions.PolarsError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"{path} is no table of tasks ({reason}): give CSV or Parquet with job and task_s") from error
    job, length = frame["job"].to_numpy(), frame["task_s"].to_numpy()  # without a value: nan
    bad = np.flatnonzero(~((length > 0) & (length <= 1e12) & (job == np.floor(job))))
    if bad.size:
        at = bad[0]
        raise InputError(
            f"{path} has a task of {length[at]:g} s of job {job[at]:g} in row {at + 1}:"
            " every task has the number of a job and a length above 0 s"
        )
    return frame


def _table(path: Path) -> pl.DataFrame:
    """Read the file itself: polars takes some texts for patterns or addresses."""
    import polars as pl

    with path.open("rb") as file:
        return pl.read_parquet(file) if path.suffix == ".parquet" else pl.read_csv(file, comment_prefix="#")


def _rows(jobs: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The row of each wanted job number, and whether there is one."""
    order = np.argsort(jobs, kind="stable")
    at = np.minimum(np.searchsorted(jobs[order], wanted), max(len(jobs) - 1, 0))
    row = order[at] if len(jobs) else np.zeros(len(wanted), np.int64)
    return row, (jobs[row] == wanted) if len(jobs) else np.zeros(len(wanted), bool)
