"""Replays with feedback compared with rigid replays, as in Madon, Da Costa and Pierson 2024, section 7.

`cases` maps the name of an experiment (easy, fcfs, perf*2, …) to what is drawn of it; each gets a panel or a colour.
A result is anything with the columns of `thinktime.result.Result`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.metrics import UserLateness
from thinktime.plots.catalogue import figure
from thinktime.plots.kit import style
from thinktime.plots.kit.run_names import thousands
from thinktime.plots.kit.scales import WEEKDAYS, week_bins
from thinktime.plots.logs.overview import hourly_rate
from thinktime.support.time_units import DAY_S, HOUR_S, MINUTE_S

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "cumulative_jobs",
    "lateness_by_jobs",
    "lateness_by_prefix",
    "submissions_by_hour",
    "submissions_compared",
    "submit_differences",
    "windows_compared",
]

DOTS: dict[str, Any] = {"marker": ".", "linestyle": "none", "color": style.INK, "markersize": 4}
RIGID, FEEDBACK = style.BLUE, style.ORANGE
FAINTEST_S = 1.0  # lateness below this, of either sign, is on the linear part of a signed axis


@figure("replays", "Jobs submitted per week: rigid users, and users who react.", example="submit_times")
def submissions_compared(cases: Mapping[str, tuple[np.ndarray, np.ndarray]], title: str = "") -> Figure:
    """Draw the jobs submitted per week, rigid and with feedback (Fig. 2). Each case: two arrays of submit times."""
    with style.look():
        figure, axes = panels_for(cases, title)
        last_s = _latest([times_s for pair in cases.values() for times_s in pair])
        width_s, unit = week_bins(last_s)
        borders_s = np.arange(0.0, last_s + width_s, width_s) if cases else np.zeros(0)
        for panel, (name, pair) in zip(axes, cases.items(), strict=False):
            panel.set_title(name)
            for times_s, colour, label in zip(pair, (RIGID, FEEDBACK), ("rigid", "feedback"), strict=True):
                jobs, _ = np.histogram(times_s[~np.isnan(times_s)], bins=borders_s)
                panel.stairs(jobs, borders_s / DAY_S, color=colour, label=label, linewidth=1.3, fill=colour == RIGID,
                             alpha=0.45 if colour == RIGID else 1.0)  # fmt: skip
            panel.set_ylabel(f"jobs per {unit}")
            day_axis(panel, last_s)
            panel.legend(loc="upper right", ncols=2)
            panel.margins(y=0.25)
        return figure


@figure("replays", "Jobs submitted and ended so far: rigid users, and users who react.", example="replays")
def cumulative_jobs(cases: Mapping[str, tuple[Any, Any]], title: str = "") -> Figure:
    """Draw the jobs submitted (top) and ended (bottom) so far (Fig. 3). Each case: the two runs."""
    with style.look():
        columns = min(max(len(cases), 1), 3)
        figure, axes = style.panels(2 * -(-max(len(cases), 1) // columns), columns, title)
        last_s = _latest([result.columns["end_s"] for pair in cases.values() for result in pair])
        for k, (name, pair) in enumerate(cases.items()):
            for row, (column, words) in enumerate((("submit_s", "submitted"), ("end_s", "ended"))):
                panel = axes[(2 * (k // columns) + row) * columns + k % columns]
                panel.set_title(f"{name}: {words}")
                _draw_cumulative(panel, [result.columns[column] for result in pair])
                panel.set_ylabel(f"jobs {words}")
                day_axis(panel, last_s)
        for panel in axes:
            panel.set_visible(bool(panel.lines))
        return figure


def _draw_cumulative(axes: Axes, times: Sequence[np.ndarray]) -> None:
    for times_s, colour, label in zip(times, (RIGID, FEEDBACK), ("rigid", "feedback"), strict=True):
        ordered = np.sort(times_s[~np.isnan(times_s)])
        places = min(len(ordered), 1000)  # of many jobs, an even selection
        some = np.linspace(0, len(ordered) - 1, places).astype(np.int64)
        axes.step(ordered[some] / DAY_S, some + 1, where="post", color=colour, label=label)
    axes.yaxis.set_major_formatter(lambda value, _: thousands(value))
    axes.set_ylim(0)
    axes.legend(loc="lower right")


@figure("replays", "Lateness of every user by their number of jobs.", example="lateness")
def lateness_by_jobs(cases: Mapping[str, UserLateness], of: str = "mean_s", title: str = "") -> Figure:
    """Draw the mean (`of="mean_s"`) or additional (`of="additional_s"`) lateness of every user by jobs (Figs. 4, 5).

    Users with one job have no additional lateness. Lines mark the 10, 50 and 90 % quantiles of users with more.
    """
    words = {"mean_s": "mean lateness", "additional_s": "additional lateness"}[of]
    with style.look():
        figure, axes = panels_for(cases, title)
        largest_s = _latest([np.abs(getattr(late, of)) for late in cases.values()])
        most = max((int(late.jobs.max(initial=1)) for late in cases.values()), default=1)
        for panel, (name, late) in zip(axes, cases.items(), strict=False):
            panel.set_title(name)
            panel.scatter(late.jobs, getattr(late, of), s=9.0, color=style.BLUE, alpha=0.6, linewidths=0)
            _mark_percentiles(panel, late, of)
            panel.set_xscale("log")
            panel.set_xlim(0.8, most * 1.3)
            panel.xaxis.set_major_formatter(lambda value, _: f"{value:,.10g}")
            signed_durations(panel, largest_s, FAINTEST_S)
            panel.set_xlabel("jobs of the user")
            panel.set_ylabel(words)
        if cases:
            style.caption(figure, "Lines: 10 %, 50 % and 90 % of the users with several jobs.")
        return figure


def _mark_percentiles(axes: Axes, late: UserLateness, of: str) -> None:
    for percent, value in late.percentiles(of).items():
        if not np.isnan(value):
            dashes = "-" if percent == 50 else "--"
            axes.axhline(value, color=style.VERMILLION, linewidth=1.0, linestyle=dashes)


@figure("replays", "Distribution of differences between the submit times of two runs.", example="differences")
def submit_differences(cases: Mapping[str, np.ndarray], words: str = "feedback − rigid", title: str = "") -> Figure:
    """Draw the differences of submit times between two runs of the same jobs (Fig. 7). Each case: seconds."""
    with style.look():
        figure, (axes,) = style.panels(title=title)
        axes.set_title(f"Differences of submit times, {words}")
        axes.set_xlabel("difference (days)")
        axes.set_ylabel("share of jobs per day")
        known = {name: values[~np.isnan(values)] / DAY_S for name, values in cases.items()}
        every = np.concatenate(list(known.values())) if known else np.zeros(0)
        if not len(every):
            style.say(axes, "no job to compare")
            return figure
        low, high = np.percentile(every, [0.2, 99.8])
        borders = np.linspace(np.floor(low), max(np.ceil(high), np.floor(low) + 1.0), 120)
        for k, (name, values) in enumerate(known.items()):
            jobs, _ = np.histogram(values, bins=borders)
            label = f"{name} (mean {values.mean():+.1f} d)".replace("-", "−")
            share = jobs / max(len(values), 1) / np.diff(borders)
            axes.stairs(share, borders, color=style.PALETTE[k % 8], label=label, linewidth=1.4)
        axes.set_yscale("symlog", linthresh=1e-3)
        axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:g} %")
        axes.set_ylim(0)
        axes.set_xlim(borders[0], borders[-1])
        axes.axvline(0.0, color=style.GREY, linewidth=0.8)
        axes.legend(loc="upper right")
        return figure


@figure("replays", "Submissions by hour of the week.", example="week_times")
def submissions_by_hour(cases: Mapping[str, np.ndarray], title: str = "") -> Figure:
    """Draw submissions by hour of the week (Fig. 8). Each case: local submit times in seconds since a Monday 00:00."""
    with style.look():
        figure, axes = style.panels(max(len(cases), 1), 1, title)
        figure.set_size_inches(style.SINGLE_IN[0], 1.7 * max(len(cases), 1) + 0.8)
        rates = {name: hourly_rate(local_s[~np.isnan(local_s)]) for name, local_s in cases.items() if len(local_s)}
        most = max((float(rate.max()) for rate in rates.values()), default=1.0)
        for k, (panel, (name, rate)) in enumerate(zip(axes, rates.items(), strict=False)):
            panel.set_title(name)
            panel.stairs(rate, np.arange(len(rate) + 1), fill=True, color=style.PALETTE[k % 8], alpha=0.85)
            panel.set_ylim(0, most * 1.05)
            panel.set_ylabel("jobs per hour")
            week_axis(panel)
        return figure


@figure("replays", "Throughput and utilisation over long windows: bars are means, dots are windows.", example="windows")
def windows_compared(cases: Mapping[str, Mapping[str, Sequence[Any]]], title: str = "") -> Figure:
    """Draw throughput and utilisation over long windows (Fig. 9). cases[experiment][replay]: its `long_windows`."""
    with style.look():
        figure, axes = style.panels(1, 2, title)
        figure.set_size_inches(11.0, 4.2)
        for panel, of, words, scale in (
            (axes[0], "throughput_per_day", "ended jobs per day", 1.0),
            (axes[1], "utilisation", "utilisation (%)", 100.0),
        ):
            panel.set_title(words[0].upper() + words[1:])
            _draw_windows(panel, cases, of, scale)
            panel.set_ylabel(words)
            panel.set_xlabel("bars: means over the windows")
        return figure


def _draw_windows(axes: Axes, cases: Mapping[str, Mapping[str, Sequence[Any]]], of: str, scale: float) -> None:
    """One group per case and one bar per replay: the mean over the windows, with a dot for each window."""
    replays = list(dict.fromkeys(name for replays in cases.values() for name in replays))
    width = 0.8 / max(len(replays), 1)
    for k, replay in enumerate(replays):
        place = np.arange(len(cases)) + (k - (len(replays) - 1) / 2) * width
        values = [[scale * getattr(w, of) for w in found.get(replay, ())] for found in cases.values()]
        means = [np.mean(found) if found else np.nan for found in values]
        axes.bar(place, means, width=0.92 * width, color=style.PALETTE[k % 8], label=replay)
        for x, found in zip(place, values, strict=True):
            axes.plot(np.linspace(x - width / 4, x + width / 4, len(found)), found, **DOTS)
    axes.plot([], [], label=_dots_mean(cases), **DOTS)
    axes.set_xticks(range(len(cases)), list(cases))
    axes.grid(False, axis="x")
    axes.margins(y=0.2)
    axes.legend(loc="upper right", ncols=max(len(replays), 1) + 1)


def _dots_mean(cases: Mapping[str, Mapping[str, Sequence[Any]]]) -> str:
    """`windows of 4, 6, 8 months`: what each dot is, from left to right."""
    found = [window for replays in cases.values() for windows in replays.values() for window in windows]
    lengths_d = list(dict.fromkeys(round((window.t2_s - window.t1_s) / DAY_S, 1) for window in found))
    unit_d, unit = (30, "months") if all(length % 30 == 0 for length in lengths_d) else (1, "days")
    return f"windows of {', '.join(f'{length / unit_d:g}' for length in lengths_d)} {unit}"


@figure("replays", "Additional lateness of growing prefixes of a log.", example="prefixes")
def lateness_by_prefix(cases: Mapping[str, tuple[Sequence[int], Sequence[float]]], title: str = "") -> Figure:
    """Draw the additional lateness of the first n jobs (Fig. 11). Each case: numbers of jobs, and seconds for each."""
    with style.look():
        figure, (axes,) = style.panels(title=title)
        axes.set_title("Additional lateness of growing prefixes")
        for k, (name, (jobs, additional_s)) in enumerate(cases.items()):
            axes.plot(jobs, additional_s, "o-", color=style.PALETTE[k % 8], markersize=3.5, linewidth=1.2, label=name)
        axes.axhline(0.0, color=style.GREY, linewidth=0.8)
        axes.set_xlim(0)
        axes.xaxis.set_major_formatter(lambda value, _: thousands(value))
        axes.set_xlabel("first jobs of the log")
        axes.set_ylabel("additional lateness (s per job)")
        if cases:
            axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        return figure


def _latest(arrays: Sequence[np.ndarray]) -> float:
    """The largest known value; 1 where there is none."""
    known = [float(np.nanmax(values)) for values in arrays if np.any(~np.isnan(values))]
    return max(known, default=1.0)


# --- axes ---------------------------------------------------------------------------------------------------

#: ticks of a signed logarithmic axis: seconds, label
_MARKS = (
    (MINUTE_S, "1 min"),
    (HOUR_S, "1 h"),
    (DAY_S, "1 d"),
    (30 * DAY_S, "30 d"),
    (1000 * DAY_S, "1000 d"),
)


def panels_for(cases: Sized, title: str) -> tuple[Figure, list[Axes]]:
    """One panel per case, three in a row; unused panels of the last row are hidden."""
    count = max(len(cases), 1)
    columns = min(count, 3)
    figure, axes = style.panels(-(-count // columns), columns, title)
    for panel in axes[len(cases) :]:
        panel.set_visible(False)
    return figure, axes


def day_axis(axes: Axes, last_s: float) -> None:
    axes.set_xlim(0, last_s / DAY_S)
    axes.locator_params(axis="x", nbins=6)
    axes.set_xlabel("time (days)")


def signed_durations(axes: Axes, largest_s: float, linear_s: float) -> None:
    """Set a y axis of signed durations, logarithmic except for a narrow band around 0."""
    axes.set_yscale("symlog", linthresh=linear_s)
    top = max(largest_s, MINUTE_S) * 2
    axes.set_ylim(-top, top)
    shown = [(value, name) for value, name in _MARKS if value <= top]
    ticks = [(-value, f"−{name}") for value, name in reversed(shown)] + [(0.0, "0")] + shown
    axes.set_yticks([value for value, _ in ticks], [name for _, name in ticks])
    axes.set_yticks([], minor=True)
    axes.axhline(0.0, color=style.GREY, linewidth=0.8)


def week_axis(axes: Axes) -> None:
    """Set an x axis of hours of the week in local time, with a shaded weekend."""
    axes.axvspan(5 * 24, 7 * 24, color=style.SHADE, linewidth=0, zorder=0)
    axes.set_xlim(0, 7 * 24)
    axes.set_xticks(range(0, 7 * 24 + 1, 24), [""] * 8)
    axes.set_xticks(range(12, 7 * 24, 24), WEEKDAYS, minor=True)
    axes.tick_params(axis="x", which="minor", length=0, labelsize=9.0)
