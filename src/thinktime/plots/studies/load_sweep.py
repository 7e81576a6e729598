"""Schedulers under increasing load (Zakay and Feitelson 2014, Fig. 12): metrics of the runs that did not saturate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics import CATALOGUE
from thinktime.plots.catalogue import figure
from thinktime.plots.kit import style
from thinktime.plots.kit.scales import linear_unit, percent_axis, plain_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from thinktime.bootstrapping import LoadSweep

__all__ = ["load_sweep"]

DRAWN = (
    "slowdown_mean",
    "bounded_slowdown_mean",
    "response_mean_s",
    "wait_mean_s",
)  # of each pair the first that was measured
FLAT = 5.0  # ratio of maxima of schedulers, from which the axis is logarithmic
WITHOUT = ("utilisation", "jobs")


@figure(
    "sweep",
    "Metrics of unsaturated runs by utilisation and by load; the last column shows how many runs did not saturate.",
)
def load_sweep(found: LoadSweep, measures: Sequence[str] | None = None, *, level: float = 0.95) -> Figure:
    """Draw one column per measure, and a last column with the share of unsaturated runs and the utilisation.

    The top row shows every unsaturated run at the utilisation that it reached, the bottom row means and intervals by
    load.

    Parameters
    ----------
    found
        The load sweep.
    measures
        Names of metrics; by default a slowdown and a response time or wait.
    level
        Confidence level of the intervals.
    """
    shown = list(measures) if measures is not None else _usual(found)
    for measure in shown:
        if measure not in found.measures:
            raise InputError(f"The sweep has no {measure!r}: choose from {', '.join(found.measures)}.")
    with style.look():
        figure, axes = style.panels(2, len(shown) + 1, f"{found.about['log']['name']}, {_runs(found)}")
        columns = len(shown) + 1
        for k, measure in enumerate(shown):
            _against_utilisation(axes[k], found, measure)
            _against_load(axes[columns + k], found, measure, level)
        _unsaturated(axes[columns - 1], found, level)
        _against_load(axes[-1], found, "utilisation", level)
        axes[columns - 1].legend(loc="lower left")
        return figure


def _usual(found: LoadSweep) -> list[str]:
    there = [name for name in found.measures if name not in WITHOUT]
    known = [next((name for name in pair if name in there), "") for pair in (DRAWN[:2], DRAWN[2:])]
    return [name for name in known if name] or there[:2]


def _runs(found: LoadSweep) -> str:
    return f"{found.about['resamples']:,} resamples at each load"


def _colour(found: LoadSweep, scheduler: str) -> str:
    return style.LINES[found.schedulers.index(scheduler) % len(style.LINES)]


def _unit_and_label_of_sweep(found: LoadSweep, measure: str) -> tuple[float, str]:
    """The unit by which values are divided, and the label of the axis."""
    label, unit = CATALOGUE[measure].label, CATALOGUE[measure].unit
    if unit != "s":
        return 1.0, label
    stable = found.columns[measure][~found.columns["saturated"]]
    size, name = linear_unit(float(np.nanmax(stable))) if len(stable) else (1.0, "s")
    return size, f"{label} ({name})"


def _against_utilisation(axes: Axes, found: LoadSweep, measure: str) -> None:
    unit, words = _unit_and_label_of_sweep(found, measure)
    axes.set_title(f"{CATALOGUE[measure].label} by utilisation".capitalize())
    for scheduler in found.schedulers:
        rows = found.rows(scheduler, stable=True)
        axes.scatter(found.columns["utilisation"][rows], found.columns[measure][rows] / unit, s=14, alpha=0.7,
                     color=_colour(found, scheduler), linewidths=0, label=scheduler)  # fmt: skip
    axes.set_xlabel("utilisation reached")
    axes.set_ylabel(words)
    _value_axis(axes, found, measure)
    percent_axis(axes.xaxis)


def _against_load(axes: Axes, found: LoadSweep, measure: str, level: float) -> None:
    unit, words = _unit_and_label_of_sweep(found, measure)
    summary = found.summary(level)
    axes.set_title(f"{CATALOGUE[measure].label} by load".capitalize())
    for scheduler in found.schedulers:
        of = summary.filter(summary["scheduler"] == scheduler)
        load, mean, low, high = (of[name].to_numpy() for name in ("load", measure, f"{measure}_low", f"{measure}_high"))
        colour = _colour(found, scheduler)
        axes.fill_between(load, low / unit, high / unit, color=colour, alpha=0.15, linewidth=0)
        axes.plot(load, mean / unit, color=colour, marker="o", markersize=4.0, label=scheduler)
    _load_axis(axes, found)
    axes.set_ylabel(words)
    percent_axis(axes.yaxis) if measure == "utilisation" else _value_axis(axes, found, measure)


def _value_axis(axes: Axes, found: LoadSweep, measure: str) -> None:
    """Linear from zero; logarithmic if schedulers differ by more than a factor of five."""
    stable = [found.columns[measure][found.rows(scheduler, stable=True)] for scheduler in found.schedulers]
    most = [float(np.nanmax(values)) for values in stable if len(values)]
    if most and min(most) > 0 and max(most) > FLAT * min(most):
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(plain_number)


def _unsaturated(axes: Axes, found: LoadSweep, level: float) -> None:
    summary = found.summary(level)
    axes.set_title("Unsaturated runs")
    for scheduler in found.schedulers:
        of = summary.filter(summary["scheduler"] == scheduler)
        load, share, low, high = (
            of[name].to_numpy() for name in ("load", "unsaturated", "unsaturated_low", "unsaturated_high")
        )
        axes.fill_between(load, low, high, color=_colour(found, scheduler), alpha=0.15, linewidth=0)
        axes.plot(load, share, color=_colour(found, scheduler), marker="o", markersize=4.0, label=scheduler)
    _load_axis(axes, found)
    axes.set_ylabel("share of runs")
    axes.set_ylim(0, 1.05)
    percent_axis(axes.yaxis)


def _load_axis(axes: Axes, found: LoadSweep) -> None:
    axes.set_xlabel("load factor")
    if len(found.loads) <= 10:
        axes.set_xticks(found.loads)
