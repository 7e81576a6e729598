"""Draws a user's sessions as boxes with jobs as bars, and dependencies between sessions as arrows.

Sessions last minutes and are days apart, so time is not to scale: between two neighbouring instants at which
something happened, the width grows with the logarithm of the time between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from thinktime.plots.kit import style
from thinktime.support.time_units import DAY_S, HOUR_S, MINUTE_S
from thinktime.workload import SessionGraph, Workload, known_end_s

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_BARS = 12  # jobs drawn in a box, at most
NARROWEST = 0.3  # of a box, in places
WIDTH_IN, LANE_IN = 11.0, 0.85  # of the figure, and the height of a lane
AROUND_IN, BESIDE_IN = 1.75, 0.4  # of titles and axes, above and below, and at both sides
NAME_PT, LABEL_PT = 8.5, 7.5
TICK_PT = 16.0  # between neighbouring labels of the axis


def draw_user_graph(axes: Axes, workload: Workload, graph: SessionGraph, shown: np.ndarray) -> None:
    """Draw the sessions with these numbers, ascending."""
    found, end_s = graph.sessions, known_end_s(workload)
    rows = [found.job_rows[found.job_start[s] : found.job_start[s + 1]] for s in shown.tolist()]
    every = np.concatenate(rows)
    place = _Places(np.concatenate([workload["submit_s"][every], end_s[every]]))
    begin, stop = place(found.first_submit_s[shown]), place(found.last_end_s[shown])
    wide = np.maximum(stop, begin + NARROWEST)
    lane = _lanes(begin, wide)
    room = _room(axes, float(wide.max()), max(lane))
    for k, own in enumerate(rows):
        _draw_box(axes, room, begin[k], wide[k], lane[k])
        _draw_jobs(axes, room, place(workload["submit_s"][own]), place(end_s[own]), lane[k])
        _draw_name(axes, room, begin[k], lane[k], f"s{k + 1}")
    left_out = _draw_edges(axes, room, graph, shown, begin, stop, lane)
    _dress(axes, found.first_submit_s[shown], begin, left_out)


def _room(axes: Axes, right: float, highest: int) -> Room:
    """Set the limits of the axes, and so the size of everything in points; all lanes have the same height."""
    left, low, right, high = -0.01 * right, -0.8, 1.01 * right, highest + 0.6
    height_in = LANE_IN * (high - low)
    axes.figure.set_size_inches(WIDTH_IN, height_in + AROUND_IN)  # type: ignore[union-attr]
    axes.set_xlim(left, right)
    axes.set_ylim(low, high)
    return Room(left, low, 72 * (WIDTH_IN - BESIDE_IN) / (right - left), 72 * height_in / (high - low))


class _Places:
    """Instants → places on the axis."""

    def __init__(self, times_s: np.ndarray) -> None:
        self.times_s = np.unique(times_s)
        self.places = np.append(0.0, np.cumsum(0.25 + np.log1p(np.diff(self.times_s) / MINUTE_S)))

    def __call__(self, times_s: np.ndarray) -> np.ndarray:
        return np.interp(times_s, self.times_s, self.places)


def _lanes(begin: np.ndarray, stop: np.ndarray) -> list[int]:
    """The lowest free lane when each session begins."""
    free_from: list[float] = []
    lanes = []
    for first, last in zip(begin.tolist(), stop.tolist(), strict=True):
        lane = next((k for k, free in enumerate(free_from) if free <= first), len(free_from))
        free_from[lane : lane + 1] = [last]
        lanes.append(lane)
    return lanes


def _draw_box(axes: Axes, room: Room, begin: float, stop: float, lane: int) -> None:
    from matplotlib.patches import Rectangle

    frame = {"facecolor": style.SHADE, "edgecolor": style.GREY, "zorder": 1}
    axes.add_patch(Rectangle((begin, lane - 0.4), stop - begin, 0.8, **frame))  # type: ignore[arg-type]
    room.take("box", begin, lane - 0.4, stop, lane + 0.4)


def _draw_name(axes: Axes, room: Room, begin: float, lane: int, name: str) -> None:
    axes.text(begin, lane - 0.43, name, ha="left", va="top", fontsize=NAME_PT, color=style.INK)
    width, height = LETTER * NAME_PT * len(name) / room.points[0], LINE * NAME_PT / room.points[1]
    room.take("name", begin, lane - 0.43 - height, begin + width, lane - 0.43)


def _draw_jobs(axes: Axes, room: Room, submit: np.ndarray, end: np.ndarray, lane: int) -> None:
    count = min(len(submit), MOST_BARS)
    height = 0.7 / max(count, 3)
    y = lane + 0.35 - height * (np.arange(count) + 0.5)
    left, right = submit[:count], np.maximum(end, submit + NARROWEST / 2)[:count]
    axes.barh(y, right - left, left=left, height=0.8 * height, color=style.BLUE, zorder=2)
    for k in range(count):
        room.take("bar", left[k], y[k] - 0.4 * height, right[k], y[k] + 0.4 * height)


def _draw_edges(
    axes: Axes, room: Room, graph: SessionGraph, shown: np.ndarray, begin: np.ndarray, stop: np.ndarray, lane: list[int]
) -> int:
    """Draw arrows with think times between the sessions; return how many think times have no room."""
    left_out = 0
    index = {number: k for k, number in enumerate(shown.tolist())}
    edges = np.flatnonzero(np.isin(graph.predecessor, shown) & np.isin(graph.successor, shown))
    for edge in edges.tolist():
        a, b = index[int(graph.predecessor[edge])], index[int(graph.successor[edge])]
        style_of = {"arrowstyle": "-|>", "color": style.VERMILLION, "linewidth": 1.2}
        axes.annotate("", (begin[b], lane[b]), (stop[a], lane[a]), arrowprops=style_of, zorder=3)
        ends = (float(stop[a]), float(lane[a])), (float(begin[b]), float(lane[b]))
        left_out += not _draw_think(axes, room, ends, _short_duration(graph.think_s[edge]))
    return left_out


def _draw_think(axes: Axes, room: Room, ends: tuple[tuple[float, float], tuple[float, float]], text: str) -> bool:
    """Write a think time near the middle of its arrow, outside boxes if possible; return False without room."""
    (x0, y0), (x1, y1) = ends
    places = [
        (x0 + part * (x1 - x0), y0 + part * (y1 - y0), higher)
        for part in (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9)
        for higher in (LABEL_PT, -LABEL_PT, -2.2 * LABEL_PT)
    ]
    found = room.find(text, LABEL_PT, places, ("label", "name", "box")) or room.find(
        text, LABEL_PT, places, ("label", "name", "bar")
    )
    if found is not None:
        back = {"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 0.4}
        x, y = np.array(found) / room.points + room.origin
        axes.text(x, y, text, ha="center", va="center", fontsize=LABEL_PT, color=style.VERMILLION, bbox=back, zorder=4)
    return found is not None


def _short_duration(seconds: float) -> str:
    for unit_s, name in ((DAY_S, "d"), (HOUR_S, "h"), (MINUTE_S, "min")):
        if seconds >= unit_s:
            return f"{seconds / unit_s:.1f} {name}"
    return f"{seconds:.0f} s"


def _dress(axes: Axes, first_s: np.ndarray, begin: np.ndarray, left_out: int) -> None:
    left, right = axes.get_xlim()
    apart = TICK_PT / (72 * (WIDTH_IN - BESIDE_IN)) * (right - left)
    place, first = np.unique(begin, return_index=True)
    words = [f"+{_short_duration(s)}" if s else "0" for s in (first_s[first] - first_s[0]).tolist()]
    said = _far_enough(place, apart)
    labels = [word if k in said else "" for k, word in enumerate(words)]
    axes.set_xticks(place, labels, rotation=40, ha="right", fontsize=8)
    axes.set_yticks([])
    axes.grid(False)
    axes.spines["left"].set_visible(False)
    short = f" ({left_out} without room)" if left_out else ""
    axes.set_xlabel(
        f"sessions begin (time since the first, not to scale); arrows: think times{short};"
        " bars: jobs from submission to end"
    )


def _far_enough(begin: np.ndarray, apart: float) -> set[int]:
    """The positions that get a label, so that labels do not overlap."""
    kept: list[int] = []
    for k, x in enumerate(begin.tolist()):
        if not kept or x - begin[kept[-1]] >= apart:
            kept.append(k)
    return set(kept)


# --- room for labels ----------------------------------------------------------------------------------------

LETTER, LINE = 0.58, 1.3  # width of a letter and height of a line, as parts of the font's size


class Room:
    """Reserved rectangles by kind: left, low, right, high in points from the lower left corner of the axes."""

    def __init__(self, left: float, low: float, point_x: float, point_y: float) -> None:
        self.origin, self.points = np.array([left, low]), np.array([point_x, point_y])  # points per unit of the data
        self.taken: dict[str, list[np.ndarray]] = {}

    def take(self, kind: str, left: float, low: float, right: float, high: float) -> None:
        """Reserve a rectangle, in data units."""
        corners = (np.array([[left, low], [right, high]]) - self.origin) * self.points
        self.taken.setdefault(kind, []).append(corners.ravel())

    def find(
        self, text: str, size: float, places: Iterable[tuple[float, float, float]], avoided: Sequence[str]
    ) -> tuple[float, float] | None:
        """Reserve the first of the places where the text covers nothing, and return its middle in points; None if none.

        A place is x and y in data units, and an offset upwards in points.
        """
        half = np.array([LETTER * size * len(text), LINE * size]) / 2
        others = [each for kind in avoided for each in self.taken.get(kind, [])]
        for x, y, higher in places:
            middle = (np.array([x, y]) - self.origin) * self.points + np.array([0.0, higher])
            rectangle = np.concatenate([middle - half, middle + half])
            if not others or not _overlaps(rectangle, np.stack(others)).any():
                self.taken.setdefault("label", []).append(rectangle)
                return float(middle[0]), float(middle[1])
        return None


def _overlaps(one: np.ndarray, others: np.ndarray) -> np.ndarray:
    return np.all((others[:, :2] < one[2:]) & (one[:2] < others[:, 2:]), axis=1)
