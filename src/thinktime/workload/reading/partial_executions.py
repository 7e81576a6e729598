"""Partial executions: a job that was swapped out and in again may have several lines in a log.

Status 2 is a burst with more to come, 3 and 4 are last bursts of completed and failed jobs; a summary line
has any other status. Bursts and summary of one job are never both kept (SWF 2.2, field 11).
"""

from __future__ import annotations

import numpy as np

from thinktime.workload.reading.job_columns import Jobs, Tally, keep, select

_BURSTS = (2, 3, 4)
_LEFT_ALONE = ("No", "TS")  # the machine did not checkpoint: 2, 3 and 4 are exit codes or noise
DROPPED = "partial execution"


def settle(jobs: Jobs, preemption: str | None, tally: Tally) -> Jobs:
    """Return one line per job, by the header's Preemption; None if the header does not say."""
    burst = is_burst(jobs)
    if preemption in _LEFT_ALONE or not burst.any():
        return jobs
    if preemption is None and not continued(jobs).any():
        return jobs
    summarised = np.isin(jobs["job"], jobs["job"][~burst])
    doubled = burst if preemption == "Double" else burst & summarised
    jobs = keep(jobs, ~doubled, DROPPED, tally)
    return _merge(jobs, is_burst(jobs), tally)


def is_burst(jobs: Jobs) -> np.ndarray:
    return np.isin(jobs["status"], _BURSTS)


def continued(jobs: Jobs, before: tuple[float, float] = (np.nan, np.nan)) -> np.ndarray:
    """Return bursts after an unfinished burst of the same job; `before` is (number, status) of the line before."""
    number, status = (
        np.concatenate([[first], jobs[name]]) for first, name in zip(before, ("job", "status"), strict=True)
    )
    return is_burst(jobs) & (status[:-1] == 2) & (number[:-1] == number[1:])


def _merge(jobs: Jobs, burst: np.ndarray, tally: Tally) -> Jobs:
    """Merge the bursts of a job: submit time of the first, sum of the run times, status of the last."""
    rows = np.flatnonzero(burst)
    if rows.size == 0:
        return jobs
    _, first, group = np.unique(jobs["job"][rows], return_index=True, return_inverse=True)
    last = np.zeros(first.size, np.intp)
    np.maximum.at(last, group, np.arange(rows.size))
    merged = {name: values.copy() for name, values in jobs.items()}
    for name in ("run_s", "cpu_s"):
        merged[name][rows[first]] = _sums(jobs[name][rows], group, first.size)
    merged["status"][rows[first]] = _final_status(jobs["status"][rows[last]])
    kept = ~burst
    kept[rows[first]] = True
    tally.merged += int(rows.size - first.size)
    return select(merged, kept)


def _sums(values: np.ndarray, group: np.ndarray, groups: int) -> np.ndarray:
    """Return the sum of the known values by group; NaN if none is known."""
    known = np.isfinite(values)
    total = np.bincount(group, np.where(known, values, 0.0), groups)
    return np.where(np.bincount(group, known, groups) > 0, total, np.nan)


def _final_status(last: np.ndarray) -> np.ndarray:
    """Return 1 for 3 (completed), 0 for 4 (failed), NaN for 2: the log ends before the job."""
    return np.select([last == 3, last == 4], [1.0, 0.0], np.nan)
