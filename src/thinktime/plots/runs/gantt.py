"""Gantt charts that stay readable from ten jobs to millions: less detail where there is less room.

Few jobs are rectangles with their numbers, more are rectangles alone, and many are a picture: each dot has the
colour of what fills most of it, the paler the more of it is idle. A machine that only counts processors does
not say which ones a job had: each job gets the lowest free ones.

Runs that were aborted, by a failure or a plugin, are pale, hatched and have a red frame; in a picture they are red.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.errors import InputError
from thinktime.plots.kit import style
from thinktime.plots.kit.run_names import run_label, thousands
from thinktime.plots.kit.scales import percent_axis, time_axis, time_unit
from thinktime.plots.kit.scales import size_classes as classes_up_to
from thinktime.plots.runs.rectangles import Rectangles, coverage, rectangles, rectangles_of_cores
from thinktime.result.exports.processor_numbers import place_run, run_columns
from thinktime.spec import one_of
from thinktime.support.equality import ByContent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("size", "user", "occupancy")
LABELLED = 60  # jobs, at most, that get their numbers
DRAWN = 4000  # rectangles, at most; beyond that a picture
DOTS = (400, 1400)  # rows and columns of the picture, at most
USERS = len(style.LINES) - 1  # that have a colour of their own
SIZE_IN = (10.0, 5.0)
Window = tuple[float, float]
RED = "#B00020"  # of aborted runs; no user and no size has it
#: what became of a run → (words of the legend, hatching); whoever ended as it should has neither
ABORTED = {1: ("aborted, requeued", "////"), 2: ("aborted, lost", "xxxx")}


@dataclass(frozen=True, eq=False)
class Groups(ByContent):
    """Which colour each job has, and what it means."""

    of_job: np.ndarray
    names: list[str]
    colours: list[Any]
    title: str = ""  # of the legend


def gantt(result: Any, *, window: Window | None = None, colour: str = "size", title: str = "") -> Figure:
    """Which processors served which job when; `window` in seconds; colours by `size`, `user` or `occupancy`."""
    one_of("colour", colour, COLOURS)
    with style.look():
        figure, (axes,) = style.panels(title=run_label(result))
        figure.set_size_inches(*SIZE_IN)
        axes.set_title(title or "Gantt chart")
        axes.set_ylabel("processor")
        jobs, limits = _visible(result, window)
        if len(jobs["job"]):
            _draw(axes, result, jobs, limits, colour)
        else:
            style.say(axes, "no job ran" if window is None else "no job ran in this window")
        return figure


def _visible(result: Any, window: Window | None) -> tuple[dict[str, np.ndarray], Window]:
    """The runs of jobs in the window, by default in all of the run. A job without an end runs to the end."""
    if window is not None and not window[1] > window[0]:
        raise InputError(f"the window is {window}: give its begin and its end in seconds, in this order")
    again = np.flatnonzero(result.attempts_made.columns["lost"] == 0)
    runs = _runs(result, np.flatnonzero(~np.isnan(result.columns["start_s"])), again)
    if not len(runs["job"]):
        return runs, (0.0, 0.0)
    times = [runs["start_s"], runs["end_s"], result.timeline_columns["time_s"][-1:]]
    limits = window or (float(np.nanmin(runs["start_s"])), float(np.nanmax(np.concatenate(times))))
    seen = (runs["start_s"] <= limits[1]) & ~(runs["end_s"] < limits[0])
    return {name: values[seen] for name, values in runs.items()}, limits


def _runs(result: Any, rows: np.ndarray, again: np.ndarray) -> dict[str, np.ndarray]:
    """Last runs, and those after which the job waited again: `row` is the job's, `number` the row or the attempt."""
    lost = result.attempts_made.by_job(result.attempts_made.columns["lost"], len(result.columns["job"])) > 0
    fate = np.concatenate([np.where(lost[rows], 2, 0), np.full(len(again), 1)])
    last = np.arange(len(fate)) < len(rows)
    more = {"row": np.concatenate([rows, result.attempts_made.columns["row"][again]]), "last": last, "fate": fate}
    return run_columns(result, rows, again) | more | {"number": np.concatenate([rows, again])}


def _draw(axes: Axes, result: Any, jobs: dict[str, np.ndarray], limits: Window, colour: str) -> None:
    machine = result.processors
    try:
        blocks = _blocks(result, jobs)
    except InputError:
        style.say(axes, "at some instant more processors are used than the machine has: there is no such chart")
        return
    limits = limits if limits[1] > limits[0] else (limits[0], limits[0] + 60.0)
    as_picture = len(blocks) > DRAWN or colour == "occupancy"
    (_draw_picture if as_picture else _draw_blocks)(axes, jobs, blocks, machine, limits, colour)
    _finish(axes, jobs, machine, limits)


def _blocks(result: Any, jobs: dict[str, np.ndarray]) -> Rectangles:
    """Where cores were given back before their job's end, it is known which; otherwise nodes may be."""
    if "given_back" in getattr(result, "report_columns", {}):
        return rectangles_of_cores(result, jobs)
    known = getattr(result, "cluster", None) is not None
    held = place_run(result, jobs["number"][jobs["last"]], jobs["number"][~jobs["last"]]) if known else None
    return rectangles(jobs, result.processors, held)


def _finish(axes: Axes, jobs: dict[str, np.ndarray], machine: int, limits: Window) -> None:
    time_axis(axes, *limits)
    axes.set_ylim(0, machine)
    axes.yaxis.set_major_formatter(lambda value, _: thousands(value))
    axes.locator_params(axis="y", integer=True)
    axes.grid(False)
    number, aborted = len(np.unique(jobs["row"])), int(np.count_nonzero(jobs["fate"]))
    words = f"{thousands(number)} {'job' if number == 1 else 'jobs'}"
    if aborted:
        words += f", {thousands(aborted)} aborted {'run' if aborted == 1 else 'runs'}"
    axes.set_title(words, loc="right", fontsize=9.0, fontweight="normal")


# --- colours ------------------------------------------------------------------------------------------------


def _groups(jobs: dict[str, np.ndarray], colour: str) -> Groups:
    if colour == "user":
        return _by_user(jobs)
    return _by_size(jobs["processors"]) if colour == "size" else Groups(np.zeros(len(jobs["job"]), int), [""], [""])


def _by_size(size: np.ndarray) -> Groups:
    """Classes of sizes from light to dark; where all are equal, one."""
    import matplotlib

    upper, names = classes_up_to(float(size.max()), classes=6)
    ramp = matplotlib.colormaps["viridis_r"](np.linspace(0.12, 0.95, len(names)))
    return Groups(np.searchsorted(upper, size), names, list(ramp), "processors")


def _by_user(jobs: dict[str, np.ndarray]) -> Groups:
    """The users with most processor-seconds have colours; the others are grey."""
    users, index = np.unique(np.nan_to_num(jobs["user"], nan=-1.0), return_inverse=True)
    area = np.nan_to_num(jobs["processors"] * (jobs["end_s"] - jobs["start_s"]))
    most = np.argsort(-np.bincount(index, weights=area), kind="stable")[:USERS]
    rank = np.full(len(users), len(most))
    rank[most] = np.arange(len(most))
    names = ["user unknown" if user < 0 else f"user {user:.0f}" for user in users[most]]
    rest = [f"{thousands(len(users) - len(most))} other users"] if len(users) > len(most) else []
    return Groups(rank[index], names + rest, [*style.LINES[: len(most)], "#999999"][: len(names + rest)])


def _legend(axes: Axes, groups: Groups, fates: np.ndarray) -> None:
    """Colours, and how aborted runs look, if there are any."""
    from matplotlib.patches import Patch

    used = np.unique(groups.of_job)
    handles = [Patch(color=groups.colours[k], label=groups.names[k]) for k in used]
    for fate in (fate for fate in ABORTED if fate in fates):
        words, hatch = ABORTED[fate]
        handles.append(Patch(facecolor="white", edgecolor=RED, hatch=hatch, label=words))
    axes.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.02, 1.0), borderaxespad=0.0, handlelength=1.0,
                title=groups.title, alignment="left")  # fmt: skip


# --- few jobs -----------------------------------------------------------------------------------------------


def _draw_blocks(
    axes: Axes, jobs: dict[str, np.ndarray], blocks: Rectangles, machine: int, limits: Window, colour: str
) -> None:
    from matplotlib.collections import PolyCollection

    groups, unit_s = _groups(jobs, colour), time_unit(limits[1] - limits[0])[0]
    begin, end = (np.clip(_known(times, limits), *limits) / unit_s for times in (blocks.begin_s, blocks.end_s))
    corners = np.stack([begin, blocks.low, begin, blocks.high, end, blocks.high, end, blocks.low], axis=1)
    fate = jobs["fate"][blocks.job]
    colours = [_face(groups.colours[k], bool(f)) for k, f in zip(groups.of_job[blocks.job], fate, strict=True)]
    few = len(jobs["job"]) <= LABELLED
    edges = ["white" if wide else face for wide, face in zip(end > begin, colours, strict=True)]
    axes.add_collection(PolyCollection(list(corners.reshape(-1, 4, 2)), facecolors=colours, edgecolors=edges,
                                       linewidths=0.8 if few else 0.3))  # fmt: skip
    _hatch(axes, corners, fate, few)
    _legend(axes, groups, jobs["fate"])
    if few:
        _number(axes, jobs["job"], blocks, begin, end, (limits[1] - limits[0]) / unit_s, machine)


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


def _known(times: np.ndarray, limits: Window) -> np.ndarray:
    """What has not ended is drawn to the window's end."""
    return np.where(np.isnan(times), limits[1], times)


def _number(
    axes: Axes, job: np.ndarray, blocks: Rectangles, begin: np.ndarray, end: np.ndarray, span: float, machine: int
) -> None:
    """The job's number in its largest block, if it fits: about a ninetieth of the width a digit."""
    area = (end - begin) * (blocks.high - blocks.low)
    order = np.lexsort((-area, blocks.job))
    largest = order[np.unique(blocks.job[order], return_index=True)[1]]
    for k in largest:
        text = f"{job[blocks.job[k]]:.0f}"
        if end[k] - begin[k] > span * len(text) / 90 and blocks.high[k] - blocks.low[k] > machine / 40:
            middle = ((begin[k] + end[k]) / 2, (blocks.low[k] + blocks.high[k]) / 2)
            box = {"facecolor": "white", "alpha": 0.75, "edgecolor": "none", "pad": 0.6}
            axes.text(*middle, text, ha="center", va="center", fontsize=8.0, color=style.INK, bbox=box)


# --- many jobs ----------------------------------------------------------------------------------------------


def _draw_picture(
    axes: Axes, jobs: dict[str, np.ndarray], blocks: Rectangles, machine: int, limits: Window, colour: str
) -> None:
    groups, unit_s = _groups(jobs, colour), time_unit(limits[1] - limits[0])[0]
    if colour != "occupancy":
        groups = _with_aborted(groups, jobs["fate"])
    shape = (min(machine, DOTS[0]), DOTS[1])
    blocks = Rectangles(blocks.job, blocks.begin_s, _known(blocks.end_s, limits), blocks.low, blocks.high)
    share = coverage(blocks, groups.of_job[blocks.job], len(groups.names), limits, machine, shape)
    extent = (limits[0] / unit_s, limits[1] / unit_s, 0.0, float(machine))
    how: dict[str, Any] = {"origin": "lower", "aspect": "auto", "extent": extent, "interpolation": "nearest"}
    if colour == "occupancy":
        image = axes.imshow(share[0], cmap=style.HEAT, vmin=0.0, vmax=1.0, **how)
        bar = axes.figure.colorbar(image, ax=axes, label="used part of each dot", pad=0.02)
        percent_axis(bar.ax.yaxis)
        return
    axes.imshow(_mixed(share, groups.colours), **how)
    _legend(axes, groups, np.empty(0, int))


def _with_aborted(groups: Groups, fate: np.ndarray) -> Groups:
    """Where dots are all there is, aborted runs are a group with a colour."""
    if not fate.any():
        return groups
    names, colours = [*groups.names, "aborted runs"], [*groups.colours, RED]
    return Groups(np.where(fate > 0, len(groups.names), groups.of_job), names, colours, groups.title)


def _mixed(share: np.ndarray, colours: list[Any]) -> np.ndarray:
    """The colour of the group that covers most of a dot, mixed with white for what is idle."""
    from matplotlib.colors import to_rgb

    of_group = np.array([to_rgb(colour) for colour in colours])[share.argmax(axis=0)]
    used = np.minimum(share.sum(axis=0), 1.0)[:, :, None]
    return 1.0 - used * (1.0 - of_group)
