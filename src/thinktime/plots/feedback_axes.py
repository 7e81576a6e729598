"""Axes of the figures of feedback: panels for cases, days, signed durations, the week."""

from __future__ import annotations

from collections.abc import Sized
from typing import TYPE_CHECKING

from thinktime.plots import style
from thinktime.plots.scales import DAY_S, HOUR_S, MINUTE_S, WEEKDAYS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: marks of a signed logarithmic axis: seconds, name
_MARKS = (
    (MINUTE_S, "1 min"),
    (HOUR_S, "1 h"),
    (DAY_S, "1 d"),
    (10 * DAY_S, "10 d"),
    (100 * DAY_S, "100 d"),
    (1000 * DAY_S, "1000 d"),
)


def panels_for(cases: Sized, title: str) -> tuple[Figure, list[Axes]]:
    """One panel a case, three in a row; what is left over of the last row is hidden."""
    count = max(len(cases), 1)
    columns = min(count, 3)
    figure, axes = style.panels(-(-count // columns), columns, title)
    for panel in axes[len(cases) :]:
        panel.set_visible(False)
    return figure, axes


def day_axis(axes: Axes, last_s: float) -> None:
    axes.set_xlim(0, last_s / DAY_S)
    axes.locator_params(axis="x", nbins=6)
    axes.set_xlabel("time (days)")


def signed_durations(axes: Axes, largest_s: float, linear_s: float) -> None:
    """A y axis of durations of either sign, logarithmic but for a narrow band around 0."""
    axes.set_yscale("symlog", linthresh=linear_s)
    top = max(largest_s, MINUTE_S) * 2
    axes.set_ylim(-top, top)
    shown = [(value, name) for value, name in _MARKS if value <= top]
    ticks = [(-value, f"−{name}") for value, name in reversed(shown)] + [(0.0, "0")] + shown
    axes.set_yticks([value for value, _ in ticks], [name for _, name in ticks])
    axes.set_yticks([], minor=True)
    axes.axhline(0.0, color=style.GREY, linewidth=0.8)


def week_axis(axes: Axes) -> None:
    """Hours of the week in local time; the weekend is shaded."""
    axes.axvspan(5 * 24, 7 * 24, color=style.SHADE, linewidth=0, zorder=0)
    axes.set_xlim(0, 7 * 24)
    axes.set_xticks(range(0, 7 * 24 + 1, 24), [""] * 8)
    axes.set_xticks(range(12, 7 * 24, 24), WEEKDAYS, minor=True)
    axes.tick_params(axis="x", which="minor", length=0, labelsize=9.0)
