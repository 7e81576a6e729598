"""Where the core-seconds of a run with an application model went, by cause.

From the first submission to the last end each core is at every moment in a task; busy asking for a chunk, or waiting
for a node to boot; held by a job that has no task left for it (imbalance); free although jobs wait, because those need
more cores than are free or may not start (waiting for other cores); or free with no job waiting. The five causes add up
to the machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from thinktime.metrics.machine import overlap
from thinktime.support.shown import short_html, short_repr

Columns = Mapping[str, np.ndarray]


class CoreSeconds(NamedTuple):
    """Where they went; the sum is what the machine had."""

    tasks: float
    overhead: float
    imbalance: float
    waiting: float
    unneeded: float

    def __repr__(self) -> str:
        return short_repr(self)

    def _repr_html_(self) -> str:
        return short_html(self)


#: cause → label of its share, and whether more is better (1), less (−1), or neither (0)
SHARES = {
    "tasks": ("share of core-seconds in tasks", 1),
    "overhead": ("share of core-seconds asking for chunks", -1),
    "imbalance": ("share of core-seconds held by jobs without a task (imbalance)", -1),
    "waiting": ("share of core-seconds free while jobs wait (for other cores)", -1),
    "unneeded": ("share of core-seconds free with no job waiting", 0),
}


class ApplicationSums:
    """The same in running sums, from blocks of jobs and of the timeline."""

    def __init__(self, processors: int) -> None:
        self.processors = processors
        self.tasks, self.chunks, self.busy_s, self.overhead_s = 0, 0, 0.0, 0.0
        self.held_s, self.waiting_s, self.unneeded_s = 0.0, 0.0, 0.0
        self._last: dict[str, np.ndarray] = {}  # row of the timeline, which lasts until the next

    @classmethod
    def of(cls, timeline: Columns, inside: Columns, processors: int) -> ApplicationSums:
        """Return the sums of a whole run: its timeline, whose last row ends it, and the table `inside`."""
        sums = cls(processors)
        sums.add(inside)
        sums.add_timeline(timeline)
        return sums

    def add(self, inside: Columns) -> None:
        self.tasks += int(inside["tasks"].sum())
        self.chunks += int(inside["chunks"].sum())
        self.busy_s += float(np.sum(inside["busy_s"]))
        self.overhead_s += float(np.sum(inside["overhead_s"]))

    def add_timeline(self, block: Columns) -> None:
        names = ("time_s", "used_processors", "queued_jobs")
        rows = {name: np.concatenate([self._last.get(name, block[name][:0]), block[name]]) for name in names}
        self._last = {name: values[-1:] for name, values in rows.items()}
        length, used = np.diff(rows["time_s"]), rows["used_processors"][:-1]
        free, waits = (self.processors - used) * length, rows["queued_jobs"][:-1] > 0
        self.held_s += float(np.sum(used * length))
        self.waiting_s += float(free[waits].sum())
        self.unneeded_s += float(free[~waits].sum())

    def core_seconds(self) -> CoreSeconds:
        idle = self.held_s - self.busy_s - self.overhead_s
        idle = idle if idle > 1e-12 * self.held_s else 0.0  # what is less, or below 0, comes from rounding
        return CoreSeconds(self.busy_s, self.overhead_s, idle, self.waiting_s, self.unneeded_s)

    @property
    def total_s(self) -> float:
        """Core-seconds of the machine; 0 without a timeline of some length."""
        return self.held_s + self.waiting_s + self.unneeded_s

    def share(self, cause: str) -> float:
        """Return the share of the machine's core-seconds that went to a cause of SHARES."""
        spent = self.core_seconds()
        return float(getattr(spent, cause) / sum(spent))


def given_back_share(given_s: np.ndarray, end_s: np.ndarray, processors: int, window_s: tuple[float, float]) -> float:
    """Of the machine in a window: cores that their run no longer held, from when they were given back to its end."""
    t1, t2 = window_s
    free = overlap(given_s, end_s, t1, t2)
    return float(free.sum() / (processors * (t2 - t1))) if t2 > t1 else 0.0
