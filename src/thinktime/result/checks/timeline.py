"""Compare the timeline with the jobs: the state after each instant must follow from the jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from thinktime.metrics.status import REJECTED

Columns = Mapping[str, np.ndarray]


class Finding(NamedTuple):
    """Rows that violate a rule in one way, and the sentence for a row."""

    rows: np.ndarray  # of the jobs, or of the timeline
    say: Callable[[int], str]
    of_jobs: bool


def timeline_order(timeline: Columns) -> Iterator[Finding]:
    """Instants are listed once, in ascending order."""
    time = timeline["time_s"]
    yield Finding(
        np.flatnonzero(np.diff(time) <= 0),
        lambda i: f"the timeline goes from {time[i]:.15g} s to {time[i + 1]:.15g} s, which is not later",
        of_jobs=False,
    )


def timeline_values(
    jobs: Columns, timeline: Columns, requeued: Columns, held: Columns, refused: tuple[np.ndarray, np.ndarray]
) -> Iterator[Finding]:
    """Queue and use after each instant agree with the jobs, with requeued runs, early releases and late rejections.

    `refused` has the rows and times of the jobs that were rejected after they had waited.
    """
    at = timeline["time_s"]
    for name, expected in {**_implied(jobs, requeued, refused, at), **_used(held, at)}.items():
        yield _different(name, timeline[name], expected, at)


def _different(name: str, given: np.ndarray, expected: np.ndarray, at: np.ndarray) -> Finding:
    return Finding(
        np.flatnonzero(given != expected),
        lambda i: f"the timeline says {name} = {given[i]} at {at[i]:.15g} s but the jobs say {expected[i]:.15g}",
        of_jobs=False,
    )


def _implied(
    jobs: Columns, requeued: Columns, refused: tuple[np.ndarray, np.ndarray], at: np.ndarray
) -> dict[str, np.ndarray]:
    """Return three counts after each instant: arrivals minus departures.

    A job that is rejected at its submission never queues; a requeued job joins the queue when its run is aborted.
    """
    rows, left = refused
    queued = jobs["status"] != REJECTED
    queued[rows] = True
    join = np.concatenate([np.where(queued, jobs["submit_s"], np.nan), requeued["end_s"]])
    start, end, size = (np.concatenate([jobs[name], requeued[name]]) for name in ("start_s", "end_s", "processors"))
    one, large = np.ones(len(join)), jobs["processors"][rows]
    return {
        "queued_jobs": total_by(join, one, at) - total_by(start, one, at) - total_by(left, np.ones(len(left)), at),
        "queued_processors": total_by(join, size, at) - total_by(start, size, at) - total_by(left, large, at),
        "running_jobs": total_by(start, one, at) - total_by(end, one, at),
    }


def _used(held: Columns, at: np.ndarray) -> dict[str, np.ndarray]:
    start, end, size = (held[name] for name in ("start_s", "end_s", "processors"))
    return {"used_processors": total_by(start, size, at) - total_by(end, size, at)}


def total_by(times_s: np.ndarray, weights: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Return the sum of the weights with a time up to each instant of `at`, included."""
    known = ~np.isnan(times_s)
    order = np.argsort(times_s[known], kind="stable")
    sums = np.concatenate([[0.0], np.cumsum(weights[known][order])])
    return sums[np.searchsorted(times_s[known][order], at, side="right")]


def missing_instants(jobs: Columns, timeline: Columns) -> Iterator[Finding]:
    """Every submission (into the queue), start and end is an instant of the timeline, up to its last one."""
    time = timeline["time_s"]
    if not len(time):
        return
    queued = jobs["status"] != REJECTED
    for name in ("submit_s", "start_s", "end_s"):
        yield _unlisted(name, jobs["job"], np.where(queued, jobs[name], np.nan), time, jobs["start_s"])


def _unlisted(name: str, job: np.ndarray, times_s: np.ndarray, time: np.ndarray, start_s: np.ndarray) -> Finding:
    # a job that a stopped run did not reach may have a submission after the end of the timeline
    unseen = np.isnan(start_s) & (times_s > time.max())
    absent = ~np.isnan(times_s) & ~np.isin(times_s, time) & ~unseen
    return Finding(
        np.flatnonzero(absent),
        lambda i: f"the timeline has no instant {times_s[i]:.15g} s, the {name} of job {job[i]:.0f}",
        of_jobs=True,
    )
