"""What happens inside jobs, summed up: where the core-seconds of a run went, cause by cause.

From the first submission to the last end each core is at every moment in a task; busy asking for a chunk, or waiting
for a node to boot; held by a job that has no task left for it (imbalance); free although jobs wait, because those need
more cores than are free or may not start (waiting for other cores); or free with nobody waiting. The five make up the
machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from thinktime.metrics.machine import overlap

Columns = Mapping[str, np.ndarray]


class CoreSeconds(NamedTuple):
    """Where they went; the sum is what the machine had."""

    tasks: float
    overhead: float
    imbalance: float
    waiting: float
    unneeded: float


def core_seconds(timeline: Columns, inside: Columns, processors: int) -> CoreSeconds:
    """From the timeline, whose last row ends it, and the tables of the jobs' insides."""
    sums = InsideAccumulator(processors)
    sums.add(inside)
    sums.add_timeline(timeline)
    return sums.core_seconds()


def inside_metrics(timeline: Columns, inside: Columns, processors: int) -> dict[str, float | int]:
    """By the names of `INSIDE_METRICS`, over the whole run."""
    sums = InsideAccumulator(processors)
    sums.add(inside)
    sums.add_timeline(timeline)
    return sums.values()


class InsideAccumulator:
    """The same in running sums, from blocks of jobs and of the timeline."""

    def __init__(self, processors: int) -> None:
        self.processors = processors
        self.tasks, self.chunks, self.busy_s, self.overhead_s = 0, 0, 0.0, 0.0
        self.held_s, self.waiting_s, self.unneeded_s = 0.0, 0.0, 0.0
        self._last: dict[str, np.ndarray] = {}  # row of the timeline, which lasts until the next

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

    def values(self) -> dict[str, float | int]:
        """By the names of `INSIDE_METRICS`; shares only if there is a timeline with some length."""
        counts: dict[str, float | int] = {"tasks": self.tasks, "chunks": self.chunks}
        if not self.held_s + self.waiting_s + self.unneeded_s > 0:
            return counts
        spent = self.core_seconds()
        whole = sum(spent)
        return counts | {f"{name}_share": getattr(spent, name) / whole for name in CoreSeconds._fields}


def given_back_share(given_s: np.ndarray, end_s: np.ndarray, processors: int, window_s: tuple[float, float]) -> float:
    """Of the machine in a window: cores that their run no longer held, from when they were given back to its end."""
    t1, t2 = window_s
    free = overlap(given_s, end_s, t1, t2)
    return float(free.sum() / (processors * (t2 - t1))) if t2 > t1 else 0.0
