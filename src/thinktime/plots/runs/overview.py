"""Figures of one run: how full the machine was, how long the queue, and who waited how long.

Every figure function takes a result and returns a matplotlib Figure. A result is anything with the columns of
`thinktime.result.Result`. Each panel is drawn by one function, alone in its figure or in the overview.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.plots.kit import style
from thinktime.plots.kit.binning import binned, distribution, group_quantiles
from thinktime.plots.kit.run_names import run_label, thousands
from thinktime.plots.kit.scales import (
    bin_width,
    duration_axis,
    edges,
    percent,
    percent_axis,
    time_axis,
    time_unit,
)
from thinktime.plots.kit.scales import size_classes as classes_up_to
from thinktime.plots.runs.nodes_over_time import plugin_figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TAU_S = 10.0  # the bound of the bounded slowdown
BINS = 420  # of a line over time, at most: a band of more is a blot
WAIT_BINS = 60  # of quantiles over time, at most
SHORTEST_S = 0.5  # where the axis of waits begins: left of the first whole second


def utilisation_over_time(result: Any) -> Figure:
    """The used share of the machine over time."""
    return _single(result, draw_utilisation)


def queue_over_time(result: Any) -> Figure:
    """The number of waiting jobs over time."""
    return _single(result, draw_queue)


def wait_over_time(result: Any) -> Figure:
    """Median and 90 % quantile of the wait by the time of submission."""
    return _single(result, draw_wait_over_time)


def wait_distribution(result: Any) -> Figure:
    """Which share of the jobs waited at most how long."""
    return _single(result, draw_wait_distribution)


def slowdown_distribution(result: Any) -> Figure:
    """Which share of the jobs had at most which bounded slowdown."""
    return _single(result, draw_slowdown_distribution)


def wait_by_size(result: Any) -> Figure:
    """Waits of small and large jobs, as boxes."""
    return _single(result, draw_wait_by_size)


def run_overview(result: Any) -> Figure:
    """All panels on one page."""
    with style.look():
        figure, axes = style.panels(2, 3, run_label(result))
        for panel, draw in zip(axes, DRAWS, strict=True):
            draw(panel, result)
        _caption(figure, result)
        return figure


def run_figures(result: Any) -> dict[str, Figure]:
    """Every figure of a run by its name, which is also a good file name."""
    figures: list[Callable[[Any], Figure]] = [run_overview, utilisation_over_time, queue_over_time]
    figures += [wait_over_time, wait_distribution, slowdown_distribution, wait_by_size]
    return {draw.__name__: draw(result) for draw in figures} | plugin_figures(result)


def _single(result: Any, draw: Callable[[Axes, Any], None]) -> Figure:
    with style.look():
        figure, (axes,) = style.panels(title=run_label(result))
        draw(axes, result)
        _caption(figure, result, METRIC_OF.get(draw))
        return figure


def _caption(figure: Figure, result: Any, metric: str | None = None) -> None:
    """What happened to jobs that changes what is drawn, below the panels; nothing if nothing happened."""
    cautions = getattr(result, "cautions", None)
    words = (cautions.of(metric) if metric else cautions).short() if cautions else ""
    if words:
        style.caption(figure, f"Caution: {words}")


def draw_utilisation(axes: Axes, result: Any) -> None:
    axes.set_title("Utilisation")
    axes.set_ylabel("used processors")
    _draw_steps(axes, result, "used_processors", 1.0 / result.processors, style.BLUE)
    used = result.timeline_columns["used_processors"]
    if len(used):
        percent_axis(axes.yaxis)
        axes.set_ylim(0, 1.18 * max(1.0, used.max() / result.processors))  # room for the legend on top


def draw_queue(axes: Axes, result: Any) -> None:
    axes.set_title("Queue length")
    axes.set_ylabel("waiting jobs")
    _draw_steps(axes, result, "queued_jobs", 1.0, style.VERMILLION)
    queued = result.timeline_columns["queued_jobs"]
    if len(queued):
        axes.set_ylim(0, max(queued.max() * 1.18, 1.0))
        axes.locator_params(axis="y", integer=True)
        axes.yaxis.set_major_formatter(_plain)
    if len(queued) and not queued.any():
        style.note(axes, "no job ever waited")


def _draw_steps(axes: Axes, result: Any, column: str, scale: float, colour: str) -> None:
    """A step function of the timeline: as it is, or mean and range in bins where it has too many steps."""
    time_s, value = result.timeline_columns["time_s"], result.timeline_columns[column] * scale
    if not len(time_s):
        style.say(axes, "nothing happened in this run")
        return
    if len(time_s) <= BINS:
        x = time_s / time_unit(time_s[-1] - time_s[0])[0]
        axes.step(x, value, where="post", color=colour)
        axes.fill_between(x, value, step="post", color=colour, alpha=0.15, linewidth=0)
    else:
        _draw_bins(axes, time_s, value, colour)
    time_axis(axes, time_s[0], time_s[-1])


def _draw_bins(axes: Axes, time_s: np.ndarray, value: np.ndarray, colour: str) -> None:
    width_s, name = bin_width(time_s[-1] - time_s[0], BINS)
    bins = binned(time_s, value, edges(time_s[0], time_s[-1], width_s))
    x = bins.edges / time_unit(time_s[-1] - time_s[0])[0]
    axes.fill_between(x, np.append(bins.low, bins.low[-1]), np.append(bins.high, bins.high[-1]), step="post",
                      color=colour, alpha=0.22, linewidth=0, label=f"range in {name}")  # fmt: skip
    axes.stairs(bins.mean, x, baseline=None, color=colour, linewidth=1.1, label=f"mean of {name}")
    axes.legend(loc="upper right", ncols=2, handlelength=1.4, columnspacing=1.2, borderaxespad=0.0)


def draw_wait_distribution(axes: Axes, result: Any) -> None:
    axes.set_title("Distribution of waits")
    axes.set_xlabel("wait, at most")
    axes.set_ylabel("share of jobs")
    wait_s = waits(result)
    known = wait_s[~np.isnan(wait_s)]
    if not len(known):
        style.say(axes, "no job has a start: there are no waits to show")
        return
    longest_s = max(float(known.max()), 60.0)
    _draw_distribution(axes, known, SHORTEST_S, longest_s * 1.15, style.BLUE)
    duration_axis(axes.xaxis, 1.0, longest_s * 1.15)
    _mark_least(axes, wait_s, 0.0, SHORTEST_S, "did not wait", "never started")


def draw_slowdown_distribution(axes: Axes, result: Any) -> None:
    axes.set_title("Distribution of bounded slowdowns")
    axes.set_xlabel(f"bounded slowdown (bound {TAU_S:.0f} s), at most")
    axes.set_ylabel("share of jobs")
    slowdown = bounded_slowdowns(result)
    known = slowdown[~np.isnan(slowdown)]
    if not len(known):
        style.say(axes, "no job has ended: there are no slowdowns to show")
        return
    _draw_distribution(axes, known, 1.0, max(float(known.max()), 10.0) * 1.15, style.GREEN)
    axes.xaxis.set_major_formatter(_plain)
    _mark_least(axes, slowdown, 1.0, 1.0, "at 1, the least", "never ended")


def _draw_distribution(axes: Axes, values: np.ndarray, low: float, high: float, colour: str) -> None:
    """The distribution function on a logarithmic axis from `low` to `high`."""
    x, share = distribution(values, low)
    axes.set_xscale("log")
    axes.step(np.append(x, high), np.append(share, share[-1]), where="post", color=colour)
    axes.set_xlim(low, high)
    axes.set_ylim(0, 1.02)
    percent_axis(axes.yaxis)


def _mark_least(axes: Axes, values: np.ndarray, least: float, x: float, words: str, missing: str) -> None:
    """A mark on the left edge for the jobs that have no place further right; and who is not counted."""
    known = ~np.isnan(values)
    share = float(np.mean(values[known] <= least))
    axes.plot([x], [share], "o", color=style.INK, markersize=6, clip_on=False, zorder=5,
              label=f"{percent(share)} {words}")  # fmt: skip
    if not known.all():
        axes.plot([], [], " ", label=f"not counted: {thousands((~known).sum())} that {missing}")
    axes.legend(loc="lower right", handlelength=1.0)


def draw_wait_by_size(axes: Axes, result: Any) -> None:
    axes.set_title("Wait by size")
    axes.set_xlabel("processors of the job")
    axes.set_ylabel("wait")
    wait_s, size = waits(result), result.columns["processors"]
    known = ~(np.isnan(wait_s) | np.isnan(size))
    if not known.any():
        style.say(axes, "no job has a start: there are no waits to show")
        return
    upper, names = classes_up_to(float(size[known].max()))
    group = np.searchsorted(upper, size[known])
    _draw_boxes(axes, group, np.maximum(wait_s[known], 0.0), names)


def _draw_boxes(axes: Axes, group: np.ndarray, wait_s: np.ndarray, names: list[str]) -> None:
    """Boxes from quartile to quartile, the median in them, whiskers to 5 and 95 %.

    Drawn by hand: matplotlib's own box plot loads pyplot and looks for a window system.
    """
    low, q1, half, q3, high = group_quantiles(group, wait_s, len(names), (0.05, 0.25, 0.5, 0.75, 0.95))
    x = np.arange(len(names))
    axes.vlines(x, low, high, color=style.INK, linewidth=1.0)
    axes.hlines(np.append(low, high), np.tile(x - 0.15, 2), np.tile(x + 0.15, 2), color=style.INK, linewidth=1.0)
    axes.bar(x, q3 - q1, bottom=q1, width=0.6, color=style.SKY, edgecolor=style.BLUE, zorder=2)
    axes.hlines(half, x - 0.3, x + 0.3, color=style.INK, linewidth=2.2, zorder=3, label="median")
    axes.set_xticks(x, names, rotation=30 if len(names) > 5 else 0)
    axes.set_xlim(-0.6, len(names) - 0.4)
    axes.grid(False, axis="x")
    _wait_axis(axes, float(np.nanmax(high)))
    style.note(axes, "box: quartiles and median, whiskers: 5 and 95 %", y=0.98)


def draw_wait_over_time(axes: Axes, result: Any) -> None:
    axes.set_title("Wait by time of submission")
    axes.set_ylabel("wait")
    wait_s, submit_s = waits(result), result.columns["submit_s"]
    known = ~(np.isnan(wait_s) | np.isnan(submit_s))
    if not known.any():
        style.say(axes, "no job has a start: there are no waits to show")
        return
    _draw_wait_quantiles(axes, submit_s[known], np.maximum(wait_s[known], 0.0))
    time_axis(axes, submit_s[known].min(), submit_s[known].max())


def _draw_wait_quantiles(axes: Axes, submit_s: np.ndarray, wait_s: np.ndarray) -> None:
    width_s, name = bin_width(submit_s.max() - submit_s.min(), WAIT_BINS)
    borders = edges(submit_s.min(), submit_s.max(), width_s)
    group = np.clip(np.searchsorted(borders, submit_s, side="right") - 1, 0, len(borders) - 2)
    half, most = group_quantiles(group, wait_s, len(borders) - 1, (0.5, 0.9))
    x = borders / time_unit(submit_s.max() - submit_s.min())[0]
    axes.stairs(most, x, baseline=None, color=style.ORANGE, label=f"90 % quantile of {name}")
    axes.stairs(half, x, baseline=None, color=style.BLUE, label="median")
    _wait_axis(axes, float(np.nanmax(most)))
    axes.legend(loc="upper right", ncols=2, handlelength=1.4, columnspacing=1.2, borderaxespad=0.0)


def _wait_axis(axes: Axes, longest_s: float) -> None:
    """y from 0: linear to one second, logarithmic from there, with room above for words."""
    top = max(longest_s, 60.0) * 8.0
    axes.set_yscale("symlog", linthresh=1.0, linscale=0.5)
    axes.set_ylim(-0.2, top)  # a median of 0 stays visible
    duration_axis(axes.yaxis, 1.0, top / 4.0, zero=True)


def waits(result: Any) -> np.ndarray:
    """Start minus submission in seconds; NaN for a job that never started."""
    return result.columns["start_s"] - result.columns["submit_s"]


def bounded_slowdowns(result: Any) -> np.ndarray:
    """max(1, response / max(run, tau)); NaN for a job that never ended."""
    response_s = result.columns["end_s"] - result.columns["submit_s"]
    return np.maximum(1.0, response_s / np.maximum(result.work_s, TAU_S))


def _plain(value: float, _position: float) -> str:
    return f"{value:,.10g}"


DRAWS: tuple[Callable[[Axes, Any], None], ...] = (
    draw_utilisation,
    draw_queue,
    draw_wait_over_time,
    draw_wait_distribution,
    draw_slowdown_distribution,
    draw_wait_by_size,
)

#: panel → the metric whose cautions concern it
METRIC_OF: dict[Callable[[Axes, Any], None], str] = {
    draw_utilisation: "utilisation",
    draw_queue: "queued_jobs_mean",
    draw_wait_over_time: "wait_mean_s",
    draw_wait_distribution: "wait_mean_s",
    draw_slowdown_distribution: "bounded_slowdown_mean",
    draw_wait_by_size: "wait_mean_s",
}
