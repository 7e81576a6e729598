"""Whether waits grow from quarter to quarter of a run, in constant memory: the test for runs of less than ten weeks.

Waits are added up by the recorded submit time of their jobs, in bins that become wider as the run becomes longer. A
quarter of the jobs that begins inside a bin takes its share of the bin, so its mean is nearly that of its jobs.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from thinktime.metrics.running_sums import Extent
from thinktime.metrics.saturation import ENOUGH_WEEKS, means_grow
from thinktime.support.time_units import WEEK_S

MOST_BINS = 4096


class WaitGrowth:
    """Waits of started jobs by submit time; `add` blocks in any order of jobs."""

    def __init__(self) -> None:
        self._width_s = 1.0
        self._bins: dict[int, tuple[int, float]] = {}  # number of the bin → started jobs, and the sum of their waits
        self._submits = Extent()  # of started jobs
        self._jobs, self._run_s = 0, 0.0  # of all jobs

    def add(self, columns: Mapping[str, np.ndarray]) -> None:
        self._jobs += len(columns["run_s"])
        self._run_s += float(np.sum(columns["run_s"]))
        wait = columns["start_s"] - columns["submit_s"]
        started = ~np.isnan(wait)
        if not started.any():
            return
        self._submits.add(columns["submit_s"][started])
        if self._submits.last - self._submits.first < ENOUGH_WEEKS * WEEK_S:  # else outstanding jobs decide
            self._add_waits(columns["recorded_submit_s"][started], wait[started])

    def _add_waits(self, submit_s: np.ndarray, wait_s: np.ndarray) -> None:
        numbers, place = np.unique(np.floor(submit_s / self._width_s), return_inverse=True)
        jobs, waits = np.bincount(place), np.bincount(place, wait_s)
        for number, count, wait in zip(numbers.astype(np.int64).tolist(), jobs.tolist(), waits.tolist(), strict=True):
            _add_to(self._bins, number, count, wait)
        while len(self._bins) > MOST_BINS:
            self._widen()

    def _widen(self) -> None:
        """Join pairs of bins."""
        self._width_s *= 2
        joined: dict[int, tuple[int, float]] = {}
        for number, (count, wait) in self._bins.items():
            _add_to(joined, number // 2, count, wait)
        self._bins = joined

    def grows(self) -> bool:
        started = sum(count for count, _ in self._bins.values())
        span_s = self._submits.last - self._submits.first
        return bool(started) and means_grow(self._quarters(started), started, span_s, self._run_s / self._jobs)

    def _quarters(self, started: int) -> list[float]:
        """Return the mean wait of each quarter of the jobs, in the order of submission."""
        counts, waits = np.array([self._bins[number] for number in sorted(self._bins)]).T
        upto, total = np.concatenate([[0], np.cumsum(counts)]), np.concatenate([[0], np.cumsum(waits)])
        sizes = [len(part) for part in np.array_split(np.empty(started, np.bool_), 4)]
        borders = np.concatenate([[0], np.cumsum(sizes)])
        sums = np.diff(np.interp(borders, upto, total))
        return [float(each) for each in sums / np.maximum(sizes, 1)]


def _add_to(bins: dict[int, tuple[int, float]], number: int, count: int, wait: float) -> None:
    known = bins.get(number, (0, 0.0))
    bins[number] = known[0] + count, known[1] + wait
