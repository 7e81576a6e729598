"""Self-similarity: the Hurst parameter of arrivals by rescaled range, with the points of its pox plot.

Table VII, Figs. 6 and 7 of Zakay and Feitelson 2014. The series is the number of submissions in each 4 hours from the
first one on. Blocks have n values, n from 10 by factors of 1.2 up to the whole series: all disjoint blocks where there
are at least ten, else ten overlapping ones, spread evenly. Of a block, R is the range of the cumulated deviations from
its mean and S its standard deviation; H is the slope of one least-squares line through all log₁₀(R/S) against log₁₀ n.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thinktime.description.attributes import NotMeasuredError
from thinktime.errors import InputError
from thinktime.support.equality import ByContent

UNIT_S = 4 * 3600.0
LEAST = 10  # values in the smallest block
FACTOR = 1.2
BLOCKS = 10  # per size, at least
MOST_UNITS = 1_000_000  # of the series: four centuries of 4 h; a wrong time must not use all memory


@dataclass(frozen=True, eq=False, repr=False)
class Hurst(ByContent):
    """The line through the pox plot: log₁₀(R/S) = intercept + h · log₁₀ n."""

    h: float
    intercept: float
    log_n: np.ndarray  # one per block
    log_rs: np.ndarray
    unit_s: float
    least: int


def hurst(submit_s: np.ndarray, *, unit_s: float = UNIT_S, least: int = LEAST) -> Hurst:
    """Return the Hurst parameter of these arrivals; raise NotMeasuredError if there are too few."""
    if not unit_s > 0 or least < 2:
        raise InputError(f"unit_s must be positive (got {unit_s:g}) and least at least 2 (got {least})")
    log_n, log_rs = pox_points(_series(submit_s, unit_s), least)
    if len(np.unique(log_n)) < 3:
        raise NotMeasuredError(
            f"{len(submit_s):,} arrivals are too few or too even for a Hurst parameter: it needs at least three sizes"
            f" of blocks, from {least} times {unit_s / 3600:g} h on, that are not all alike"
        )
    slope, intercept = line(log_n, log_rs)
    return Hurst(slope, intercept, log_n, log_rs, float(unit_s), int(least))


def _series(submit_s: np.ndarray, unit_s: float) -> np.ndarray:
    """Arrivals in each unit from the first arrival on."""
    known = submit_s[np.isfinite(submit_s)]
    if not len(known):
        return np.empty(0)
    place = np.floor((known - known.min()) / unit_s)
    if place.max() > MOST_UNITS:
        raise NotMeasuredError(f"the arrivals span {place.max():,.0f} units of {unit_s:g} s: choose a longer unit_s")
    return np.bincount(place.astype(np.int64)).astype(np.float64)


def pox_points(series: np.ndarray, least: int = LEAST) -> tuple[np.ndarray, np.ndarray]:
    """log₁₀ n and log₁₀(R/S) of every block that is not constant."""
    found = [(size, rescaled_ranges(series, size)) for size in block_sizes(len(series), least)]
    log_n = [np.full(len(ranges), np.log10(size)) for size, ranges in found]
    log_rs = [np.log10(ranges) for _, ranges in found]
    return np.concatenate([*log_n, np.empty(0)]), np.concatenate([*log_rs, np.empty(0)])


def block_sizes(length: int, least: int = LEAST) -> list[int]:
    """10, 12, 14, 17, …: whole parts of least · 1.2^k, up to the length."""
    if length < least:
        return []
    steps = int(np.ceil(np.log(length / least) / np.log(FACTOR))) + 1
    sizes = np.cumprod(np.r_[float(least), np.full(steps, FACTOR)])
    return np.unique(sizes[sizes <= length].astype(np.int64)).tolist()


def block_starts(length: int, size: int) -> np.ndarray:
    """Disjoint blocks if there are enough, else ten overlapping ones."""
    disjoint = length // size
    if disjoint >= BLOCKS:
        return np.arange(disjoint) * size
    return np.unique(np.arange(BLOCKS) * (length - size) // (BLOCKS - 1))


def rescaled_ranges(series: np.ndarray, size: int) -> np.ndarray:
    """R/S of the blocks of one size, without constant blocks."""
    blocks = np.lib.stride_tricks.sliding_window_view(series, size)[block_starts(len(series), size)]
    blocks = blocks[blocks.min(axis=1) < blocks.max(axis=1)]
    sums = np.cumsum(blocks - blocks.mean(axis=1, keepdims=True), axis=1)
    return (sums.max(axis=1) - sums.min(axis=1)) / blocks.std(axis=1)


def line(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Slope and intercept by least squares."""
    centred = x - x.mean()
    slope = float(centred @ y / (centred @ centred))
    return slope, float(y.mean() - slope * x.mean())
