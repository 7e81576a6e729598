"""Figures of runs and workloads, for papers: matplotlib, one look, PNG, PDF and SVG.

Nothing here imports matplotlib until a figure is made.
"""

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
    "estimate_accuracy",
    "jobs_and_area_by_size",
    "jobs_per_user",
    "queue_over_time",
    "run_figures",
    "run_overview",
    "save",
    "sizes_and_run_times",
    "slowdown_distribution",
    "submissions_over_time",
    "utilisation_over_time",
    "wait_by_size",
    "wait_distribution",
    "wait_over_time",
    "workload_figures",
    "workload_overview",
]
