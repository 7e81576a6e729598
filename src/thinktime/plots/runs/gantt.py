"""Gantt charts: jobs as outlined rectangles, or an image where rectangles would be thinner than a pixel.

Up to 60 jobs have their numbers. In an image each pixel has the colour of the group that covers most of it, paler the
more of it is idle. A counted machine does not record which processors a job had; the chart then puts each job into the
smallest gap that holds it.

Runs that were aborted, by a failure or a plugin, are pale, hatched and have a red frame; in an image they are red.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics.window import check_window
from thinktime.plots.catalogue import figure
from thinktime.plots.kit import style
from thinktime.plots.kit.run_names import named_runs, run_label, runs_label, thousands
from thinktime.plots.kit.scales import percent_axis
from thinktime.plots.kit.time_axis import TimeAxis, TimeScale, time_scale
from thinktime.plots.runs.gantt_colours import ABORTED, RED, Groups, add_legend_of_groups, groups_of, with_aborted_runs
from thinktime.plots.runs.rectangles import Rectangles, coverage, rectangles, rectangles_of_cores
from thinktime.result.exports.processor_numbers import place_run, run_columns
from thinktime.spec import one_of
from thinktime.support.equality import ByContent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from thinktime.plots.kit.run_names import Runs
    from thinktime.result import Result

__all__ = ["gantt"]

Colour: TypeAlias = Literal["size", "user", "occupancy"]
COLOURS: tuple[Colour, ...] = get_args(Colour)
LABELLED = 60  # jobs, at most, that get their numbers
DRAWN = 8000  # rectangles, at most; beyond that an image
FEW = 500  # rectangles that are always drawn, however thin
PIXELS = (450, 900)  # height and width of the axes, by which rectangles are thin
THIN = 0.5  # share of the area in rectangles thinner than a pixel, from which the chart is an image
SIZE_IN = (7.2, 3.8)
PANEL_IN = 2.9  # height of each of several charts
Window = tuple[float, float]


@dataclass(frozen=True, eq=False, repr=False)
class Chart(ByContent):
    """What one chart shows."""

    jobs: dict[str, np.ndarray]
    blocks: Rectangles
    groups: Groups
    machine: int
    times: TimeScale

    @property
    def limits(self) -> Window:
        return self.times.first_s, self.times.last_s

    def corners(self) -> tuple[np.ndarray, np.ndarray]:
        """Begin and end of each block on the x axis; what has not ended is drawn to the window's end."""
        ends = np.where(np.isnan(self.blocks.end_s), self.limits[1], self.blocks.end_s)
        begin, end = (np.clip(times, *self.limits) for times in (self.blocks.begin_s, ends))
        return self.times.x(begin), self.times.x(end)

    def sizes_px(self) -> tuple[np.ndarray, np.ndarray]:
        """Width and height of each block in pixels."""
        begin, end = self.corners()
        span = self.times.x(self.limits[1]) - self.times.x(self.limits[0])
        return (end - begin) / span * PIXELS[1], (self.blocks.high - self.blocks.low) / self.machine * PIXELS[0]

    def too_thin(self) -> bool:
        """Whether most of the area would be drawn by rectangles thinner than a pixel."""
        width, height = self.sizes_px()
        thin = (width * height)[np.minimum(width, height) < 1.0].sum() > THIN * (width * height).sum()
        return len(width) > DRAWN or (len(width) > FEW and bool(thin))


@figure(
    "run",
    "Which processors ran which job when. Each rectangle is a job; white is idle.",
    usual=False,
    example='run, window=(100 * day, 107 * day), colour="user"',
)
def gantt(
    runs: Runs,
    *,
    window: Window | None = None,
    colour: Colour = "size",
    axis: TimeAxis | None = None,
    title: str = "",
) -> Figure:
    """Draw a Gantt chart: time to the right, processors upwards.

    Parameters
    ----------
    runs
        One run, or several as a list or by name; each gets a panel.
    window
        Begin and end in seconds of the workload's time; by default the whole run.
    colour
        Colour jobs by "size" or by "user" (the users with most processor-seconds), or show the "occupancy".
    axis
        "date" or "elapsed"; by default dates where the log's start is known.
    title
        Replaces the title.

    Examples
    --------
    >>> import thinktime as tt
    >>> from thinktime.generate import default_workload
    >>> run = tt.simulate(default_workload(weeks=1), 128, "easy")
    >>> figure = tt.plots.gantt(run, window=(0, 86400), colour="user")
    """
    one_of("colour", colour, COLOURS)
    named = named_runs(runs)
    with style.look():
        single = len(named) == 1
        heading = run_label(next(iter(named.values()))) if single else runs_label(named)
        figure, panels = style.panels(len(named), 1, heading)
        figure.set_size_inches(SIZE_IN[0], SIZE_IN[1] if single else 0.5 + PANEL_IN * len(named))
        for axes, (name, run) in zip(panels, named.items(), strict=True):
            axes.set_title(title or ("Gantt chart" if single else name))
            axes.set_ylabel("processor")
            _draw_run(axes, run, window, colour, axis)
        return figure


def _draw_run(axes: Axes, result: Result, window: Window | None, colour: str, axis: TimeAxis | None) -> None:
    jobs, limits = _visible(result, window)
    if not len(jobs["job"]):
        style.say(
            axes, "no job ran" if window is None else f"no job ran from {window[0]:,.15g} s to {window[1]:,.15g} s"
        )
        return
    try:
        blocks = _rectangles_of_jobs(result, jobs)
    except InputError:
        style.say(axes, "at some instant more processors are used than the machine has")
        return
    times = time_scale(result, *limits, axis=axis, windowed=window is not None)
    chart = Chart(jobs, blocks, groups_of(jobs, colour), result.processors, times)
    (_draw_image if colour == "occupancy" or chart.too_thin() else _draw_blocks)(axes, chart)
    _finish(axes, chart)


def _visible(result: Result, window: Window | None) -> tuple[dict[str, np.ndarray], Window]:
    """The runs of jobs in the window, by default all. A job without an end runs to the end."""
    begin, end = check_window(window)
    if window is not None and (begin is None or end is None or not end > begin):
        raise InputError(f"window must be (begin, end) in seconds with begin < end (got {window})")
    again = np.flatnonzero(result.attempts_made.columns["lost"] == 0)
    runs = _runs(result, np.flatnonzero(~np.isnan(result.columns["start_s"])), again)
    if not len(runs["job"]):
        return runs, (0.0, 0.0)
    times = [runs["start_s"], runs["end_s"], result.timeline_columns["time_s"][-1:]]
    limits = window or (float(np.nanmin(runs["start_s"])), float(np.nanmax(np.concatenate(times))))
    seen = (runs["start_s"] <= limits[1]) & ~(runs["end_s"] < limits[0])
    return {name: values[seen] for name, values in runs.items()}, limits


def _runs(result: Result, rows: np.ndarray, again: np.ndarray) -> dict[str, np.ndarray]:
    """Last runs, and those after which the job waited again: `row` is the job's, `number` the row or the attempt."""
    lost = result.attempts_made.by_job(result.attempts_made.columns["lost"], len(result.columns["job"])) > 0
    fate = np.concatenate([np.where(lost[rows], 2, 0), np.full(len(again), 1)])
    last = np.arange(len(fate)) < len(rows)
    more = {"row": np.concatenate([rows, result.attempts_made.columns["row"][again]]), "last": last, "fate": fate}
    return run_columns(result, rows, again) | more | {"number": np.concatenate([rows, again])}


def _rectangles_of_jobs(result: Result, jobs: dict[str, np.ndarray]) -> Rectangles:
    """The rectangles of the jobs: on their cores or nodes where these are known, else in the smallest gaps."""
    if "given_back" in getattr(result, "report_columns", {}):
        return rectangles_of_cores(result, jobs)
    known = getattr(result, "cluster", None) is not None
    held = place_run(result, jobs["number"][jobs["last"]], jobs["number"][~jobs["last"]]) if known else None
    return rectangles(jobs, result.processors, held)


def _finish(axes: Axes, chart: Chart) -> None:
    jobs = chart.jobs
    chart.times.label(axes)
    axes.set_ylim(0, chart.machine)
    axes.yaxis.set_major_formatter(lambda value, _: thousands(value))
    axes.locator_params(axis="y", integer=True)
    axes.grid(False)
    number, aborted = len(np.unique(jobs["row"])), int(np.count_nonzero(jobs["fate"]))
    words = f"{thousands(number)} {'job' if number == 1 else 'jobs'}"
    if aborted:
        words += f", {thousands(aborted)} aborted {'run' if aborted == 1 else 'runs'}"
    axes.set_title(words, loc="right", fontsize=9.0, fontweight="normal")


# --- few jobs -----------------------------------------------------------------------------------------------


def _draw_blocks(axes: Axes, chart: Chart) -> None:
    from matplotlib.collections import PolyCollection

    blocks, groups, fate = chart.blocks, chart.groups, chart.jobs["fate"][chart.blocks.job]
    begin, end = chart.corners()
    corners = np.stack([begin, blocks.low, begin, blocks.high, end, blocks.high, end, blocks.low], axis=1)
    faces = [_face(groups.colours[k], bool(f)) for k, f in zip(groups.of_job[blocks.job], fate, strict=True)]
    thinnest = np.minimum(*chart.sizes_px())
    edges = [style.INK if wide else face for wide, face in zip(thinnest >= 2.0, faces, strict=True)]
    axes.add_collection(PolyCollection(list(corners.reshape(-1, 4, 2)), facecolors=faces, edgecolors=edges,
                                       linewidths=np.clip(thinnest / 16.0, 0.2, 0.6)))  # fmt: skip
    few = len(chart.jobs["job"]) <= LABELLED
    _hatch(axes, corners, fate, few)
    add_legend_of_groups(axes, groups, chart.jobs["fate"])
    if few:
        _write_job_numbers(axes, chart, begin, end)


def _face(colour: Any, aborted: bool) -> Any:
    """Pale where lines are drawn over it."""
    from matplotlib.colors import to_rgb

    return tuple(1.0 - 0.4 * (1.0 - part) for part in to_rgb(colour)) if aborted else colour


def _hatch(axes: Axes, corners: np.ndarray, fate: np.ndarray, few: bool) -> None:
    """Over the colours, so that these can still be seen."""
    from matplotlib.collections import PolyCollection

    for kind, (_, hatch) in ABORTED.items():
        outlines = list(corners[fate == kind].reshape(-1, 4, 2))
        if outlines:
            axes.add_collection(PolyCollection(outlines, facecolors="none", edgecolors=RED, hatch=hatch,
                                               linewidths=1.2 if few else 0.6))  # fmt: skip


def _write_job_numbers(axes: Axes, chart: Chart, begin: np.ndarray, end: np.ndarray) -> None:
    """Write each job's number into its largest block, if it fits there."""
    blocks, (width, height) = chart.blocks, chart.sizes_px()
    order = np.lexsort((-width * height, blocks.job))
    for k in order[np.unique(blocks.job[order], return_index=True)[1]]:
        text = f"{chart.jobs['job'][blocks.job[k]]:.0f}"
        if width[k] > 11 * len(text) and height[k] > 14:
            middle = ((begin[k] + end[k]) / 2, (blocks.low[k] + blocks.high[k]) / 2)
            box = {"facecolor": "white", "alpha": 0.75, "edgecolor": "none", "pad": 0.6}
            axes.text(*middle, text, ha="center", va="center", fontsize=7.5, color=style.INK, bbox=box)


# --- many jobs ----------------------------------------------------------------------------------------------


def _draw_image(axes: Axes, chart: Chart) -> None:
    occupancy = not chart.groups.names[0]
    groups = chart.groups if occupancy else with_aborted_runs(chart.groups, chart.jobs["fate"])
    shape = (min(chart.machine, PIXELS[0]), PIXELS[1])
    blocks, limits = chart.blocks, chart.limits
    ends = np.where(np.isnan(blocks.end_s), limits[1], blocks.end_s)
    blocks = Rectangles(blocks.job, blocks.begin_s, ends, blocks.low, blocks.high)
    share = coverage(blocks, groups.of_job[blocks.job], len(groups.names), limits, chart.machine, shape)
    extent = (chart.times.x(limits[0]), chart.times.x(limits[1]), 0.0, float(chart.machine))
    how: dict[str, Any] = {"origin": "lower", "aspect": "auto", "extent": extent, "interpolation": "nearest"}
    if occupancy:
        image = axes.imshow(share[0], cmap="Blues", vmin=0.0, vmax=1.0, **how)
        bar = axes.figure.colorbar(image, ax=axes, label="used part of each pixel", pad=0.02)
        percent_axis(bar.ax.yaxis)
        return
    axes.imshow(_mix_pixel_colours(share, groups.colours), **how)
    add_legend_of_groups(axes, groups, np.empty(0, int))


def _mix_pixel_colours(share: np.ndarray, colours: list[Any]) -> np.ndarray:
    """The colour of the group that covers most of a pixel, mixed with white for what is idle."""
    from matplotlib.colors import to_rgb

    of_group = np.array([to_rgb(colour) for colour in colours])[share.argmax(axis=0)]
    used = np.minimum(share.sum(axis=0), 1.0)[:, :, None]
    return 1.0 - used * (1.0 - of_group)
