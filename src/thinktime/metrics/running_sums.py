"""Sums, moments and extents over blocks of values, in constant memory.

Sums carry their rounding error along (Neumaier), so that a mean over many blocks equals the mean over one array.
"""

from __future__ import annotations

import math

import numpy as np

from thinktime.metrics.machine import first, last


class Sum:
    """A running sum with its rounding error."""

    def __init__(self) -> None:
        self.value = 0.0
        self.error = 0.0  # what `value` has lost so far

    def add(self, term: float) -> None:
        total = self.value + term
        big, small = (self.value, term) if abs(self.value) >= abs(term) else (term, self.value)
        self.error += (big - total) + small
        self.value = total

    def total(self) -> float:
        return self.value + self.error


class Moments:
    """Count, mean, maximum and standard deviation over blocks of values."""

    def __init__(self) -> None:
        self.count = 0
        self.sum = Sum()
        self.squares = Sum()  # Σ (x − mean of all)², merged block by block (Chan, Golub, LeVeque)
        self.max = -math.inf

    def add(self, values: np.ndarray) -> None:
        if not len(values):
            return
        mean, old, new = float(np.mean(values)), self.count, len(values)
        between = (mean - self.mean()) ** 2 * old * new / (old + new) if old else 0.0
        self.squares.add(float(np.sum((values - mean) ** 2)) + between)
        self.sum.add(float(np.sum(values)))
        self.count, self.max = old + new, max(self.max, float(values.max()))

    def mean(self) -> float:
        return self.sum.total() / self.count if self.count else math.nan

    def std(self) -> float:
        return math.sqrt(self.squares.total() / self.count) if self.count else math.nan

    def maximum(self) -> float:
        return self.max if self.count else math.nan


class Extent:
    """The earliest and the latest of some times."""

    def __init__(self) -> None:
        self.first = math.nan
        self.last = math.nan

    def add(self, times_s: np.ndarray) -> None:
        self.first = _fmin(self.first, first(times_s))
        self.last = -_fmin(-self.last, -last(times_s))


def _fmin(a: float, b: float) -> float:
    """Return the smaller number, ignoring NaN."""
    return b if math.isnan(a) else a if math.isnan(b) else min(a, b)
