"""Distances of workloads from one of them, compared with those of its resamples; all figures of a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from thinktime.description import ITSELF, MEASURES, Comparison, Row
from thinktime.plots.catalogue import figure
from thinktime.plots.kit import style
from thinktime.plots.kit.named_rows import figure_of_rows, mark_rows, name_rows, short
from thinktime.plots.logs.description_lines import SPREAD_GREY, title_of
from thinktime.plots.logs.locality import daily_concentrations, shuffled_sessions, similarity_by_distance
from thinktime.plots.logs.self_similarity import pox_lines, pox_plots
from thinktime.plots.logs.users import user_marginals, weekly_cycle

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["description_figures", "verdicts"]

WIDTH_IN = 9.0
UNCLEAR = "#BBBBBB"  # beyond all resamples, but these are too few for a verdict
FLOOR = 0.03  # smaller distances, in units of the resamples' median, are drawn here


@figure("comparison", "Distances from the first workload, in units of the median distance of its resamples.")
def verdicts(comparison: Comparison) -> Figure:
    """Draw one row per measure: distances in units of the median distance of the resamples, filled by verdict."""
    with style.look():
        figure, axes = figure_of_rows(len(MEASURES), title_of(comparison.base))
        figure.set_size_inches(WIDTH_IN, figure.get_size_inches()[1])
        axes.set_title("Distances compared with resamples")
        name_rows(axes, [measure.words for measure in MEASURES.values()])
        if not comparison.spread:
            style.say(axes, "no resamples")
            return figure
        by_measure = {name: [row for row in comparison.rows if row.measure.name == name] for name in MEASURES}
        unit = {name: _typical_resample_distance(rows) for name, rows in by_measure.items()}
        _draw_spread(axes, by_measure, unit)
        _draw_others(axes, comparison, unit)
        axes.set_xscale("log")
        axes.set_xlabel("distance over the median distance of resamples (filled: outside, grey: unclear)")
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.xaxis.set_minor_formatter(lambda value, _: f"{value:g}" if f"{value:e}"[0] in "25" else "")
        figure.legend(loc="outside lower left", ncols=2, fontsize=8.0)
        return figure


def description_figures(comparison: Comparison) -> dict[str, Figure]:
    """Every figure of a comparison by name, which is also a good file name."""
    shown = (comparison.base, comparison.others, comparison.spread)
    figures = {
        draw.__name__: draw(*shown)
        for draw in (user_marginals, weekly_cycle, similarity_by_distance, daily_concentrations, pox_plots, pox_lines)
    }
    if comparison.base.permutation:
        figures["shuffled_sessions"] = shuffled_sessions(comparison.base)
    if comparison.rows and comparison.spread:
        figures["verdicts"] = verdicts(comparison)
    return figures


def _typical_resample_distance(rows: list[Row]) -> float:
    """The median distance of the resamples; the mean if that is 0; NaN if nothing is measured."""
    found = rows[0].spread if rows else np.empty(0)
    if not len(found):
        return float("nan")
    return float(np.median(found)) or float(found.mean()) or 1.0


def _draw_spread(axes: Axes, by_measure: dict[str, list[Row]], unit: dict[str, float]) -> None:
    label = "resamples"
    for row, (name, rows) in enumerate(by_measure.items()):
        found = np.maximum(rows[0].spread / unit[name], FLOOR)
        if len(found):
            axes.plot(found, np.full(len(found), row), "|", color=SPREAD_GREY, markersize=9, label=label)
            axes.hlines(row, found.min(), found.max(), color=SPREAD_GREY, linewidth=3.0, alpha=0.6)
            label = "_"
    mark_rows(axes, (row for row, name in enumerate(MEASURES) if np.isnan(unit[name])), "not measured")


def _draw_others(axes: Axes, comparison: Comparison, unit: dict[str, float]) -> None:
    place = {name: row for row, name in enumerate(MEASURES)}
    for k, other in enumerate(dict.fromkeys(row.other for row in comparison.rows)):
        colour = style.LINES[k % len(style.LINES)]
        rows = [row for row in comparison.of(other) if np.isfinite(row.distance / unit[row.measure.name])]
        name = short(comparison.base.name if other == ITSELF else other)
        for verdict, fill in (("inside", "white"), ("unclear", UNCLEAR), ("outside", colour)):
            some = [row for row in rows if row.verdict == verdict]
            x = [max(row.distance / unit[row.measure.name], FLOOR) for row in some]
            if some:
                axes.plot(x, [place[row.measure.name] for row in some], "o", color=colour, markersize=5.5,
                          markerfacecolor=fill, label=name)  # fmt: skip
                name = "_"
