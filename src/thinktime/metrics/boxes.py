"""What a box plot shows, as numbers: of slowdowns, and of queue sizes by event or by time.

Two habits of AccaSim's box plots are options with names. `without_one` leaves out jobs whose slowdown is exactly 1,
those that never waited: more than half of the jobs of a quiet machine. `weighting="event"` counts a queue size once an
instant, however long it lasted; `"time"` weighs it by how long it did.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics.timeline import durations
from thinktime.support.shown import short_html, short_repr

WEIGHTINGS = ("event", "time")
QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)


class Box(NamedTuple):
    """Of nothing, `observations` is 0 and the rest NaN."""

    observations: int
    mean: float
    least: float
    q25: float
    median: float
    q75: float
    most: float

    def __repr__(self) -> str:
        return short_repr(self)

    def _repr_html_(self) -> str:
        return short_html(self)


def box(values: np.ndarray, weights: np.ndarray | None = None) -> Box:
    """Quartiles are linear between neighbours; with weights, the least value that a quarter of the weight does not
    exceed. Missing values (NaN) are left out."""
    kept = ~np.isnan(values) if weights is None else ~np.isnan(values) & (weights > 0)
    known = np.sort(values[kept]) if weights is None else values[kept]
    if not len(known):
        return Box(0, *[math.nan] * 6)
    if weights is None:
        return Box(len(known), float(np.mean(known)), *np.quantile(known, QUARTERS).tolist())
    return Box(len(known), float(np.average(known, weights=weights[kept])), *_weighted(known, weights[kept]))


def _weighted(values: np.ndarray, weights: np.ndarray) -> list[float]:
    order = np.argsort(values, kind="stable")
    share = np.cumsum(weights[order]) / np.sum(weights)
    place = np.minimum(np.searchsorted(share, np.array(QUARTERS) - 1e-12), len(values) - 1)
    found: list[float] = values[order][place].tolist()
    return found


def slowdown_box(slowdown: np.ndarray, *, without_one: bool = False) -> Box:
    """Of the jobs' slowdowns; `without_one` as AccaSim draws them."""
    return box(slowdown[slowdown > 1.0] if without_one else slowdown)


def queue_box(queued_jobs: np.ndarray, time_s: np.ndarray, *, weighting: str = "event") -> Box:
    """Of the number of waiting jobs after each instant. By time, the last state does not count: nobody knows how long
    it lasts."""
    if weighting not in WEIGHTINGS:
        raise InputError(f"weighting is {weighting!r}: choose event or time")
    queued = np.asarray(queued_jobs, dtype=np.float64)
    if weighting == "event" or not len(queued):
        return box(queued)
    return box(queued, durations(time_s, -math.inf, float(time_s[-1])))
