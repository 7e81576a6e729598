"""A cap that changes with time: a pool whose size is known in advance.

A job starts only if it is expected to fit under the cap from its start until its end, together with the running jobs.
When the cap falls, running jobs continue. Reservations follow the same rule: at the shadow the head fits under the caps
of that time and for its whole length, together with the jobs that are expected to run then.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reference.job import Task
from reference.nodes.cluster import Room
from reference.overrun import seen_end

if TYPE_CHECKING:
    from reference.nodes.simulation import NodeSimulation

UNLIMITED = 2**40


@dataclass(frozen=True)
class Cap:
    """Levels and from when in the period each holds, the first from 0. The pool has the highest."""

    pool: int = 0
    begins: Sequence[float] = ()
    levels: Sequence[int] = ()
    every: float = 1.0

    def at(self, time: float) -> int:
        return self.levels[bisect_right(self.begins, time % self.every) - 1]

    def changes(self, now: float, last: float) -> list[float]:
        """After now, and up to one period after the last."""
        if not self.levels:
            return []
        first, count = now // self.every, int((last - now) // self.every) + 3
        times = [(first + k) * self.every + begin for k in range(count) for begin in self.begins]
        return [time for time in times if now < time <= last + self.every]

    def share(self, task: Task) -> int:
        return sum(amount for pool, amount in task.pools if pool == self.pool)

    def holds(self, task: Task, start: float, sim: NodeSimulation, other: Task | None = None) -> bool:
        if not self.levels:
            return True
        end = start + task.expected_length
        times = [start, *(time for time in self.changes(start, end) if time < end)]
        return all(self.share(task) + self.taken(time, sim, other) <= self.at(time) for time in times)

    def taken(self, time: float, sim: NodeSimulation, other: Task | None) -> int:
        others = sum(self.share(task) for task in sim.running if seen_end(task, sim.now) > time)
        stays = other is not None and sim.now + other.expected_length > time
        return others + (self.share(other) if other is not None and stays else 0)

    def unlimited(self, room: Room) -> Room:
        """Return a copy without the cap, which is checked separately."""
        copy = room.copy()
        if self.levels:
            copy.pools[self.pool] = UNLIMITED
        return copy

    def ever_holds(self, share: int, length: float) -> bool:
        """Whether a job that has the machine for itself fits at some time."""
        spans = (
            [begin, *(t for t in self.changes(begin, begin + length) if t < begin + length)] for begin in self.begins
        )
        return any(share <= min(self.at(time) for time in span) for span in spans)
