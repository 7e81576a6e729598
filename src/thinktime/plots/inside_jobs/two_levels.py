"""Two levels of scheduling: how long all jobs take under combinations of scheduler and technique, and why.

A value is an array of observations, such as one per seed; bars show the mean, lines the range from minimum to maximum.
Eleliemy et al. 2017, Figs. 3, 4 and 6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.metrics.application_level import CoreSeconds
from thinktime.plots.catalogue import figure
from thinktime.plots.kit import style
from thinktime.plots.kit.named_rows import figure_of_rows, name_rows
from thinktime.plots.kit.scales import percent_axis
from thinktime.support.time_units import DAY_S

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["changes", "core_second_bars", "parallel_times", "ratio_lines", "simulation_times"]

Observed = Mapping[str, np.ndarray]  # label → observations

BARS_IN = (7.6, 3.4)
PANELS_IN = (7.6, 3.2)
#: from light to dark, because a series of bars has an order
SHADES = ("#CFE1F2", "#9DC6E0", "#5FA6D1", "#2F7EBC", "#0B4A8F")
CAUSES = {
    "tasks": ("in tasks", style.BLUE),
    "overhead": ("asking for chunks", style.PURPLE),
    "imbalance": ("held without a task (imbalance)", style.VERMILLION),
    "waiting": ("free while jobs wait (for other cores)", style.ORANGE),
    "unneeded": ("free, no job waits", style.SHADE),
}
#: looks of lines that may coincide: later ones are dashed and thinner
LINES: tuple[dict[str, Any], ...] = (
    {"color": style.VERMILLION, "marker": "s", "linewidth": 1.6},
    {"color": style.SKY, "marker": "o", "linewidth": 3.6, "markersize": 7.5},
    {"color": style.ORANGE, "marker": "^", "linewidth": 1.6},
    {"color": style.BLACK, "marker": ".", "linewidth": 1.3, "linestyle": "--"},
)


@figure(
    "values",
    "Time from the first arrival to the last end; lines reach from the minimum to the maximum.",
    example="times",
)
def parallel_times(groups: Mapping[str, Observed], *, title: str = "") -> Figure:
    """Draw the time to complete all jobs in seconds: group → series → observations, one bar per series."""
    with style.look():
        figure, (axes,) = style.panels()
        figure.set_size_inches(*BARS_IN)
        axes.set_title(title or "Parallel execution time")
        series = list(dict.fromkeys(name for group in groups.values() for name in group))
        for index, name in enumerate(series):
            _bars_of(axes, [group.get(name, np.array([np.nan])) for group in groups.values()], name, index, len(series))
        axes.set_xticks(range(len(groups)), list(groups), rotation=30, ha="right", rotation_mode="anchor")
        axes.set_ylabel("first arrival to last end (days)")
        axes.grid(False, axis="x")
        axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=len(series), borderaxespad=0.1)
        return figure


def _bars_of(axes: Axes, values: Sequence[np.ndarray], name: str, index: int, count: int) -> None:
    """The bars of one series, with room between groups."""
    width = 0.82 / count
    x = np.arange(len(values)) + (index - (count - 1) / 2) * width
    mean = np.array([each.mean() for each in values]) / DAY_S
    reach = _reach(values) / DAY_S
    colour = SHADES[round(index * (len(SHADES) - 1) / max(count - 1, 1))]
    axes.bar(x, mean, width * 0.92, color=colour, label=name)
    axes.vlines(x, mean - reach[0], mean + reach[1], color=style.INK, linewidth=0.8)


def _reach(values: Sequence[np.ndarray]) -> np.ndarray:
    """Distances from the mean down to the minimum, and up to the maximum: two rows."""
    return np.array([[each.mean() - each.min(), each.max() - each.mean()] for each in values]).T


@figure(
    "values",
    "Time as a multiple of the time with equal tasks.",
    example='ratios, along="tasks per core", doubling=[True]',
)
def ratio_lines(
    panels: Mapping[str, Mapping[str, Mapping[float, np.ndarray]]],
    *,
    along: str | Sequence[str],
    title: str = "",
    doubling: Sequence[bool] = (),
) -> Figure:
    """Draw times as multiples of the ideal time: panel → line → x → observations. Panels share their y axis.

    Parameters
    ----------
    panels
        Observations by panel, line and x.
    along
        Label of the x axis, for all panels or for each.
    title
        Title of the figure.
    doubling
        For each panel, whether its x axis is logarithmic.
    """
    words = [along] * len(panels) if isinstance(along, str) else list(along)
    with style.look():
        figure, all_axes = style.panels(1, len(panels), title)
        figure.set_size_inches(*PANELS_IN)
        for k, (axes, (name, lines)) in enumerate(zip(all_axes, panels.items(), strict=True)):
            axes.set_title(name)
            axes.set_xlabel(words[k])
            axes.sharey(all_axes[0])
            _lines_of(axes, lines, log=bool(doubling) and doubling[k])
        all_axes[0].set_ylabel("time / time with equal tasks")
        all_axes[0].set_ylim(bottom=0.95)
        all_axes[0].legend(loc="best", handlelength=2.6)
        return figure


def _lines_of(axes: Axes, lines: Mapping[str, Mapping[float, np.ndarray]], *, log: bool) -> None:
    for look, (name, points) in zip(LINES, lines.items(), strict=False):
        x, values = np.array(list(points)), list(points.values())
        mean = np.array([each.mean() for each in values])
        axes.plot(x, mean, label=name, **{"markersize": 5, **look})
        axes.errorbar(x, mean, _reach(values), fmt="none", ecolor=style.INK, elinewidth=0.8)
    axes.axhline(1.0, color=style.GREY, linewidth=0.8)
    if log:
        axes.set_xscale("log", base=2)
        axes.set_xticks(x, [f"{value:g}" for value in x])
        axes.minorticks_off()


@figure("values", "Where the time of the machine went.", example="core_seconds, processors=64")
def core_second_bars(spent: Mapping[str, CoreSeconds], processors: int, *, title: str = "") -> Figure:
    """Draw how core time was spent, by cause: one row per name, in days of the whole machine."""
    with style.look():
        figure, axes = figure_of_rows(len(spent), "")
        figure.set_size_inches(BARS_IN[0], figure.get_figheight() + 0.5)
        axes.set_title(title or "Where core-seconds went", pad=36)
        left = np.zeros(len(spent))
        for cause, (words, colour) in CAUSES.items():
            days = np.array([getattr(each, cause) for each in spent.values()]) / processors / DAY_S
            if days.any():
                axes.barh(range(len(spent)), days, 0.7, left, color=colour, label=words)
            left += days
        name_rows(axes, list(spent))
        axes.set_xlim(0, 1.03 * left.max() or 1.0)
        axes.set_xlabel("days of the whole machine")
        axes.legend(
            loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=3, borderaxespad=0.1, handlelength=1.2, fontsize=8.0
        )
        return figure


@figure("values", "Relative changes; lines reach from the minimum to the maximum.", example="changes")
def changes(panels: Mapping[str, Observed], *, title: str = "", words: str = "change") -> Figure:
    """Draw relative changes: panel → row → observations of (after / before), one bar per row."""
    rows = max(len(each) for each in panels.values())
    with style.look():
        figure, all_axes = style.panels(1, len(panels), title)
        figure.set_size_inches(BARS_IN[0], 1.6 + 0.28 * rows)
        for axes, (name, observed) in zip(all_axes, panels.items(), strict=True):
            axes.set_title(name)
            axes.sharex(all_axes[0])
            _changes_of(axes, observed)
            axes.set_xlabel(words)
        for axes in all_axes[1:]:
            axes.set_yticklabels([])
        return figure


def _changes_of(axes: Axes, observed: Observed) -> None:
    values = [each - 1.0 for each in observed.values()]
    mean, y = np.array([each.mean() for each in values]), np.arange(len(values))
    axes.barh(y, mean, 0.62, color=[style.GREEN if each < 0 else style.VERMILLION for each in mean], alpha=0.75)
    axes.errorbar(mean, y, xerr=_reach(values), fmt="none", ecolor=style.INK, elinewidth=0.9)
    name_rows(axes, list(observed))
    axes.axvline(0.0, color=style.GREY, linewidth=0.8)
    axes.locator_params(axis="x", nbins=6, steps=[1, 2, 5, 10])
    percent_axis(axes.xaxis)


@figure("values", "Duration of simulations by their size, with a fitted line.", example="sizes, seconds")
def simulation_times(panels: Mapping[str, np.ndarray], seconds: np.ndarray, *, title: str = "") -> Figure:
    """Draw the duration of simulations in seconds by size: panel (what the size counts) → sizes, with a fitted line."""
    with style.look():
        figure, all_axes = style.panels(1, len(panels), title)
        for axes, (name, size) in zip(all_axes, panels.items(), strict=True):
            axes.plot(size, seconds, "o", color=style.BLUE, markersize=5)
            slope, start = np.polyfit(size, seconds, 1)
            ends = np.array([0.0, float(size.max())])
            axes.plot(ends, slope * ends + start, "--", color=style.GREY, linewidth=1.2)
            share = np.corrcoef(size, seconds)[0, 1] ** 2
            style.note(axes, f"R² = {share:.3f}", x=0.04, y=0.94)
            axes.set_xlabel(name)
            axes.set_ylabel("time (s)")
            axes.set_xlim(left=0)
            axes.set_ylim(bottom=0)
            axes.locator_params(axis="x", nbins=5)
            axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        return figure
