"""Writes the sessions and batches of jobs, the edges of the session graph, one file per user, and SWF."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from thinktime.support.json_types import JsonDict
from thinktime.workload.compressed_file import packed_file
from thinktime.workload.user_sessions.batches import Batches
from thinktime.workload.user_sessions.graph import SessionGraph, predecessor_ranges
from thinktime.workload.user_sessions.groups import UNKNOWN_USER, known_end_s
from thinktime.workload.workload import Workload

if TYPE_CHECKING:
    import polars as pl


def jobs_frame(workload: Workload, batches: Batches) -> pl.DataFrame:
    """Return one row per job: job, user, submit_s, and the numbers of its session and batch."""
    import polars as pl

    columns = workload.frame.select("job", "user", "submit_s")
    numbers = {"session": batches.sessions.session, "batch": batches.batch}
    return columns.with_columns(**{name: pl.Series(values) for name, values in numbers.items()})


def edges_frame(graph: SessionGraph) -> pl.DataFrame:
    """Return one row per edge: user, predecessor, successor, think_s."""
    import polars as pl

    user = graph.sessions.user[graph.predecessor]
    known = pl.Series(np.where(user == UNKNOWN_USER, np.nan, user)).fill_nan(None).cast(pl.Int64)
    ends = {"predecessor": graph.predecessor, "successor": graph.successor, "think_s": graph.think_s}
    return pl.DataFrame({"user": known, **ends})


def write_parquet(frame: pl.DataFrame, path: str | PathLike[str]) -> Path:
    """Write the whole file or nothing."""
    with packed_file(path) as file:
        frame.write_parquet(file)
    return Path(path)


def write_user_files(workload: Workload, graph: SessionGraph, folder: str | PathLike[str]) -> list[Path]:
    """Write one JSON file per user: the sessions with their jobs, and the sessions that each one waited for."""
    directory = Path(folder)
    directory.mkdir(parents=True, exist_ok=True)
    return [_write_user(directory, user) for user in _sessions_by_user(workload, graph)]


def _write_user(directory: Path, user: JsonDict) -> Path:
    path = directory / f"user_{'unknown' if user['user'] is None else user['user']}.json"
    with packed_file(path) as file:
        file.write((json.dumps(user, indent=1) + "\n").encode())
    return path


def _sessions_by_user(workload: Workload, graph: SessionGraph) -> Iterator[JsonDict]:
    found, waits = graph.sessions, _waits(graph)
    jobs = np.split(workload["job"][found.job_rows], found.job_start[1:-1])
    for k, user in enumerate(found.users.tolist()):
        of_user = found.by_user[found.user_start[k] : found.user_start[k + 1]].tolist()
        yield {
            "user": None if user == UNKNOWN_USER else int(user),
            "delimiter": found.delimiter,
            "threshold_s": found.threshold_s,
            "reduced": graph.reduced,
            "sessions": [_session(graph, number, jobs[number], waits[number]) for number in of_user],
        }


def _waits(graph: SessionGraph) -> list[JsonDict]:
    """Return, for every session, the sessions it waited for and the think times."""
    order = np.argsort(graph.successor, kind="stable")
    border = np.cumsum(graph.predecessors)[:-1]
    sessions, think_s = (np.split(values[order], border) for values in (graph.predecessor, graph.think_s))
    return [{"sessions": a.tolist(), "think_s": b.tolist()} for a, b in zip(sessions, think_s, strict=True)]


def _session(graph: SessionGraph, number: int, jobs: np.ndarray, waits: JsonDict) -> JsonDict:
    names = ("first_submit_s", "last_submit_s", "last_end_s")
    times = {name: float(getattr(graph.sessions, name)[number]) for name in names}
    return {"session": number, **times, "jobs": jobs.astype(np.int64).tolist(), "waits_for": waits}


def with_preceding_jobs(workload: Workload, graph: SessionGraph) -> tuple[Workload, int]:
    """Return the workload with SWF's fields 17 and 18 from the graph, and the number of sessions left out.

    The first job of a session with exactly one predecessor gets that session's last ending job and the think time. All
    other jobs get none: SWF has a single predecessor. Left out are sessions whose preceding job has no unique number.
    """
    found = graph.sessions
    order = np.lexsort((known_end_s(workload), found.session))
    last_to_end = order[found.job_start[1:] - 1] if len(found) else order
    before, after = _only_predecessors(graph)
    clear = _names_one_job(workload["job"])[last_to_end[before]]
    left_out, before, after = int(np.count_nonzero(~clear)), before[clear], after[clear]
    row = found.job_rows[found.job_start[after]]
    preceding, think_s = (np.full(len(workload), np.nan) for _ in range(2))
    preceding[row] = workload["job"][last_to_end[before]]
    think_s[row] = found.first_submit_s[after] - found.last_end_s[before]
    columns = {**workload.columns, "preceding_job": preceding, "think_time_s": think_s}
    return replace(workload, columns=columns), left_out


def _only_predecessors(graph: SessionGraph) -> tuple[np.ndarray, np.ndarray]:
    """Return the sessions with exactly one predecessor, and that predecessor, without listing edges."""
    begin, stop, by_end = predecessor_ranges(graph.sessions, graph.reduced)
    one = np.flatnonzero(stop - begin == 1)
    return graph.sessions.by_user[by_end[begin[one]]], graph.sessions.by_user[one]


def _names_one_job(number: np.ndarray) -> np.ndarray:
    """bool[n_jobs]: the job has a number, and no other job has it."""
    _, index, count = np.unique(number, return_inverse=True, return_counts=True)
    return ~np.isnan(number) & (count[index] == 1)
