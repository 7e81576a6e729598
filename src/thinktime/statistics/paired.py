"""Paired differences: two configurations on the same blocks, under common random numbers.

A block is what both configurations saw alike: the same workload and seed, or the same week of a log. The
difference is taken block by block, so what makes a block hard for both cancels: the variance of the mean
difference is (var A + var B − 2 cov) / n instead of (var A + var B) / n. The factor between the two is what
pairing saved in runs. Law, "Simulation Modeling and Analysis", 5th edition, 2015, sections 10.2 and 11.2.

Blocks can have weights, such as the jobs of a week: then the estimate is the ratio Σ w d / Σ w, which is the
difference of the means over all jobs, and the values w (d − D) / mean(w) + D stand for the differences in
Student's interval (the linearised ratio estimator, Cochran, "Sampling Techniques", 1977, section 6.3).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.statistics.bootstrap import bootstrap
from thinktime.statistics.interval import Interval, sample, t_interval


@dataclass(frozen=True)
class Paired:
    """A against a baseline B: A − B, where both have the same blocks."""

    n: int
    difference: Interval  # Student's
    bootstrap: Interval  # BCa
    relative: Interval | None  # (mean A − mean B) / mean B, Student's; None unless every B is above 0
    correlation: float | None  # of A and B over the blocks; None if either does not vary
    variance_reduction: float | None  # (var A + var B) / var (A − B); None if A − B does not vary
    lower: int  # blocks in which A < B
    equal: int
    higher: int  # blocks in which A > B

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def paired(a: Any, b: Any, *, weights: Any = None, level: float = 0.95, seed: int = 1, resamples: int = 9999) -> Paired:
    """The difference of two configurations; one value of each a block."""
    first, second = sample(a, what="a paired difference"), sample(b, what="a paired difference")
    if len(first) != len(second):
        raise InputError(f"{len(first)} and {len(second)} values are no pairs: give both for every block")
    weight = _weights(weights, len(first))
    steps = first - second
    options: dict[str, Any] = {"level": level, "seed": seed, "resamples": resamples, "together": True}
    return Paired(
        len(steps),
        t_interval(weighted_differences(steps, weight), level),
        _bootstrap(steps, weight, options),
        _relative(steps, second, weight, level),
        _correlation(first, second),
        _variance_reduction(first, second),
        *(int(np.count_nonzero(np.sign(steps) == sign)) for sign in (-1, 0, 1)),
    )


def _bootstrap(steps: np.ndarray, weight: np.ndarray, options: dict[str, Any]) -> Interval:
    if np.ptp(steps) == 0:  # any weights give the same
        return bootstrap(steps, **options)
    return bootstrap((weight * steps, weight), ratio, **options)


def _weights(weights: Any, n: int) -> np.ndarray:
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


def _relative(steps: np.ndarray, second: np.ndarray, weight: np.ndarray, level: float) -> Interval | None:
    """Σ w d / Σ w b is the mean of d / b with weights w b."""
    return t_interval(weighted_differences(steps / second, weight * second), level) if (second > 0).all() else None


def _correlation(a: np.ndarray, b: np.ndarray) -> float | None:
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return None
    return float(np.corrcoef(a, b)[0, 1])


def _variance_reduction(a: np.ndarray, b: np.ndarray) -> float | None:
    apart = float(np.var(a - b, ddof=1))
    return float(np.var(a, ddof=1) + np.var(b, ddof=1)) / apart if np.ptp(a - b) > 0 and apart > 0 else None
