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
    length = np.diff(timeline["time_s"])
    used, waits = timeline["used_processors"][:-1], timeline["queued_jobs"][:-1] > 0
    free = (processors - used) * length
    busy, overhead = float(np.sum(inside["busy_s"])), float(np.sum(inside["overhead_s"]))
    held = float(np.sum(used * length))
    idle = held - busy - overhead
    idle = idle if idle > 1e-12 * held else 0.0  # what is less, or below 0, comes from rounding
    return CoreSeconds(busy, overhead, idle, float(free[waits].sum()), float(free[~waits].sum()))


def inside_metrics(timeline: Columns, inside: Columns, processors: int) -> dict[str, float | int]:
    """By the names of `INSIDE_METRICS`, over the whole run."""
    values: dict[str, float | int] = {"tasks": int(inside["tasks"].sum()), "chunks": int(inside["chunks"].sum())}
    if len(timeline["time_s"]) < 2:
        return values
    spent = core_seconds(timeline, inside, processors)
    whole = sum(spent)
    return values | {f"{name}_share": getattr(spent, name) / whole for name in CoreSeconds._fields if whole > 0}


def given_back_share(given_s: np.ndarray, end_s: np.ndarray, processors: int, window_s: tuple[float, float]) -> float:
    """Of the machine in a window: cores that their run no longer held, from when they were given back to its end."""
    t1, t2 = window_s
    free = overlap(given_s, end_s, t1, t2)
    return float(free.sum() / (processors * (t2 - t1))) if t2 > t1 else 0.0
