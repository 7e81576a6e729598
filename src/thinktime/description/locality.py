"""Locality of one attribute over all jobs: stack depth and daily concentration (Zakay and Feitelson 2014).

Stack depth (Table VI): how many distinct values have occurred since the job's value was last seen. One pass over all
jobs in the order of submission; the rules are in `engine/description/stack_depth.h`. Times match within 5 % of the
stored value, processors exactly.

Daily concentration (Fig. 5): the share of a day's jobs in the fullest of 16 equal-weight bins. The bins are cut at the
quantiles of all values; equal cuts become one, a value on a cut belongs to the bin above it, and empty bins do not
count, so an attribute with few values has fewer bins. Without locality a share would be 1 over the number of bins; a
day of one job has share 1. Days follow the local clock where it is known, else 24 hours from time 0; days without jobs
do not count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

import thinktime._engine as _engine
from thinktime.description.attributes import attribute_values
from thinktime.errors import InputError
from thinktime.support.equality import ByContent
from thinktime.support.time_units import DAY_S

if TYPE_CHECKING:
    from thinktime.workload.workload import Workload

TOLERANCE = 0.05
BINS = 16


@dataclass(frozen=True, eq=False, repr=False)
class StackDepth(ByContent):
    """Of one attribute."""

    attribute: str
    tolerance: float  # relative
    depths: np.ndarray  # int64, one per job with a known value; −1: new value
    mean: float  # over the jobs whose value was found; NaN if none was

    @property
    def found(self) -> int:
        return int((self.depths >= 0).sum())

    @property
    def entries(self) -> int:
        """Values on the stack at the end."""
        return len(self.depths) - self.found


def stack_depth(workload: Workload, attribute: str, *, tolerance: float | None = None) -> StackDepth:
    """Return the stack depth of one attribute: `processors`, `estimate` or `run`."""
    tolerance = (0.0 if attribute == "processors" else TOLERANCE) if tolerance is None else tolerance
    if not 0 <= tolerance < 1:
        raise InputError(f"tolerance must be at least 0 and below 1 (got {tolerance}), for example 0.05")
    values = attribute_values(workload, attribute)
    depths = _engine.stack_depths(np.ascontiguousarray(values[~np.isnan(values)]), tolerance=float(tolerance))
    found = depths[depths >= 0]
    return StackDepth(attribute, float(tolerance), depths, float(found.mean()) if len(found) else float("nan"))


@dataclass(frozen=True, eq=False, repr=False)
class DailyConcentration(ByContent):
    """Of one attribute."""

    attribute: str
    cuts: np.ndarray  # ascending: borders between the bins
    bins: int  # with values
    shares: np.ndarray  # one per day with jobs
    jobs: np.ndarray  # per day

    @property
    def mean(self) -> float:
        return float(self.shares.mean()) if len(self.shares) else float("nan")


def daily_concentration(
    workload: Workload, attribute: str, *, local_s: np.ndarray | None = None, bins: int = BINS
) -> DailyConcentration:
    """Return the shares of the fullest bin by day; `local_s` are submit times in local time."""
    if bins < 1:
        raise InputError(f"bins must be at least 1 (got {bins}); the paper has 16")
    values = attribute_values(workload, attribute)
    known = ~np.isnan(values)
    times_s = workload["submit_s"] if local_s is None else local_s
    cuts, of_job = _bins(values[known], bins)
    shares, jobs = _fullest(np.floor(times_s[known] / DAY_S).astype(np.int64), of_job, len(cuts) + 1)
    return DailyConcentration(attribute, cuts, len(np.unique(of_job)), shares, jobs)


def _bins(values: np.ndarray, bins: int) -> tuple[np.ndarray, np.ndarray]:
    """The cuts, and the bin of every value."""
    if not len(values):
        return np.empty(0), np.empty(0, dtype=np.int64)
    cuts = np.unique(np.quantile(values, np.arange(1, bins) / bins)) if bins > 1 else np.empty(0)
    return cuts, np.searchsorted(cuts, values, side="right")


def _fullest(day: np.ndarray, of_job: np.ndarray, bins: int) -> tuple[np.ndarray, np.ndarray]:
    """The share of the fullest bin and the number of jobs, per day with jobs."""
    days, index = np.unique(day, return_inverse=True)
    counts = np.bincount(index * bins + of_job, minlength=len(days) * bins).reshape(len(days), bins)
    jobs = counts.sum(axis=1)
    return counts.max(axis=1, initial=0) / np.maximum(jobs, 1), jobs
