"""Tasks on cores: cores upwards, time to the right, tasks as bars in the colour of their job.

A core that a job holds, from the job's start to its end, has a light tint of the job's colour; where only the tint
shows, the core is held without a task. White lines separate tasks and dark lines chunks, if there are few. Eleliemy et
al. 2017, Fig. 5.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from thinktime.errors import InputError
from thinktime.plots.catalogue import figure
from thinktime.plots.kit import style
from thinktime.plots.kit.run_names import one_run, run_label, thousands
from thinktime.plots.kit.scales import plain_number
from thinktime.plots.kit.time_axis import TimeAxis, TimeScale, time_scale
from thinktime.result.given_back import given_back_s
from thinktime.result.tasks import Cores, check_window
from thinktime.support.time_units import HOUR_S
from thinktime.tracing import Trace, trace_of
from thinktime.tracing.events import COLUMNS
from thinktime.tracing.write import lasts

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from thinktime.plots.kit.run_names import Runs
    from thinktime.result import Result

__all__ = ["core_gantt"]

DRAWN = 200_000  # tasks, at most
PARTED = 3_000  # tasks, at most, that get borders
NAMED = 10  # jobs, at most, that are in the legend
HOSTS_NAMED = 24
TINT = 0.75  # share of white in the tint
SIZE_IN = (7.2, 4.2)
COLOURS = (style.BLUE, style.ORANGE, style.GREEN, style.VERMILLION, style.PURPLE, style.SKY)


class Drawn(NamedTuple):
    """The tasks in the window, when jobs held their cores, and the window."""

    tasks: dict[str, np.ndarray]
    holds: dict[str, np.ndarray]  # row, core, start_s, end_s
    limits: tuple[float, float]


@figure(
    "run",
    "What every core did: tasks in the colour of their job; pale where a core was held without a task.",
    usual=False,
    example="loop_run, window=(begin, begin + 3 * hour)",
)
def core_gantt(
    runs: Runs,
    *,
    window: tuple[float | None, float | None] | None = None,
    jobs: Any = None,
    axis: TimeAxis | None = None,
    title: str = "",
) -> Figure:
    """Draw what every core did, task by task, of a run with an application model.

    Parameters
    ----------
    runs
        One run.
    window
        Begin and end in seconds of the workload's time; None leaves an end open.
    jobs
        Numbers of the jobs to show; by default all.
    axis
        "date" or "elapsed"; by default dates where the log's start is known, seconds for less than an hour.
    title
        Replaces the title.
    """
    run = one_run(runs)
    drawn, trace = _collect(run, window, jobs)
    with style.look():
        figure, (axes,) = style.panels(title=run_label(run))
        figure.set_size_inches(*SIZE_IN)
        axes.set_title(title or "Tasks on cores")
        axes.set_ylabel("core")
        _draw_tasks_on_cores(axes, drawn, trace, _time_scale_of_cores(run, drawn.limits, axis, window is not None))
        return figure


def _time_scale_of_cores(run: Result, limits: tuple[float, float], axis: TimeAxis | None, windowed: bool) -> TimeScale:
    """The time scale; in seconds below one hour, unless axis is "date"."""
    if limits[1] - limits[0] >= HOUR_S or axis == "date":
        return time_scale(run, *limits, axis=axis, windowed=windowed)
    return replace(time_scale(run, *limits, axis="elapsed", windowed=windowed), unit_s=1.0, unit="seconds")


def _collect(result: Result, window: Any, jobs: Any) -> tuple[Drawn, Trace]:
    """Tasks of the window, and holds of the jobs that had cores in it."""
    limits = check_window(window)
    rows = _running(result, limits, jobs)
    trace = trace_of(result, limits, result.columns["job"][rows])
    tasks = _join_task_blocks(trace.blocks)
    holds = _holds(result, rows, limits)
    known = (float(holds["start_s"].min()), float(holds["end_s"].max()))
    shown = tuple(given if np.isfinite(given) else found for given, found in zip(limits, known, strict=True))
    return Drawn(tasks, holds, shown), trace  # type: ignore[arg-type]


def _running(result: Result, limits: tuple[float, float], jobs: Any) -> np.ndarray:
    """The rows of the jobs that had cores in the window."""
    of = result.columns
    ran = (of["start_s"] < limits[1]) & (of["end_s"] > limits[0])
    ran &= True if jobs is None else np.isin(of["job"], np.asarray(jobs))
    if not ran.any():
        asked = f"from {limits[0]:.15g} to {limits[1]:.15g} s"
        raise InputError(f"No job ran {asked}: choose another window; {lasts(result)}.")
    return np.flatnonzero(ran)


def _join_task_blocks(blocks: Any) -> dict[str, np.ndarray]:
    parts, count = [], 0
    for block in blocks:
        parts.append(block)
        count += len(block["core"])
        if count > DRAWN:
            raise InputError(f"The window has more than {DRAWN:,} tasks: choose a shorter one.")
    return {name: np.concatenate([part[name] for part in parts]) for name in COLUMNS}


def _holds(result: Result, rows: np.ndarray, limits: tuple[float, float]) -> dict[str, np.ndarray]:
    """When jobs held their cores: from the job's start to its end, or until the core was released early."""
    cores, of = Cores(result), result.columns
    row, core = np.repeat(rows, cores.count(rows)), cores.of(rows)
    start_s = np.maximum(of["start_s"][row], limits[0])
    end_s = np.minimum(np.minimum(of["end_s"][row], given_back_s(result, row, core)), limits[1])
    kept = end_s > start_s
    return {"row": row[kept], "core": core[kept], "start_s": start_s[kept], "end_s": end_s[kept]}


# --- drawing ------------------------------------------------------------------------------------------------


def _draw_tasks_on_cores(axes: Axes, drawn: Drawn, trace: Trace, times: TimeScale) -> None:
    rows = np.unique(drawn.holds["row"])
    rows = rows[np.argsort(trace.jobs["start_s"][rows], kind="stable")]
    place = np.zeros(len(trace.jobs["job"]), int)
    place[rows] = np.arange(len(rows))
    _draw_core_rectangles(axes, drawn.holds, place, times, tint=TINT)
    _draw_core_rectangles(axes, drawn.tasks, place, times)
    if len(drawn.tasks["core"]) <= PARTED:
        _borders(axes, drawn.tasks, times)
    _add_legend_of_tasks(axes, [trace.jobs["job"][row] for row in rows], len(drawn.tasks["core"]))
    _axes(axes, drawn, trace, times)


def _draw_core_rectangles(
    axes: Axes, table: dict[str, np.ndarray], place: np.ndarray, times: TimeScale, *, tint: float = 0.0
) -> None:
    """Draw one rectangle per entry, one core high."""
    from matplotlib.collections import PolyCollection
    from matplotlib.colors import to_rgb

    colours = np.array([to_rgb(colour) for colour in COLOURS])
    faces = (colours * (1 - tint) + tint)[place[table["row"].astype(int)] % len(COLOURS)]
    begin, end, low = times.x(table["start_s"]), times.x(table["end_s"]), table["core"]
    corners = np.stack([begin, low, begin, low + 1, end, low + 1, end, low], axis=1).reshape(-1, 4, 2)
    axes.add_collection(PolyCollection(list(corners), facecolors=faces, edgecolors=faces, linewidths=0.1))


def _borders(axes: Axes, tasks: dict[str, np.ndarray], times: TimeScale) -> None:
    """White lines at the starts of tasks, dark lines at the starts of chunks, unless each chunk is one task."""
    order = np.lexsort((tasks["start_s"], tasks["chunk"], tasks["core"], tasks["row"]))
    row, core, chunk, start_s = (tasks[name][order] for name in ("row", "core", "chunk", "start_s"))
    changes = (np.diff(row) != 0) | (np.diff(core) != 0) | (np.diff(chunk) != 0)
    first = np.concatenate([[True], changes])[: len(row)]
    _draw_lines_on_cores(axes, times.x(start_s), core, "white")
    if not first.all():
        _draw_lines_on_cores(axes, times.x(start_s[first]), core[first], style.INK)


def _draw_lines_on_cores(axes: Axes, x: np.ndarray, low: np.ndarray, colour: str) -> None:
    from matplotlib.collections import LineCollection

    lines = np.stack([x, low, x, low + 1], axis=1).reshape(-1, 2, 2)
    axes.add_collection(LineCollection(list(lines), colors=colour, linewidths=0.7, capstyle="butt"))


def _add_legend_of_tasks(axes: Axes, jobs: list[float], tasks: int) -> None:
    """Explain colours below the axes: the jobs while they are few, what pale means, and free cores."""
    from matplotlib.patches import Patch

    counts = f"{thousands(len(jobs))} {'job' if len(jobs) == 1 else 'jobs'}, {thousands(tasks)} tasks"
    axes.set_title(counts, loc="right", fontsize=9.0, fontweight="normal")
    few = len(jobs) <= NAMED
    handles = [Patch(color=COLOURS[k % len(COLOURS)], label=f"job {job:.0f}") for k, job in enumerate(jobs) if few]
    handles += [] if few else [Patch(color=COLOURS[0], label="task (neighbouring jobs differ in colour)")]
    handles.append(Patch(facecolor=_tinted(COLOURS[0]), label="held without a task"))
    handles.append(Patch(facecolor="white", edgecolor=style.GREY, linewidth=0.5, label="free"))
    axes.legend(handles=handles, loc="upper left", bbox_to_anchor=(0.0, -0.16), ncols=6, handlelength=1.0,
                columnspacing=1.0, borderaxespad=0.0, fontsize=8.0)  # fmt: skip


def _tinted(colour: str) -> tuple[float, float, float]:
    from matplotlib.colors import to_rgb

    red, green, blue = (part * (1 - TINT) + TINT for part in to_rgb(colour))
    return red, green, blue


def _axes(axes: Axes, drawn: Drawn, trace: Trace, times: TimeScale) -> None:
    times.label(axes)
    if times.unit_s == 1.0:
        axes.xaxis.set_major_formatter(plain_number)
    low, high = _shown_cores(drawn, trace)
    axes.set_ylim(low, high)
    axes.locator_params(axis="y", integer=True)
    axes.grid(False)
    _hosts(axes, trace, low, high)


def _shown_cores(drawn: Drawn, trace: Trace) -> tuple[int, int]:
    """All cores; of many hosts only the range that is held in the window."""
    if len(trace.hosts) <= HOSTS_NAMED:
        return 0, trace.cores
    places = trace.host_of(drawn.holds["core"].astype(int))
    first, last = trace.hosts[int(places.min())], trace.hosts[int(places.max())]
    return first.first_core, last.first_core + last.cores


def _hosts(axes: Axes, trace: Trace, low: int, high: int) -> None:
    """Draw lines between hosts and write their names, if they are few."""
    shown = [host for host in trace.hosts if low <= host.first_core < high]
    if not 1 < len(shown) <= HOSTS_NAMED:
        return
    for host in shown:
        axes.axhline(host.first_core, color=style.GREY, linewidth=0.6)
    middle = [host.first_core + host.cores / 2 for host in shown]
    right = axes.secondary_yaxis("right")
    right.set_yticks(middle, [host.name for host in shown])
    right.tick_params(length=0, labelsize=8)
