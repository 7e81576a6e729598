"""What every core did: cores upwards, time to the right, tasks as bars in the colour of their job.

A job's hold on a core, from its start to its end, is a light tint of its colour: where only the tint shows, the
core is held and idle. If few tasks are drawn, white lines part them and dark ones part chunks. Eleliemy et al.
2017, Fig. 5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from thinktime.errors import InputError
from thinktime.plots.kit import style
from thinktime.plots.kit.run_names import run_label, thousands
from thinktime.plots.kit.scales import HOUR_S, time_axis, time_unit
from thinktime.result.given_back import given_back_s
from thinktime.result.tasks import Cores, check_window
from thinktime.tracing import Trace, trace_of
from thinktime.tracing.events import COLUMNS
from thinktime.tracing.write import lasts

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DRAWN = 200_000  # tasks, at most: more cannot be told apart
PARTED = 3_000  # tasks that get borders, at most
NAMED = 12  # jobs in the legend, at most
HOSTS_NAMED = 24
TINT = 0.75  # of white in the tint
SIZE_IN = (10.0, 5.5)
COLOURS = (style.BLUE, style.ORANGE, style.GREEN, style.VERMILLION, style.PURPLE, style.SKY)


class Drawn(NamedTuple):
    """The tasks in the window, the holds of cores by jobs, and the window."""

    tasks: dict[str, np.ndarray]
    holds: dict[str, np.ndarray]  # row, core, start_s, end_s
    limits: tuple[float, float]


def core_gantt(
    result: Any, *, window: tuple[float | None, float | None] | None = None, jobs: Any = None, title: str = ""
) -> Figure:
    """Which core worked on which job when; `window` in seconds, `jobs` are numbers."""
    drawn, trace = _collect(result, window, jobs)
    with style.look():
        figure, (axes,) = style.panels(title=run_label(result))
        figure.set_size_inches(*SIZE_IN)
        axes.set_title(title or "Cores and their tasks")
        axes.set_ylabel("core")
        _draw(axes, drawn, trace)
        return figure


def _collect(result: Any, window: Any, jobs: Any) -> tuple[Drawn, Trace]:
    """Tasks of the window, and holds of the jobs that had cores in it."""
    limits = check_window(window)
    rows = _running(result, limits, jobs)
    trace = trace_of(result, limits, result.columns["job"][rows])
    tasks = _joined(trace.blocks)
    holds = _holds(result, rows, limits)
    known = (float(holds["start_s"].min()), float(holds["end_s"].max()))
    shown = tuple(given if np.isfinite(given) else found for given, found in zip(limits, known, strict=True))
    return Drawn(tasks, holds, shown), trace  # type: ignore[arg-type]


def _running(result: Any, limits: tuple[float, float], jobs: Any) -> np.ndarray:
    """The rows of the jobs that had cores in the window."""
    of = result.columns
    ran = (of["start_s"] < limits[1]) & (of["end_s"] > limits[0])
    ran &= True if jobs is None else np.isin(of["job"], np.asarray(jobs))
    if not ran.any():
        asked = f"from {limits[0]:.15g} to {limits[1]:.15g} s"
        raise InputError(f"none of the jobs ran {asked}: choose another window; {lasts(result)}")
    return np.flatnonzero(ran)


def _joined(blocks: Any) -> dict[str, np.ndarray]:
    parts, count = [], 0
    for block in blocks:
        parts.append(block)
        count += len(block["core"])
        if count > DRAWN:
            raise InputError(f"more than {DRAWN:,} tasks cannot be told apart in one picture: choose a shorter window")
    return {name: np.concatenate([part[name] for part in parts]) for name in COLUMNS}


def _holds(result: Any, rows: np.ndarray, limits: tuple[float, float]) -> dict[str, np.ndarray]:
    """From the job's start to its end on each of its cores; a core that it gave back, until then."""
    cores, of = Cores(result), result.columns
    row, core = np.repeat(rows, cores.count(rows)), cores.of(rows)
    start_s = np.maximum(of["start_s"][row], limits[0])
    end_s = np.minimum(np.minimum(of["end_s"][row], given_back_s(result, row, core)), limits[1])
    kept = end_s > start_s
    return {"row": row[kept], "core": core[kept], "start_s": start_s[kept], "end_s": end_s[kept]}


# --- drawing ------------------------------------------------------------------------------------------------


def _draw(axes: Axes, drawn: Drawn, trace: Trace) -> None:
    span_s = drawn.limits[1] - drawn.limits[0]
    unit_s = 1.0 if span_s < HOUR_S else time_unit(span_s)[0]
    rows = np.unique(drawn.holds["row"])
    rows = rows[np.argsort(trace.jobs["start_s"][rows], kind="stable")]
    place = np.zeros(len(trace.jobs["job"]), int)
    place[rows] = np.arange(len(rows))
    _bars(axes, drawn.holds, place, unit_s, tint=TINT)
    _bars(axes, drawn.tasks, place, unit_s)
    if len(drawn.tasks["core"]) <= PARTED:
        _borders(axes, drawn.tasks, unit_s)
    _legend(axes, [trace.jobs["job"][row] for row in rows], len(drawn.tasks["core"]))
    _axes(axes, drawn, trace, unit_s)


def _bars(axes: Axes, table: dict[str, np.ndarray], place: np.ndarray, unit_s: float, *, tint: float = 0.0) -> None:
    """One rectangle an entry, a core high."""
    from matplotlib.collections import PolyCollection
    from matplotlib.colors import to_rgb

    colours = np.array([to_rgb(colour) for colour in COLOURS])
    faces = (colours * (1 - tint) + tint)[place[table["row"].astype(int)] % len(COLOURS)]
    begin, end, low = table["start_s"] / unit_s, table["end_s"] / unit_s, table["core"]
    corners = np.stack([begin, low, begin, low + 1, end, low + 1, end, low], axis=1).reshape(-1, 4, 2)
    axes.add_collection(PolyCollection(list(corners), facecolors=faces, edgecolors=faces, linewidths=0.1))


def _borders(axes: Axes, tasks: dict[str, np.ndarray], unit_s: float) -> None:
    """A white line where a task begins, a dark one where a chunk does, unless each task is a chunk of its own."""
    order = np.lexsort((tasks["start_s"], tasks["chunk"], tasks["core"], tasks["row"]))
    row, core, chunk, start_s = (tasks[name][order] for name in ("row", "core", "chunk", "start_s"))
    changes = (np.diff(row) != 0) | (np.diff(core) != 0) | (np.diff(chunk) != 0)
    first = np.concatenate([[True], changes])[: len(row)]
    _lines(axes, start_s / unit_s, core, "white")
    if not first.all():
        _lines(axes, start_s[first] / unit_s, core[first], style.INK)


def _lines(axes: Axes, x: np.ndarray, low: np.ndarray, colour: str) -> None:
    from matplotlib.collections import LineCollection

    lines = np.stack([x, low, x, low + 1], axis=1).reshape(-1, 2, 2)
    axes.add_collection(LineCollection(list(lines), colors=colour, linewidths=0.7, capstyle="butt"))


def _legend(axes: Axes, jobs: list[float], tasks: int) -> None:
    from matplotlib.patches import Patch

    said = f"{thousands(len(jobs))} {'job' if len(jobs) == 1 else 'jobs'}, {thousands(tasks)} tasks"
    axes.set_title(said, loc="right", fontsize=9.0, fontweight="normal")
    if len(jobs) <= NAMED:
        handles = [Patch(color=COLOURS[k % len(COLOURS)], label=f"job {job:.0f}") for k, job in enumerate(jobs)]
        axes.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, -0.11), ncols=6, handlelength=1.0)


def _axes(axes: Axes, drawn: Drawn, trace: Trace, unit_s: float) -> None:
    if unit_s == 1.0:
        axes.set_xlim(*drawn.limits)
        axes.set_xlabel("time (seconds)")
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.12g}")
    else:
        time_axis(axes, *drawn.limits)
    low, high = _shown_cores(drawn, trace)
    axes.set_ylim(low, high)
    axes.locator_params(axis="y", integer=True)
    axes.grid(False)
    _hosts(axes, trace, low, high)


def _shown_cores(drawn: Drawn, trace: Trace) -> tuple[int, int]:
    """All of them; of many hosts those that have a hold in the window, and what lies between."""
    if len(trace.hosts) <= HOSTS_NAMED:
        return 0, trace.cores
    places = trace.host_of(drawn.holds["core"].astype(int))
    first, last = trace.hosts[int(places.min())], trace.hosts[int(places.max())]
    return first.first_core, last.first_core + last.cores


def _hosts(axes: Axes, trace: Trace, low: int, high: int) -> None:
    """A line between hosts, and their names, as long as they are few."""
    shown = [host for host in trace.hosts if low <= host.first_core < high]
    if not 1 < len(shown) <= HOSTS_NAMED:
        return
    for host in shown:
        axes.axhline(host.first_core, color=style.GREY, linewidth=0.6)
    middle = [host.first_core + host.cores / 2 for host in shown]
    right = axes.secondary_yaxis("right")
    right.set_yticks(middle, [host.name for host in shown])
    right.tick_params(length=0, labelsize=8)
