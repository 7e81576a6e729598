"""Draws a user's sessions as boxes with their jobs as bars, and arrows for what each session waited for.

Sessions last minutes and are days apart, so time is not to scale: between two neighbouring instants at which
something happened, the width grows with the logarithm of the time between them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from thinktime.plots import style
from thinktime.plots.scales import DAY_S, HOUR_S, MINUTE_S
from thinktime.workload import SessionGraph, Workload, known_end_s

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_BARS = 12  # jobs drawn in a box; of more the first ones


def draw_user_graph(axes: Axes, workload: Workload, graph: SessionGraph, shown: np.ndarray) -> None:
    """`shown`: the numbers of the user's sessions to draw, ascending."""
    found, end_s = graph.sessions, known_end_s(workload)
    rows = [found.job_rows[found.job_start[s] : found.job_start[s + 1]] for s in shown.tolist()]
    every = np.concatenate(rows)
    place = _Places(np.concatenate([workload["submit_s"][every], end_s[every]]))
    begin, stop = place(found.first_submit_s[shown]), place(found.last_end_s[shown])
    lane = _lanes(begin, stop)
    for k, own in enumerate(rows):
        _draw_box(axes, begin[k], stop[k], lane[k])
        _draw_jobs(axes, place(workload["submit_s"][own]), place(end_s[own]), lane[k])
        axes.text(begin[k], lane[k] - 0.43, f"s{k + 1}", ha="left", va="top", fontsize=8.5, color=style.INK)
    _draw_edges(axes, graph, shown, begin, stop, lane)
    _dress(axes, workload, found.first_submit_s[shown], begin, lane)


class _Places:
    """Instants → places on the axis."""

    def __init__(self, times_s: np.ndarray) -> None:
        self.times_s = np.unique(times_s)
        self.places = np.append(0.0, np.cumsum(0.25 + np.log1p(np.diff(self.times_s) / MINUTE_S)))

    def __call__(self, times_s: np.ndarray) -> np.ndarray:
        return np.interp(times_s, self.times_s, self.places)


def _lanes(begin: np.ndarray, stop: np.ndarray) -> list[int]:
    """The lowest lane that is free as each session begins."""
    free_from: list[float] = []
    lanes = []
    for first, last in zip(begin.tolist(), stop.tolist(), strict=True):
        lane = next((k for k, free in enumerate(free_from) if free <= first), len(free_from))
        free_from[lane : lane + 1] = [last]
        lanes.append(lane)
    return lanes


def _draw_box(axes: Axes, begin: float, stop: float, lane: int) -> None:
    from matplotlib.patches import Rectangle

    width = max(stop - begin, 0.3)
    axes.add_patch(Rectangle((begin, lane - 0.4), width, 0.8, facecolor=style.SHADE, edgecolor=style.GREY, zorder=1))


def _draw_jobs(axes: Axes, submit: np.ndarray, end: np.ndarray, lane: int) -> None:
    count = min(len(submit), MOST_BARS)
    height = 0.7 / max(count, 3)
    y = lane + 0.35 - height * (np.arange(count) + 0.5)
    axes.barh(
        y, np.maximum(end - submit, 0.15)[:count], left=submit[:count], height=0.8 * height, color=style.BLUE, zorder=2
    )


def _draw_edges(
    axes: Axes, graph: SessionGraph, shown: np.ndarray, begin: np.ndarray, stop: np.ndarray, lane: list[int]
) -> None:
    """Arrows between the sessions shown, with their think times."""
    index = {number: k for k, number in enumerate(shown.tolist())}
    edges = np.flatnonzero(np.isin(graph.predecessor, shown) & np.isin(graph.successor, shown))
    for edge in edges.tolist():
        a, b = index[int(graph.predecessor[edge])], index[int(graph.successor[edge])]
        style_of = {"arrowstyle": "-|>", "color": style.VERMILLION, "linewidth": 1.2}
        axes.annotate("", (begin[b], lane[b]), (stop[a], lane[a]), arrowprops=style_of, zorder=3)
        _draw_think(axes, ((stop[a] + begin[b]) / 2, (lane[a] + lane[b]) / 2), graph.think_s[edge])


def _draw_think(axes: Axes, middle: tuple[float, float], think_s: float) -> None:
    """Above the middle of the arrow."""
    box = {"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 0.4}
    axes.annotate(_short(think_s), middle, (0, 4), textcoords="offset points", ha="center", va="bottom", fontsize=7.5,
                  color=style.VERMILLION, bbox=box, zorder=4)  # fmt: skip


def _short(seconds: float) -> str:
    for unit_s, name in ((DAY_S, "d"), (HOUR_S, "h"), (MINUTE_S, "min")):
        if seconds >= unit_s:
            return f"{seconds / unit_s:.1f} {name}"
    return f"{seconds:.0f} s"


def _dress(axes: Axes, workload: Workload, first_s: np.ndarray, begin: np.ndarray, lane: list[int]) -> None:
    since = (first_s - first_s[0]) if len(first_s) else first_s
    axes.set_xticks(begin, [f"+{_short(s)}" if s else "0" for s in since.tolist()], rotation=40, ha="right", fontsize=8)
    axes.set_yticks([])
    axes.grid(False)
    axes.spines["left"].set_visible(False)
    axes.set_ylim(-0.8, max(lane, default=0) + 0.9)
    axes.set_xlabel(
        "sessions begin (time since the first, not to scale); arrows: think times; bars: jobs from submission to end"
    )
