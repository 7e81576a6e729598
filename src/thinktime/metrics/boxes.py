"""The numbers of a box plot: of slowdowns, and of queue sizes by event or by time.

Two conventions of AccaSim's box plots are options. `without_one` leaves out jobs whose slowdown is exactly 1, which
never waited: more than half of the jobs of a quiet machine. `weighting="event"` counts a queue size once per instant,
whatever its duration; `"time"` weights it by its duration.
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
    """Without observations, `observations` is 0 and the rest NaN."""

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
    """Return the box of some values; missing values (NaN) are left out.

    Quartiles are linear between neighbours; with weights, the smallest value that holds a quarter of the weight.
    """
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
    """Return the box of slowdowns; `without_one` as in AccaSim."""
    return box(slowdown[slowdown > 1.0] if without_one else slowdown)


def queue_box(queued_jobs: np.ndarray, time_s: np.ndarray, *, weighting: str = "event") -> Box:
    """Return the box of the number of waiting jobs after each instant.

    By time, the last state does not count, because its duration is unknown.
    """
    if weighting not in WEIGHTINGS:
        raise InputError(f"weighting must be event or time (got {weighting!r})")
    queued = np.asarray(queued_jobs, dtype=np.float64)
    if weighting == "event" or not len(queued):
        return box(queued)
    return box(queued, durations(time_s, -math.inf, float(time_s[-1])))
