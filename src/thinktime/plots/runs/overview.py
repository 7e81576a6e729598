"""Figures of one run: utilisation, queue and waits over time, and distributions of waits and slowdowns.

Each panel is drawn by one function, alone in its figure or in the overview.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from thinktime.metrics.jobs import TAU_S, bounded_slowdown, response
from thinktime.plots.catalogue import figure, usual_figures
from thinktime.plots.kit import style
from thinktime.plots.kit.binning import bands, distribution, group_quantiles
from thinktime.plots.kit.run_names import one_run, run_label, thousands
from thinktime.plots.kit.run_panels import Panel, each_run, say_cautions
from thinktime.plots.kit.scales import bin_width, duration_axis, edges, percent, percent_axis, plain_number
from thinktime.plots.kit.scales import size_classes as classes_up_to
from thinktime.plots.kit.time_axis import TimeAxis, TimeScale, time_scale

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from thinktime.plots.kit.run_names import Runs
    from thinktime.result import Result

__all__ = [
    "queue_over_time",
    "run_figures",
    "run_overview",
    "slowdown_distribution",
    "utilisation_over_time",
    "wait_by_size",
    "wait_distribution",
    "wait_over_time",
]

STEPS = 420  # steps of a line over time, at most; more are drawn as bands in bins
BINS = 100  # of bands over time, at most
WAIT_BINS = 60  # of quantiles over time, at most
SHORTEST_S = 0.5  # where the axis of waits begins: left of the first whole second

NO_STARTS = "no job started"


@figure(
    "run",
    "The state of the machine over time (top) and what jobs experienced (bottom). Bands show quantiles within bins.",
)
def run_overview(runs: Runs, *, axis: TimeAxis | None = None) -> Figure:
    """Draw six panels of one run on one page.

    Parameters
    ----------
    runs
        One run.
    axis
        "date" or "elapsed"; by default dates where the log's start is known.
    """
    run = one_run(runs)
    with style.look():
        figure, axes = style.panels(2, 3, run_label(run), fixed=True)
        for panel, draw in zip(axes, _panels(axis), strict=True):
            draw(panel, run)
        say_cautions(figure, run)
        return figure


@figure("run", "Share of the processors in use. The line is the median, the bands show how much it varied in each bin.")
def utilisation_over_time(runs: Runs, *, axis: TimeAxis | None = None) -> Figure:
    """Draw the used share of the machine over time, one panel per run.

    Parameters
    ----------
    runs
        One run, or several as a list or by name.
    axis
        "date" or "elapsed"; by default dates where the log's start is known.
    """
    return each_run(runs, _utilisation(axis), "utilisation")


@figure("run", "Number of waiting jobs. The line is the median, the bands show how much it varied in each bin.")
def queue_over_time(runs: Runs, *, axis: TimeAxis | None = None) -> Figure:
    """Draw the number of waiting jobs over time, one panel per run; parameters as in `utilisation_over_time`."""
    return each_run(runs, _queue_panel(axis), "queued_jobs_mean")


@figure("run", "Waits of the jobs submitted in each bin: half of them waited less than the median.")
def wait_over_time(runs: Runs, *, axis: TimeAxis | None = None) -> Figure:
    """Draw median and 90 % quantile of the wait by submit time; parameters as in `utilisation_over_time`."""
    return each_run(runs, _wait_over_time(axis), "wait_mean_s")


@figure("run", "Share of jobs that waited at most this long. The dot marks the jobs that did not wait.")
def wait_distribution(runs: Runs) -> Figure:
    """Draw the distribution function of waits, one panel per run."""
    return each_run(runs, draw_wait_distribution, "wait_mean_s")


@figure("run", "Share of jobs with at most this bounded slowdown; 1 is a job that did not wait.")
def slowdown_distribution(runs: Runs) -> Figure:
    """Draw the distribution function of the bounded slowdown (bound 10 s), one panel per run."""
    return each_run(runs, draw_slowdown_distribution, "bounded_slowdown_mean")


@figure("run", "Waits of small and large jobs. Boxes are quartiles, whiskers reach from 5 % to 95 %.")
def wait_by_size(runs: Runs) -> Figure:
    """Draw the waits of classes of job sizes as boxes, one panel per run."""
    return each_run(runs, draw_wait_by_size, "wait_mean_s")


def run_figures(run: Result) -> dict[str, Figure]:
    """Every usual figure of a run by name, which is also a good file name."""
    return usual_figures("run", one_run(run))


def _panels(axis: TimeAxis | None) -> tuple[Panel, ...]:
    over_time = (_utilisation(axis), _queue_panel(axis), _wait_over_time(axis))
    return (*over_time, draw_wait_distribution, draw_slowdown_distribution, draw_wait_by_size)


# --- over time ----------------------------------------------------------------------------------------------


def _utilisation(axis: TimeAxis | None) -> Panel:
    def draw(axes: Axes, result: Result) -> None:
        axes.set_title("Utilisation")
        axes.set_ylabel("used processors")
        _draw_steps(axes, result, "used_processors", 1.0 / result.processors, style.BLUE, axis)
        used = result.timeline_columns["used_processors"]
        if len(used):
            percent_axis(axes.yaxis)
            axes.set_ylim(0, 1.02 * max(1.0, used.max() / result.processors))

    return draw


def _queue_panel(axis: TimeAxis | None) -> Panel:
    def draw(axes: Axes, result: Result) -> None:
        axes.set_title("Queue length")
        axes.set_ylabel("waiting jobs")
        _draw_steps(axes, result, "queued_jobs", 1.0, style.VERMILLION, axis)
        queued = result.timeline_columns["queued_jobs"]
        if len(queued):
            axes.set_ylim(0, max(queued.max() * 1.04, 1.0))
            axes.locator_params(axis="y", integer=True)
            axes.yaxis.set_major_formatter(plain_number)
        if len(queued) and not queued.any():
            style.note(axes, "no job ever waited")

    return draw


def _draw_steps(axes: Axes, result: Result, column: str, scale: float, colour: str, axis: TimeAxis | None) -> None:
    """Draw a step function of the timeline: all steps of a short run, bands in bins of a long one."""
    time_s, value = result.timeline_columns["time_s"], result.timeline_columns[column] * scale
    if not len(time_s):
        style.say(axes, "the run has no events")
        return
    times = time_scale(result, float(time_s[0]), float(time_s[-1]), axis=axis)
    if len(time_s) <= STEPS:
        x = times.x(time_s)
        axes.step(x, value, where="post", color=colour)
        axes.fill_between(x, value, step="post", color=colour, alpha=0.15, linewidth=0)
        times.label(axes)
    else:
        _draw_bands(axes, time_s, value, colour, times)


def _draw_bands(axes: Axes, time_s: np.ndarray, value: np.ndarray, colour: str, times: TimeScale) -> None:
    """Minimum to maximum, 10 % to 90 %, and the median of each bin, from light to dark."""
    width_s, name = bin_width(time_s[-1] - time_s[0], BINS)
    found = bands(time_s, value, edges(time_s[0], time_s[-1], width_s))
    x = times.x(found.edges)
    for low, high, alpha, words in (
        (found.low, found.high, 0.14, "min–max"),
        (found.p10, found.p90, 0.30, "10–90 %"),
    ):
        axes.fill_between(x, np.append(low, low[-1]), np.append(high, high[-1]), step="post", color=colour,
                          alpha=alpha, linewidth=0, label=words)  # fmt: skip
    axes.stairs(found.median, x, baseline=None, color=colour, linewidth=1.3, label="median")
    style.legend_above(axes)
    times.label(axes, name)


def _wait_over_time(axis: TimeAxis | None) -> Panel:
    def draw(axes: Axes, result: Result) -> None:
        axes.set_title("Wait by submit time")
        axes.set_ylabel("wait")
        wait_s, submit_s = waits(result), result.columns["submit_s"]
        known = ~(np.isnan(wait_s) | np.isnan(submit_s))
        if not known.any():
            style.say(axes, NO_STARTS)
            return
        first_s, last_s = float(submit_s[known].min()), float(submit_s[known].max())
        times = time_scale(result, first_s, last_s, axis=axis)
        _draw_wait_quantiles(axes, submit_s[known], np.maximum(wait_s[known], 0.0), times)

    return draw


def _draw_wait_quantiles(axes: Axes, submit_s: np.ndarray, wait_s: np.ndarray, times: TimeScale) -> None:
    width_s, name = bin_width(submit_s.max() - submit_s.min(), WAIT_BINS)
    borders = edges(submit_s.min(), submit_s.max(), width_s)
    group = np.clip(np.searchsorted(borders, submit_s, side="right") - 1, 0, len(borders) - 2)
    half, most = group_quantiles(group, wait_s, len(borders) - 1, (0.5, 0.9))
    x = times.x(borders)
    axes.stairs(most, x, baseline=None, color=style.ORANGE, label="90 %")
    axes.stairs(half, x, baseline=None, color=style.BLUE, label="median")
    _wait_axis(axes, float(np.nanmax(most)))
    style.legend_above(axes)
    times.label(axes, name)


# --- distributions ------------------------------------------------------------------------------------------


def draw_wait_distribution(axes: Axes, result: Result) -> None:
    axes.set_title("Distribution of waits")
    axes.set_xlabel("wait")
    axes.set_ylabel("share of jobs")
    wait_s = waits(result)
    known = wait_s[~np.isnan(wait_s)]
    if not len(known):
        style.say(axes, NO_STARTS)
        return
    longest_s = max(float(known.max()), 60.0)
    _draw_distribution(axes, known, SHORTEST_S, longest_s * 1.15, style.BLUE)
    duration_axis(axes.xaxis, 1.0, longest_s * 1.15)
    _mark_least(axes, wait_s, 0.0, SHORTEST_S, "did not wait", "never started")


def draw_slowdown_distribution(axes: Axes, result: Result) -> None:
    axes.set_title("Distribution of bounded slowdowns")
    axes.set_xlabel(f"bounded slowdown (bound {TAU_S:.0f} s)")
    axes.set_ylabel("share of jobs")
    slowdown = bounded_slowdowns(result)
    known = slowdown[~np.isnan(slowdown)]
    if not len(known):
        style.say(axes, "no job ended")
        return
    _draw_distribution(axes, known, 1.0, max(float(known.max()), 10.0) * 1.15, style.GREEN)
    axes.xaxis.set_major_formatter(plain_number)
    _mark_least(axes, slowdown, 1.0, 1.0, "at 1", "never ended")


def _draw_distribution(axes: Axes, values: np.ndarray, low: float, high: float, colour: str) -> None:
    """The distribution function on a logarithmic axis from `low` to `high`."""
    x, share = distribution(values, low)
    axes.set_xscale("log")
    axes.step(np.append(x, high), np.append(share, share[-1]), where="post", color=colour)
    axes.set_xlim(low, high)
    axes.set_ylim(0, 1.02)
    percent_axis(axes.yaxis)


def _mark_least(axes: Axes, values: np.ndarray, least: float, x: float, words: str, missing: str) -> None:
    """Mark the jobs at the smallest value on the left edge, and count the jobs that are left out."""
    known = ~np.isnan(values)
    share = float(np.mean(values[known] <= least))
    axes.plot([x], [share], "o", color=style.INK, markersize=6, clip_on=False, zorder=5,
              label=f"{percent(share)} {words}")  # fmt: skip
    if not known.all():
        axes.plot([], [], " ", label=f"without {thousands((~known).sum())} that {missing}")
    axes.legend(loc="lower right", handlelength=1.0)


def draw_wait_by_size(axes: Axes, result: Result) -> None:
    axes.set_title("Wait by size")
    axes.set_xlabel("processors of the job")
    axes.set_ylabel("wait")
    wait_s, size = waits(result), result.columns["processors"]
    known = ~(np.isnan(wait_s) | np.isnan(size))
    if not known.any():
        style.say(axes, NO_STARTS)
        return
    upper, names = classes_up_to(float(size[known].max()))
    group = np.searchsorted(upper, size[known])
    _draw_boxes(axes, group, np.maximum(wait_s[known], 0.0), names)


def _draw_boxes(axes: Axes, group: np.ndarray, wait_s: np.ndarray, names: list[str]) -> None:
    """Boxes from quartile to quartile with the median, whiskers from 5 % to 95 %.

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
    axes.set_title("box: quartiles, whiskers: 5–95 %", loc="right", fontsize=8.0, fontweight="normal", color=style.GREY)


def _wait_axis(axes: Axes, longest_s: float) -> None:
    """Set a y axis from 0: linear to one second, logarithmic from there."""
    top = max(longest_s, 60.0) * 2.0
    axes.set_yscale("symlog", linthresh=1.0, linscale=0.5)
    axes.set_ylim(-0.2, top)  # a median of 0 stays visible
    duration_axis(axes.yaxis, 1.0, top, zero=True)


def waits(result: Result) -> np.ndarray:
    """Start minus submission in seconds; NaN for a job that never started."""
    return result.columns["start_s"] - result.columns["submit_s"]


def bounded_slowdowns(result: Result) -> np.ndarray:
    """Bounded slowdowns; NaN for a job that never ended."""
    return bounded_slowdown(response(result.columns["submit_s"], result.columns["end_s"]), result.work_s)
