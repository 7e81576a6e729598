"""Memory of the process during simulations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.plots.catalogue import figure
from thinktime.plots.kit import style
from thinktime.plots.kit.named_lines import line_look, name_lines
from thinktime.plots.kit.named_rows import short
from thinktime.plots.kit.run_names import named_runs, runs_label
from thinktime.plots.kit.time_axis import TimeAxis, time_scale
from thinktime.plots.kit.timed_passes import timed_passes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["process_memory"]

MEGABYTE = 2**20
NO_SAMPLES = "no run has samples of the memory of its process"


@figure(
    "runs",
    "Resident memory of the process over the simulated time: Python, the workload and all that it loaded before.",
    example="seth_run",
)
def process_memory(runs: Any, *, axis: TimeAxis | None = None, title: str = "") -> Figure:
    """Draw the resident memory of the process over the simulated time, one line per run.

    Samples are at most every 2 ms of real time. Runs of one process include what earlier runs still hold: compare
    policies with runs of separate processes.

    Parameters
    ----------
    runs
        Runs by name, as a list, or one.
    axis
        "date" or "elapsed"; by default dates where the log's start is known.
    title
        Replaces the title.
    """
    runs = named_runs(runs)
    known = {name: samples for name, run in runs.items() if len((samples := _samples(run))[0])}
    with style.look():
        figure, (axes,) = style.panels(title=runs_label(runs))
        axes.set_title(title or "Memory of the process")
        if known:
            _draw_memory(axes, known)
            _label_memory(axes, runs, known, axis)
        else:
            style.say(axes, NO_SAMPLES)
        return figure


def _samples(run: Any) -> tuple[np.ndarray, np.ndarray]:
    """Simulated times and megabytes at the samples, and at the last timed pass."""
    passes = timed_passes(run)
    if passes is None:
        return np.empty(0), np.empty(0)
    time_s, held = passes["time_s"], passes["memory_bytes"] / MEGABYTE
    kept = (np.append(True, np.diff(held) != 0) | (np.arange(len(held)) == len(held) - 1)) & (held > 0)
    return time_s[kept], held[kept]


def _draw_memory(axes: Axes, known: dict[str, tuple[np.ndarray, np.ndarray]]) -> None:
    for index, (name, (time_s, held)) in enumerate(known.items()):
        label = f"{short(name)} (mean {_mean(time_s, held):.0f} MB, max {held.max():.0f} MB)"
        axes.plot(time_s, held, drawstyle="steps-post", label=label, marker="o" if len(held) == 1 else None,
                  **line_look(index, len(known)))  # fmt: skip
    axes.set_ylim(0, 1.25 * max(held.max() for _, held in known.values()))
    axes.set_ylabel("resident memory (MB)")
    name_lines(axes, len(known))


def _mean(time_s: np.ndarray, held: np.ndarray) -> float:
    """The mean over the simulated time."""
    length_s = np.diff(time_s)
    return float(np.average(held[:-1], weights=length_s)) if length_s.sum() > 0 else float(held.mean())


def _label_memory(
    axes: Axes, runs: dict[str, Any], known: dict[str, tuple[np.ndarray, np.ndarray]], axis: TimeAxis | None
) -> None:
    """Dates if all runs are of one workload; the lines are drawn in seconds until here."""
    first_s = min(float(time_s[0]) for time_s, _ in known.values())
    last_s = max(float(time_s[-1]) for time_s, _ in known.values())
    names = {str(run.spec.get("workload", {}).get("name")) for run in runs.values() if hasattr(run, "spec")}
    times = time_scale(next(iter(runs.values())), first_s, last_s, axis=axis if len(names) == 1 else "elapsed")
    for line in axes.lines:
        line.set_xdata(times.x(np.asarray(line.get_xdata(), dtype=np.float64)))
    times.label(axes)
