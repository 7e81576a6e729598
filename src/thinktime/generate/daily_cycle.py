"""The daily cycle of Lublin and Feitelson: 48 half-hour slots with weights.

An inter-arrival time is worth one point per half-hour. Passing a slot costs its weight, 1 on average, so jobs gather in
slots with large weights and the mean rate stays.
"""

from __future__ import annotations

import numpy as np

SLOTS = 48
SLOT_S = 1800.0


class Day:
    """The weights of a day from 00:00, and the conversion of points to seconds."""

    def __init__(self, weights: np.ndarray) -> None:
        self.weights = one_on_average(weights)
        self._paid = np.append(0.0, np.cumsum(self.weights))  # points up to the beginning of each slot

    def seconds(self, points: np.ndarray) -> np.ndarray:
        """Convert points to seconds since 00:00 of the first day; points are spent evenly within a slot."""
        days, rest = np.divmod(points, self._paid[-1])
        slot = np.searchsorted(self._paid[1:-1], rest, side="right")
        part = (rest - self._paid[slot]) / np.where(self.weights[slot] > 0, self.weights[slot], 1.0)
        return SLOT_S * (SLOTS * days + slot + np.clip(part, 0.0, 1.0))


def one_on_average(weights: np.ndarray) -> np.ndarray:
    """Scale weights to a mean of 1."""
    return np.asarray(weights, dtype=np.float64) * (len(weights) / np.sum(weights))
