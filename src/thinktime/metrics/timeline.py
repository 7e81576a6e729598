"""Metrics of the timeline: the state after each instant, a step function that holds until the next row.

Before the first row the machine is empty. There are two weightings, because published tools differ: `time` weights a
state by its duration, `event` counts every instant once (AccaSim's queue size).
"""

from __future__ import annotations

import math

import numpy as np


def durations(time_s: np.ndarray, t1: float, t2: float) -> np.ndarray:
    """Seconds for which each row's state holds inside [t1, t2]; the last state holds for ever."""
    ends = np.append(time_s[1:], np.inf) if len(time_s) else time_s
    return np.maximum(np.minimum(ends, t2) - np.maximum(time_s, t1), 0.0)


class Lasting:
    """Durations of the states of a timeline in [t1, t2], computed once for all metrics."""

    def __init__(self, time_s: np.ndarray, t1: float, t2: float) -> None:
        self.length_s, self.duration_s = t2 - t1, durations(time_s, t1, t2)

    def mean(self, values: np.ndarray) -> float:
        """∫ value dt / (t2 − t1)."""
        if not (self.length_s > 0 and len(values)):
            return math.nan
        return float(np.sum(values * self.duration_s) / self.length_s)

    def max(self, values: np.ndarray) -> float:
        """The largest value that lasted."""
        lasted = values[self.duration_s > 0]
        return float(lasted.max()) if len(lasted) else math.nan


def time_mean(values: np.ndarray, time_s: np.ndarray, t1: float, t2: float) -> float:
    """∫ value dt / (t2 − t1)."""
    return Lasting(time_s, t1, t2).mean(values)


def time_max(values: np.ndarray, time_s: np.ndarray, t1: float, t2: float) -> float:
    """The largest value that lasted: states that hold for some time inside [t1, t2]."""
    return Lasting(time_s, t1, t2).max(values)


def event_values(values: np.ndarray, time_s: np.ndarray, t1: float, t2: float) -> np.ndarray:
    """The value after each instant of the window, t1 ≤ time ≤ t2, once per instant, whatever its duration."""
    return values[(time_s >= t1) & (time_s <= t2)]


def event_mean(values: np.ndarray, time_s: np.ndarray, t1: float, t2: float) -> float:
    """The mean over the instants of the window."""
    sampled = event_values(values, time_s, t1, t2)
    return float(np.mean(sampled)) if len(sampled) else math.nan


def event_max(values: np.ndarray, time_s: np.ndarray, t1: float, t2: float) -> float:
    """The maximum over the instants of the window."""
    sampled = event_values(values, time_s, t1, t2)
    return float(sampled.max()) if len(sampled) else math.nan


def loss_of_capacity(
    used_processors: np.ndarray,
    queued_jobs: np.ndarray,
    time_s: np.ndarray,
    machine: int,
    t1: float,
    t2: float,
) -> float:
    """Σ_i n_i · (t_{i+1} − t_i) · δ_i / (P · (t2 − t1)), the definition of Zhang, Franke, Moreira and
    Sivasubramaniam (2003): n_i processors are idle in step i, and δ_i is 1 if any job waits, else 0.

    A waiting job counts whether or not it would fit: what no waiting job fits into is lost, too.
    """
    idle = idle_while_any_waits(used_processors, queued_jobs, machine)
    return share(Lasting(time_s, t1, t2).mean(idle), machine)


def loss_of_capacity_bounded(
    used_processors: np.ndarray,
    queued_processors: np.ndarray,
    time_s: np.ndarray,
    machine: int,
    t1: float,
    t2: float,
) -> float:
    """∫ min(P − used, queued processors) dt / (P · (t2 − t1)): idle processors count as lost only as far as
    the waiting jobs, taken together, ask for them. Never above `loss_of_capacity`."""
    idle = idle_as_far_as_queued(used_processors, queued_processors, machine)
    return share(Lasting(time_s, t1, t2).mean(idle), machine)


def idle_while_any_waits(used_processors: np.ndarray, queued_jobs: np.ndarray, machine: int) -> np.ndarray:
    """n_i · δ_i of each row."""
    return np.where(queued_jobs > 0, machine - used_processors, 0)


def idle_as_far_as_queued(used_processors: np.ndarray, queued_processors: np.ndarray, machine: int) -> np.ndarray:
    return np.minimum(machine - used_processors, queued_processors)


def share(processors: float, machine: int) -> float:
    return processors / machine if machine > 0 else math.nan
