"""Requested load against capacity: over time, by hour of the day, or by weekday."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from thinktime.metrics.machine import offered_load
from thinktime.metrics.status import REJECTED
from thinktime.plots.catalogue import figure
from thinktime.plots.kit import style
from thinktime.plots.kit.binning import binned
from thinktime.plots.kit.local_time import clock_of
from thinktime.plots.kit.run_panels import Panel, each_run
from thinktime.plots.kit.scales import WEEKDAYS, bin_width, edges, percent, percent_axis
from thinktime.plots.kit.time_axis import TimeAxis, time_scale
from thinktime.plots.runs.week import HOURS, area_and_seconds_by_hour
from thinktime.spec import one_of
from thinktime.support.time_units import HOUR_S

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from thinktime.plots.kit.run_names import Runs
    from thinktime.result import Result

__all__ = ["load_over_time"]

Period: TypeAlias = Literal["time", "hour", "weekday"]
BINS = 60  # over time, at most
NO_EVENTS = "the run has no events"
HIGHEST = 4.0  # times the capacity, beyond which bins are cut


@figure(
    "run",
    "What the jobs submitted in each period ask for, and what the machine gave in it, as shares of its capacity. Where"
    " the line stays above 100 %, the queue grows.",
)
def load_over_time(runs: Runs, *, by: Period = "time", axis: TimeAxis | None = None) -> Figure:
    """Draw the requested load and the used share of the machine by period, one panel per run.

    The requested load of a period is the sum of processors times run time of the jobs submitted in it, divided by the
    capacity of the machine in it. Rejected jobs do not count.

    Parameters
    ----------
    runs
        One run, or several as a list or by name.
    by
        "time" (default), "hour" of the day or "weekday", both in local time where it is known.
    axis
        "date" or "elapsed"; by default dates where the log's start is known.
    """
    one_of("by", by, get_args(Period))
    return each_run(runs, _over_time(axis) if by == "time" else _over_cycle(by), "offered_load")


def _over_time(axis: TimeAxis | None) -> Panel:
    def draw(axes: Axes, result: Result) -> None:
        axes.set_title("Load")
        submit_s, work = _requests(result)
        time_s = result.timeline_columns["time_s"]
        if not len(submit_s) or not len(time_s):
            style.say(axes, NO_EVENTS)
            return
        last_s = float(submit_s.max())
        width_s, name = bin_width(last_s - submit_s.min(), BINS)
        borders = edges(float(submit_s.min()), last_s, width_s)
        asked, _ = np.histogram(submit_s, borders, weights=work)
        seconds = np.diff(borders)  # also of the first and the last bin, which may be partly empty
        used = binned(time_s, result.timeline_columns["used_processors"], borders).mean * seconds
        times = time_scale(result, float(borders[0]), float(borders[-1]), axis=axis)
        _draw_loads(axes, result, times.x(borders), asked, used, seconds)
        times.label(axes, name)

    return draw


def _over_cycle(by: Period) -> Panel:
    def draw(axes: Axes, result: Result) -> None:
        axes.set_title(f"Load by {'hour of the day' if by == 'hour' else 'weekday'}")
        submit_s, work = _requests(result)
        clock = clock_of(result)
        used, seconds = area_and_seconds_by_hour(result, clock)
        if not len(submit_s) or not seconds.any():
            style.say(axes, NO_EVENTS)
            return
        hour = np.floor((clock(submit_s) if clock else submit_s) / HOUR_S).astype(np.int64) % HOURS
        asked = np.bincount(hour, weights=work, minlength=HOURS)
        sums = [_fold(each, by) for each in (asked, used, seconds)]
        _draw_loads(axes, result, np.arange(len(sums[0]) + 1.0), *sums)
        _label_cycle(axes, by, known=clock is not None)

    return draw


def _fold(by_hour: np.ndarray, by: Period) -> np.ndarray:
    """24 or 7 sums of the 168 hours of a week."""
    days = by_hour.reshape(7, 24)
    return np.asarray(days.sum(axis=0 if by == "hour" else 1))


def _label_cycle(axes: Axes, by: Period, *, known: bool) -> None:
    clock = "local time" if known else "local time unknown"
    if by == "hour":
        axes.set_xticks(range(0, 25, 3))
        axes.set_xlabel(f"hour of the day ({clock})")
    else:
        axes.set_xticks(np.arange(7) + 0.5, WEEKDAYS if known else [f"day {day}" for day in range(1, 8)])
        axes.set_xlabel(f"weekday ({clock})")


def _requests(result: Result) -> tuple[np.ndarray, np.ndarray]:
    """Submit times and processor-seconds of the jobs that were not rejected."""
    of = result.columns
    work = of["processors"] * of["run_s"]
    kept = (of["status"] != REJECTED) & ~np.isnan(of["submit_s"]) & ~np.isnan(work)
    return of["submit_s"][kept], work[kept]


def _draw_loads(
    axes: Axes, result: Result, x: np.ndarray, asked: np.ndarray, used: np.ndarray, seconds: np.ndarray
) -> None:
    capacity = np.where(seconds > 0, seconds, np.nan) * result.processors
    asked, used = asked / capacity, used / capacity
    axes.stairs(np.minimum(used, 1.0), x, fill=True, color=style.SKY, alpha=0.55, label="used")
    axes.stairs(asked, x, baseline=None, color=style.VERMILLION, linewidth=1.4, label=_requested_words(result))
    axes.axhline(1.0, color=style.INK, linewidth=1.0, linestyle="--")
    axes.set_ylabel("share of capacity")
    axes.set_xlim(x[0], x[-1])
    axes.set_ylim(0, min(max(1.08, 1.05 * float(np.nanmax(asked))), HIGHEST))
    if (cut := int(np.count_nonzero(asked > HIGHEST))) > 0:
        style.note(axes, f"{cut} higher, up to {100 * np.nanmax(asked):,.0f} %", y=0.96)
    percent_axis(axes.yaxis)
    style.legend_above(axes)


def _requested_words(result: Result) -> str:
    of, kept = result.columns, result.columns["status"] != REJECTED
    total = offered_load(of["submit_s"][kept], of["run_s"][kept], of["processors"][kept], result.processors)
    return f"requested ({percent(total)} in all)" if np.isfinite(total) else "requested"
