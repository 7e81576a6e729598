"""The load of the machine over the week: a heat map of hours and weekdays for each run."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics.week_hours import area_by_hour
from thinktime.plots.catalogue import figure
from thinktime.plots.kit import style
from thinktime.plots.kit.binning import binned
from thinktime.plots.kit.local_time import Clock, clock_of, unchanged
from thinktime.plots.kit.named_rows import short
from thinktime.plots.kit.run_names import named_runs, runs_label
from thinktime.plots.kit.scales import WEEKDAYS, percent_axis
from thinktime.support.time_units import HOUR_S

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from thinktime.result import Result

__all__ = ["week_load"]

HOURS = 168  # of a week
MOST_HOURS = 1_000_000  # of a run with a clock, at most: 114 years
MOST_PANELS = 24
PANEL_IN = (3.6, 1.9)


@figure("runs", "Mean share of processors in use by hour and weekday; all panels share one colour scale.")
def week_load(runs: Any, *, clock: Any = None, local: bool | None = None, title: str = "") -> Figure:
    """Draw the mean used share of the machine by hour and weekday, one panel per run.

    Parameters
    ----------
    runs
        Runs by name, as a list, or one run. In place of a run: 168 shares, one per hour from Monday 00:00.
    clock
        The workload whose header has the local time, for runs that do not know it.
    local
        For shares in place of runs: whether they are in local time.
    title
        Replaces the title.
    """
    runs = named_runs(runs)
    known = clock_of(clock) if clock is not None else None
    loads = {label: _shares(run, known) for label, run in list(runs.items())[:MOST_PANELS]}
    in_local = all(_is_local(run, known, bool(local)) for run in runs.values())
    with style.look():
        words = title or _title_of_panels("Load over the week", len(runs))
        figure, axes = _grid(len(loads), " · ".join(filter(None, [words, runs_label(runs)])))
        _draw_week_panels(figure, axes, loads, in_local)
        return figure


def _title_of_panels(words: str, count: int) -> str:
    return words if count <= MOST_PANELS else f"{words} (the first {MOST_PANELS} of {count:,} runs)"


def _is_local(run: Any, clock: Clock | None, stored: bool) -> bool:
    return stored if not hasattr(run, "columns") else _clock_for_week(clock, run) is not None


def _shares(run: Any, clock: Clock | None) -> np.ndarray:
    if hasattr(run, "columns"):
        return load_by_hour(run, _clock_for_week(clock, run))
    shares = np.asarray(run, dtype=np.float64)
    if shares.shape != (HOURS,):
        raise InputError(
            f"a load over the week must have {HOURS} values, one per hour from Monday 00:00 (got {shares.size})"
        )
    return shares


def _clock_for_week(clock: Clock | None, run: Any) -> Clock | None:
    """The given clock or the run's own; none for a run of centuries, because its hours are visited one by one."""
    time_s = run.timeline_columns["time_s"]
    short_enough = len(time_s) and time_s[-1] - time_s[0] <= MOST_HOURS * HOUR_S
    own = clock_of(run)
    return (clock or own) if short_enough or own is unchanged else None


def load_by_hour(result: Result, clock: Clock | None = None) -> np.ndarray:
    """The mean used share of the machine in each of the 168 hours, over the whole run; NaN for hours not reached.

    Without a clock the week begins at time 0.
    """
    area, seconds = area_and_seconds_by_hour(result, clock)
    return np.where(seconds > 0, area / np.where(seconds > 0, seconds, 1.0), np.nan) / max(result.processors, 1)


def area_and_seconds_by_hour(result: Result, clock: Clock | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Processor-seconds in use and seconds, in each of the 168 hours of the week."""
    time_s, used = result.timeline_columns["time_s"], result.timeline_columns["used_processors"]
    if len(time_s) < 2 or time_s[-1] <= time_s[0]:
        return np.zeros(HOURS), np.zeros(HOURS)
    return _area_and_seconds(time_s, used) if clock in (None, unchanged) else _clocked(time_s, used, clock)


def _area_and_seconds(time_s: np.ndarray, used: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Processor-seconds and seconds of each hour of a week that begins at time 0."""
    return area_by_hour(time_s, used), area_by_hour(time_s, np.ones(len(time_s)))


def _clocked(time_s: np.ndarray, used: np.ndarray, clock: Clock) -> tuple[np.ndarray, np.ndarray]:
    """The same by a clock with daylight saving."""
    edges, hour = _hours(float(time_s[0]), float(time_s[-1]), clock)
    mean, length_s = binned(time_s, used, edges).mean, np.diff(edges)
    area, seconds = (np.bincount(hour, weights=w, minlength=HOURS) for w in (mean * length_s, length_s))
    return area, seconds


def _hours(first_s: float, last_s: float, clock: Clock) -> tuple[np.ndarray, np.ndarray]:
    """Borders of the clock's hours inside [first, last], and to which hour of the week each piece belongs."""
    past_s = float(clock(np.array([first_s]))[0]) % HOUR_S
    inner = np.arange(first_s - past_s + HOUR_S, last_s, HOUR_S)
    edges = np.unique(np.concatenate([[first_s], inner, [last_s]]))
    middle = clock((edges[:-1] + edges[1:]) / 2.0)
    return edges, np.floor(middle / HOUR_S).astype(np.int64) % HOURS


def _grid(count: int, title: str) -> tuple[Figure, list[Axes]]:
    columns = min(max(count, 1), 1 if count <= 3 else 2 if count <= 8 else 3 if count <= 15 else 4)
    rows = max(math.ceil(count / columns), 1)
    figure, axes = style.panels(rows, columns, title)
    width = PANEL_IN[0] * columns if columns > 1 else style.SINGLE_IN[0]
    figure.set_size_inches(width + 0.8, (PANEL_IN[1] if columns > 1 else 2.4) * rows + 0.8)
    return figure, axes


def _draw_week_panels(figure: Figure, axes: list[Axes], loads: dict[str, np.ndarray], local: bool) -> None:
    for unused in axes[max(len(loads), 1) :]:
        unused.remove()
    shown = [share for share in loads.values() if not np.isnan(share).all()]
    if not shown:
        style.say(axes[0], "no run has a timeline")
        return
    low, top = _colour_range(np.concatenate(shown))
    for panel, (label, share) in zip(axes, loads.items(), strict=False):
        panel.set_title(short(label))
        mesh = panel.pcolormesh(np.arange(25), np.arange(8), share.reshape(7, 24), vmin=low, vmax=top, cmap=style.HEAT)
        _week_axes(panel, local)
    bar = figure.colorbar(mesh, ax=axes[: len(loads)], label="used processors", pad=0.02, fraction=0.05, aspect=30)
    percent_axis(bar.ax.yaxis)


def _colour_range(shares: np.ndarray) -> tuple[float, float]:
    """Whole tenths around all values: a scale from 0 to 1 would hide the pattern of a week."""
    low, top = math.floor(np.nanmin(shares) * 10) / 10, math.ceil(np.nanmax(shares) * 10) / 10
    return low, max(top, low + 0.2)


def _week_axes(axes: Axes, local: bool) -> None:
    """Monday on top; days are numbered where the clock is unknown."""
    axes.set_ylim(7, 0)
    axes.set_yticks(np.arange(7) + 0.5, WEEKDAYS if local else [f"day {day}" for day in range(1, 8)])
    axes.set_xticks([0, 6, 12, 18, 24])
    axes.set_xlabel("hour of the day (local time)" if local else "hour from time 0 (local time unknown)")
    axes.tick_params(axis="y", length=0)
    axes.grid(False)
