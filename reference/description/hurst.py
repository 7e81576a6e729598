"""The Hurst parameter by rescaled range. Zakay and Feitelson 2014, 5.3.

Blocks of n values, n = least, 1.2 · least, … up to the whole series: disjoint ones where there are ten, else ten that
overlap, spread evenly from the first to the last possible. For each block log(R/S) against log n; H is the slope of one
line through all points.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log10, sqrt


def rescaled_range(block: Sequence[float]) -> float | None:
    """R over S; None for a block whose values are all the same."""
    mean = sum(block) / len(block)
    sums, total = [], 0.0
    for value in block:
        total += value - mean
        sums.append(total)
    deviation = sqrt(sum((value - mean) ** 2 for value in block) / len(block))
    return None if min(block) == max(block) else (max(sums) - min(sums)) / deviation


def block_sizes(length: int, least: int, factor: float = 1.2) -> list[int]:
    sizes, n = [], float(least)
    while n <= length:
        if int(n) not in sizes:
            sizes.append(int(n))
        n *= factor
    return sizes


def starts(length: int, size: int, blocks: int = 10) -> list[int]:
    if length // size >= blocks:
        return [k * size for k in range(length // size)]
    return sorted({int(k * (length - size) / (blocks - 1)) for k in range(blocks)})


def points(series: Sequence[float], least: int = 10) -> list[tuple[float, float]]:
    """(log n, log R/S) of every block."""
    found = []
    for size in block_sizes(len(series), least):
        for start in starts(len(series), size):
            ratio = rescaled_range(series[start : start + size])
            if ratio:
                found.append((log10(size), log10(ratio)))
    return found


def hurst(series: Sequence[float], least: int = 10) -> float:
    found = points(series, least)
    mean_x = sum(x for x, _ in found) / len(found)
    mean_y = sum(y for _, y in found) / len(found)
    above = sum((x - mean_x) * (y - mean_y) for x, y in found)
    return above / sum((x - mean_x) ** 2 for x, _ in found)
