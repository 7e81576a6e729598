"""Rules on what a scheduler in Python did to jobs besides starting them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from thinktime.metrics.status import KILLED, REJECTED
from thinktime.result.actions import ACTION_TABLE
from thinktime.result.checks.timeline import Finding
from thinktime.result.result import Result


def has_actions(result: Result) -> bool:
    """Return whether the scheduler did more than to start jobs."""
    return ACTION_TABLE in result.report_columns


def actions_agree(result: Result) -> Iterator[Finding]:
    """A rejected job is rejected, a killed job ended then, and a requeued job has an aborted run that ended then."""
    table = result.report_columns[ACTION_TABLE]
    row, time_s, action = table["row"].astype(np.int64), table["time_s"], table["action"]
    known = (row >= 0) & (row < len(result))
    yield _finding(~known, lambda i: f"action {i} is on row {row[i]}, which is no job of the run")
    row = np.where(known, row, 0)
    job, of = result.columns["job"][row], result.columns
    late = known & (action == "rejected") & (of["status"][row] != REJECTED)
    yield _finding(late, lambda i: f"job {job[i]:.0f} was rejected at {time_s[i]:.15g} s but has another status")
    early = known & (time_s < of["submit_s"][row])
    yield _finding(early, lambda i: f"job {job[i]:.0f} was {action[i]} at {time_s[i]:.15g} s, before its submission")
    ended = (of["status"][row] == KILLED) & (of["end_s"][row] == time_s)
    lives = known & (action == "killed") & ~ended
    yield _finding(lives, lambda i: f"job {job[i]:.0f} was killed at {time_s[i]:.15g} s but has another end or status")
    yield from _requeued(result, row, time_s, known & (action == "requeued"))


def _requeued(result: Result, row: np.ndarray, time_s: np.ndarray, requeued: np.ndarray) -> Iterator[Finding]:
    tried = result.attempts_made.columns
    made = set(zip(tried["row"].tolist(), tried["end_s"].tolist(), strict=True))
    absent = np.array([key not in made for key in zip(row.tolist(), time_s.tolist(), strict=True)], dtype=bool)
    yield _finding(
        requeued & absent,
        lambda i: f"row {row[i]} was requeued at {time_s[i]:.15g} s but no run of it was aborted then",
    )


def _finding(broken: np.ndarray, say: Callable[[int], str]) -> Finding:
    return Finding(np.flatnonzero(broken), say, of_jobs=False)
