"""Waits, slowdowns and queue lengths of several runs: boxes and distribution functions.

In place of a run, every function takes a `Distribution`, such as a study's stored quantiles, or an array of
observations. AccaSim's Figs. 10 and 11 are `slowdown_boxes(runs, bound_s=0, without_one=True)` and `queue_boxes(runs)`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics.jobs import TAU_S, bounded_slowdown, response, slowdown, wait
from thinktime.metrics.timeline import durations
from thinktime.plots.catalogue import figure, usual_figures
from thinktime.plots.kit import style
from thinktime.plots.kit.boxes import NOTHING, figure_of_boxes
from thinktime.plots.kit.distribution import Distribution, distributions
from thinktime.plots.kit.named_lines import line_look, name_lines
from thinktime.plots.kit.named_rows import short
from thinktime.plots.kit.run_names import named_runs, runs_label
from thinktime.plots.kit.scales import duration_axis, percent_axis, plain_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "comparison_figures",
    "queue_boxes",
    "queue_ecdf",
    "slowdown_boxes",
    "slowdown_ecdf",
    "wait_boxes",
    "wait_ecdf",
]

Runs = Any  # results, distributions or arrays: by name, as a list, or one
SHORTEST_S = 0.5  # where a logarithmic axis of waits begins: left of the first whole second


@figure(
    "runs", "Waits of the jobs of each run. Boxes are quartiles, whiskers reach from 5 % to 95 %, diamonds are means."
)
def wait_boxes(runs: Runs, *, title: str = "") -> Figure:
    """Draw the waits of each run as a box."""
    return figure_of_boxes(runs, distributions(runs, _waits), title or "Wait", "wait", _wait_axis)


@figure(
    "runs",
    "Slowdowns of the jobs of each run. Boxes are quartiles, whiskers reach from 5 % to 95 %, diamonds are means.",
)
def slowdown_boxes(runs: Runs, *, bound_s: float = TAU_S, without_one: bool = False, title: str = "") -> Figure:
    """Draw the bounded slowdowns of each run as a box.

    Parameters
    ----------
    runs
        Runs by name, as a list, or one.
    bound_s
        Bound of the bounded slowdown in seconds; 0 for the slowdown.
    without_one
        Exclude jobs with a slowdown of exactly 1, as AccaSim does.
    title
        Replaces the title.
    """
    found = distributions(runs, _slowdowns(bound_s))
    if without_one:
        found = {label: each.above(1.0) for label, each in found.items()}
    return figure_of_boxes(runs, found, title or "Slowdown", _slowdown_words(bound_s, without_one), _slowdown_axis)


@figure("runs", "Queue lengths of each run. Boxes are quartiles, whiskers reach from 5 % to 95 %, diamonds are means.")
def queue_boxes(runs: Runs, *, weighting: str = "event", title: str = "") -> Figure:
    """Draw the queue length of each run as a box: after each "event", as AccaSim does, or weighted by "time"."""
    found = distributions(runs, _queue_distribution(weighting))
    sampled = "after each event" if weighting == "event" else "weighted by time"
    return figure_of_boxes(runs, found, title or "Queue size", f"waiting jobs, {sampled}", _count_axis)


@figure("runs", "Share of jobs that waited at most this long: a curve further up and left is better.")
def wait_ecdf(runs: Runs, *, title: str = "") -> Figure:
    """Draw the distribution function of the waits of each run."""
    return _ecdf(runs, distributions(runs, _waits), title or "Distribution of waits", "wait", SHORTEST_S, _log_waits)


@figure("runs", "Share of jobs with at most this slowdown: a curve further up and left is better.")
def slowdown_ecdf(runs: Runs, *, bound_s: float = TAU_S, title: str = "") -> Figure:
    """Draw the distribution function of the slowdowns of each run; `bound_s=0` for unbounded slowdowns."""
    words = f"{_slowdown_words(bound_s)}"
    found = distributions(runs, _slowdowns(bound_s))
    return _ecdf(runs, found, title or "Distribution of slowdowns", words, 1.0, _log_numbers)


@figure("runs", "Share of the time in which at most this many jobs waited.")
def queue_ecdf(runs: Runs, *, weighting: str = "time", title: str = "") -> Figure:
    """Draw the distribution function of the queue length of each run, weighted by "time" or after each "event"."""
    found = distributions(runs, _queue_distribution(weighting))
    share = f"share of {'time' if weighting == 'time' else 'events'}"
    return _ecdf(runs, found, title or "Distribution of queue sizes", "waiting jobs", 0.5, _log_numbers, share)


def comparison_figures(runs: Runs) -> dict[str, Figure]:
    """Every usual figure of several runs by name, which is also a good file name."""
    return usual_figures("runs", named_runs(runs))


# --- what is drawn ------------------------------------------------------------------------------------------


def _waits(result: Any) -> Distribution:
    columns = result.columns
    return Distribution.of_sample(np.maximum(wait(columns["submit_s"], columns["start_s"]), 0.0))


def _slowdowns(bound_s: float) -> Callable[[Any], Distribution]:
    def of_result(result: Any) -> Distribution:
        response_s, run_s = response(result.columns["submit_s"], result.columns["end_s"]), result.work_s
        values = bounded_slowdown(response_s, run_s, bound_s) if bound_s else slowdown(response_s, run_s)
        return Distribution.of_sample(values)

    return of_result


def _queue_distribution(weighting: str) -> Callable[[Any], Distribution]:
    if weighting not in ("event", "time"):
        raise InputError(f"weighting must be 'event' or 'time' (got {weighting!r})")

    def of_result(result: Any) -> Distribution:
        time_s, queued = result.timeline_columns["time_s"], result.timeline_columns["queued_jobs"]
        last_s = time_s[-1] if len(time_s) else 0.0
        weights = durations(time_s, -np.inf, last_s) if weighting == "time" else None
        return Distribution.of_sample(queued, weights)

    return of_result


def _slowdown_words(bound_s: float, without_one: bool = False) -> str:
    words = f"bounded slowdown (bound {bound_s:g} s)" if bound_s else "slowdown"
    return f"{words}, without jobs at exactly 1" if without_one else words


# --- axes of boxes --------------------------------------------------------------------------------------------


def _wait_axis(axes: Axes, longest_s: float) -> None:
    """From 0: linear to one second, logarithmic from there."""
    top = max(longest_s, 60.0) * 1.6
    axes.set_xscale("symlog", linthresh=1.0, linscale=0.5)
    axes.set_xlim(-0.2, top)
    duration_axis(axes.xaxis, 1.0, top, zero=True)


def _slowdown_axis(axes: Axes, greatest: float) -> None:
    axes.set_xlim(0.93, max(greatest, 8.0) * 1.3)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(plain_number)


def _count_axis(axes: Axes, greatest: float) -> None:
    """Whole numbers from 0; logarithmic above ten, because queues of policies differ by orders of magnitude."""
    if greatest > 50:
        axes.set_xscale("symlog", linthresh=10.0, linscale=1.0)
        marks = [0, 2, 4, 6, 8, *10.0 ** np.arange(1, np.floor(np.log10(greatest)) + 1)]
        axes.set_xticks(marks)
    axes.set_xlim(-0.02 * max(greatest, 5) if greatest <= 50 else -0.6, max(greatest, 5) * 1.3)
    axes.xaxis.set_major_formatter(plain_number)


# --- distribution functions ---------------------------------------------------------------------------------


def _ecdf(
    runs: Runs,
    found: dict[str, Distribution],
    title: str,
    words: str,
    low: float,
    scale: Callable[[Axes, float, float], None],
    share: str = "share of jobs",
) -> Figure:
    with style.look():
        figure, (axes,) = style.panels(title=runs_label(runs))
        axes.set_title(title)
        axes.set_xlabel(words)
        axes.set_ylabel(share)
        known = {label: each for label, each in found.items() if len(each)}
        if known:
            _draw_lines(axes, known, low, scale)
        else:
            style.say(axes, NOTHING)
        return figure


def _draw_lines(
    axes: Axes, found: dict[str, Distribution], low: float, scale: Callable[[Axes, float, float], None]
) -> None:
    high = max(8.0 * low, *(float(each.values[-1]) for each in found.values())) * 1.15
    x = np.geomspace(low, high, 700)
    axes.set_xscale("log")
    for index, (label, each) in enumerate(found.items()):
        at = np.union1d(x, each.values[(each.values > low)]) if len(each) <= len(x) else x
        how = "default" if each.sketch else "steps-post"
        axes.plot(at, each.at_most(at), drawstyle=how, label=short(label), **line_look(index, len(found)))
    axes.set_ylim(0, 1.02)
    percent_axis(axes.yaxis)
    scale(axes, low, high)
    name_lines(axes, len(found))


def _log_waits(axes: Axes, low: float, high: float) -> None:
    axes.set_xlim(low, high)
    duration_axis(axes.xaxis, 1.0, high)


def _log_numbers(axes: Axes, low: float, high: float) -> None:
    axes.set_xlim(low, high)
    axes.xaxis.set_major_formatter(plain_number)
