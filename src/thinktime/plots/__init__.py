"""Figures of runs and workloads, for papers: matplotlib, one look, PNG, PDF and SVG.

Nothing here imports matplotlib until a figure is made.
"""

from thinktime.plots.catalogue import FIGURES, RUNS_FIGURES, comparison_figures
from thinktime.plots.inside_jobs.cores import core_gantt
from thinktime.plots.inside_jobs.two_levels import (
    changes,
    core_second_bars,
    parallel_times,
    ratio_lines,
    simulation_times,
)
from thinktime.plots.kit.distribution import Distribution
from thinktime.plots.kit.style import save
from thinktime.plots.logs.description_figures import (
    daily_concentrations,
    description_figures,
    pox_lines,
    pox_plots,
    shuffled_sessions,
    similarity_by_distance,
    user_marginals,
    verdicts,
    weekly_cycle,
)
from thinktime.plots.logs.flurries import measures_by_dose, weekly_jobs
from thinktime.plots.logs.generated import submission_shares, work_distribution
from thinktime.plots.logs.overview import (
    arrivals_by_hour,
    estimate_accuracy,
    jobs_and_area_by_size,
    jobs_per_user,
    sizes_and_run_times,
    submissions_over_time,
    workload_figures,
    workload_overview,
)
from thinktime.plots.runs.decisions import decision_bars, decision_by_queue
from thinktime.plots.runs.distributions import (
    queue_boxes,
    queue_ecdf,
    slowdown_boxes,
    slowdown_ecdf,
    wait_boxes,
    wait_ecdf,
)
from thinktime.plots.runs.gantt import gantt
from thinktime.plots.runs.nodes_over_time import plugin_figures, power_over_time, temperature_map
from thinktime.plots.runs.overview import (
    queue_over_time,
    run_figures,
    run_overview,
    slowdown_distribution,
    utilisation_over_time,
    wait_by_size,
    wait_distribution,
    wait_over_time,
)
from thinktime.plots.runs.week import week_load
from thinktime.plots.sessions.feedback import (
    cumulative_jobs,
    lateness_by_jobs,
    lateness_by_prefix,
    submissions_by_hour,
    submissions_compared,
    submit_differences,
    windows_compared,
)
from thinktime.plots.sessions.feedback_figures import activity_lengths, feedback_figures
from thinktime.plots.sessions.graphs import first_submissions, graph_shapes, session_figures, think_times, user_graph
from thinktime.plots.studies.critical_difference import critical_difference
from thinktime.plots.studies.intervals import intervals, paired_differences
from thinktime.plots.studies.load_sweep import load_sweep
from thinktime.plots.studies.resamples import bootstrap_figures, resample_differences, resample_histograms

__all__ = [
    "FIGURES",
    "RUNS_FIGURES",
    "Distribution",
    "activity_lengths",
    "arrivals_by_hour",
    "bootstrap_figures",
    "changes",
    "comparison_figures",
    "core_gantt",
    "core_second_bars",
    "critical_difference",
    "cumulative_jobs",
    "daily_concentrations",
    "decision_bars",
    "decision_by_queue",
    "description_figures",
    "estimate_accuracy",
    "feedback_figures",
    "first_submissions",
    "gantt",
    "graph_shapes",
    "intervals",
    "jobs_and_area_by_size",
    "jobs_per_user",
    "lateness_by_jobs",
    "lateness_by_prefix",
    "load_sweep",
    "measures_by_dose",
    "paired_differences",
    "parallel_times",
    "plugin_figures",
    "power_over_time",
    "pox_lines",
    "pox_plots",
    "queue_boxes",
    "queue_ecdf",
    "queue_over_time",
    "ratio_lines",
    "resample_differences",
    "resample_histograms",
    "run_figures",
    "run_overview",
    "save",
    "session_figures",
    "shuffled_sessions",
    "similarity_by_distance",
    "simulation_times",
    "sizes_and_run_times",
    "slowdown_boxes",
    "slowdown_distribution",
    "slowdown_ecdf",
    "submission_shares",
    "submissions_by_hour",
    "submissions_compared",
    "submissions_over_time",
    "submit_differences",
    "temperature_map",
    "think_times",
    "user_graph",
    "user_marginals",
    "utilisation_over_time",
    "verdicts",
    "wait_boxes",
    "wait_by_size",
    "wait_distribution",
    "wait_ecdf",
    "wait_over_time",
    "week_load",
    "weekly_cycle",
    "weekly_jobs",
    "windows_compared",
    "work_distribution",
    "workload_figures",
    "workload_overview",
]
