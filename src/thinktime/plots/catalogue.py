"""The figures by name, so that a study or a report can draw them all.

`RUNS_FIGURES` take a mapping from a label to a result; the others say in their module what they take.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from thinktime.plots.inside_jobs.cores import core_gantt
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
from thinktime.plots.runs.week import week_load
from thinktime.plots.studies.critical_difference import critical_difference
from thinktime.plots.studies.intervals import intervals, paired_differences
from thinktime.plots.studies.load_sweep import load_sweep
from thinktime.plots.studies.resamples import resample_differences, resample_histograms

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Draw = Callable[..., "Figure"]


def _named(*figures: Draw) -> dict[str, Draw]:
    return {draw.__name__: draw for draw in figures}


#: Figures of several runs beside each other
RUNS_FIGURES = _named(
    wait_boxes,
    slowdown_boxes,
    queue_boxes,
    wait_ecdf,
    slowdown_ecdf,
    queue_ecdf,
    decision_bars,
    decision_by_queue,
    week_load,
)

#: Every figure of this layer but those of single runs and workloads, which `run_figures` and `workload_figures` draw
FIGURES = {
    **RUNS_FIGURES,
    **_named(gantt, core_gantt, critical_difference, intervals, paired_differences),
    **_named(resample_histograms, resample_differences, load_sweep),
}


def comparison_figures(runs: Mapping[str, Any]) -> dict[str, Figure]:
    """Every figure of several runs by its name, which is also a good file name."""
    return {name: draw(runs) for name, draw in RUNS_FIGURES.items()}
