"""Time that scheduling takes: per time point, and by the length of the queue (AccaSim's Figs. 12 and 13).

In place of a run, `decision_bars` takes a pair (scheduling, everything else) of mean seconds per time point.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.metrics.decisions import STEPS, mean_by_queue, mean_by_size, smoothed
from thinktime.plots.catalogue import figure
from thinktime.plots.kit import style
from thinktime.plots.kit.named_lines import line_look, name_lines
from thinktime.plots.kit.named_rows import figure_of_rows, mark_rows, name_rows, short
from thinktime.plots.kit.run_names import named_runs, runs_label
from thinktime.plots.kit.scales import plain_number, short_unit
from thinktime.plots.kit.timed_passes import NO_PASSES, say_sampled, timed_passes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["decision_bars", "decision_by_queue"]


LEAST_S = 1e-9  # resolution of the clock
APART = 20  # maximum over minimum, from which an axis is logarithmic


@figure("runs", "Mean time that the simulator spent per time point: scheduling, and the rest.")
def decision_bars(runs: Any, *, title: str = "") -> Figure:
    """Draw the mean time per time point, for scheduling and for the rest of the simulation: one bar per run."""
    runs = named_runs(runs)
    costs = np.array([_costs(run) for run in runs.values()]).reshape(-1, 2)
    with style.look():
        figure, axes = figure_of_rows(len(runs), runs_label(runs))
        axes.set_title(title or "Time per time point")
        if np.isnan(costs).all():
            style.say(axes, "no run has measured times")
        else:
            _draw_bars(axes, costs, list(runs))
        say_sampled(figure, runs)
        return figure


def _costs(run: Any) -> tuple[float, float]:
    """Mean seconds per time point of scheduling passes, and of everything else in the engine."""
    if not hasattr(run, "statistics"):
        dispatch_s, rest_s = run
        return float(dispatch_s), float(rest_s)
    points = run.statistics.get("instants") or float("nan")
    decision_s = run.statistics.get("decision_s", float("nan"))
    rest_s = max(run.statistics.get("engine_s", float("nan")) - decision_s, 0.0)
    return decision_s / points, rest_s / points


def _draw_bars(axes: Axes, costs: np.ndarray, names: list[str]) -> None:
    unit_s, unit = short_unit(float(np.nanmax(costs.sum(axis=1))))
    dispatch, rest = costs.T / unit_s
    y = np.arange(len(names))
    axes.barh(y, dispatch, height=0.62, color=style.VERMILLION, label="scheduling")
    axes.barh(y, rest, left=dispatch, height=0.62, color=style.SKY, label="everything else")
    mark_rows(axes, np.flatnonzero(np.isnan(costs).any(axis=1)), "unknown")
    name_rows(axes, names)
    axes.set_xlim(0, np.nanmax(dispatch + rest) * 1.05 or 1.0)
    axes.set_xlabel(f"mean time per time point ({unit})")
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, borderaxespad=0.1)


@figure(
    "runs",
    "Mean duration of a scheduling pass by the number of waiting jobs, from a sample of the passes or all of them.",
)
def decision_by_queue(runs: Any, *, smooth: int = 0, title: str = "") -> Figure:
    """Draw the mean duration of a scheduling pass by the number of waiting jobs, one line per run.

    Parameters
    ----------
    runs
        Runs by name, as a list, or one; or pairs of arrays (queue length, mean seconds). Runs without `decisions=True`
        have a sample of their passes.
    smooth
        0 puts long queues into bins. Otherwise each queue length has its mean, and a Savitzky-Golay filter over this
        part of the curve smooths the logarithms. AccaSim has 30, applied to the times, where it overshoots below 0.
    title
        Replaces the title.
    """
    runs = named_runs(runs)
    known = {label: curve for label, run in runs.items() if len((curve := _curve(run, smooth))[0])}
    with style.look():
        figure, (axes,) = style.panels(title=runs_label(runs))
        axes.set_title(title or "Decision time by queue size")
        axes.set_xlabel("waiting jobs before the pass")
        if known:
            _draw_curves(axes, known)
        else:
            style.say(axes, NO_PASSES)
        say_sampled(figure, runs)
        return figure


def _curve(run: Any, smooth: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Queue sizes and the mean seconds of a pass at them."""
    if not hasattr(run, "columns"):
        queued, mean_s = (np.asarray(part, dtype=np.float64) for part in run)
        return queued, _calmed(mean_s, smooth)
    decisions = timed_passes(run)
    if decisions is None:
        return np.empty(0), np.empty(0)
    if not smooth:
        return mean_by_queue(decisions["queued_jobs"], decisions["decision_s"])
    sizes, mean_s = mean_by_size(decisions["queued_jobs"], decisions["decision_s"])
    return sizes, _calmed(mean_s, smooth)


def _calmed(mean_s: np.ndarray, smooth: int) -> np.ndarray:
    return np.exp(smoothed(np.log(np.maximum(mean_s, LEAST_S)), smooth)) if smooth else mean_s


def _draw_curves(axes: Axes, curves: dict[str, tuple[np.ndarray, np.ndarray]]) -> None:
    unit_s, unit = short_unit(float(max(np.nanmax(mean_s) for _, mean_s in curves.values())))
    for index, (label, (queued, mean_s)) in enumerate(curves.items()):
        marker = "o" if len(queued) == 1 else None
        axes.plot(queued, mean_s / unit_s, label=short(label), marker=marker, **line_look(index, len(curves)))
    longest = max(float(np.nanmax(queued)) for queued, _ in curves.values())
    axes.set_xscale("symlog", linthresh=STEPS, linscale=1.0)
    powers = 2.0 ** np.arange(3, np.log2(max(longest, STEPS)) + 1)
    axes.set_xticks([0, 2, 4, 6, *powers[:: max(1, len(powers) // 6)]])
    axes.set_xlim(0, max(longest, STEPS) * 1.05)
    _scale_decision_times(axes, np.concatenate([mean_s for _, mean_s in curves.values()]) / unit_s)
    axes.xaxis.set_major_formatter(plain_number)
    axes.set_ylabel(f"mean decision time ({unit})")
    name_lines(axes, len(curves))


def _scale_decision_times(axes: Axes, values: np.ndarray) -> None:
    """Linear from 0; logarithmic where policies differ by orders of magnitude."""
    positive = values[values > 0]
    if len(positive) and positive.max() > APART * positive.min():
        axes.set_yscale("log", nonpositive="mask")
        axes.yaxis.set_major_formatter(plain_number)
    else:
        axes.set_ylim(bottom=0)
