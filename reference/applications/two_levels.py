"""Two levels: jobs whose duration follows from their tasks, and which may give cores back as these fall idle.

The cores are alike, so what happens inside a job depends neither on when nor on where it runs: it is played beforehand.
The batch level does not know this. A job is expected to take as long as without tasks; its overrun is not foreseen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reference.job import Job, Outcome, Task
from reference.simulation import Simulation


def simulate_two_levels(
    jobs: Sequence[Job],
    idle_from: Sequence[Sequence[float]],
    processors: int,
    scheduler: dict[str, Any],
    overrun: str = "extend",
    early: bool = False,
) -> list[Outcome]:
    """`idle_from[k]` says of each core of job k how long after the start it has nothing more to do."""
    sim = TwoLevels(jobs, idle_from, processors, scheduler, overrun, early)
    time = sim.next_time()
    while time is not None:
        sim.now = time
        sim.round()
        time = sim.next_time()
    return [sim.outcomes[index] for index in sorted(sim.outcomes)]


class TwoLevels(Simulation):
    def __init__(
        self,
        jobs: Sequence[Job],
        idle_from: Sequence[Sequence[float]],
        processors: int,
        scheduler: dict[str, Any],
        overrun: str,
        early: bool,
    ) -> None:
        blind = "extend-blind" if overrun == "extend" else overrun
        super().__init__(jobs, processors, scheduler, "batch", blind, 1.0, "reject", None)
        self.recorded_is_expected = overrun == "extend"
        self.idle_from = idle_from
        self.early = early
        self.gifts: dict[int, list[float]] = {}  # of each running job, when it will give a core back

    def join(self, task: Task) -> None:
        if self.recorded_is_expected:
            task.expected_length = max(task.estimate, self.jobs[task.index].run)
        super().join(task)

    def start(self, task: Task) -> None:
        last = max(self.idle_from[task.index], default=0.0)
        limit = task.estimate if self.overrun == "kill" else float("inf")
        task.duration, task.killed = min(last, limit), last > limit
        super().start(task)
        falls_idle = [task.start + idle for idle in self.idle_from[task.index]]
        self.gifts[task.index] = sorted(time for time in falls_idle if time < task.end) if self.early else []

    def next_time(self) -> float | None:
        times = [time for task in self.running for time in self.gifts[task.index]]
        usual = super().next_time()
        return min(times if usual is None else [usual, *times], default=None)

    def end_all(self) -> bool:
        """Ends, and then cores that are given back."""
        ended = super().end_all()
        given = [self.give_back(task) for task in self.running]
        return ended or any(given)

    def give_back(self, task: Task) -> int:
        due = [time for time in self.gifts[task.index] if time <= self.now]
        self.gifts[task.index] = self.gifts[task.index][len(due) :]
        task.processors -= len(due)
        return len(due)
