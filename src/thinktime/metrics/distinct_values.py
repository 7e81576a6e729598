"""Exact quantiles over blocks of values: how often each different value occurs, in bounded memory.

Waits are whole seconds in most logs, so that many millions of jobs have few different waits. Beyond `MOST` different
values the counts are dropped, and there is no quantile: none is approximate.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

MOST = 250_000  # different values of a metric, of 12 bytes each: about 10 MB for all metrics while they are merged
AT_ONCE = 16_384  # values that are merged at once, at least
TOO_MANY = f"more than {MOST:,} different values in a streamed run"


class DistinctValues:
    """`add` blocks of values; quantiles are those of NumPy over all so far, None if there are too many values."""

    def __init__(self) -> None:
        self.too_many = False
        self._values, self._counts = np.empty(0), np.empty(0, np.uint32)  # values ascending, NaN last
        self._new: list[np.ndarray] = []  # to be merged
        self._waiting = 0  # length of these

    def add(self, values: np.ndarray) -> None:
        if self.too_many or not len(values):
            return
        self._new.append(values)
        self._waiting += len(values)
        if self._waiting >= max(AT_ONCE, len(self._values) // 8):
            self._merge()

    def _merge(self) -> None:
        if not self._new:
            return
        found, new = np.unique(np.concatenate(self._new), return_counts=True)
        counts = new.astype(np.uint32)
        self._new, self._waiting = [], 0
        at = np.searchsorted(self._values, found)
        known = at < len(self._values)
        known[known] = self._values[at[known]] == found[known]
        self._counts[at[known]] += counts[known]
        self._values = np.insert(self._values, at[~known], found[~known])
        self._counts = np.insert(self._counts, at[~known], counts[~known])
        if len(self._values) > MOST:
            self.too_many = True
            self._values, self._counts = np.empty(0), np.empty(0, np.uint32)

    def median(self) -> float | None:
        """Return the middle value, or the mean of the two in the middle."""
        return self._between(0.5, lambda low, high, part: (low + high) / 2)

    def quantile(self, share: float) -> float | None:
        """Return the value below which this share lies, interpolated linearly."""
        return self._between(share, _interpolated)

    def _between(self, share: float, combine: Callable[[float, float, float], float]) -> float | None:
        """Combine the values next to a position in the ascending order, and the part of the way between them."""
        self._merge()
        if self.too_many:
            return None
        if not len(self._values) or math.isnan(self._values[-1]):
            return math.nan
        up_to = np.cumsum(self._counts, dtype=np.int64)
        part, before = math.modf(share * int(up_to[-1] - 1))
        ranks = [before, before + 1 if part else before]
        low, high = self._values[np.searchsorted(up_to, ranks, side="right")].tolist()
        return combine(low, high, part)


def _interpolated(low: float, high: float, part: float) -> float:
    """Return low + part · (high − low), rounded as NumPy does."""
    return low + (high - low) * part if part < 0.5 else high - (high - low) * (1 - part)
