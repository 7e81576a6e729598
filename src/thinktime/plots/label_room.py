"""Finds room for labels: each goes to the first of its places where it covers nothing that was drawn before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

LETTER, LINE = 0.58, 1.3  # width of a letter and height of a line, as parts of the font's size


class Room:
    """Rectangles of an axes, by kind: float64[n, 4] of left, low, right, high, in points from its lower left corner."""

    def __init__(self, left: float, low: float, point_x: float, point_y: float) -> None:
        self.origin, self.points = np.array([left, low]), np.array([point_x, point_y])  # points per unit of the data
        self.taken: dict[str, list[np.ndarray]] = {}

    def take(self, kind: str, left: float, low: float, right: float, high: float) -> None:
        """A rectangle in the units of the data."""
        corners = (np.array([[left, low], [right, high]]) - self.origin) * self.points
        self.taken.setdefault(kind, []).append(corners.ravel())

    def find(
        self, text: str, size: float, places: Iterable[tuple[float, float, float]], avoided: Sequence[str]
    ) -> tuple[float, float] | None:
        """Where the text has its middle, in points; None if there is no room. Places: x and y in the units of the
        data, and how many points higher. What was found is taken, as a label."""
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
