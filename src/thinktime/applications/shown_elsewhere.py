"""Jobs of a finished run, played again by workers task by task: what `_engine.Loops.show` is for the native level."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from thinktime.applications.bridge import Bridge
from thinktime.applications.loop_plays import LoopPlays


class ShownElsewhere:
    """Its workers end with it."""

    def __init__(self, bridge: Bridge, plays: LoopPlays) -> None:
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
        """Tasks by job, then in the order in which they were handed out; times are counted from the start, cores are
        places among the job's. `core` holds the cores of the first job, then those of the next; `place` is that of the
        job among those shown."""
        numbers: dict[int, int] = {}
        for place, cores in enumerate(np.split(core, np.cumsum(processors)[:-1])):
            play = self.plays.of(int(row[place]), float(each_s[place]), float(start_s[place]), cores)
            if len(play.tasks):
                numbers[place] = self.bridge.submit(replace(play, events=True))
        parts = [self._part(place, numbers[place], limit_s[place]) for place in numbers]
        found = np.concatenate(parts) if parts else np.zeros((0, 6))
        names = ("place", "task", "chunk", "core")
        whole = {name: found[:, k].astype(np.int64) for k, name in enumerate(names)}
        return {**whole, "start_s": found[:, 4], "end_s": found[:, 5]}

    def _part(self, place: int, number: int, limit_s: float) -> np.ndarray:
        """[task, (place, task, chunk, core of the job, start, end)], cut where the job was killed."""
        events = self.bridge.wait(number).events
        events = events[np.argsort(events[:, 0], kind="stable")]
        events = events[events[:, 3] < limit_s]
        events[:, 4] = np.minimum(events[:, 4], limit_s)
        return np.column_stack([np.full(len(events), float(place)), events])
