"""Ways to change the load of a log, compared: a metric by the offered load that each way reaches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics import CATALOGUE
from thinktime.plots.catalogue import figure
from thinktime.plots.kit import style
from thinktime.plots.kit.named_lines import line_look, name_lines
from thinktime.plots.kit.named_rows import short
from thinktime.plots.kit.scales import duration_axis, percent_axis, plain_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["load_methods"]

BAND = (0.1, 0.5, 0.9)  # quantiles over the runs of a factor
APART = 8  # maximum over minimum, from which the axis is logarithmic
MARKERS = "osD^vP*"

#: a run, a pair (offered load, value), or several of either
Found = Any


class _Line(NamedTuple):
    """One point per factor."""

    load: np.ndarray  # offered load, mean over runs
    low: np.ndarray
    median: np.ndarray
    high: np.ndarray


@figure(
    "values",
    "A metric by the offered load that each way of changing the load reaches. Lines are medians; bands reach from 10 %"
    " to 90 % where a factor has several runs.",
    example="loads",
)
def load_methods(
    methods: Mapping[str, Mapping[float, Found]], *, measure: str = "wait_mean_s", title: str = ""
) -> Figure:
    """Draw a metric against the offered load, one line per way of changing the load.

    Parameters
    ----------
    methods
        Way → factor → a run, or several, for example of resamples. In place of a run: a pair (offered load, value).
    measure
        A metric of the catalogue (default: the mean wait).
    title
        Replaces the title.
    """
    lines = {str(name): _line(points, measure) for name, points in methods.items() if points}
    with style.look():
        figure, (axes,) = style.panels()
        about = CATALOGUE.about(measure)
        axes.set_title(title or f"{about.label.capitalize()}, by the way the load is changed")
        axes.set_xlabel("offered load")
        if not lines:
            style.say(axes, "no runs")
            return figure
        for index, (name, line) in enumerate(lines.items()):
            _draw_line(axes, name, line, index, len(lines))
        _scale_values(axes, lines, about.label, about.unit)
        name_lines(axes, len(lines))
        return figure


def _line(points: Mapping[float, Found], measure: str) -> _Line:
    found = [np.array([_pair(each, measure) for each in _several(points[factor])]) for factor in sorted(points)]
    quantiles = np.array([np.quantile(each[:, 1], BAND) for each in found])
    return _Line(np.array([each[:, 0].mean() for each in found]), *quantiles.T)


def _several(found: Found) -> Sequence[Any]:
    """The runs of a factor; a pair of numbers is one."""
    pair = isinstance(found, tuple) and len(found) == 2 and all(isinstance(each, int | float) for each in found)
    if pair or hasattr(found, "summary"):
        return [found]
    if not isinstance(found, Sequence | np.ndarray) or not len(found):
        raise InputError(f"a factor needs a run, a pair (offered load, value), or a list of these (got {found!r})")
    return list(found)


def _pair(found: Any, measure: str) -> tuple[float, float]:
    if not hasattr(found, "summary"):
        load, value = found
        return float(load), float(value)
    summary = found.summary()
    return float(summary["offered_load"]), float(summary[measure])


def _draw_line(axes: Axes, name: str, line: _Line, index: int, count: int) -> None:
    look = line_look(index, count)
    if (line.high > line.low).any():
        axes.fill_between(line.load, line.low, line.high, color=look["color"], alpha=0.15, linewidth=0)
    axes.plot(line.load, line.median, label=short(name), marker=MARKERS[index % len(MARKERS)], markersize=4.0, **look)


def _scale_values(axes: Axes, lines: Mapping[str, _Line], label: str, unit: str) -> None:
    """Durations have readable ticks; the axis is logarithmic if the values differ much."""
    low, high = (float(fold([fold(each) for each in side]))
                 for fold, side in ((np.min, [line.low for line in lines.values()]),
                                    (np.max, [line.high for line in lines.values()])))  # fmt: skip
    axes.set_ylabel(label if unit in ("s", "") else f"{label} ({unit})")
    percent_axis(axes.xaxis)
    if not (low > 0 and high > APART * low):
        axes.set_ylim(0, 1.05 * high if high > 0 else 1.0)
    else:
        axes.set_yscale("log")
        axes.set_ylim(low / 1.3, high * 1.3)
    if unit == "s" and axes.get_yscale() == "log":
        duration_axis(axes.yaxis, low / 1.3, high * 1.3)
    else:
        axes.yaxis.set_major_formatter(plain_number)
