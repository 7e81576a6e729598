"""Metrics of the timeline over blocks of its rows: lengths of the queue and loss of capacity.

A window without an end ends with the last end of a job, and one without a beginning begins with the first submission.
Both are known at the end of the run, so that two kinds of rows are held: those after the last end so far, and the
instants before any job waited or ran, which count only from the first submission on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from thinktime.metrics.running_sums import Sum
from thinktime.metrics.timeline import durations, idle_as_far_as_queued, idle_while_any_waits
from thinktime.metrics.window import Window

Columns = Mapping[str, np.ndarray]
NAMES = ("time_s", "queued_jobs", "queued_processors", "running_jobs", "used_processors")
AT_ONCE = 4096  # rows: small arrays keep the peak of memory low

#: What is summed over the states of the timeline: (rows, processors of the machine) → values.
QUANTITIES: dict[str, Callable[[Columns, int], np.ndarray]] = {
    "queued_jobs": lambda rows, machine: rows["queued_jobs"],
    "queued_processors": lambda rows, machine: rows["queued_processors"],
    "idle_while_any_waits": lambda rows, machine: idle_while_any_waits(
        rows["used_processors"], rows["queued_jobs"], machine
    ),
    "idle_as_far_as_queued": lambda rows, machine: idle_as_far_as_queued(
        rows["used_processors"], rows["queued_processors"], machine
    ),
}


class States(NamedTuple):
    """One quantity in a window, over time and over instants."""

    mean: float
    max: float
    event_mean: float
    event_max: float


class StateSums:
    """The running sums of one quantity."""

    def __init__(self) -> None:
        self.area, self.sampled = Sum(), Sum()  # over time, over instants
        self.lasting_max = self.event_max = -math.inf

    def add(self, values: np.ndarray, duration_s: np.ndarray, sampled: np.ndarray) -> None:
        """Add states with their durations; `sampled` are those whose instant is in the window."""
        self.area.add(float(np.sum(values * duration_s)))
        self.sampled.add(float(np.sum(values[sampled])))
        self.lasting_max = max(self.lasting_max, float(np.max(values[duration_s > 0], initial=-math.inf)))
        self.event_max = max(self.event_max, float(np.max(values[sampled], initial=-math.inf)))


class TimelineSums:
    """`add` blocks of rows in the order of time; `of` is the value of a quantity in the window."""

    def __init__(self, processors: int, window: Window) -> None:
        self._processors, self._window = processors, window
        self._sums = {name: StateSums() for name in QUANTITIES}
        self._instants = 0
        self._held: dict[str, np.ndarray] = {name: np.empty(0) for name in NAMES}
        self._early = [np.empty(0)] if window[0] is None else []  # instants before any job waited or ran
        self._busy = window[0] is not None  # whether no more of these follow
        self.rows = 0

    def add(self, block: Columns, last_end_s: float) -> None:
        """Add rows; `last_end_s` is the last end so far."""
        self.rows += len(block["time_s"])
        for begin in range(0, len(block["time_s"]), AT_ONCE):
            self._add({name: block[name][begin : begin + AT_ONCE] for name in NAMES}, last_end_s)

    def _add(self, block: Columns, last_end_s: float) -> None:
        rows = {name: np.concatenate([held, block[name]]) for name, held in self._held.items()}
        settled = self._count_settled(rows["time_s"], last_end_s)
        self._held = {name: values[settled:] for name, values in rows.items()}
        if not settled:
            return
        t1, t2 = self._window
        window = -math.inf if t1 is None else t1, math.inf if t2 is None else t2
        duration_s = durations(rows["time_s"][: settled + 1], *window)[:settled]
        rows = {name: values[:settled] for name, values in rows.items()}
        sampled = _sampled(rows["time_s"], *window)
        sampled[: self._take_early(rows)] = False
        self._instants += int(np.count_nonzero(sampled))
        for name, sums in self._sums.items():
            sums.add(QUANTITIES[name](rows, self._processors), duration_s, sampled)

    def _count_settled(self, time_s: np.ndarray, last_end_s: float) -> int:
        """Return how many rows lie in the window whatever follows: up to the last end, with a known duration."""
        if self._window[1] is not None:
            return max(0, len(time_s) - 1)
        return 0 if math.isnan(last_end_s) else max(0, int(np.searchsorted(time_s, last_end_s, side="right")) - 1)

    def _take_early(self, rows: Columns) -> int:
        """Hold the instants before any job waits or runs; return how many of these rows they are."""
        if self._busy:
            return 0
        busy = np.flatnonzero((rows["queued_jobs"] > 0) | (rows["running_jobs"] > 0))
        self._busy = len(busy) > 0
        early = int(busy[0]) if self._busy else len(rows["time_s"])
        self._early.append(rows["time_s"][:early])
        return early

    def of(self, quantity: str, t1: float, t2: float) -> States:
        """Return the values in the window, whose ends are known now."""
        sums, values = self._sums[quantity], QUANTITIES[quantity](self._held, self._processors)
        rest, sampled = StateSums(), _sampled(self._held["time_s"], t1, t2)
        rest.add(values, durations(self._held["time_s"], t1, t2), sampled)
        early = sum(int(np.count_nonzero(_sampled(times_s, t1, t2))) for times_s in self._early)
        instants = self._instants + early + int(np.count_nonzero(sampled))
        known = bool(self.rows) and t2 > t1
        lasting_max = max(sums.lasting_max, rest.lasting_max)
        event_max = max(sums.event_max, rest.event_max, 0.0 if early else -math.inf)
        return States(
            mean=(sums.area.total() + rest.area.total()) / (t2 - t1) if known else math.nan,
            max=lasting_max if known and lasting_max >= 0 else math.nan,
            event_mean=(sums.sampled.total() + rest.sampled.total()) / instants if instants else math.nan,
            event_max=event_max if instants else math.nan,
        )


def _sampled(time_s: np.ndarray, t1: float, t2: float) -> np.ndarray:
    return np.asarray((time_s >= t1) & (time_s <= t2))
