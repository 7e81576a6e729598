"""The metrics of a summary: name, unit and what it says, in the order in which they are printed."""

from __future__ import annotations

from typing import NamedTuple


class Metric(NamedTuple):
    """One row of a summary."""

    name: str  # key in Summary and run.json
    unit: str  # "" for a pure number
    label: str  # what the printed table says


_ROWS = (
    ("jobs", "jobs", "jobs in the run"),
    ("jobs_counted", "jobs", "jobs counted"),
    ("completed", "jobs", "completed, of those submitted in the window"),
    ("killed", "jobs", "killed, of those submitted in the window"),
    ("rejected", "jobs", "rejected, of those submitted in the window"),
    ("unfinished", "jobs", "unfinished, of those submitted in the window"),
    ("wait_mean_s", "s", "wait, mean"),
    ("wait_median_s", "s", "wait, median"),
    ("wait_p95_s", "s", "wait, 95th percentile"),
    ("wait_max_s", "s", "wait, maximum"),
    ("wait_std_s", "s", "wait, standard deviation"),
    ("response_mean_s", "s", "response, mean"),
    ("slowdown_mean", "", "slowdown, mean"),
    ("slowdown_median", "", "slowdown, median"),
    ("bounded_slowdown_mean", "", "bounded slowdown, mean"),
    ("bounded_slowdown_median", "", "bounded slowdown, median"),
    ("bounded_slowdown_p95", "", "bounded slowdown, 95th percentile"),
    ("bounded_slowdown_max", "", "bounded slowdown, maximum"),
    ("per_processor_bounded_slowdown_mean", "", "per-processor bounded slowdown, mean"),
    ("utilisation", "", "utilisation"),
    ("offered_load", "", "offered load"),
    ("throughput_per_hour", "jobs/h", "throughput"),
    ("throughput_per_day", "jobs/d", "throughput"),
    ("makespan_s", "s", "makespan"),
    ("makespan_days", "d", "makespan"),
    ("queued_jobs_mean", "jobs", "queue length over time, mean"),
    ("queued_jobs_max", "jobs", "queue length over time, maximum"),
    ("queued_processors_mean", "processors", "queued processors over time, mean"),
    ("queued_processors_max", "processors", "queued processors over time, maximum"),
    ("event_queued_jobs_mean", "jobs", "queue length per event, mean"),
    ("event_queued_jobs_max", "jobs", "queue length per event, maximum"),
    ("event_queued_processors_mean", "processors", "queued processors per event, mean"),
    ("event_queued_processors_max", "processors", "queued processors per event, maximum"),
    ("loss_of_capacity", "", "loss of capacity (any job waits)"),
    ("loss_of_capacity_bounded", "", "loss of capacity (as far as queued)"),
    ("users", "users", "users with a counted job"),
    ("user_wait_mean_s", "s", "wait, mean over users"),
    ("user_bounded_slowdown_mean", "", "bounded slowdown, mean over users"),
    ("wait_jain", "", "wait, Jain's index over users"),
    ("bounded_slowdown_jain", "", "bounded slowdown, Jain's index over users"),
    ("worst_tenth_wait_mean_s", "s", "wait, mean of the worst tenth of users"),
    ("worst_tenth_bounded_slowdown_mean", "", "bounded slowdown, mean of the worst tenth of users"),
    ("lateness_mean_s", "s", "lateness of submissions, mean"),
    ("relative_lateness", "", "relative lateness"),
    ("additional_lateness_s", "s", "additional lateness per job"),
)

#: name → its row
METRICS: dict[str, Metric] = {row[0]: Metric(*row) for row in _ROWS}

_INSIDE = (
    ("tasks", "tasks", "tasks inside jobs"),
    ("chunks", "chunks", "chunks that cores asked for"),
    ("tasks_share", "", "share of core-seconds in tasks"),
    ("overhead_share", "", "share of core-seconds asking for chunks"),
    ("imbalance_share", "", "share of core-seconds held by jobs without a task (imbalance)"),
    ("waiting_share", "", "share of core-seconds free while jobs wait (for other cores)"),
    ("unneeded_share", "", "share of core-seconds free with nobody waiting"),
)

#: What a summary has besides if jobs are looked into: name → its row
INSIDE_METRICS: dict[str, Metric] = {row[0]: Metric(*row) for row in _INSIDE}

_OF_PLUGINS = (
    ("aborted_runs", "runs", "aborted runs"),
    ("restarts", "runs", "aborted runs that went back to the queue"),
    ("jobs_lost", "jobs", "jobs lost"),
    ("wasted_processor_s", "processor s", "work that was lost"),
    ("failures", "failures", "failures of nodes"),
    ("broken_node_h", "node h", "node-hours lost to failures"),
    ("energy_j", "J", "energy of all nodes"),
    ("job_energy_j", "J", "energy of jobs"),
    ("idle_energy_j", "J", "energy of idle nodes"),
    ("power_mean_w", "W", "power over time, mean"),
    ("power_max_w", "W", "power over time, maximum"),
    ("temperature_max_c", "°C", "temperature, highest"),
)

#: What runs with plugins have besides, as far as their plugins know it; over the whole run, whatever the window
PLUGIN_METRICS: dict[str, Metric] = {row[0]: Metric(*row) for row in _OF_PLUGINS}

#: Which plugin knows it; runs that a plugin of one's own aborted have those of aborted runs too
KNOWN_BY = {
    **dict.fromkeys(("aborted_runs", "restarts", "jobs_lost", "wasted_processor_s"), "failures"),
    **dict.fromkeys(("failures", "broken_node_h"), "failures"),
    **dict.fromkeys(("energy_j", "job_energy_j", "idle_energy_j", "power_mean_w", "power_max_w"), "power"),
    "temperature_max_c": "thermal",
}

EVERY_METRIC = {**METRICS, **INSIDE_METRICS, **PLUGIN_METRICS}
