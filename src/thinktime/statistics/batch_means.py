"""Batch means: an interval for the mean of one long run, whose values depend on each other.

The run is cut into batches of equal length. If they are long enough, their means hardly depend on each other,
and Student's interval of the batch means is an interval for the mean of the run. Whether they are long enough
is checked with von Neumann's ratio of the squared steps between neighbouring batch means to their variance:
C = 1 − Σ (Y_i − Y_{i+1})² / (2 Σ (Y_i − mean)²) is nearly normal with mean 0 and variance (b − 2) / (b² − 1)
for independent means, and larger if neighbours are correlated. C is, but for the ends, the lag-1 autocorrelation.

Number of batches, if not given: 30, or 20, or 10, the first that passes. More than 30 gain little, fewer than
10 cost much (Schmeiser, "Batch size effects in the analysis of simulation output", Operations Research 1982).
Check: Fishman, "Grouping observations in digital simulation", Management Science 1978, after von Neumann 1941.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from thinktime.errors import InputError
from thinktime.statistics.interval import Interval, check_share, sample, t_interval

CHOICES = (30, 20, 10)
FEWEST = 10  # with fewer, the check has little power and t is large
SIGNIFICANCE = 0.10  # of the check; a false alarm costs only batches


@dataclass(frozen=True)
class Independence:
    """Whether neighbouring values look independent."""

    correlation: float  # of neighbours (lag 1)
    p_value: float  # one-sided: how often independent values would be this similar
    passes: bool
    note: str = ""


@dataclass(frozen=True)
class BatchMeans:
    """The interval, how it was computed, and whether the batches look independent."""

    interval: Interval
    batches: int
    batch_size: int
    left_out: int  # values at the front that fill no batch
    check: Independence

    @property
    def note(self) -> str:
        return "; ".join(filter(None, (self.interval.note, self.check.note)))


def batch_means(values: ArrayLike, batches: int | None = None, level: float = 0.95) -> BatchMeans:
    """Return the interval of the mean of one run after its warm-up; `check` tells whether batches are long enough."""
    array = sample(values, least=2 * FEWEST if batches is None else 2, what="a batch means interval")
    check_share("level", level)
    tried = (_batched(array, b, level) for b in _choices(batches, len(array)))
    last = next(tried)
    for candidate in tried:
        last = last if last.check.passes else candidate
    return last


def _choices(batches: int | None, n: int) -> tuple[int, ...]:
    if batches is None:
        return tuple(b for b in CHOICES if 2 * b <= n)
    if not 2 <= batches <= n:
        raise InputError(f"batches must be between 2 and {n} for {n} values (got {batches})")
    return (batches,)


def _batched(array: np.ndarray, batches: int, level: float) -> BatchMeans:
    size = len(array) // batches
    left_out = len(array) - size * batches
    means = array[left_out:].reshape(batches, size).mean(axis=1)
    interval = t_interval(means, level)
    named = Interval(interval.estimate, interval.low, interval.high, level, "batch means", batches, interval.note)
    return BatchMeans(named, batches, size, left_out, independence(means))


def independence(values: ArrayLike, significance: float = SIGNIFICANCE) -> Independence:
    """Check the independence of ordered values, such as batch means or weeks, after von Neumann."""
    array = sample(values, what="a check of independence")
    spread = float(np.sum((array - array.mean()) ** 2))
    if np.ptp(array) == 0 or len(array) < 3:
        return Independence(0.0, 1.0, True, _few(len(array)))
    c = 1 - float(np.sum(np.diff(array) ** 2)) / (2 * spread)
    p_value = _upper_tail(c / math.sqrt((len(array) - 2) / (len(array) ** 2 - 1)))
    passes = p_value > significance
    note = "" if passes else f"neighbouring batches are correlated (lag 1: {c:.2f}): make the batches longer"
    return Independence(c, p_value, passes, "; ".join(filter(None, (note, _few(len(array))))))


def _few(batches: int) -> str:
    return f"{batches} batches are few: with fewer than {FEWEST} the check rarely fails" if batches < FEWEST else ""


def _upper_tail(z: float) -> float:
    return 0.5 * math.erfc(z / math.sqrt(2))
