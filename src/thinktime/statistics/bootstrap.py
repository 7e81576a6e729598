"""The bootstrap: an interval for any statistic, by drawing samples from the sample with replacement.

The percentile interval takes the quantiles of the statistic over the drawn samples. BCa (bias-corrected and
accelerated) moves these quantiles: by z0, for the share of drawn statistics below the observed one, and by a,
for how fast the standard error changes with the value, from the jackknife. BCa is second-order accurate; for
fewer than about 20 values both are too narrow, because a sample's spread underestimates (see
docs/background/statistics.md). A BCa interval that excludes the mean of the drawn statistics is flagged: the observed
statistic is then so far from them that the correction is larger than the interval.

Efron, "Better bootstrap confidence intervals", JASA 1987; Efron and Tibshirani, "An Introduction to the
Bootstrap", 1993, chapters 13 to 15 (several samples: equations 14.36 and 15.36).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from thinktime.errors import InputError
from thinktime.spec import one_of
from thinktime.statistics.interval import ALL_EQUAL, Interval, check_share, normal_quantile, sample
from thinktime.support.random_streams import stream

#: A statistic of one or several samples along the last axis: `statistic(*samples, axis=-1)`.
Statistic = Callable[..., Any]

METHODS = ("bca", "percentile")
CELLS = 2**21  # drawn values in memory at a time
EXCLUDED = "the mean of the resamples"
NO_BCA = "BCa is undefined here (no drawn statistic on one side of the observed one): this is the percentile interval"


def bootstrap(
    samples: ArrayLike,
    statistic: str | Statistic = "mean",
    *,
    method: str = "bca",
    level: float = 0.95,
    resamples: int = 9999,
    together: bool = False,
    seed: int = 1,
) -> Interval:
    """The interval of a statistic of one sample (an array), or of several (a tuple of arrays).

    `statistic` is "mean", "median" or a function that takes the samples and `axis`, like `np.mean`. Several
    samples are drawn independently, or `together` (row by row, for pairs).
    """
    one_of("method", method, METHODS)
    check_share("level", level)
    data, function = _samples(samples, together), _function(statistic)
    if not isinstance(resamples, int) or resamples < 100:
        raise InputError(f"resamples is {resamples!r}: choose a whole number, at least 100")
    observed = float(function(*data, axis=-1))
    if all(np.ptp(each) == 0 for each in data):
        return Interval(observed, observed, observed, level, method, _n(data), ALL_EQUAL)
    drawn = _drawn(data, function, resamples, together, seed)
    a = acceleration(_left_out(data, function, together)) if method == "bca" else 0.0
    return replace(drawn_interval(drawn, observed, method=method, level=level, a=a), n=_n(data))


def drawn_interval(
    drawn: np.ndarray, observed: float, *, method: str = "bca", level: float = 0.95, a: float = 0.0
) -> Interval:
    """The interval of an observed statistic from those of the drawn samples; `a` is BCa's acceleration."""
    plain = [(1 - level) / 2, (1 + level) / 2]
    shares = _bca_shares(plain, share_below(drawn, observed), a) if method == "bca" else plain
    low, high = (float(end) for end in np.quantile(drawn, shares or plain))
    if method == "bca" and not shares:
        return Interval(observed, low, high, level, "percentile", len(drawn), NO_BCA)
    flag = _flag(drawn, observed, low, high) if method == "bca" else ""
    return Interval(observed, low, high, level, method, len(drawn), flag)


def _flag(drawn: np.ndarray, observed: float, low: float, high: float) -> str:
    """Why a BCa interval excludes the mean of the drawn statistics; empty if it does not."""
    below = share_below(drawn, observed)
    if low <= float(np.mean(drawn)) <= high:
        return ""
    side, share = ("above", below) if below > 0.5 else ("below", 1 - below)
    return (
        f"BCa excludes {EXCLUDED}: the original is {side} {share:.1%} of them, and BCa takes all of that for bias;"
        " prefer the percentile interval"
    )


def share_below(drawn: np.ndarray, observed: float) -> float:
    """Of the drawn statistics, those below the observed one, and half of those equal to it."""
    return float((np.mean(drawn < observed) + np.mean(drawn <= observed)) / 2)


def _samples(samples: Any, together: bool) -> list[np.ndarray]:
    many = isinstance(samples, tuple)
    data = [sample(each, what="a bootstrap interval") for each in (samples if many else (samples,))]
    if together and len({len(each) for each in data}) > 1:
        lengths = ", ".join(str(len(each)) for each in data)
        raise InputError(f"samples of {lengths} values cannot be drawn together: give one value of each a row")
    return data


def _function(statistic: str | Statistic) -> Statistic:
    if callable(statistic):
        return statistic
    one_of("statistic", statistic, ("mean", "median"))
    return np.mean if statistic == "mean" else np.median


def _n(data: Sequence[np.ndarray]) -> int:
    return min(len(each) for each in data)


def _drawn(data: Sequence[np.ndarray], function: Statistic, resamples: int, together: bool, seed: int) -> np.ndarray:
    """The statistic of every drawn sample, some samples at a time."""
    random = stream(seed, "statistics", "bootstrap")
    rows = max(1, CELLS // max(len(each) for each in data))
    found = []
    for begin in range(0, resamples, rows):
        count = min(rows, resamples - begin)
        found.append(np.asarray(function(*_resampled(data, count, together, random), axis=-1)))
    return _require_finite_draws(np.concatenate(found))


def _require_finite_draws(drawn: np.ndarray) -> np.ndarray:
    if not np.isfinite(drawn).all():
        raise InputError("the statistic of some drawn samples is not finite: choose one that every sample has")
    return drawn


def _resampled(data: Sequence[np.ndarray], count: int, together: bool, random: np.random.Generator) -> list[np.ndarray]:
    """[sample][draw, value]"""
    if together:
        index = random.integers(0, len(data[0]), (count, len(data[0])))
        return [each[index] for each in data]
    return [each[random.integers(0, len(each), (count, len(each)))] for each in data]


def _bca_shares(plain: Sequence[float], below: float, a: float) -> list[float]:
    """Which quantiles of the drawn statistics are the ends; none if BCa cannot be had."""
    if not 0 < below < 1 or not math.isfinite(a):
        return []
    z0 = normal_quantile(below)
    moved = [z0 + normal_quantile(share) for share in plain]
    return [_normal_share(z0 + z / (1 - a * z)) for z in moved]


def acceleration(left_out: Sequence[np.ndarray]) -> float:
    """a = Σ u³ / (6 (Σ u²)^1.5), u = the influence of each value, from the statistic without it, by sample."""
    cubes = squares = 0.0
    for values in left_out:
        n = len(values)
        influence = (n - 1) * (values.mean() - values)
        cubes += float(np.sum(influence**3)) / n**3
        squares += float(np.sum(influence**2)) / n**2
    return cubes / (6 * squares**1.5) if squares > 0 else 0.0


def _left_out(data: Sequence[np.ndarray], function: Statistic, together: bool) -> list[np.ndarray]:
    """The jackknife: the statistic without each value, by sample; pairs leave together."""
    if together:
        return [_jackknife(len(data[0]), lambda keep: [each[keep] for each in data], function)]
    return [
        _jackknife(len(each), lambda keep, k=k: _with(data, k, keep), function)  # type: ignore[misc]
        for k, each in enumerate(data)
    ]


def _with(data: Sequence[np.ndarray], k: int, keep: np.ndarray) -> list[np.ndarray]:
    """The samples with sample k in the drawn rows, the others repeated for each of them."""
    rows = len(keep)
    return [each[keep] if j == k else np.broadcast_to(each, (rows, len(each))) for j, each in enumerate(data)]


def _jackknife(n: int, choose: Callable[[np.ndarray], list[np.ndarray]], function: Statistic) -> np.ndarray:
    found = []
    for rows in np.array_split(np.arange(n), max(1, n * n // CELLS)):
        others = np.arange(n - 1)[None, :]
        keep = others + (others >= rows[:, None])  # [row, position]: every index but the row's own
        found.append(np.asarray(function(*choose(keep), axis=-1)))
    return np.concatenate(found)


def _normal_share(z: float) -> float:
    return 0.5 * math.erfc(-z / math.sqrt(2))
