"""Paired differences: two configurations on the same blocks, under common random numbers.

A block is what both configurations saw alike: the same workload and seed, or the same week of a log. The
difference is taken block by block, so what makes a block hard for both cancels: the variance of the mean
difference is (var A + var B − 2 cov) / n instead of (var A + var B) / n. The factor between the two is what
pairing saved in runs. Law, "Simulation Modeling and Analysis", 5th edition, 2015, sections 10.2 and 11.2.

Blocks can have weights, such as the jobs of a week: then the estimate is the ratio Σ w d / Σ w, which is the
difference of the means over all jobs, and the values w (d − D) / mean(w) + D stand for the differences in
Student's interval (the linearised ratio estimator, Cochran, "Sampling Techniques", 1977, section 6.3).

If the values have bounds, the interval of the difference never exceeds what the intervals of A and B allow, and the
interval of the relative difference (mean A − mean B) / mean B is taken on the log scale of the ratio, so it stays above
−100 %. Fewer than five blocks have no intervals.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from thinktime.errors import InputError
from thinktime.statistics.bootstrap import bootstrap
from thinktime.statistics.bounds import UNBOUNDED, Bounds
from thinktime.statistics.interval import FEWEST, TOO_FEW, Interval, sample, t_interval


@dataclass(frozen=True)
class Paired:
    """A against a baseline B: A − B, where both have the same blocks."""

    n: int
    difference: Interval  # Student's
    bootstrap: Interval  # BCa
    relative: Interval | None  # (mean A − mean B) / mean B; None if a B is negative or all are 0
    correlation: float | None  # of A and B over the blocks; None if either does not vary
    variance_reduction: float | None  # (var A + var B) / var (A − B); None if A − B does not vary
    lower: int  # blocks in which A < B
    equal: int
    higher: int  # blocks in which A > B

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def paired(
    a: ArrayLike,
    b: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    level: float = 0.95,
    seed: int = 1,
    resamples: int = 9999,
    bounds: Bounds = UNBOUNDED,
) -> Paired:
    """Compare two configurations, given one value of each per block."""
    first, second = sample(a, what="a paired difference"), sample(b, what="a paired difference")
    if len(first) != len(second):
        raise InputError(f"a and b must have the same length (got {len(first)} and {len(second)})")
    weight = _weights(weights, len(first))
    steps = first - second
    options: dict[str, Any] = {"level": level, "seed": seed, "resamples": resamples, "together": True}
    own_a, own_b = (t_interval(weighted_differences(each, weight), level, bounds) for each in (first, second))
    return Paired(
        len(steps),
        _possible(t_interval(weighted_differences(steps, weight), level), own_a, own_b, bounds),
        _bootstrap(steps, weight, options),
        _relative(first, second, weight, level),
        _correlation(first, second),
        _variance_reduction(first, second),
        *(int(np.count_nonzero(np.sign(steps) == sign)) for sign in (-1, 0, 1)),
    )


def _possible(difference: Interval, a: Interval, b: Interval, bounds: Bounds) -> Interval:
    """The difference, cut at what two values inside their own intervals can differ by; never below or above itself."""
    if bounds.scale == "linear" or not difference.known:
        return difference
    low, high = max(difference.low, a.low - b.high), min(difference.high, a.high - b.low)
    return replace(difference, low=min(low, difference.estimate), high=max(high, difference.estimate))


def _bootstrap(steps: np.ndarray, weight: np.ndarray, options: dict[str, Any]) -> Interval:
    if len(steps) < FEWEST:
        mean = float(np.sum(weight * steps) / np.sum(weight))
        return Interval(mean, math.nan, math.nan, options["level"], "bca", len(steps), TOO_FEW)
    if np.ptp(steps) == 0:  # any weights give the same
        return bootstrap(steps, **options)
    return bootstrap((weight * steps, weight), ratio, **options)


def _weights(weights: ArrayLike | None, n: int) -> np.ndarray:
    weight = np.ones(n) if weights is None else sample(weights, what="a weighted difference")
    if len(weight) != n or (weight <= 0).any():
        raise InputError(f"{len(weight)} weights, the least {weight.min():g}, for {n} blocks: give each one above 0")
    return weight


def weighted_differences(steps: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Values whose mean is Σ w d / Σ w and whose spread is that of the ratio; the differences, if weights are equal."""
    mean = np.sum(weight * steps) / np.sum(weight)
    return mean + weight * (steps - mean) / np.mean(weight)


def ratio(numerator: np.ndarray, denominator: np.ndarray, axis: int = -1) -> np.ndarray:
    """The ratio of the sums."""
    return np.sum(numerator, axis=axis) / np.sum(denominator, axis=axis)


def _relative(a: np.ndarray, b: np.ndarray, weight: np.ndarray, level: float) -> Interval | None:
    """Σ w d / Σ w b, by its linearised values; above −1 if no A is negative."""
    total = float(np.sum(weight * b))
    if (b < 0).any() or total <= 0:
        return None
    estimate = float(np.sum(weight * (a - b))) / total
    influence = weight * (a - b - estimate * b) / (total / len(b))
    return t_interval(estimate + influence, level, Bounds(-1.0) if (a >= 0).all() else UNBOUNDED)


def _correlation(a: np.ndarray, b: np.ndarray) -> float | None:
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return None
    return float(np.corrcoef(a, b)[0, 1])


def _variance_reduction(a: np.ndarray, b: np.ndarray) -> float | None:
    apart = float(np.var(a - b, ddof=1))
    return float(np.var(a, ddof=1) + np.var(b, ddof=1)) / apart if np.ptp(a - b) > 0 and apart > 0 else None
