"""Weekly profiles of submissions, and distances between them.

A profile is the share of the submissions in each of the 168 hours of the week, in local time from Monday 00:00.
Total variation, ½ Σ |p − q|: the share of submissions that lies in other hours; 0 to 1.
Circular Wasserstein distance: how many hours submissions must be moved on average, around the week, to turn one
profile into the other: Σ |F − G − c| over the hours, F and G the cumulative profiles, with the best c, the median of
F − G. Two samples of one rhythm differ too: n jobs each, spread evenly over the week, by about 7.3 / √n in total
variation.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from thinktime.errors import InputError
from thinktime.support.shown import short_html, short_repr
from thinktime.support.time_units import HOUR_S, MONDAY_S

if TYPE_CHECKING:
    from thinktime.workload.workload import Workload

HOURS = 168  # of a week


@dataclass(frozen=True)
class CycleDistance:
    """Between two weekly profiles."""

    total_variation: float
    wasserstein_h: float

    def __repr__(self) -> str:
        return short_repr(self)

    def _repr_html_(self) -> str:
        return short_html(self)


def week_s(workload: Workload, submit_s: np.ndarray | None = None) -> np.ndarray:
    """Local submit times in seconds since a Monday 00:00, or other times of the same clock."""
    times_s = workload["submit_s"] if submit_s is None else np.asarray(submit_s, dtype=np.float64)
    if workload.source.get("clock") == "local" and workload.source.get("starts") == "Monday 00:00":
        return times_s
    shifted = replace(workload, columns={**workload.columns, "submit_s": times_s})
    return shifted.local_s("submit_s") - MONDAY_S


def weekly_profile(local_s: np.ndarray) -> np.ndarray:
    """Return float64[168]: the share of the times in each hour of the week, from Monday 00:00."""
    known = local_s[~np.isnan(local_s)]
    if not len(known):
        raise InputError("No job was submitted, so the weekly profile is undefined.")
    hour = np.floor(known / HOUR_S).astype(np.int64) % HOURS
    return np.bincount(hour, minlength=HOURS) / len(known)


def cycle_distance(profile: np.ndarray, other: np.ndarray) -> CycleDistance:
    """Return the distance between two weekly profiles."""
    ahead = np.cumsum(profile - other)
    moved_h = float(np.abs(ahead - np.median(ahead)).sum())
    return CycleDistance(float(np.abs(profile - other).sum() / 2), moved_h)
