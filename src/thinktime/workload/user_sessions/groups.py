"""Recorded ends of jobs, and functions of groups of positions: begins, maxima, ranges."""

from __future__ import annotations

import numpy as np

from thinktime.workload.workload import Workload

UNKNOWN_USER = -1.0  # of jobs without a user


def begins(group: np.ndarray) -> np.ndarray:
    """bool: the position begins a run of equal groups."""
    first = np.ones(len(group), dtype=bool)
    np.not_equal(group[1:], group[:-1], out=first[1:])
    return first


def known_end_s(workload: Workload) -> np.ndarray:
    """Return recorded ends, submit + wait + run; an unknown or negative wait or run counts as 0."""
    wait_s, run_s = (np.fmax(workload[name], 0.0) for name in ("wait_s", "run_s"))  # fmax: of nan and 0 it is 0
    return workload["submit_s"] + wait_s + run_s


def end_notes(workload: Workload) -> tuple[str, ...]:
    """Return the assumptions about recorded ends."""
    counts = {
        f"no recorded {name}, counted as 0": int(np.isnan(workload[f"{name}_s"]).sum()) for name in ("wait", "run")
    }
    return tuple(
        f"{count:,} {'job has' if count == 1 else 'jobs have'} {what}" for what, count in counts.items() if count
    )


def running_max(values: np.ndarray, group: np.ndarray) -> np.ndarray:
    """Return the largest value up to each position inside its group; groups are contiguous and ascend."""
    order = np.argsort(values, kind="stable")
    rank = np.empty(len(values), dtype=np.int64)
    rank[order] = np.arange(len(values))
    shift = group * len(values)  # lifts every group above the ones before it
    return values[order][np.maximum.accumulate(rank + shift) - shift]


def maxima(values: np.ndarray, begin: np.ndarray) -> np.ndarray:
    """Return the largest value of each run of positions; the runs cover all positions."""
    return np.maximum.reduceat(values, begin) if len(begin) else np.empty(0)


def ranges(start: np.ndarray, stop: np.ndarray) -> np.ndarray:
    """Return start[0] … stop[0] − 1, start[1] … stop[1] − 1, and so on."""
    length = stop - start
    end = np.cumsum(length)
    total = int(end[-1]) if len(end) else 0
    return np.arange(total) + np.repeat(start - (end - length), length)


def offsets(counts: np.ndarray) -> np.ndarray:
    """int64[n + 1]: the begins of lists that are stored one after the other."""
    start = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=start[1:])
    return start
