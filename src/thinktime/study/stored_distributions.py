"""The distributions of a run that a store keeps, to draw them, in some kilobytes (`sketch` in an outcome).

101 quantiles of each distribution, the load by hour of the week, and the means of every user.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from thinktime.metrics import jobs as of_job
from thinktime.metrics.lateness import lateness_by_user
from thinktime.metrics.users import counted_columns
from thinktime.metrics.week_hours import area_by_hour, hours_seen
from thinktime.metrics.window import choose_window
from thinktime.result import Result
from thinktime.support.json_types import JsonDict, JsonTable
from thinktime.support.time_units import DAY_S, HOUR_S
from thinktime.workload import Workload

QUANTILES = np.linspace(0.0, 1.0, 101)
USERS = 2000  # of more users, those with the most jobs are kept
DIGITS = 6  # enough for drawing


def stored_distributions(result: Result, workload: Workload, summary: JsonTable) -> JsonDict:
    """Return the distributions by name, over the jobs and the window that a summary with these options counts."""
    tau_s, cuts = summary["tau_s"], {name: value for name, value in summary.items() if name != "tau_s"}
    columns = {**result.columns, "run_s": result.work_s}
    of, inside = counted_columns(columns, **cuts), _timeline_rows_in_window(result, cuts)
    response = of_job.response(of["submit_s"], of["end_s"])
    wait = of_job.wait(of["submit_s"], of["start_s"])
    slowdown = of_job.bounded_slowdown(response, of["run_s"], tau_s)
    return {
        "wait_s": quantiles(wait),
        "bounded_slowdown": quantiles(slowdown),
        "slowdown": quantiles(of_job.slowdown(response, of["run_s"])),
        "queued_jobs": quantiles(result.timeline_columns["queued_jobs"][inside]),
        "week_load": week_load(result, _local_offset_s(workload)),
        "users": by_user(of["user"], wait, slowdown) | additional_lateness(result.columns),
    }


def _timeline_rows_in_window(result: Result, cuts: JsonTable) -> np.ndarray:
    """Return a mask of the rows of the timeline in the window."""
    cuts = {"window": None, "warmup_s": 0.0, "cooldown_s": 0.0} | dict(cuts)
    t1, t2 = choose_window(result.columns, cuts["window"], cuts["warmup_s"], cuts["cooldown_s"], None)
    time_s = result.timeline_columns["time_s"]
    return (time_s >= t1) & (time_s <= t2)


def quantiles(values: np.ndarray) -> list[float]:
    """Return the quantiles, linear between neighbours; empty without values."""
    known = np.sort(values[~np.isnan(values)] if values.dtype.kind == "f" else values)
    if not len(known):
        return []
    place = QUANTILES * (len(known) - 1)
    below = np.floor(place).astype(np.intp)
    above = np.minimum(below + 1, len(known) - 1)
    return _rounded(known[below] + (known[above] - known[below]) * (place - below))


def week_load(result: Result, offset_s: float) -> list[float]:
    """Return the share of processors in use by hour of the week, from Monday 00:00 if the local time is known."""
    time_s = result.timeline_columns["time_s"]
    if len(time_s) < 2:
        return []
    shift = np.floor(offset_s / HOUR_S)  # whole hours
    area = area_by_hour(time_s + shift * HOUR_S, result.timeline_columns["used_processors"])
    first, last = np.floor(time_s[0] / HOUR_S), np.ceil(time_s[-1] / HOUR_S)
    seen = hours_seen(int(first + shift), int(last + shift) - 1)
    return _rounded(area / (HOUR_S * result.processors * np.maximum(seen, 1)))


def by_user(user: np.ndarray, wait_s: np.ndarray, slowdown: np.ndarray) -> dict[str, list[Any]]:
    """Return jobs and means of every user."""
    known = ~(np.isnan(user) | np.isnan(wait_s))
    users, index = of_job.numbered(user[known])
    jobs = np.bincount(index, minlength=len(users))
    means = [np.bincount(index, values[known], len(users)) / jobs for values in (wait_s, slowdown)]
    most = np.sort(np.argsort(-jobs, kind="stable")[:USERS])
    return {
        "user": users[most].astype(int).tolist(),
        "jobs": jobs[most].tolist(),
        "mean_wait_s": _rounded(means[0][most]),
        "mean_bounded_slowdown": _rounded(means[1][most]),
    }


def additional_lateness(of: Mapping[str, np.ndarray]) -> dict[str, list[float | None]]:
    """Return the additional lateness of every user; None for users with one job. Empty if no submission was late."""
    if np.array_equal(of["submit_s"], of["recorded_submit_s"], equal_nan=True):
        return {}
    found = lateness_by_user(of["submit_s"], of["recorded_submit_s"], of["user"])
    known = [None if np.isnan(each) else each for each in found.additional_s.tolist()]
    return {"additional_lateness_s": known}


def _local_offset_s(workload: Workload) -> float:
    """Return the offset from the workload's time to seconds since a local Monday 00:00, at the first job."""
    first = workload["submit_s"][:1]
    try:
        local = workload.select(np.arange(1)).local_s() if workload.unix_start_s is not None else first
    except ValueError:  # beyond the years in which local time is known
        local = first
    thursday = 3 * DAY_S if workload.unix_start_s is not None else 0.0  # 1970 began on a Thursday
    return float(local[0] - first[0] + thursday) if len(first) else 0.0


def _rounded(values: np.ndarray) -> list[float]:
    return [float(f"{value:.{DIGITS}g}") for value in np.asarray(values, float).tolist()]
