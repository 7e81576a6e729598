"""The daily cycle of Lublin and Feitelson: a day of 48 half-hours, each with a weight, and points that pay for them.

An inter-arrival time is worth points, one for each half hour. Passing through a slot costs its weight: many points
where many jobs come, few where few do, one on average. So jobs crowd in the heavy slots, and the mean rate stays.
"""

from __future__ import annotations

import numpy as np

SLOTS = 48
SLOT_S = 1800.0


class Day:
    """The weights of a day that begins at 00:00, and the clock that they make of points."""

    def __init__(self, weights: np.ndarray) -> None:
        self.weights = one_on_average(weights)
        self._paid = np.append(0.0, np.cumsum(self.weights))  # points to reach the beginning of each slot

    def seconds(self, points: np.ndarray) -> np.ndarray:
        """From 00:00 of the first day to where so many points last. A slot's points are spent evenly."""
        days, rest = np.divmod(points, self._paid[-1])
        slot = np.searchsorted(self._paid[1:-1], rest, side="right")
        part = (rest - self._paid[slot]) / np.where(self.weights[slot] > 0, self.weights[slot], 1.0)
        return SLOT_S * (SLOTS * days + slot + np.clip(part, 0.0, 1.0))


def one_on_average(weights: np.ndarray) -> np.ndarray:
    return np.asarray(weights, dtype=np.float64) * (len(weights) / np.sum(weights))
