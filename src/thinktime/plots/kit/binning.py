"""Bins and quantiles of the data that figures draw: step functions, distribution functions, groups."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thinktime.support.equality import ByContent


@dataclass(frozen=True, eq=False, repr=False)
class Binned(ByContent):
    """A step function in bins: bin i is [edges[i], edges[i + 1])."""

    edges: np.ndarray
    mean: np.ndarray  # over time
    low: np.ndarray  # minimum
    high: np.ndarray  # maximum


@dataclass(frozen=True, eq=False, repr=False)
class Bands(ByContent):
    """A step function in bins, for a band: quantiles of the means of equal parts of each bin."""

    edges: np.ndarray
    low: np.ndarray  # minimum of the step function
    p10: np.ndarray
    median: np.ndarray
    p90: np.ndarray
    high: np.ndarray  # maximum of the step function


def bands(time_s: np.ndarray, value: np.ndarray, edges: np.ndarray, parts: int = 24) -> Bands:
    """Minimum, quantiles and maximum in each bin; quantiles of the means of `parts` equal parts of the bin."""
    found = binned(time_s, value, edges)
    inner = np.linspace(edges[0], edges[-1], parts * (len(edges) - 1) + 1)  # bins have equal widths
    means = (np.diff(_integral(time_s, value, inner)) / np.diff(inner)).reshape(-1, parts)
    p10, median, p90 = np.quantile(means, (0.1, 0.5, 0.9), axis=1)
    return Bands(edges, found.low, p10, median, p90, found.high)


def binned(time_s: np.ndarray, value: np.ndarray, edges: np.ndarray) -> Binned:
    """Mean, minimum and maximum in each bin. `value[k]` holds from `time_s[k]` to `time_s[k + 1]`.

    Before the first row the value is 0: nothing has happened yet.
    """
    time = np.append(-np.inf, time_s)
    level = np.append(0.0, value)
    first = np.searchsorted(time, edges[:-1], side="right") - 1  # the row that holds when the bin begins
    stop = np.searchsorted(time, edges[1:], side="left")  # the first row of later bins
    pairs = np.column_stack([first, stop]).ravel()
    padded = np.append(level, level[-1])  # an index may be the length
    low, high = np.minimum.reduceat(padded, pairs)[::2], np.maximum.reduceat(padded, pairs)[::2]
    return Binned(edges, np.diff(_integral(time_s, value, edges)) / np.diff(edges), low, high)


def _integral(time_s: np.ndarray, value: np.ndarray, at_s: np.ndarray) -> np.ndarray:
    """The step function's area from its first row to each instant; its last value continues."""
    area = np.append(0.0, np.cumsum(value[:-1] * np.diff(time_s)))
    row = np.maximum(np.searchsorted(time_s, at_s, side="right") - 1, 0)
    return area[row] + np.maximum(at_s - time_s[row], 0.0) * value[row]


def distribution(values: np.ndarray, low: float, points: int = 1000) -> tuple[np.ndarray, np.ndarray]:
    """Return the empirical distribution function from `low` > 0 on: x and the share of values that are at most x.

    Every step of few values; of many, the exact shares at `points` places, even on a logarithmic axis.
    """
    ordered = np.sort(values)
    high = max(float(ordered[-1]), low)
    inside = np.unique(ordered[ordered > low])
    if len(inside) > points:
        inside = np.append(np.geomspace(low, high, points)[1:-1], high)
    x = np.append(low, inside)
    return x, np.searchsorted(ordered, x, side="right") / len(ordered)


def group_quantiles(group: np.ndarray, values: np.ndarray, groups: int, shares: tuple[float, ...]) -> np.ndarray:
    """[share, group]: the smallest value that at least this share of the group does not exceed; NaN if empty."""
    ordered = values[np.lexsort((values, group))]
    count = np.bincount(group, minlength=groups)
    begin = np.cumsum(count) - count
    rank = np.ceil(np.outer(shares, count)).astype(np.int64) - 1
    row = np.clip(begin + np.maximum(rank, 0), 0, max(len(ordered) - 1, 0))
    found = ordered[row] if len(ordered) else np.full(row.shape, np.nan)
    return np.where(count > 0, found, np.nan)
