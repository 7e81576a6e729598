"""Means with their confidence intervals, and paired differences against zero: one row a configuration.

Both take a mapping from a label to (low, mid, high). With `seconds=True` the numbers are seconds, and the axis
gets the unit that suits them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.errors import InputError
from thinktime.plots import style
from thinktime.plots.distributions import plain
from thinktime.plots.rows import figure_of_rows, mark_rows, name_rows, thinness, wrapped
from thinktime.plots.scales import linear_unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Intervals = Mapping[str, Any]


def intervals(
    values: Intervals, *, quantity: str = "mean", seconds: bool = False, confidence: float = 0.95, title: str = ""
) -> Figure:
    """A dot and its interval a label; the axis begins at 0 where 0 is near."""
    with style.look():
        words = _words(quantity, confidence)
        figure, axes, table = _begin(values, words, seconds, title or "Means")
        if not np.isnan(table).all():
            _draw(axes, table, np.full(len(table), style.BLUE), list(values))
            if 0 <= np.nanmin(table) < 0.5 * np.nanmax(table):
                axes.set_xlim(left=0)
        return figure


def paired_differences(
    values: Intervals, *, quantity: str = "difference", seconds: bool = False, confidence: float = 0.95, title: str = ""
) -> Figure:
    """The same of differences, with a line at zero; an interval that holds zero is grey: it decides nothing."""
    with style.look():
        words = _words(quantity, confidence)
        figure, axes, table = _begin(values, words, seconds, title or "Paired differences")
        if not np.isnan(table).all():
            axes.axvline(0.0, color=style.INK, linewidth=1.0, zorder=1, label="zero")
            _draw(axes, table, _verdicts(table), list(values))
            _explain(axes, table)
        return figure


def _begin(values: Intervals, words: str, seconds: bool, title: str) -> tuple[Figure, Axes, np.ndarray]:
    """The figure with its words, and [row, (low, mid, high)] in the unit of the axis."""
    table = np.array([_checked(label, interval) for label, interval in values.items()]).reshape(-1, 3)
    figure, axes = figure_of_rows(len(values), "")
    axes.set_title(title)
    unit, name = 1.0, ""
    if np.isnan(table).all():
        style.say(axes, "there is nothing to show")
    elif seconds:
        unit, name = linear_unit(float(np.nanmax(np.abs(table))))
    axes.set_xlabel(wrapped(words.format(unit=f" ({name})" if name else "")))
    return figure, axes, table / unit


def _checked(label: str, interval: Any) -> tuple[float, float, float]:
    low, mid, high = (float(value) for value in interval)
    if low > high:
        raise InputError(f"the interval of {label} goes from {low} to {high}: give (low, mid, high)")
    return low, mid, high


def _words(quantity: str, confidence: float) -> str:
    """What the axis says; `{unit}` is filled in when it is known."""
    return f"{quantity.replace('{', '{{').replace('}', '}}')}{{unit}}, {100 * confidence:g} % confidence intervals"


def _verdicts(table: np.ndarray) -> np.ndarray:
    less, more = table[:, 2] < 0, table[:, 0] > 0
    return np.where(less, style.BLUE, np.where(more, style.VERMILLION, style.GREY))


def _draw(axes: Axes, table: np.ndarray, colours: np.ndarray, names: list[str]) -> None:
    y, thin = np.arange(len(table)), thinness(len(table))
    axes.hlines(y, table[:, 0], table[:, 2], colors=list(colours), linewidth=2.0 * thin, label="interval")
    for end in (table[:, 0], table[:, 2]):
        axes.vlines(end, y - 0.14, y + 0.14, colors=list(colours), linewidth=2.0 * thin)
    axes.scatter(table[:, 1], y, c=list(colours), s=34 * thin, zorder=3, label="mid")
    mark_rows(axes, np.flatnonzero(np.isnan(table).all(axis=1)), "not known")
    name_rows(axes, names)
    axes.xaxis.set_major_formatter(plain)
    axes.margins(x=0.06)


def _explain(axes: Axes, table: np.ndarray) -> None:
    from matplotlib.lines import Line2D

    meaning = {style.BLUE: "less than zero", style.VERMILLION: "more than zero", style.GREY: "undecided"}
    used = [colour for colour in meaning if colour in set(_verdicts(table[~np.isnan(table).all(axis=1)]))]
    handles = [Line2D([], [], color=colour, marker="o", linewidth=2.0, label=meaning[colour]) for colour in used]
    axes.legend(handles=handles, loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=3, borderaxespad=0.1)
