"""Readable scales: durations as `10 min` and `1 d`, shares as percent, weekdays, size classes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from thinktime.support.time_units import DAY_S, HOUR_S, MINUTE_S, WEEK_S

if TYPE_CHECKING:
    from matplotlib.axis import Axis

MOST_WEEKS = 2000  # shown one by one, at most: 38 years
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")

#: ticks of a logarithmic axis of durations
_DURATIONS = (
    (1.0, "1 s"),
    (10.0, "10 s"),
    (MINUTE_S, "1 min"),
    (10 * MINUTE_S, "10 min"),
    (HOUR_S, "1 h"),
    (6 * HOUR_S, "6 h"),
    (DAY_S, "1 d"),
    (7 * DAY_S, "7 d"),
    (30 * DAY_S, "30 d"),
    (365 * DAY_S, "1 y"),
)
#: widths of time bins that have a name
_WIDTHS = (
    (MINUTE_S, "1 minute"),
    (5 * MINUTE_S, "5 minutes"),
    (15 * MINUTE_S, "15 minutes"),
    (HOUR_S, "1 hour"),
    (3 * HOUR_S, "3 hours"),
    (6 * HOUR_S, "6 hours"),
    (12 * HOUR_S, "12 hours"),
    (DAY_S, "1 day"),
    (2 * DAY_S, "2 days"),
    (WEEK_S, "1 week"),
    (2 * WEEK_S, "2 weeks"),
    (4 * WEEK_S, "4 weeks"),
    (13 * WEEK_S, "13 weeks"),
    (52 * WEEK_S, "52 weeks"),
)


def bin_width(span_s: float, bins: int) -> tuple[float, str]:
    """The narrowest named width that covers the span with at most `bins` bins."""
    for width_s, name in _WIDTHS:
        if span_s <= width_s * bins:
            return width_s, name
    years = math.ceil(span_s / bins / _WIDTHS[-1][0])
    return years * _WIDTHS[-1][0], f"{52 * years} weeks"


def week_bins(span_s: float) -> tuple[float, str]:
    """Width and name of weekly bins; wider for a span of centuries, usually one wrong submit time."""
    return (WEEK_S, "week") if span_s <= MOST_WEEKS * WEEK_S else bin_width(span_s, MOST_WEEKS)


def edges(first_s: float, last_s: float, width_s: float) -> np.ndarray:
    """Edges of bins of this width, at its multiples, that cover [first, last]; at least one bin."""
    begin, end = math.floor(first_s / width_s), math.ceil(last_s / width_s)
    return np.arange(begin, max(end, begin + 1) + 1) * width_s


def duration_ticks(low_s: float, high_s: float) -> list[tuple[float, str]]:
    """Ticks of a logarithmic axis of durations: seconds and label."""
    return [(value, name) for value, name in _DURATIONS if low_s <= value <= high_s]


def duration_axis(axis: Axis, low_s: float, high_s: float, zero: bool = False) -> None:
    """Label a logarithmic axis with durations; with `zero` it is linear below one second and begins at 0."""
    marks = [(0.0, "0")] if zero else []
    marks += duration_ticks(low_s, high_s)
    axis.set_ticks([value for value, _ in marks], [name for _, name in marks])
    axis.set_ticks([], minor=True)


def short_unit(longest_s: float) -> tuple[float, str]:
    """The unit for a short time, in seconds, and its name: ns, µs, ms or s."""
    for unit_s, name in ((1e-9, "ns"), (1e-6, "µs"), (1e-3, "ms")):
        if longest_s < 1000 * unit_s:
            return unit_s, name
    return 1.0, "s"


def linear_unit(longest_s: float) -> tuple[float, str]:
    """The unit for a linear axis of durations, in seconds, and its name: s, min, h or days."""
    for unit_s, name in ((DAY_S, "days"), (HOUR_S, "h"), (MINUTE_S, "min")):
        if longest_s >= 3 * unit_s:
            return unit_s, name
    return 1.0, "s"


def percent(share: float) -> str:
    """`43 %`; shares below 10 % and above 90 % have one decimal."""
    digits = 0 if 0.1 <= share <= 0.9 or share in (0.0, 1.0) else 1
    return f"{100 * share:.{digits}f} %"


def percent_axis(axis: Axis) -> None:
    """Label shares from 0 to 1 as percent, with as many decimals as keep the labels apart."""

    def label(value: float, _: object) -> str:
        places = np.diff(axis.get_majorticklocs()) * 100
        step = float(np.abs(places).min()) if len(places) else 1.0
        digits = 0 if step >= 1 or step <= 0 else math.ceil(-math.log10(step) - 1e-9)
        return f"{100 * value:.{min(digits, 4)}f} %"

    axis.set_major_formatter(label)


def size_classes(largest: float, classes: int = 9) -> tuple[np.ndarray, list[str]]:
    """Upper bounds 1, 2, 4, 8, … (1, 4, 16, … if these are too many) up to the largest, and their names."""
    doublings = max(math.ceil(math.log2(max(largest, 1.0))), 0)
    step = max(1, math.ceil(doublings / (classes - 1)))
    upper = 2.0 ** np.arange(0, doublings + step, step)
    upper[-1] = max(largest, 1.0)
    lower = np.append(1.0, upper[:-1] + 1.0)
    names = [
        _short_size(a) if a == b else f"{_short_size(a)}–{_short_size(b)}" for a, b in zip(lower, upper, strict=True)
    ]
    return upper, names


def _short_size(size: float) -> str:
    """`8`, `4096`, `33k`: short, because class names are close together."""
    return f"{size:.0f}" if size < 10_000 else f"{size / 1000:.0f}k"


def plain_number(value: float, _position: float) -> str:
    """A tick label without a power of ten."""
    return f"{value:,.10g}"
