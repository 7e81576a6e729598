"""Metrics of the machine over a window [t1, t2], computed from the jobs; one formula per function.

P = the machine's processors. A window without length, or no jobs, gives NaN.
"""

from __future__ import annotations

import math

import numpy as np


def overlap(start_s: np.ndarray, end_s: np.ndarray, t1: float, t2: float) -> np.ndarray:
    """Seconds of each interval inside [t1, t2]. No start: 0. A start without an end: still running at t2."""
    end = np.where(np.isnan(end_s), np.inf, end_s)
    inside = np.minimum(end, t2) - np.maximum(start_s, t1)
    return np.where(np.isnan(start_s), 0.0, np.maximum(inside, 0.0))


def utilisation(
    start_s: np.ndarray, end_s: np.ndarray, processors: np.ndarray, machine: int, t1: float, t2: float
) -> float:
    """Σ r · overlap([s, f], [t1, t2]) / (P · (t2 − t1)): the used share of the machine's capacity."""
    capacity = machine * (t2 - t1)
    if not capacity > 0:
        return math.nan
    used = np.where(np.isnan(start_s), 0.0, processors) * overlap(start_s, end_s, t1, t2)
    return float(np.sum(used) / capacity)


def terminations(end_s: np.ndarray, t1: float, t2: float) -> int:
    """How many jobs ended in the window: t1 ≤ f ≤ t2."""
    return int(np.count_nonzero((end_s >= t1) & (end_s <= t2)))


def throughput(end_s: np.ndarray, t1: float, t2: float) -> float:
    """Terminations in the window / (t2 − t1), in jobs per second."""
    return terminations(end_s, t1, t2) / (t2 - t1) if t2 > t1 else math.nan


def makespan(submit_s: np.ndarray, end_s: np.ndarray) -> float:
    """max f − min a, in seconds, over the jobs given."""
    return last(end_s) - first(submit_s)


def offered_load(submit_s: np.ndarray, run_s: np.ndarray, processors: np.ndarray, machine: int) -> float:
    """Σ r · d / (P · (max a − min a)): what the jobs ask of the machine while they arrive."""
    capacity = machine * (last(submit_s) - first(submit_s))
    return float(np.nansum(processors * run_s) / capacity) if capacity > 0 else math.nan


def first(times_s: np.ndarray) -> float:
    """The earliest known time; NaN where none is known."""
    known = times_s[~np.isnan(times_s)]
    return float(known.min()) if len(known) else math.nan


def last(times_s: np.ndarray) -> float:
    """The latest known time; NaN where none is known."""
    known = times_s[~np.isnan(times_s)]
    return float(known.max()) if len(known) else math.nan
