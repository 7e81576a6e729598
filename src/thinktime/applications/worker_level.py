"""The application level in worker processes: the engine asks it for the duration of every job that starts.

The clock of the batch level stops meanwhile. If a duration depends neither on the start time nor on the cores, workers
compute jobs in advance in the order of submission, so that the clock seldom waits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np

from thinktime.applications.worker_jobs import LoopJobs
from thinktime.applications.worker_messages import JobAnswer, JobMessage
from thinktime.applications.worker_pool import WorkerPool

AHEAD = 256  # the most jobs that are computed in advance

#: (row, seconds of work per core, number of cores)
Expected = tuple[int, float, int]
#: (duration_s, tasks, chunks, busy_s, overhead_s, idle_from_s), the last by core
Answer = tuple[float, int, int, float, float, np.ndarray]


class WorkerLevel:
    """The level of one simulation. Its workers end with it, or when it is closed."""

    def __init__(
        self,
        bridge: WorkerPool,
        play_of: Callable[[int, float, float, np.ndarray], JobMessage],
        ahead: Iterable[Expected] = (),
    ) -> None:
        """`play_of(row, each_s, start_s, cores)` makes the message of a job; `ahead` lists jobs to compute early."""
        self.bridge, self.play_of = bridge, play_of
        self._ahead: Iterator[Expected] = iter(ahead)
        self._early: dict[Expected, int] = {}  # jobs that are computed in advance → their numbers
        self._asked: set[int] = set()  # rows that have started

    def play(self, row: int, each_s: float, start_s: float, cores: np.ndarray, limit_s: float) -> Answer:
        """Return the duration of the job in this row, started now on these cores, and its counts."""
        play = self.play_of(row, each_s, start_s, cores)
        if not len(play.tasks):
            return 0.0, 0, 0, 0.0, 0.0, np.zeros(len(cores))
        found = self._played((row, each_s, len(cores)), play)
        if found.duration_s > limit_s:
            return self._cut(found, self.play_of(row, each_s, start_s, cores), limit_s)
        overhead_s = found.chunks * play.overhead_s
        return found.duration_s, len(play.tasks), found.chunks, found.busy_s, overhead_s, found.core_end_s

    def _cut(self, found: JobAnswer, play: JobMessage, limit_s: float) -> Answer:
        """Cut at the limit: by the events of the worker, or, without events, in proportion to the time held."""
        if self.bridge.can("events"):
            shown = self.bridge.wait(self.bridge.submit(replace(play, events=True), first=True)).events
            return found.duration_s, *_up_to(limit_s, shown, play.overhead_s), found.core_end_s
        held_s = float(np.minimum(found.core_end_s, limit_s).sum())
        overhead_s = min(found.chunks * play.overhead_s, held_s)
        busy_s = min(found.busy_s, held_s - overhead_s)
        return found.duration_s, len(play.tasks), found.chunks, busy_s, overhead_s, found.core_end_s

    def close(self) -> None:
        self.bridge.close()

    def _played(self, job: Expected, play: JobMessage) -> JobAnswer:
        self._asked.add(job[0])
        number = self._early.pop(job, None)
        if number is None:
            number = self.bridge.submit(play, first=True)
        self.bridge.attend()
        self._play_ahead()
        return self.bridge.wait(number, self._play_ahead)

    def _play_ahead(self) -> None:
        while self.bridge.room > 0 and len(self._early) < AHEAD and (job := next(self._ahead, None)):
            row, each_s, cores = job
            play = self.play_of(row, each_s, 0.0, np.arange(cores))
            if len(play.tasks) and row not in self._asked:
                self._early[job] = self.bridge.submit(play)


def _up_to(limit_s: float, events: np.ndarray, overhead_s: float) -> tuple[int, int, float, float]:
    """Return tasks begun, chunks assigned, and seconds in tasks and in overhead before the limit.

    `events` has rows (task, chunk, core, start, end). A core gets a chunk `overhead_s` before its first task begins.
    """
    start_s, end_s = events[:, 3], events[:, 4]
    begun_s = np.full(int(events[:, 1].max()) + 1, np.inf)
    np.minimum.at(begun_s, events[:, 1].astype(np.int64), start_s)
    given_s = begun_s[np.isfinite(begun_s)] - overhead_s
    spent_s = np.minimum(given_s + overhead_s, limit_s) - np.minimum(given_s, limit_s)
    busy_s = np.minimum(end_s, limit_s) - np.minimum(start_s, limit_s)
    counts = int(np.count_nonzero(start_s < limit_s)), int(np.count_nonzero(given_s < limit_s))
    return *counts, float(busy_s.sum()), float(spent_s.sum())


class WorkerReplay:
    """Repeats jobs of a finished run in workers, task by task, as `_engine.Loops.show` does natively."""

    def __init__(self, bridge: WorkerPool, plays: LoopJobs) -> None:
        self.bridge, self.plays = bridge, plays

    def show(
        self,
        *,
        row: np.ndarray,
        processors: np.ndarray,
        each_s: np.ndarray,
        start_s: np.ndarray,
        limit_s: np.ndarray,
        core: np.ndarray,
    ) -> dict[str, np.ndarray]:
        """Return the tasks by job, in the order of assignment; times count from the start of the job.

        `core` has the cores of the first job, then those of the next. In the answer, `core` counts within the job, and
        `place` is the index of the job among the given ones.
        """
        numbers: dict[int, int] = {}
        for place, cores in enumerate(np.split(core, np.cumsum(processors)[:-1])):
            play = self.plays.of(int(row[place]), float(each_s[place]), float(start_s[place]), cores)
            if len(play.tasks):
                numbers[place] = self.bridge.submit(replace(play, events=True))
        parts = [self._tasks_of(place, numbers[place], limit_s[place]) for place in numbers]
        found = np.concatenate(parts) if parts else np.zeros((0, 6))
        names = ("place", "task", "chunk", "core")
        whole = {name: found[:, k].astype(np.int64) for k, name in enumerate(names)}
        return {**whole, "start_s": found[:, 4], "end_s": found[:, 5]}

    def _tasks_of(self, place: int, number: int, limit_s: float) -> np.ndarray:
        """Return [task, (place, task, chunk, core of the job, start, end)], cut where the job was killed."""
        events = self.bridge.wait(number).events
        events = events[np.argsort(events[:, 0], kind="stable")]
        events = events[events[:, 3] < limit_s]
        events[:, 4] = np.minimum(events[:, 4], limit_s)
        return np.column_stack([np.full(len(events), float(place)), events])
