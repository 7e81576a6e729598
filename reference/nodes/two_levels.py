"""Two levels on a cluster: jobs whose duration follows from their tasks, and which give cores back as these fall idle.

A job that is hit by a failure after it gave cores back asks for all of them again. What its cores still have to do is
what was left at its last checkpoint; a core for which nothing was left is given back as soon as the job works again.
Pools are held until the job ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from reference.job import Job, Outcome, Task
from reference.nodes.cluster import Cluster, Placement
from reference.nodes.failures import Failures
from reference.nodes.simulation import NodeSimulation
from reference.simulation import Simulation


def simulate_two_levels(
    jobs: Sequence[Job],
    idle_from: Sequence[Sequence[float]],
    cluster: Cluster,
    scheduler: dict[str, Any],
    overrun: str = "extend",
    early: bool = False,
    failures: Failures | None = None,
) -> list[Outcome]:
    """`idle_from[k]` says of each processor of job k how much it works, in seconds after the start."""
    sim = TwoLevelsOnNodes(jobs, idle_from, cluster, scheduler, overrun, early, failures or Failures())
    time = sim.next_time()
    while time is not None:
        sim.now = time
        sim.round()
        time = sim.next_time()
    left = {index: Outcome(0.0, None, None, "unfinished") for index in range(len(jobs))}
    return [(left | sim.outcomes)[index] for index in range(len(jobs))]


class TwoLevelsOnNodes(NodeSimulation):
    def __init__(
        self,
        jobs: Sequence[Job],
        idle_from: Sequence[Sequence[float]],
        cluster: Cluster,
        scheduler: dict[str, Any],
        overrun: str,
        early: bool,
        failures: Failures,
    ) -> None:
        blind = "extend-blind" if overrun == "extend" else overrun
        super().__init__(jobs, cluster, scheduler, "batch", blind, 1.0, None, failures)
        self.recorded_is_expected = overrun == "extend"
        self.idle_from = idle_from
        self.early = early
        self.played: set[int] = set()  # jobs whose duration is known
        self.whole: dict[int, Placement] = {}  # where the job started
        self.gifts: dict[int, list[tuple[float, int]]] = {}  # of each running job: when it gives a core back, and where

    # --- a job from its start to its end --------------------------------------------------------------------

    def join(self, task: Task) -> None:
        if self.recorded_is_expected:
            task.expected_length = max(task.estimate, self.jobs[task.index].run)
        super().join(task)

    def start(self, task: Task, placement: Placement | None = None) -> None:
        self.play(task)
        super().start(task, placement)
        self.whole[task.index] = task.placement
        node_of = [node for node, units in task.placement for _ in range(units)]
        works = task.start + task.overhead
        gifts = [works + max(0.0, idle - task.saved) for idle in self.idle_from[task.index]]
        early = [gift for gift in zip(gifts, node_of, strict=True) if gift[0] < task.end]
        self.gifts[task.index] = early if self.early else []

    def play(self, task: Task) -> None:
        """Once: a job that starts again does what was left."""
        if task.index in self.played:
            return
        self.played.add(task.index)
        last = max(self.idle_from[task.index], default=0.0)
        limit = task.estimate if self.overrun == "kill" else float("inf")
        task.duration, task.killed = min(last, limit), last > limit

    def end(self, task: Task) -> None:
        super().end(task)
        self.outcomes[task.index] = replace(self.outcomes[task.index], placement=self.whole[task.index])

    def abort(self, task: Task, fate: str, saved: float) -> None:
        super().abort(task, fate, saved)
        task.placement, task.processors = self.whole[task.index], self.jobs[task.index].processors
        self.gifts[task.index] = []

    # --- cores that are given back --------------------------------------------------------------------------

    def next_time(self) -> float | None:
        usual = super().next_time()
        gifts = [time for task in self.running for time, _ in self.gifts[task.index]]
        return min([usual, *gifts]) if usual is not None else None

    def end_all(self) -> bool:
        """Ends, then cores that are given back, then failures."""
        ended = Simulation.end_all(self)
        given = [self.give_back(task) for task in self.running]
        if ended or any(given):
            self.policy.ended(self)
        self.act()
        return False

    def give_back(self, task: Task) -> int:
        due = [node for time, node in self.gifts[task.index] if time <= self.now]
        self.gifts[task.index] = [gift for gift in self.gifts[task.index] if gift[0] > self.now]
        for node in due:
            self.room.give_nodes(task, ((node, 1),))
            self.boots.end(((node, 1),), self.now)
            task.placement = without(task.placement, node)
        task.processors -= len(due)
        return len(due)


def without(placement: Placement, node: int) -> Placement:
    """One unit less on the node."""
    less = [(at, units - (at == node)) for at, units in placement]
    return tuple((at, units) for at, units in less if units)
