"""Figures of runs and workloads, for papers: matplotlib, one look, PNG, PDF and SVG.

Nothing here imports matplotlib until a figure is made.
"""

from thinktime.plots.feedback import (
    cumulative_jobs,
    lateness_by_jobs,
    lateness_by_prefix,
    submissions_by_hour,
    submissions_compared,
    submit_differences,
    windows_compared,
)
from thinktime.plots.run import (
    queue_over_time,
    run_figures,
    run_overview,
    slowdown_distribution,
    utilisation_over_time,
    wait_by_size,
    wait_distribution,
    wait_over_time,
)
from thinktime.plots.sessions import first_submissions, graph_shapes, session_figures, think_times, user_graph
from thinktime.plots.style import save
from thinktime.plots.workload import (
    arrivals_by_hour,
    estimate_accuracy,
    jobs_and_area_by_size,
    jobs_per_user,
    sizes_and_run_times,
    submissions_over_time,
    workload_figures,
    workload_overview,
)

__all__ = [
    "arrivals_by_hour",
    "cumulative_jobs",
    "estimate_accuracy",
    "first_submissions",
    "graph_shapes",
    "jobs_and_area_by_size",
    "jobs_per_user",
    "lateness_by_jobs",
    "lateness_by_prefix",
    "queue_over_time",
    "run_figures",
    "run_overview",
    "save",
    "session_figures",
    "sizes_and_run_times",
    "slowdown_distribution",
    "submissions_by_hour",
    "submissions_compared",
    "submissions_over_time",
    "submit_differences",
    "think_times",
    "user_graph",
    "utilisation_over_time",
    "wait_by_size",
    "wait_distribution",
    "wait_over_time",
    "windows_compared",
    "workload_figures",
    "workload_overview",
]
