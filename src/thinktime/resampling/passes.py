"""From appearances of users to jobs: which rows of the source, moved by how many weeks.

A pass is one way of a user through its sub-trace. A temporary user makes one; a long-term user starts over, a period
after its last beginning. Only passes that reach into the wanted weeks are looked at.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thinktime.resampling.appearances import Instances
from thinktime.resampling.pools import LONG_TERM, Pools
from thinktime.workload.groups import ranges


class Passes(NamedTuple):
    """Ways of appearances through their sub-traces, by appearance and number."""

    instance: np.ndarray  # int64: index into the appearances
    number: np.ndarray  # int64: 0 for the first
    shift: np.ndarray  # int64: weeks to add to those of the source


class Emitted(NamedTuple):
    """Jobs, pass by pass, each in the source's order."""

    instance: np.ndarray  # int64: index into the appearances
    number: np.ndarray  # int64: of the pass
    place: np.ndarray  # int64: of the source job in the pools
    shift: np.ndarray  # int64: weeks by which it is moved


def passes(pools: Pools, of: Instances, begin: int, end: int) -> Passes:
    """Those that may have jobs in the weeks [begin, end) of the resampled log."""
    shift = of.week - of.start_week
    period = pools.period_weeks[of.trace]
    first_week = pools.first_week[of.trace] + shift  # of the first pass, were it complete
    latest = np.where(of.kind == LONG_TERM, (end - 1 - first_week) // period, 0)
    earliest = np.where(of.kind == LONG_TERM, (begin - first_week) // period - 1, 0)
    earliest = np.maximum(earliest, 0)
    count = np.maximum(latest - earliest + 1, 0)
    instance = np.repeat(np.arange(len(of)), count)
    number = ranges(earliest, earliest + count)
    return Passes(instance, number, shift[instance] + number * period[instance])


def emit(pools: Pools, of: Instances, begin: int, end: int) -> Emitted:
    """The jobs in the weeks [begin, end) of the resampled log."""
    found = passes(pools, of, begin, end)
    trace = of.trace[found.instance]
    from_week = np.where(found.number == 0, of.start_week[found.instance], pools.first_week[trace])
    low = _place(pools, trace, np.maximum(from_week, begin - found.shift))
    high = np.maximum(_place(pools, trace, end - found.shift), low)
    length = high - low
    return Emitted(
        np.repeat(found.instance, length),
        np.repeat(found.number, length),
        ranges(low, high),
        np.repeat(found.shift, length),
    )


def _place(pools: Pools, trace: np.ndarray, week: np.ndarray) -> np.ndarray:
    """Where the jobs of a sub-trace from that week on begin."""
    return np.searchsorted(pools.key, trace * pools.width + np.clip(week, 0, pools.width - 1))


def last_week_of(pools: Pools, of: Instances) -> np.ndarray:
    """int64: the last week in which an appearance submits; a long-term user never stops."""
    over = pools.last_week[of.trace] + of.week - of.start_week
    return np.where(of.kind == LONG_TERM, np.iinfo(np.int64).max, over)
