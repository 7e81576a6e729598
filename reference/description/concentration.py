"""Daily concentration: the share of a day's jobs in the fullest of 16 bins. Zakay and Feitelson 2014, Fig. 5.

The bins are cut at the quantiles 1/16, 2/16, … of all values; equal cuts are one. A value on a cut belongs above it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence


def cuts(values: Sequence[float], bins: int = 16) -> list[float]:
    """Quantiles between the order statistics, linearly."""
    ordered = sorted(values)
    found = set()
    for k in range(1, bins):
        place = k / bins * (len(ordered) - 1)
        low = int(place)
        high = min(low + 1, len(ordered) - 1)
        found.add(ordered[low] + (place - low) * (ordered[high] - ordered[low]))
    return sorted(found)


def daily_shares(days: Sequence[int], values: Sequence[float], bins: int = 16) -> list[float]:
    """One share a day with jobs, in the order of the days."""
    borders = cuts(values, bins)
    of_day: dict[int, list[int]] = {}
    for day, value in zip(days, values, strict=True):
        of_day.setdefault(day, []).append(bisect_right(borders, value))
    return [max(Counter(found).values()) / len(found) for _, found in sorted(of_day.items())]
