"""Warm-up: how many values at the beginning of a run to leave out, because the machine started empty.

A fixed cut leaves out a given number or share. MSER-5 finds the cut: it takes means of 5 consecutive values and leaves
out the first d of them such that the standard error of the rest, computed as if they were independent, is
least: minimise Σ_{i>d} (Y_i − mean)² / (m − d)². Cutting the biased beginning makes the sum smaller, cutting
more makes m − d smaller. Only the first half may be cut; a minimum at that limit means that the run is too
short to tell its warm-up from the rest.

White, "An effective truncation heuristic for bias reduction in simulation output", Simulation 69(6), 1997;
White, Cobb and Spratt, "A comparison of five steady-state truncation heuristics", WSC 2000 (batches of 5).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from thinktime.errors import InputError
from thinktime.spec import is_number
from thinktime.statistics.interval import sample

LEAST_BATCHES = 10  # below, a half has fewer than five means to choose from

AT_LIMIT = "the minimum lies at the limit of half the run: the run is too short to tell its warm-up, make it longer"


@dataclass(frozen=True)
class Cut:
    """The first `count` values are warm-up, `kept` remain."""

    count: int
    kept: int
    method: str
    note: str = ""

    def of(self, values: np.ndarray) -> np.ndarray:
        """What remains of the values."""
        return values[self.count :]


def fixed_cut(values: ArrayLike, *, count: int | None = None, share: float | None = None) -> Cut:
    """Leave out the first `count` values, or this share of them (rounded down)."""
    array = sample(values, least=1, what="a cut")
    if (count is None) == (share is None):
        raise InputError("a fixed cut needs either a count or a share")
    first = count if count is not None else _count_of_share(share, len(array))
    if not 0 <= first < len(array):
        raise InputError(f"a cut must leave at least one of {len(array)} values (got {first})")
    return Cut(int(first), len(array) - int(first), "fixed")


def _count_of_share(share: float | None, n: int) -> int:
    if share is None or not is_number(share) or not 0 <= share < 1:
        raise InputError(f"the share to cut must be at least 0 and below 1 (got {share!r})")
    return int(share * n)


def mser5(values: ArrayLike, batch: int = 5) -> Cut:
    """The cut that MSER-5 chooses, in values; a rest that fills no batch is ignored for the choice."""
    array = sample(values, least=LEAST_BATCHES * batch, what="MSER-5")
    means = array[: len(array) // batch * batch].reshape(-1, batch).mean(axis=1)
    limit = len(means) // 2
    best = int(np.argmin(_mser(means)[: limit + 1]))
    return Cut(best * batch, len(array) - best * batch, f"MSER-{batch}", AT_LIMIT if best == limit else "")


def _mser(means: np.ndarray) -> np.ndarray:
    """[d]: the statistic after leaving out d means, for all d that leave two."""
    centred = means - means.mean()  # so that squares and squared sums do not cancel
    kept = np.arange(len(means), 1, -1)
    sums = np.cumsum(centred[::-1])[::-1][:-1]
    squares = np.cumsum(centred[::-1] ** 2)[::-1][:-1]
    return np.maximum(squares - sums**2 / kept, 0.0) / kept.astype(np.float64) ** 2
