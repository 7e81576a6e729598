"""Turn appearances of users into jobs: which source rows, moved by how many weeks.

A pass is one run of a user through its sub-trace. A temporary user makes one pass; a long-term user starts again one
period after the previous start. Only passes that overlap the requested weeks are expanded.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thinktime.resampling.appearances import Instances
from thinktime.resampling.pools import LONG_TERM, Pools
from thinktime.workload.user_sessions.groups import ranges


class Passes(NamedTuple):
    """Passes of appearances through their sub-traces, sorted by appearance and number."""

    instance: np.ndarray  # int64: index into the appearances
    number: np.ndarray  # int64: 0 for the first pass
    shift: np.ndarray  # int64: weeks added to source weeks


class Emitted(NamedTuple):
    """Jobs, pass by pass, in source order within a pass."""

    instance: np.ndarray  # int64: index into the appearances
    number: np.ndarray  # int64: number of the pass
    place: np.ndarray  # int64: position of the source job in the pools
    shift: np.ndarray  # int64: weeks added to the source week


def passes(pools: Pools, of: Instances, begin: int, end: int) -> Passes:
    """Return the passes that may have jobs in the weeks [begin, end) of the resampled log."""
    shift = of.week - of.start_week
    period = pools.period_weeks[of.trace]
    first_week = pools.first_week[of.trace] + shift  # of a complete first pass
    latest = np.where(of.kind == LONG_TERM, (end - 1 - first_week) // period, 0)
    earliest = np.where(of.kind == LONG_TERM, (begin - first_week) // period - 1, 0)
    earliest = np.maximum(earliest, 0)
    count = np.maximum(latest - earliest + 1, 0)
    instance = np.repeat(np.arange(len(of)), count)
    number = ranges(earliest, earliest + count)
    return Passes(instance, number, shift[instance] + number * period[instance])


def emit(pools: Pools, of: Instances, begin: int, end: int) -> Emitted:
    """Return the jobs in the weeks [begin, end) of the resampled log."""
    found = passes(pools, of, begin, end)
    trace = of.trace[found.instance]
    from_week = np.where(found.number == 0, of.start_week[found.instance], pools.first_week[trace])
    low = _first_position(pools, trace, np.maximum(from_week, begin - found.shift))
    high = np.maximum(_first_position(pools, trace, end - found.shift), low)
    length = high - low
    return Emitted(
        np.repeat(found.instance, length),
        np.repeat(found.number, length),
        ranges(low, high),
        np.repeat(found.shift, length),
    )


def _first_position(pools: Pools, trace: np.ndarray, week: np.ndarray) -> np.ndarray:
    """Return the position of the first job of each sub-trace at or after the week."""
    return np.searchsorted(pools.key, trace * pools.width + np.clip(week, 0, pools.width - 1))


def last_week_of(pools: Pools, of: Instances) -> np.ndarray:
    """Return int64: the last week in which an appearance submits; unbounded for long-term users."""
    over = pools.last_week[of.trace] + of.week - of.start_week
    return np.where(of.kind == LONG_TERM, np.iinfo(np.int64).max, over)
