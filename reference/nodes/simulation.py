"""A simulation on a cluster: as on a counted machine, but a job that starts gets nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from reference.conservative import Conservative
from reference.easy import Easy
from reference.easy_accasim import EasyAccasim
from reference.job import Job, Outcome, Task
from reference.nodes.allocator import place
from reference.nodes.boots import Boots
from reference.nodes.cap import Cap
from reference.nodes.cluster import Cluster, Placement, Room
from reference.nodes.conservative import ConservativeOnNodes
from reference.nodes.easy import EasyAccasimOnNodes, EasyOnNodes
from reference.nodes.failures import Failures
from reference.policies import make_policy
from reference.policy import Policy
from reference.simulation import Simulation
from reference.users import Users

#: Policies whose promises depend on what is counted: processors → nodes.
ON_NODES: dict[type[Policy], type[Policy]] = {
    Easy: EasyOnNodes,
    EasyAccasim: EasyAccasimOnNodes,
    Conservative: ConservativeOnNodes,
}
UNLIMITED = 2**31
Publish = Callable[["NodeSimulation"], dict[str, float]]  # what plugins publish, from what runs and waits


def simulate(
    jobs: Sequence[Job],
    cluster: Cluster,
    scheduler: dict[str, Any],
    same_instant: str = "batch",
    overrun: str = "extend",
    speed: float = 1.0,
    users: Users | None = None,
    failures: Failures | None = None,
    publish: Publish | None = None,
    boots: Boots | None = None,
    cap: Cap | None = None,
) -> list[Outcome]:
    """Simulate the jobs and say what became of each, in the order of the input. A job that waits for a node that is
    never repaired is "unfinished"."""
    sim = NodeSimulation(jobs, cluster, scheduler, same_instant, overrun, speed, users, failures or Failures(), boots)
    sim.limit(cap or Cap())
    sim.publish = publish
    time = sim.next_time()
    while time is not None:
        sim.now = time
        sim.round() if same_instant == "batch" else sim.single_event()
        time = sim.next_time()
    left = {index: Outcome(0.0, None, None, "unfinished") for index in range(len(jobs))}
    return [(left | sim.outcomes)[index] for index in range(len(jobs))]


class NodeSimulation(Simulation):
    publish: Publish | None = None

    def __init__(
        self,
        jobs: Sequence[Job],
        cluster: Cluster,
        scheduler: dict[str, Any],
        same_instant: str,
        overrun: str,
        speed: float,
        users: Users | None,
        failures: Failures,
        boots: Boots | None = None,
    ) -> None:
        super().__init__(jobs, UNLIMITED, scheduler, same_instant, overrun, speed, "reject", users)
        self.cluster = cluster
        self.room = cluster.room()
        self.policy = make_policy(scheduler, ON_NODES)
        self.failures = failures
        self.cap, self.in_force = Cap(), 0
        self.boots = boots or Boots()
        self.boots.begin(min((job.submit for job in jobs), default=0.0))
        self.breaking = failures.events()  # the next one last
        self.broken: dict[int, int] = {}  # node → how many failures it has at present
        self.seen: set[float] = set()  # instants of the calendar that have been acted upon

    # --- the clock, with failures and the calendar ----------------------------------------------------------

    def next_time(self) -> float | None:
        time = super().next_time()
        if time is None and not self.queue:
            return None
        changes = [each for c in self.cluster.calendar for each in (c.start, c.end) if self.is_to_come(each)]
        times = [time] if time is not None else []
        changes += self.cap.changes(self.now, self.now)[:1] + self.boots.coming(self.now)
        return min(times + [event[0] for event in self.breaking[-1:]] + changes, default=None)

    def is_to_come(self, change: float) -> bool:
        """Of the calendar: later, or at this very instant but not yet acted upon."""
        return change > self.now or (change == self.now and change not in self.seen)

    def end_all(self) -> bool:
        ended = super().end_all()
        if ended:
            self.policy.ended(self)
        self.act()
        return False

    def single_event(self) -> None:
        if not self.ends_now() and self.something_due():
            self.act()
            self.one_pass()
        else:
            super().single_event()

    def something_due(self) -> bool:
        changes = {each for c in self.cluster.calendar for each in (c.start, c.end)}
        due = bool(self.breaking) and self.breaking[-1][0] == self.now
        return due or (self.now in changes and self.now not in self.seen)

    def act(self) -> None:
        """Failures and repairs of this instant; and the calendar, if it says something of it."""
        while self.breaking and self.breaking[-1][0] == self.now:
            _, _, node, breaks = self.breaking.pop()
            self.break_node(node) if breaks else self.repair_node(node)
        if self.cap.levels and self.cap.at(self.now) != self.in_force:
            self.follow_cap()
            self.policy.changed(self)
        if self.something_due():
            self.seen.add(self.now)
            self.policy.changed(self)

    # --- a cap ----------------------------------------------------------------------------------------------

    def limit(self, cap: Cap) -> None:
        self.cap, self.in_force = cap, max(cap.levels, default=0)

    def follow_cap(self) -> None:
        level = self.cap.at(self.now)
        self.room.pools[self.cap.pool] += level - self.in_force
        self.in_force = level

    # --- failures -------------------------------------------------------------------------------------------

    def break_node(self, node: int) -> None:
        hit = [task for task in self.running if any(at == node for at, _ in task.placement)]
        self.broken[node] = self.broken.get(node, 0) + 1
        self.room.closed = frozenset(self.broken)
        self.boots.broken(node)
        self.policy.changed(self)
        for task in hit:
            self.failures.strike(task, self)

    def repair_node(self, node: int) -> None:
        self.broken[node] -= 1
        if not self.broken[node]:
            del self.broken[node]
            self.boots.repaired(node, self.now)
        self.room.closed = frozenset(self.broken)
        self.policy.changed(self)

    def abort(self, task: Task, fate: str, saved: float) -> None:
        self.room.give(task, task.placement)
        self.boots.end(task.placement, self.now)
        super().abort(task, fate, saved)

    # --- jobs on nodes --------------------------------------------------------------------------------------

    def empty_room(self) -> Room:
        room = self.cluster.room()
        room.closed = self.room.closed
        return room

    def too_large(self, job: Job) -> bool:
        """Whether even the empty cluster has no place for it."""
        task = Task(0, 0.0, job.processors, 0.0, 0.0, 0.0, False, unit=job.unit, pools=job.pools)
        return place(replace(self.cluster, calendar=()).room(), task, 0.0) is None

    def one_pass(self) -> None:
        if self.publish is not None:
            self.values = self.publish(self)
        self.policy.schedule(self)

    def find(self, room: Room, task: Task) -> Placement | None:
        """Where the allocator puts a job that starts now: so that it meets no closure, however long its nodes boot."""
        boot = 0.0
        while True:
            placement = place(room, task, self.now, boot)
            if placement is None or self.boots.longest(placement, self.now) <= boot:
                return placement
            boot = self.boots.longest(placement, self.now)

    def meets_closure(self, task: Task) -> bool:
        """Whether it would, if it started now on the nodes that it was promised."""
        boot = self.boots.longest(task.placement, self.now)
        return not all(self.cluster.open(node, self.now, task, boot) for node, _ in task.placement)

    def fits(self, task: Task) -> bool:
        return self.find(self.room, task) is not None and self.cap.holds(task, self.now, self)

    def start(self, task: Task, placement: Placement | None = None) -> None:
        placement = placement or self.find(self.room, task)
        assert placement is not None
        boot = self.boots.longest(placement, self.now)
        super().start(task)
        self.delay(task, boot)
        task.placement = placement
        self.room.take(task, placement)
        self.boots.start(placement, self.now)

    def delay(self, task: Task, boot: float) -> None:
        """Extend the job: it ends later, and is expected to."""
        if boot > 0:
            task.overhead += boot
            task.duration += boot
            task.expected_length += boot
            task.end += boot
            task.expected_end = task.start + task.expected_length

    def end(self, task: Task) -> None:
        self.room.give(task, task.placement)
        self.boots.end(task.placement, self.now)
        super().end(task)
