"""From the columns of a run to its summary."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from thinktime.metrics import jobs, machine, timeline
from thinktime.metrics.count_cautions import Context, find_cautions
from thinktime.metrics.fairness import jain_index, worst_tenth
from thinktime.metrics.lateness import mean_lateness
from thinktime.metrics.names import METRICS
from thinktime.metrics.status import STATUS_NAMES
from thinktime.metrics.summary import Summary
from thinktime.metrics.window import (
    Window,
    check_exclude,
    check_tau,
    choose_window,
    counted_jobs,
    last_submission,
    of_users,
    submitted_in,
)

Values = dict[str, float | int | None]

NO_JOBS = "no job is counted"
NO_WINDOW = "the window has no length"
NO_TIMELINE = "no timeline in the window"
NO_QUANTILES = "quantiles were not asked for"
QUANTILES = (
    "wait_median_s",
    "wait_p95_s",
    "slowdown_median",
    "bounded_slowdown_median",
    "bounded_slowdown_p95",
)


def summarize(
    columns: Mapping[str, np.ndarray],
    timeline_columns: Mapping[str, np.ndarray],
    processors: int,
    *,
    window: Window | None = None,
    warmup_s: float = 0.0,
    cooldown_s: float = 0.0,
    exclude: Sequence[str] = ("rejected",),
    exclude_users: Sequence[float] = (),
    tau_s: float = jobs.TAU_S,
    quantiles: bool = True,
    stopped_s: float | None = None,
    context: Context | None = None,
) -> Summary:
    """All metrics of a run over a window, which states its window, its cuts and whom it leaves out.

    Job metrics are over the jobs submitted inside the window that ended; utilisation is by overlap and
    throughput by terminations inside the window, both of all jobs; the makespan is that of the counted jobs. Users to
    exclude, such as rare behaviours of a resampled log, count for utilisation and the queue, and for nothing else.
    `stopped_s` is when the simulation was stopped, if it was. `context` is what the columns do not say, for the
    summary's cautions.
    """
    check_tau(tau_s)
    names = check_exclude(exclude)
    t1, t2 = choose_window(columns, window, warmup_s, cooldown_s, stopped_s)
    latest = last_submission(t2, window, cooldown_s)
    kept, excluded = counted_jobs(columns, t1, latest, names, exclude_users)
    others = _without_users(columns, exclude_users)
    counted = {name: values[kept] for name, values in columns.items()}
    values: Values = {
        "jobs": len(kept),
        "jobs_counted": int(np.count_nonzero(kept)),
        **_states(others, t1, latest),
    }
    of = job_values(counted, tau_s)
    values |= _job_metrics(of)
    if not quantiles:
        values |= dict.fromkeys(QUANTILES)
    values |= _machine_metrics(columns, counted, processors, t1, t2, others["end_s"])
    values |= _timeline_metrics(timeline_columns, processors, t1, t2)
    values |= _user_metrics(of, counted["user"])
    values |= _lateness(others, t1, latest)
    settings: dict[str, Any] = {"window_s": (t1, t2), "warmup_s": float(warmup_s), "cooldown_s": float(cooldown_s)}
    ordered = {name: values[name] for name in METRICS}
    settings |= {"tau_s": float(tau_s), "exclude": names}
    settings |= {"excluded_users": len(exclude_users)} if len(exclude_users) else {}
    among = submitted_in(columns["submit_s"], t1, latest) & ~of_users(columns, exclude_users)
    found = find_cautions(columns, context if context is not None else Context(stopped_s=stopped_s), among)
    return Summary(ordered, settings, excluded, notes(ordered, t1, t2), found)


def _without_users(columns: Mapping[str, np.ndarray], users: Sequence[float]) -> Mapping[str, np.ndarray]:
    if not len(users):
        return columns
    others = ~of_users(columns, users)
    return {name: values[others] for name, values in columns.items()}


def _states(columns: Mapping[str, np.ndarray], t1: float, t2: float) -> Values:
    inside = columns["status"][submitted_in(columns["submit_s"], t1, t2)]
    return {name: int(np.count_nonzero(inside == code)) for code, name in enumerate(STATUS_NAMES)}


def job_values(counted: Mapping[str, np.ndarray], tau_s: float) -> dict[str, np.ndarray]:
    """The metrics of each counted job; what the means, maxima and quantiles are over."""
    run, processors = counted["run_s"], counted["processors"]
    response = jobs.response(counted["submit_s"], counted["end_s"])
    return {
        "wait": jobs.wait(counted["submit_s"], counted["start_s"]),
        "response": response,
        "slowdown": jobs.slowdown(response, run),
        "bounded_slowdown": jobs.bounded_slowdown(response, run, tau_s),
        "per_processor": jobs.per_processor_bounded_slowdown(response, run, processors, tau_s),
    }


def _job_metrics(of: Mapping[str, np.ndarray]) -> Values:
    return {
        "wait_mean_s": _of(np.mean, of["wait"]),
        "wait_median_s": _of(np.median, of["wait"]),
        "wait_p95_s": _of(_p95, of["wait"]),
        "wait_max_s": _of(np.max, of["wait"]),
        "wait_std_s": _of(np.std, of["wait"]),
        "response_mean_s": _of(np.mean, of["response"]),
        "slowdown_mean": _of(np.mean, of["slowdown"]),
        "slowdown_median": _of(np.median, of["slowdown"]),
        "bounded_slowdown_mean": _of(np.mean, of["bounded_slowdown"]),
        "bounded_slowdown_median": _of(np.median, of["bounded_slowdown"]),
        "bounded_slowdown_p95": _of(_p95, of["bounded_slowdown"]),
        "bounded_slowdown_max": _of(np.max, of["bounded_slowdown"]),
        "per_processor_bounded_slowdown_mean": _of(np.mean, of["per_processor"]),
    }


def _machine_metrics(
    columns: Mapping[str, np.ndarray],
    counted: Mapping[str, np.ndarray],
    processors: int,
    t1: float,
    t2: float,
    counted_ends: np.ndarray,
) -> Values:
    starts, ends = columns["start_s"], columns["end_s"]
    rate = machine.throughput(counted_ends, t1, t2)
    makespan = machine.makespan(counted["submit_s"], counted["end_s"])
    load = machine.offered_load(counted["submit_s"], counted["run_s"], counted["processors"], processors)
    return {
        "utilisation": machine.utilisation(starts, ends, columns["processors"], processors, t1, t2),
        "offered_load": load,
        "throughput_per_hour": rate * machine.HOUR_S,
        "throughput_per_day": rate * machine.DAY_S,
        "makespan_s": makespan,
        "makespan_days": makespan / machine.DAY_S,
    }


def _timeline_metrics(columns: Mapping[str, np.ndarray], processors: int, t1: float, t2: float) -> Values:
    time, used = columns["time_s"], columns["used_processors"]
    values: Values = {}
    lasting = timeline.Lasting(time, t1, t2)
    for queue in ("queued_jobs", "queued_processors"):
        values[f"{queue}_mean"] = lasting.mean(columns[queue])
        values[f"{queue}_max"] = lasting.max(columns[queue])
        values[f"event_{queue}_mean"] = timeline.event_mean(columns[queue], time, t1, t2)
        values[f"event_{queue}_max"] = timeline.event_max(columns[queue], time, t1, t2)
    lost = timeline.idle_while_any_waits(used, columns["queued_jobs"], processors)
    values["loss_of_capacity"] = timeline.share(lasting.mean(lost), processors)
    lost = timeline.idle_as_far_as_queued(used, columns["queued_processors"], processors)
    values["loss_of_capacity_bounded"] = timeline.share(lasting.mean(lost), processors)
    return values


def _user_metrics(of: Mapping[str, np.ndarray], user: np.ndarray) -> Values:
    wait, slowdown = (jobs.means_by_user(of[name], user)[1] for name in ("wait", "bounded_slowdown"))
    return {
        "users": len(jobs.numbered(user[~np.isnan(user)])[0]),
        "user_wait_mean_s": _of(np.mean, wait),
        "user_bounded_slowdown_mean": _of(np.mean, slowdown),
        "wait_jain": jain_index(wait),
        "bounded_slowdown_jain": jain_index(slowdown),
        "worst_tenth_wait_mean_s": worst_tenth(wait),
        "worst_tenth_bounded_slowdown_mean": worst_tenth(slowdown),
    }


def _lateness(columns: Mapping[str, np.ndarray], t1: float, t2: float) -> Values:
    """Of all that were submitted in the window, rejected ones too: they were submitted."""
    inside = submitted_in(columns["submit_s"], t1, t2)
    found = mean_lateness(columns["submit_s"][inside], columns["recorded_submit_s"][inside])
    return {
        "lateness_mean_s": found.mean_s,
        "relative_lateness": found.relative,
        "additional_lateness_s": found.additional_s,
    }


def notes(values: Mapping[str, float | int | None], t1: float, t2: float) -> dict[str, str]:
    """Why a value is missing, for each that is."""
    missing = [name for name, value in values.items() if value is None or math.isnan(value)]
    return {name: _reason(name, values, t1, t2) for name in missing}


def _reason(name: str, values: Mapping[str, float | int | None], t1: float, t2: float) -> str:
    if values[name] is None:
        return NO_QUANTILES
    if name in ("utilisation", "throughput_per_hour", "throughput_per_day"):
        return NO_WINDOW
    if name.startswith(("queued", "event", "loss")):
        return NO_TIMELINE if t2 > t1 else NO_WINDOW
    if name in ("lateness_mean_s", "relative_lateness", "additional_lateness_s"):
        return "too few jobs were submitted in the window"
    if not values["jobs_counted"]:
        return NO_JOBS
    return "all counted jobs were submitted at once" if name == "offered_load" else "no counted job has a user"


def _of(function: Callable[[np.ndarray], np.floating], values: np.ndarray) -> float:
    return float(function(values)) if len(values) else math.nan


def _p95(values: np.ndarray) -> np.floating:
    return np.quantile(values, 0.95)  # linear between the two nearest values
