"""What values each metric can have, and which direction is better. Intervals and verdicts read this table.

Two bounds give intervals on the logit scale, a lower bound alone on the log scale, none on the linear scale.
"""

from __future__ import annotations

from thinktime.statistics.bounds import UNBOUNDED, Bounds

NOT_NEGATIVE = Bounds(0.0)
FROM_ONE = Bounds(1.0)  # bounded slowdowns, by definition
SHARE = Bounds(0.0, 1.0)

_BOUNDS: dict[Bounds, tuple[str, ...]] = {
    NOT_NEGATIVE: (
        *("jobs", "jobs_counted", "completed", "killed", "rejected", "unfinished", "users"),
        *("wait_mean_s", "wait_median_s", "wait_p95_s", "wait_max_s", "wait_std_s", "response_mean_s"),
        *("offered_load", "throughput_per_hour", "throughput_per_day", "makespan_s", "makespan_days"),
        *("queued_jobs_mean", "queued_jobs_max", "queued_processors_mean", "queued_processors_max"),
        *("event_queued_jobs_mean", "event_queued_jobs_max"),
        *("event_queued_processors_mean", "event_queued_processors_max"),
        *("user_wait_mean_s", "worst_tenth_wait_mean_s", "slowdown_mean", "slowdown_median", "tasks", "chunks"),
        *("aborted_runs", "restarts", "jobs_lost", "wasted_processor_s", "failures", "broken_node_h"),
        *("energy_j", "job_energy_j", "idle_energy_j", "power_mean_w", "power_max_w"),
    ),
    FROM_ONE: (
        *("bounded_slowdown_mean", "bounded_slowdown_median"),
        *("bounded_slowdown_p95", "bounded_slowdown_max", "per_processor_bounded_slowdown_mean"),
        *("user_bounded_slowdown_mean", "worst_tenth_bounded_slowdown_mean"),
    ),
    SHARE: (
        *("utilisation", "loss_of_capacity", "loss_of_capacity_bounded", "wait_jain", "bounded_slowdown_jain"),
        *("tasks_share", "overhead_share", "imbalance_share", "waiting_share", "unneeded_share"),
    ),
    # users can submit earlier than recorded; degrees Celsius have a sign
    UNBOUNDED: ("lateness_mean_s", "relative_lateness", "additional_lateness_s", "temperature_max_c"),
}

#: metric → its bounds
BOUNDS: dict[str, Bounds] = {name: bounds for bounds, names in _BOUNDS.items() for name in names}

#: More is better.
MORE_IS_BETTER = frozenset(
    ("utilisation", "throughput_per_hour", "throughput_per_day", "completed", "wait_jain", "bounded_slowdown_jain")
) | {"tasks_share"}

#: Neither direction is better: these describe what was run.
NEUTRAL = frozenset(("jobs", "jobs_counted", "users", "offered_load", "tasks", "chunks", "unneeded_share"))


def bounds_of(metric: str) -> Bounds:
    """The bounds of a metric; none for a name that is not in the catalogue."""
    return BOUNDS.get(metric, UNBOUNDED)


def better_direction(metric: str) -> int:
    """1 if more is better, −1 if less is, 0 if neither, or if the name is not in the catalogue."""
    if metric not in BOUNDS or metric in NEUTRAL:
        return 0
    return 1 if metric in MORE_IS_BETTER else -1
