"""Metrics: pure functions on arrays, the catalogue that describes them, and the summary of a run."""

from thinktime.description.week import CycleDistance, cycle_distance, week_s, weekly_profile
from thinktime.metrics.accumulate import Accumulator
from thinktime.metrics.application_level import ApplicationSums, CoreSeconds, given_back_share
from thinktime.metrics.boxes import Box, box, queue_box, slowdown_box
from thinktime.metrics.catalogue import CATALOGUE
from thinktime.metrics.caution_kinds import KINDS, Kind
from thinktime.metrics.cautions import Caution, Cautions, compared
from thinktime.metrics.count_cautions import Context, find_cautions
from thinktime.metrics.decisions import growth, mean_by_queue, mean_by_size, smoothed
from thinktime.metrics.fairness import fair_start_misses, fairness, gini, jain_index, worst_tenth
from thinktime.metrics.jobs import (
    bounded_slowdown,
    mean_over_users,
    means_by_user,
    per_processor_bounded_slowdown,
    response,
    slowdown,
    wait,
)
from thinktime.metrics.lateness import (
    Lateness,
    UserLateness,
    lateness,
    lateness_by_user,
    mean_lateness,
    prefix_lateness,
)
from thinktime.metrics.long_windows import LongWindow, long_windows
from thinktime.metrics.machine import makespan, offered_load, terminations, throughput, utilisation
from thinktime.metrics.metric import Catalogue, Metric
from thinktime.metrics.nodes import LoadRatio, load_ratio, resource_efficiency
from thinktime.metrics.run_data import RunData
from thinktime.metrics.saturation import (
    Saturation,
    accepted,
    outstanding_jobs,
    saturated_because,
    saturation,
    saturation_of,
)
from thinktime.metrics.status import COMPLETED, KILLED, REJECTED, STATUS_NAMES, UNFINISHED
from thinktime.metrics.summarize import checked_metrics, need_timeline, selected, summarize
from thinktime.metrics.summary import Summary
from thinktime.metrics.timeline import (
    event_max,
    event_mean,
    loss_of_capacity,
    loss_of_capacity_bounded,
    time_max,
    time_mean,
)
from thinktime.metrics.users import activity, counted_columns, per_user, per_value

__all__ = [
    "CATALOGUE",
    "COMPLETED",
    "KILLED",
    "KINDS",
    "REJECTED",
    "STATUS_NAMES",
    "UNFINISHED",
    "Accumulator",
    "ApplicationSums",
    "Box",
    "Catalogue",
    "Caution",
    "Cautions",
    "Context",
    "CoreSeconds",
    "CycleDistance",
    "Kind",
    "Lateness",
    "LoadRatio",
    "LongWindow",
    "Metric",
    "RunData",
    "Saturation",
    "Summary",
    "UserLateness",
    "accepted",
    "activity",
    "bounded_slowdown",
    "box",
    "checked_metrics",
    "compared",
    "counted_columns",
    "cycle_distance",
    "event_max",
    "event_mean",
    "fair_start_misses",
    "fairness",
    "find_cautions",
    "gini",
    "given_back_share",
    "growth",
    "jain_index",
    "lateness",
    "lateness_by_user",
    "load_ratio",
    "long_windows",
    "loss_of_capacity",
    "loss_of_capacity_bounded",
    "makespan",
    "mean_by_queue",
    "mean_by_size",
    "mean_lateness",
    "mean_over_users",
    "means_by_user",
    "need_timeline",
    "offered_load",
    "outstanding_jobs",
    "per_processor_bounded_slowdown",
    "per_user",
    "per_value",
    "prefix_lateness",
    "queue_box",
    "resource_efficiency",
    "response",
    "saturated_because",
    "saturation",
    "saturation_of",
    "selected",
    "slowdown",
    "slowdown_box",
    "smoothed",
    "summarize",
    "terminations",
    "throughput",
    "time_max",
    "time_mean",
    "utilisation",
    "wait",
    "week_s",
    "weekly_profile",
    "worst_tenth",
]
