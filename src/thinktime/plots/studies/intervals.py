"""Means with confidence intervals, and paired differences: one row per configuration.

Both functions take a mapping from a name to (low, mid, high); NaN ends leave a dot. With `seconds=True` the numbers are
seconds, and the axis gets a suitable unit. The colours of differences are those of their verdicts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.errors import InputError
from thinktime.plots.catalogue import figure
from thinktime.plots.kit import style
from thinktime.plots.kit.named_rows import figure_of_rows, mark_rows, name_rows, thinness, wrapped
from thinktime.plots.kit.scales import linear_unit, plain_number
from thinktime.statistics import Interval
from thinktime.study.comparison.verdict import VERDICTS, direction, legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["intervals", "paired_differences"]

Intervals = Mapping[str, Any]

#: legend of an interval that excludes zero although the verdict is open
DISAGREE = "grey: interval and rank test do not both show one"


@figure("values", "Means and their confidence intervals.", example='means, quantity="mean wait", seconds=True')
def intervals(
    values: Intervals,
    *,
    quantity: str = "mean",
    seconds: bool = False,
    confidence: float = 0.95,
    title: str = "",
    points: Mapping[str, Sequence[float]] | None = None,
) -> Figure:
    """Draw a dot and its interval per name, and single `points`; the axis begins at 0 if 0 is near."""
    with style.look():
        words = _interval_axis_label(quantity, confidence, values)
        figure, axes, table = _begin(values, words, seconds, title or "Means")
        if not np.isnan(table).all():
            _draw_points(axes, values, points or {}, table)
            _draw_intervals(axes, table, np.full(len(table), style.BLUE), list(values))
            if 0 <= np.nanmin(table) < 0.5 * np.nanmax(table):
                axes.set_xlim(left=0)
        return figure


@figure(
    "values",
    "Differences from the baseline with confidence intervals; colours are verdicts.",
    example='differences_of_means, metric="wait_mean_s", seconds=True',
)
def paired_differences(
    values: Intervals,
    *,
    quantity: str = "difference",
    seconds: bool = False,
    confidence: float = 0.95,
    title: str = "",
    metric: str = "",
    verdicts: Mapping[str, str] | None = None,
) -> Figure:
    """Draw differences with a line at zero, coloured by verdict.

    `verdicts` names the verdict of each label, as in `Contrast.verdict`. Without, the interval alone decides, and
    `metric` says which direction is better.
    """
    with style.look():
        words = _interval_axis_label(quantity, confidence, values)
        figure, axes, table = _begin(values, words, seconds, title or "Paired differences")
        if not np.isnan(table).all():
            names = _verdicts(values, metric, verdicts or {})
            axes.axvline(0.0, color=style.INK, linewidth=1.0, zorder=1, label="zero")
            _draw_intervals(axes, table, np.array([VERDICTS[name].colour for name in names]), list(values))
            _add_interval_verdict_legend(
                axes, [name for name, row in zip(names, table, strict=True) if not np.isnan(row).all()]
            )
            if any(name == "open" and (row[0] > 0 or row[2] < 0) for name, row in zip(names, table, strict=True)):
                axes.set_xlabel(f"{axes.get_xlabel()}\n{DISAGREE}")
        return figure


def _begin(values: Intervals, words: str, seconds: bool, title: str) -> tuple[Figure, Axes, np.ndarray]:
    """The figure with its labels, and [row, (low, mid, high)] in the unit of the axis."""
    table = np.array([_check_interval(label, interval) for label, interval in values.items()]).reshape(-1, 3)
    figure, axes = figure_of_rows(len(values), "")
    axes.set_title(title)
    unit, name = 1.0, ""
    if np.isnan(table).all():
        style.say(axes, "no data")
    elif seconds:
        unit, name = linear_unit(float(np.nanmax(np.abs(table))))
    axes.set_xlabel(wrapped(words.format(unit=f" ({name})" if name else ""), values))
    return figure, axes, table / unit


def _check_interval(label: str, interval: Any) -> tuple[float, float, float]:
    low, mid, high = (float(value) for value in interval)
    if low > high:
        raise InputError(f"an interval must be (low, mid, high) with low <= high (got {low} to {high} for {label})")
    return low, mid, high


def _interval_axis_label(quantity: str, confidence: float, values: Intervals) -> str:
    """The label of the axis; `{unit}` is filled in later."""
    ends = any(not np.isnan(float(each[0])) for each in values.values())
    about = f"{100 * confidence:g} % confidence intervals" if ends or not values else "too few values for intervals"
    return f"{quantity.replace('{', '{{').replace('}', '}}')}{{unit}}, {about}"


def _verdicts(values: Intervals, metric: str, given: Mapping[str, str]) -> list[str]:
    """The verdict of each name: the given one, or that of its interval."""
    found = []
    for label, each in values.items():
        low, mid, high = _check_interval(label, each)
        found.append(given.get(label) or direction(metric, Interval(mid, low, high, 0.95, "given", 0)))
    return found


def _draw_points(axes: Axes, values: Intervals, points: Mapping[str, Sequence[float]], table: np.ndarray) -> None:
    """Draw single values, in the unit of the axis."""
    raw = np.array([float(each[1]) for each in values.values()])
    scaled = np.flatnonzero(raw * table[:, 1] > 0)
    unit = raw[scaled[0]] / table[scaled[0], 1] if len(scaled) else 1.0
    for row, label in enumerate(values):
        some = np.asarray(points.get(label, ()), dtype=np.float64) / unit
        axes.scatter(some, np.full(len(some), row), facecolors="none", edgecolors=style.GREY, s=26, label="runs")


def _draw_intervals(axes: Axes, table: np.ndarray, colours: np.ndarray, names: list[str]) -> None:
    y, thin = np.arange(len(table)), thinness(len(table))
    axes.hlines(y, table[:, 0], table[:, 2], colors=list(colours), linewidth=2.0 * thin, label="interval")
    for end in (table[:, 0], table[:, 2]):
        axes.vlines(end, y - 0.14, y + 0.14, colors=list(colours), linewidth=2.0 * thin)
    axes.scatter(table[:, 1], y, c=list(colours), s=34 * thin, zorder=3, label="mid")
    mark_rows(axes, np.flatnonzero(np.isnan(table).all(axis=1)), "not known")
    name_rows(axes, names)
    axes.xaxis.set_major_formatter(plain_number)
    axes.margins(x=0.06)


def _add_interval_verdict_legend(axes: Axes, names: Sequence[str]) -> None:
    from matplotlib.lines import Line2D

    handles = [Line2D([], [], color=each.colour, marker="o", linewidth=2.0, label=each.label) for each in legend(names)]
    axes.legend(handles=handles, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=3, borderaxespad=0.1)
    axes.set_title(axes.get_title(loc="left"), pad=24.0)  # above the legend
