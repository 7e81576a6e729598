"""Distributions over resamples of a log: metrics of a scheduler, and paired differences of two schedulers.

Zakay and Feitelson 2014, Figs. 8 and 9. Above each histogram stand its intervals.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from thinktime.metrics import CATALOGUE
from thinktime.plots.catalogue import figure
from thinktime.plots.kit import style
from thinktime.plots.kit.scales import linear_unit, percent, percent_axis, plain_number
from thinktime.statistics.bootstrap import EXCLUDED
from thinktime.study.comparison.verdict import VERDICTS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from thinktime.bootstrapping import Bootstrap
    from thinktime.bootstrapping.resample_intervals import Values
    from thinktime.statistics import Interval

__all__ = ["bootstrap_figures", "resample_differences", "resample_histograms"]

BINS = 30
WIDEST = 3  # panels in a row
SHARES = ("utilisation", "offered_load")
PERCENTILE, BCA = style.INK, style.GREEN


@figure("bootstrap", "Distribution of each metric over resamples of the log, with the original value and intervals.")
def resample_histograms(found: Bootstrap, scheduler: str | None = None, *, level: float = 0.95) -> Figure:
    """Draw the distribution of each metric over the resamples of one scheduler, with the original and intervals."""
    name = scheduler if scheduler is not None else found.schedulers[0]
    with style.look():
        figure, axes = _grid(len(found.measures), f"{_title(found)}, {name}")
        for panel, measure in zip(axes, found.measures, strict=False):
            values = found.of(measure, name)
            _histogram(panel, values, measure, level, CATALOGUE[measure].label, marks=("original log",))
        _add_shared_legend(figure, axes)
        return figure


@figure("bootstrap", "Distribution of the paired difference of two schedulers over resamples.")
def resample_differences(
    found: Bootstrap, a: str | None = None, b: str | None = None, *, level: float = 0.95
) -> Figure:
    """Draw the distribution of a − b over the resamples, paired, with zero and the original value."""
    first, second = (a, b) if a is not None and b is not None else found.schedulers[:2]
    measures = [measure for measure in found.measures if measure != "jobs"]
    with style.look():
        figure, axes = _grid(len(measures), f"{_title(found)}, {first} less {second}")
        for panel, measure in zip(axes, measures, strict=False):
            values = found.difference(first, second, measure)
            words = f"{CATALOGUE[measure].label}, difference"
            _histogram(panel, values, measure, level, words, marks=("original log", "no difference"))
            if len(values.drawn):
                below, verdict = percent(float(np.mean(values.drawn < 0))), VERDICTS[values.verdict(measure, level)]
                panel.set_xlabel(f"{panel.get_xlabel()}; {first} is less in {below} of resamples: {verdict.label}")
                panel.xaxis.label.set_color(verdict.colour)
        _add_shared_legend(figure, axes)
        return figure


def bootstrap_figures(found: Bootstrap, *, level: float = 0.95) -> dict[str, Figure]:
    """Every figure of a bootstrap by name, which is also a good file name."""
    figures = {
        f"resamples_{_file_name(name)}": resample_histograms(found, name, level=level) for name in found.schedulers
    }
    pairs = {f"differences_{_file_name(a)}_{_file_name(b)}": (a, b) for a, b in pairwise(found.schedulers)}
    return figures | {key: resample_differences(found, a, b, level=level) for key, (a, b) in pairs.items()}


def _file_name(name: str) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in name)


def _title(found: Bootstrap) -> str:
    load = found.about["load"]
    return f"{found.about['log']['name']}, {found.resamples:,} resamples" + (f" at load {load:g}" if load != 1 else "")


def _grid(number: int, title: str) -> tuple[Figure, list[Axes]]:
    columns = min(number, WIDEST)
    rows = -(-number // columns)
    figure, axes = style.panels(rows, columns, title)
    for panel in axes[number:]:
        panel.remove()
    return figure, axes[:number]


def _histogram(axes: Axes, values: Values, measure: str, level: float, words: str, marks: tuple[str, ...]) -> None:
    axes.set_title(words[:1].upper() + words[1:])
    axes.set_ylabel("resamples")
    unit, name = _unit_of_resamples(values, measure)
    axes.set_xlabel(name)
    if not len(values.drawn):
        style.say(axes, "no resample has a value")
        return
    counts, *_ = axes.hist(values.drawn / unit, bins=min(BINS, max(len(values.drawn) // 5, 5)), color=style.SKY)
    axes.axvline(values.original / unit, color=style.VERMILLION, linewidth=2.0, label=marks[0])
    if len(marks) > 1:
        axes.axvline(0.0, color=style.INK, linewidth=1.0, linestyle="--", label=marks[1])
    _intervals(axes, values, level, unit, float(np.max(counts)))
    percent_axis(axes.xaxis) if measure in SHARES else axes.xaxis.set_major_formatter(plain_number)
    axes.locator_params(axis="x", nbins=6)


def _add_shared_legend(figure: Figure, axes: list[Axes]) -> None:
    """One legend for all panels, below them: inside it would cover intervals."""
    known = {label: handle for panel in axes for handle, label in zip(*panel.get_legend_handles_labels(), strict=True)}
    figure.legend(known.values(), known.keys(), loc="outside lower left", ncols=len(known) or 1, fontsize=8.5)


def _unit_of_resamples(values: Values, measure: str) -> tuple[float, str]:
    """The unit by which values are divided, and the label of the axis."""
    if CATALOGUE[measure].unit == "s" and len(values.drawn):
        unit, name = linear_unit(float(np.abs(np.append(values.drawn, np.nan_to_num(values.original))).max()))
        return unit, name
    return 1.0, CATALOGUE[measure].unit or ("share of the machine" if measure in SHARES else "times")


def _flag(found: Interval) -> str:
    """A remark on an interval, for the legend."""
    if not found.note:
        return ""
    return f", excludes {EXCLUDED}" if EXCLUDED in found.note else ", original in the tail"


def _intervals(axes: Axes, values: Values, level: float, unit: float, top: float) -> None:
    """Draw the two intervals as bars above the histogram."""
    for place, colour, method in ((1.07, PERCENTILE, "percentile"), (1.15, BCA, "bca")):
        found = values.interval(level, method)
        if found.method != method:  # BCa is not available
            continue
        label = f"{level:.0%} {'BCa' if method == 'bca' else method}{_flag(found)}"
        axes.plot([found.low / unit, found.high / unit], [place * top] * 2, color=colour, linewidth=2.2, marker="|",
                  markersize=7.0, linestyle=":" if found.note else "-", label=label)  # fmt: skip
    axes.set_ylim(0, top * 1.25)
