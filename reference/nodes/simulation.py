"""A simulation on a cluster: as on a counted machine, but a job that starts gets nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reference.job import Job, Outcome, Task
from reference.nodes.allocators import place
from reference.nodes.cluster import Cluster, Placement
from reference.nodes.conservative import ConservativeOnNodes
from reference.nodes.easy import EasyAccasimOnNodes, EasyOnNodes
from reference.policies import make_policy
from reference.simulation import Simulation
from reference.users import Users

ON_NODES = {"easy": EasyOnNodes, "easy-accasim-1.0": EasyAccasimOnNodes, "conservative": ConservativeOnNodes}
UNLIMITED = 2**31


def simulate(
    jobs: Sequence[Job],
    cluster: Cluster,
    scheduler: dict[str, Any],
    same_instant: str = "batch",
    overrun: str = "extend",
    speed: float = 1.0,
    users: Users | None = None,
) -> list[Outcome]:
    """Simulate the jobs and say what became of each, in the order of the input."""
    sim = NodeSimulation(jobs, cluster, scheduler, same_instant, overrun, speed, users)
    time = sim.next_time()
    while time is not None:
        sim.now = time
        sim.round() if same_instant == "batch" else sim.single_event()
        time = sim.next_time()
    return [sim.outcomes[index] for index in sorted(sim.outcomes)]


class NodeSimulation(Simulation):
    def __init__(
        self,
        jobs: Sequence[Job],
        cluster: Cluster,
        scheduler: dict[str, Any],
        same_instant: str,
        overrun: str,
        speed: float,
        users: Users | None,
    ) -> None:
        super().__init__(jobs, UNLIMITED, scheduler, same_instant, overrun, speed, "reject", users)
        self.cluster = cluster
        self.room = cluster.room()
        self.policy = make_policy(scheduler, ON_NODES)

    def too_large(self, job: Job) -> bool:
        """Whether even the empty cluster has no place for it."""
        task = Task(0, 0.0, job.processors, 0.0, 0.0, 0.0, False, unit=job.unit, pools=job.pools)
        return place(self.cluster.room(), task) is None

    def one_pass(self) -> None:
        self.policy.schedule(self)

    def fits(self, task: Task) -> bool:
        return place(self.room, task) is not None

    def start(self, task: Task, placement: Placement | None = None) -> None:
        placement = placement or place(self.room, task)
        assert placement is not None
        super().start(task)
        task.placement = placement
        self.room.take(task, placement)

    def end(self, task: Task) -> None:
        self.room.give(task, task.placement)
        super().end(task)
