"""Flurries: jobs per week with the most active users, and their effect on other users' jobs.

Zakay and Feitelson 2014, Figs. 13, 14 and 16.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.metrics import CATALOGUE
from thinktime.plots.catalogue import figure
from thinktime.plots.kit import style
from thinktime.plots.kit.scales import linear_unit, percent_axis, plain_number, week_bins

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from thinktime.bootstrapping import Bootstrap
    from thinktime.workload import Workload

__all__ = ["measures_by_dose", "weekly_jobs"]

WIDEST = 2  # panels in a row
OTHERS = "#C8C8C8"
BINS = 25
ROOM = 1.4  # times the highest bar, for the legend


@figure("values", "Jobs per week by group of users.", example="logs")
def weekly_jobs(logs: Mapping[str, Workload], *, users: Sequence[float] = (), most: int = 5) -> Figure:
    """Draw the jobs per week of every log, stacked: `users`, or the `most` most active ones; others are grey."""
    with style.look():
        columns = min(len(logs), WIDEST)
        figure, axes = style.panels(-(-len(logs) // columns), columns, "Jobs in a week, by user")
        for panel in axes[len(logs) :]:
            panel.remove()
        for panel, (name, log) in zip(axes, logs.items(), strict=False):
            panel.set_title(name)
            _draw_weeks(panel, log, users or _busiest(log, most))
        return figure


def _busiest(log: Workload, most: int) -> list[float]:
    known = log["user"][~np.isnan(log["user"])]
    users, jobs = np.unique(known, return_counts=True)
    return users[np.argsort(-jobs, kind="stable")[:most]].tolist()


def _draw_weeks(axes: Axes, log: Workload, users: Sequence[float]) -> None:
    axes.set_ylabel("jobs")
    if not len(log):
        style.say(axes, "no jobs")
        return
    width_s, unit = week_bins(float(np.ptp(log["submit_s"])))
    axes.set_xlabel(unit)
    week = np.floor((log["submit_s"] - log["submit_s"].min()) / width_s).astype(np.int64)
    weeks, below = np.arange(week.max() + 1), np.zeros(week.max() + 1)
    parts: list[tuple[str, np.ndarray, Any]] = [("others", ~np.isin(log["user"], users), OTHERS)]
    parts += [(f"user {user:.0f}", log["user"] == user, _colour(k)) for k, user in enumerate(users)]
    for name, rows, colour in parts:
        jobs = np.bincount(week[rows], minlength=len(weeks))
        axes.bar(weeks, jobs, 1.0, bottom=below, color=colour, label=name, linewidth=0)
        below += jobs
    axes.yaxis.set_major_formatter(plain_number)
    axes.margins(x=0.01)
    axes.set_ylim(top=ROOM * float(below.max()))
    axes.legend(loc="upper center", fontsize=7.5, ncols=4, handlelength=1.0)


def _colour(k: int) -> tuple[float, float, float]:
    """The colour of the k-th user; colours repeat in lighter tones."""
    from matplotlib.colors import to_rgb

    strength = 0.6 ** (k // len(style.LINES))
    red, green, blue = (1 - strength * (1 - part) for part in to_rgb(style.LINES[k % len(style.LINES)]))
    return red, green, blue


@figure("values", "Measures of a log as a flurry is scaled.", example='doses, ["wait_mean_s"]')
def measures_by_dose(runs: Mapping[str, Bootstrap], measures: Sequence[str]) -> Figure:
    """Draw the distribution of each measure over the resamples of each dose, as outlines of histograms (Fig. 16)."""
    with style.look():
        columns = min(len(measures), WIDEST)
        first = next(iter(runs.values()))
        title = f"{first.about['log']['name']}, {first.resamples:,} resamples each; flurries' own jobs are not counted"
        figure, axes = style.panels(-(-len(measures) // columns), columns, title)
        for panel, measure in zip(axes, measures, strict=False):
            _draw_doses(panel, {name: run.of(measure).drawn for name, run in runs.items()}, measure)
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=max(len(labels), 1))
        return figure


def _draw_doses(axes: Axes, drawn: Mapping[str, np.ndarray], measure: str) -> None:
    words = CATALOGUE[measure].label
    axes.set_title(words[:1].upper() + words[1:])
    axes.set_ylabel("resamples")
    everything = np.concatenate([*drawn.values(), np.empty(0)])
    if not len(everything):
        style.say(axes, "no resample has a value")
        return
    unit, name = linear_unit(float(np.median(everything))) if measure.endswith("_s") else (1.0, "")
    bins = np.histogram_bin_edges(everything / unit, BINS).tolist()
    for k, (dose, values) in enumerate(drawn.items()):
        axes.hist(values / unit, bins=bins, histtype="step", linewidth=1.8, color=_colour(k), label=dose)
    axes.set_xlabel(name)
    percent_axis(axes.xaxis) if measure == "utilisation" else axes.xaxis.set_major_formatter(plain_number)
    axes.locator_params(axis="x", nbins=6)
