"""Users of a run: jobs, waits, slowdowns, processor-seconds and activity, one row per user.

Activity length: from the first submission of a user to the last. The jobs are the same in every run of a log, so a
longer activity is a lower throughput: ended jobs / (last end − first submission). Zakay and Feitelson 2014, Figs. 7
and 9.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from thinktime.metrics import jobs
from thinktime.metrics.window import Window, check_exclude, check_tau, choose_window, counted_jobs, last_submission
from thinktime.support.time_units import DAY_S


def counted_columns(
    columns: Mapping[str, np.ndarray],
    *,
    window: Window | None = None,
    warmup_s: float = 0.0,
    cooldown_s: float = 0.0,
    exclude: Sequence[str] = ("rejected",),
    exclude_users: Sequence[float] = (),
    stopped_s: float | None = None,
) -> dict[str, np.ndarray]:
    """Return the rows that a summary with the same options counts, with their index in the run as `row`."""
    t1, t2 = choose_window(columns, window, warmup_s, cooldown_s, stopped_s)
    latest = last_submission(t2, window, cooldown_s)
    kept, _ = counted_jobs(columns, t1, latest, check_exclude(exclude), exclude_users)
    return {"row": np.flatnonzero(kept), **{name: values[kept] for name, values in columns.items()}}


def per_user(counted: Mapping[str, np.ndarray], tau_s: float = jobs.TAU_S) -> dict[str, np.ndarray]:
    """Return one row per user of the counted jobs, users ascending; jobs without a user belong to none."""
    known = ~np.isnan(counted["user"])
    return per_value({name: values[known] for name, values in counted.items()}, "user", tau_s)


def per_value(counted: Mapping[str, np.ndarray], column: str, tau_s: float = jobs.TAU_S) -> dict[str, np.ndarray]:
    """Return one row per value of a column of the counted jobs, ascending; jobs without a value are the last row."""
    check_tau(tau_s)
    found, index, count = np.unique(counted[column], return_inverse=True, return_counts=True)
    response = jobs.response(counted["submit_s"], counted["end_s"])
    slowdown = jobs.bounded_slowdown(response, counted["run_s"], tau_s)
    return {
        column: found,
        "jobs": count,
        "mean_wait_s": _totals(index, jobs.wait(counted["submit_s"], counted["start_s"]), len(found)) / count,
        "mean_bounded_slowdown": _totals(index, slowdown, len(found)) / count,
        "processor_s": _totals(index, counted["processors"] * counted["run_s"], len(found)),
    }


def _totals(index: np.ndarray, values: np.ndarray, groups: int) -> np.ndarray:
    return np.bincount(index, weights=values, minlength=groups)


def activity(columns: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return one row per user of a run, users ascending; jobs without a user, or never submitted, belong to none."""
    known = ~(np.isnan(columns["user"]) | np.isnan(columns["submit_s"]))
    users, index, jobs = np.unique(columns["user"][known], return_inverse=True, return_counts=True)
    submit_s, end_s = columns["submit_s"][known], columns["end_s"][known]
    first_s, last_s, end = np.full(len(users), np.inf), np.full(len(users), -np.inf), np.full(len(users), -np.inf)
    np.minimum.at(first_s, index, submit_s)
    np.maximum.at(last_s, index, submit_s)
    np.fmax.at(end, index, end_s)
    ended = np.bincount(index[~np.isnan(end_s)], minlength=len(users))
    period_s = end - first_s
    rate = np.divide(ended * DAY_S, period_s, out=np.full(len(users), np.nan), where=(ended > 0) & (period_s > 0))
    return {"user": users, "jobs": jobs, "activity_s": last_s - first_s, "throughput_per_day": rate}
