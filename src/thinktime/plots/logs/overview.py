"""Figures of a workload: arrivals, sizes and run times, users, accuracy of requested times.

Each panel is drawn by one function, alone in its figure or in the overview.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from thinktime.metrics.week_hours import hours_seen
from thinktime.plots.catalogue import figure, usual_figures
from thinktime.plots.kit import style
from thinktime.plots.kit.local_time import local_week_s
from thinktime.plots.kit.run_names import thousands, workload_label
from thinktime.plots.kit.scales import WEEKDAYS, duration_axis, percent, plain_number, week_bins
from thinktime.plots.kit.scales import size_classes as classes_up_to
from thinktime.plots.kit.time_axis import time_scale
from thinktime.support.time_units import DAY_S, HOUR_S, WEEK_S

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from thinktime.workload import Workload

__all__ = [
    "arrivals_by_hour",
    "estimate_accuracy",
    "jobs_and_area_by_size",
    "jobs_per_user",
    "sizes_and_run_times",
    "submissions_over_time",
    "workload_figures",
    "workload_overview",
]

NO_JOBS = "the workload has no jobs"
HOURS = 168  # of a week
FEW_WEEKS = 6  # shorter workloads are shown by day


@figure("workload", "Mean number of submissions in each hour of the week; weekends are shaded.")
def arrivals_by_hour(workload: Workload) -> Figure:
    """Draw the submissions in each hour of the week."""
    return _single(workload, draw_arrivals)


@figure("workload", "Submitted jobs per week, or per day for short workloads.")
def submissions_over_time(workload: Workload) -> Figure:
    """Draw the submissions per week, or per day for less than six weeks."""
    return _single(workload, draw_submissions)


@figure("workload", "Number of jobs by size and run time.")
def sizes_and_run_times(workload: Workload) -> Figure:
    """Draw the number of jobs by size and run time."""
    return _single(workload, draw_sizes_and_run_times)


@figure(
    "workload", "Share of jobs and share of processor-seconds of each size class: few large jobs do most of the work."
)
def jobs_and_area_by_size(workload: Workload) -> Figure:
    """Draw the shares of jobs and of processor-seconds by size class."""
    return _single(workload, draw_area)


@figure("workload", "Users ranked by their number of jobs.")
def jobs_per_user(workload: Workload) -> Figure:
    """Draw users ranked by their number of jobs."""
    return _single(workload, draw_users)


@figure("workload", "Run time as a part of the requested time; jobs at the limit and beyond it have bars of their own.")
def estimate_accuracy(workload: Workload) -> Figure:
    """Draw run time as a part of the requested time."""
    return _single(workload, draw_accuracy)


@figure("workload", "When jobs arrive, how large and long they are, and how accurate their requested times are.")
def workload_overview(workload: Workload) -> Figure:
    """Draw six panels of one workload on one page."""
    with style.look():
        figure, axes = style.panels(2, 3, workload_label(workload))
        for panel, draw in zip(axes, DRAWS, strict=True):
            draw(panel, workload)
        return figure


def workload_figures(workload: Workload) -> dict[str, Figure]:
    """Every figure of a workload by name, which is also a good file name."""
    return usual_figures("workload", workload)


def _single(workload: Workload, draw: Callable[[Axes, Workload], None]) -> Figure:
    with style.look():
        figure, (axes,) = style.panels(title=workload_label(workload))
        draw(axes, workload)
        return figure


def draw_arrivals(axes: Axes, workload: Workload) -> None:
    axes.set_title("Arrivals by hour of the week")
    axes.set_ylabel("jobs per hour")
    if not len(workload):
        style.say(axes, NO_JOBS)
        return
    local_s = local_week_s(workload)
    rate = hourly_rate(workload["submit_s"] if local_s is None else local_s)
    if local_s is None:
        days, words = tuple("1234567"), "day of a week from time 0 (local time unknown)"
    else:
        days, words = WEEKDAYS, "local time"
        axes.axvspan(5 * 24, HOURS, color=style.SHADE, linewidth=0, zorder=0)
    axes.stairs(rate, np.arange(HOURS + 1), fill=True, color=style.BLUE, alpha=0.85)
    _week_axis(axes, days, words)


def _week_axis(axes: Axes, days: tuple[str, ...], words: str) -> None:
    """Ticks at midnight, names of days between them."""
    axes.set_xlim(0, HOURS)
    axes.set_xticks(range(0, HOURS + 1, 24), [""] * 8)
    axes.set_xticks(range(12, HOURS, 24), days, minor=True)
    axes.tick_params(axis="x", which="minor", length=0, labelsize=9.0)
    axes.set_xlabel(words)


def hourly_rate(time_s: np.ndarray) -> np.ndarray:
    """Submissions in each of the 168 hours, per occurrence of that hour from first to last job."""
    hour = np.floor(time_s / HOUR_S).astype(np.int64)
    jobs = np.bincount(hour % HOURS, minlength=HOURS)
    return jobs / np.maximum(hours_seen(int(hour.min()), int(hour.max())), 1)


def draw_submissions(axes: Axes, workload: Workload) -> None:
    axes.set_title("Submissions over time")
    if not len(workload):
        style.say(axes, NO_JOBS)
        return
    submit_s = workload["submit_s"]
    width_s, name = submission_bins(float(submit_s.max() - submit_s.min()))
    first = np.floor(submit_s.min() / width_s)
    jobs = np.bincount((np.floor(submit_s / width_s) - first).astype(np.int64))
    borders_s = (first + np.arange(len(jobs) + 1)) * width_s
    times = time_scale(workload, float(borders_s[0]), float(borders_s[-1]))
    axes.stairs(jobs, times.x(borders_s), fill=True, color=style.GREEN, alpha=0.85)
    times.label(axes)
    axes.set_ylim(0, jobs.max() * 1.05)
    axes.set_ylabel(f"jobs per {name}")
    axes.locator_params(axis="y", integer=True)
    axes.yaxis.set_major_formatter(lambda value, _: thousands(value))


def submission_bins(span_s: float) -> tuple[float, str]:
    return (DAY_S, "day") if span_s < FEW_WEEKS * WEEK_S else week_bins(span_s)


def draw_sizes_and_run_times(axes: Axes, workload: Workload) -> None:
    axes.set_title("Sizes and run times")
    axes.set_xlabel("processors")
    axes.set_ylabel("run time")
    known = ~(np.isnan(workload["processors"]) | np.isnan(workload["run_s"]))
    if not known.any():
        style.say(axes, NO_JOBS if not len(workload) else "no job has a size and a run time")
        return
    _draw_heat(axes, workload["processors"][known], workload["run_s"][known])


def _draw_heat(axes: Axes, size: np.ndarray, run_s: np.ndarray) -> None:
    from matplotlib.colors import LogNorm

    x = 2.0 ** (np.arange(0, np.rint(np.log2(size.max())) + 2) - 0.5)  # a column around each power of two
    longest_s = max(float(np.ceil(run_s.max())), 60.0)
    y = np.unique(np.rint(np.geomspace(1.0, longest_s + 1.0, 36))) - 0.5  # borders between whole seconds
    jobs, _, _ = np.histogram2d(size, np.maximum(run_s, 1.0), bins=[x, y])
    mesh = axes.pcolormesh(x, y, np.where(jobs > 0, jobs, np.nan).T, norm=LogNorm(1, max(jobs.max(), 10)),
                           cmap=style.HEAT)  # fmt: skip
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    _size_axis(axes, x)
    duration_axis(axes.yaxis, 1.0, longest_s)
    axes.set_ylim(y[0], y[-1])
    axes.figure.colorbar(mesh, ax=axes, label="jobs", pad=0.02, format=plain_number)
    if np.any(run_s < 1.0):
        axes.set_ylabel("run time (below 1 s drawn at 1 s)")


def _size_axis(axes: Axes, borders: np.ndarray) -> None:
    powers = 2.0 ** np.arange(len(borders) - 1)
    marks = powers[:: max(1, -(-len(powers) // 8))]
    axes.set_xticks(marks, [thousands(mark) for mark in marks])
    axes.set_xticks([], minor=True)
    axes.set_xlim(borders[0], borders[-1])


def draw_area(axes: Axes, workload: Workload) -> None:
    axes.set_title("Jobs and work by size")
    axes.set_xlabel("processors")
    axes.set_ylabel("share")
    size, area = workload["processors"], workload["processors"] * workload["run_s"]
    known = ~np.isnan(area)
    if not known.any():
        style.say(axes, NO_JOBS if not len(workload) else "no job has a size and a run time")
        return
    upper, names = classes_up_to(float(size[known].max()))
    group = np.searchsorted(upper, size[known])
    place = np.arange(len(names))
    for weights, shift, colour, words in (
        (np.ones(known.sum()), -0.2, style.BLUE, "of jobs"),
        (area[known], 0.2, style.ORANGE, "of processor-seconds"),
    ):
        share = np.bincount(group, weights=weights, minlength=len(names)) / max(weights.sum(), 1.0)
        axes.bar(place + shift, 100 * share, width=0.4, color=colour, label=words)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g} %")
    axes.set_xticks(place, names, rotation=30 if len(names) > 5 else 0)
    axes.grid(False, axis="x")
    axes.margins(y=0.15)
    axes.legend(loc="upper right", ncols=2, borderaxespad=0.0)


def draw_users(axes: Axes, workload: Workload) -> None:
    axes.set_title("Jobs per user")
    axes.set_xlabel("user, by number of jobs")
    axes.set_ylabel("jobs")
    user = workload["user"][~np.isnan(workload["user"])]
    if not len(user):
        style.say(axes, NO_JOBS if not len(workload) else "no job has a user")
        return
    jobs = np.sort(np.unique(user, return_counts=True)[1])[::-1]
    axes.loglog(np.arange(1, len(jobs) + 1), jobs, "o-", color=style.PURPLE, markersize=3.5, linewidth=1.0)
    axes.set_xlim(0.9, max(len(jobs), 10) * 1.1)
    axes.set_ylim(0.3, max(jobs[0], 10) * 1.6)  # room for the note
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: f"{value:,.10g}")
    style.note(axes, _concentration(jobs), x=0.03)


def _concentration(jobs: np.ndarray) -> str:
    """The number of users, and the share of jobs of the most active tenth."""
    if len(jobs) == 1:
        return "1 user"
    top = -(-len(jobs) // 10)
    who = "the most active user submits" if top == 1 else f"the {top} most active submit"
    return f"{thousands(len(jobs))} users; {who} {percent(jobs[:top].sum() / jobs.sum())}"


def draw_accuracy(axes: Axes, workload: Workload) -> None:
    axes.set_title("Accuracy of requested times")
    axes.set_xlabel("run time / requested time")
    axes.set_ylabel("share of jobs")
    requested_s = workload["requested_time_s"]
    known = (requested_s > 0) & ~np.isnan(workload["run_s"])
    if not known.any():
        style.say(axes, NO_JOBS if not len(workload) else "no job has a requested time")
        return
    _draw_accuracy(axes, workload["run_s"][known] / requested_s[known])
    if not known.all():
        share = percent(1 - float(known.mean()))
        axes.set_xlabel(f"run time / requested time (without {share} of jobs that have none)")


def _draw_accuracy(axes: Axes, part: np.ndarray) -> None:
    """A histogram below 1, and separate bars for exactly 1 and for more than 1."""
    jobs, borders = np.histogram(part[part < 1], bins=25, range=(0, 1))
    axes.bar(borders[:-1] + 0.02, 100 * jobs / len(part), width=0.04, color=style.BLUE, edgecolor="white")
    at, over = 100 * np.mean(part == 1), 100 * np.mean(part > 1)
    axes.bar([1.08], [at], width=0.04, color=style.ORANGE, label=f"{at:.1f} % at the request")
    axes.bar([1.2], [over], width=0.04, color=style.VERMILLION, label=f"{over:.1f} % beyond it")
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1.08, 1.2], ["0", "0.25", "0.5", "0.75", "= 1", "> 1"])
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g} %")
    axes.set_xlim(-0.01, 1.25)
    axes.set_ylim(0, 1.25 * max(100 * jobs.max() / len(part), at, over))  # room for the legend
    axes.grid(False, axis="x")
    axes.legend(loc="upper center")


DRAWS: tuple[Callable[[Axes, Workload], None], ...] = (
    draw_arrivals,
    draw_submissions,
    draw_users,
    draw_sizes_and_run_times,
    draw_area,
    draw_accuracy,
)
