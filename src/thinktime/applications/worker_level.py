"""The application level of a simulation whose jobs other simulators play: what the engine asks at every start of a job.

The batch clock stands while it asks. Where a job's duration depends neither on when nor on which cores it starts,
workers compute ahead in the order of the jobs, so that the clock seldom has to wait.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from thinktime.applications.bridge import Bridge
from thinktime.applications.plays import Play, Played

AHEAD = 256  # jobs played before anybody asks for them, at most

#: (row, seconds that each core has to do, number of cores)
Expected = tuple[int, float, int]
#: (duration_s, tasks, chunks, busy_s, overhead_s, idle_from_s), the last by core
Answer = tuple[float, int, int, float, float, np.ndarray]


class WorkerLevel:
    """Of one simulation. Its workers end with it, or when it is closed."""

    def __init__(
        self,
        bridge: Bridge,
        play_of: Callable[[int, float, float, np.ndarray], Play],
        ahead: Iterable[Expected] = (),
    ) -> None:
        """`play_of(row, each_s, start_s, cores)` is a job's loop; `ahead` has the jobs that will probably start next,
        if neither when nor where they start matters."""
        self.bridge, self.play_of = bridge, play_of
        self._ahead: Iterator[Expected] = iter(ahead)
        self._early: dict[Expected, int] = {}  # jobs handed over before they were asked for, by their numbers
        self._asked: set[int] = set()  # rows that have started

    def play(self, row: int, each_s: float, start_s: float, cores: np.ndarray, limit_s: float) -> Answer:
        """How long the job in this row takes, started now on these cores, and what happened inside."""
        play = self.play_of(row, each_s, start_s, cores)
        if not len(play.tasks):
            return 0.0, 0, 0, 0.0, 0.0, np.zeros(len(cores))
        found = self._played((row, each_s, len(cores)), play)
        held_s = float(np.minimum(found.core_end_s, limit_s).sum())  # a killed job does nothing after its limit
        overhead_s = min(found.chunks * play.overhead_s, held_s)
        busy_s = min(found.busy_s, held_s - overhead_s)
        return found.duration_s, len(play.tasks), found.chunks, busy_s, overhead_s, found.core_end_s

    def close(self) -> None:
        self.bridge.close()

    def _played(self, job: Expected, play: Play) -> Played:
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
