"""EASY on nodes: the promise is that the head will find nodes.

The running jobs give their nodes back in order of their expected ends. The shadow is the first instant at which the
allocator could place the head. A later job that can be placed now may start

1. if it is over by the shadow;
2. else if the head still finds nodes at the shadow together with it;
3. else on other nodes, if it fits on what is free now and not needed by the head at the shadow, where the head's
   nodes are those that the allocator would give it then.

With `extra_nodes=False` only 1. With `recompute=False` the shadow is kept as long as the head is the same; what is free
then is seen anew at every pass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.easy import Easy
from reference.easy_accasim import EasyAccasim
from reference.job import Task
from reference.nodes.allocator import place
from reference.nodes.cluster import Placement, Room
from reference.orders import in_order
from reference.overrun import seen_end

if TYPE_CHECKING:
    from reference.nodes.simulation import NodeSimulation

NEVER = float("inf")


class EasyOnNodes(Easy):
    later: Room  # what is free at the shadow

    def promise(self, head: Task, sim: NodeSimulation) -> None:  # type: ignore[override]
        if self.recompute or head is not self.head:
            self.head = head
            self.shadow, self.later = shadow_of(head, sim, self.count_ties)
        else:
            self.later = expected_by(self.shadow, sim)

    def backfill(self, others: list[Task], sim: NodeSimulation) -> None:  # type: ignore[override]
        for task in in_order(others, self.backfill_order, sim.now, self.deadline_factor, sim.values):
            if sim.now + task.expected_length <= self.shadow:
                if sim.fits(task):
                    sim.start(task)
            elif self.extra_nodes:
                placement = self.harmless(task, sim)
                if placement is not None:
                    sim.start(task, placement)
                    self.later.take(task, placement)

    def harmless(self, task: Task, sim: NodeSimulation) -> Placement | None:
        assert self.head is not None
        usual = sim.find(sim.room, task)
        if usual is None or not sim.cap.holds(task, sim.now, sim):
            return None
        if not sim.cap.holds(self.head, self.shadow, sim, other=task):
            return None
        if place(self.later.without(task, usual), self.head, self.shadow) is not None:
            return usual
        heads = place(self.later, self.head, self.shadow)
        return None if heads is None else sim.find(sim.room.least(self.later.without(self.head, heads)), task)


def shadow_of(head: Task, sim: NodeSimulation, count_ties: bool = True) -> tuple[float, Room]:
    """When the head can be placed, and what is free then (the head's own nodes included).

    That can be when a job ends, when a closure of the calendar does, or when the cap changes.
    """
    later, shadow = sim.cap.unlimited(sim.room), NEVER
    ends = [(seen_end(task, sim.now), i, task) for i, task in enumerate(in_order_of_expected_ends(sim.running))]
    closures = [closure.end for closure in sim.cluster.calendar if closure.end > sim.now]
    last = max([sim.now, *closures, *(end for end, _, _ in ends)])
    reopenings: list[tuple[float, int, Task | None]] = [
        (time, -1, None) for time in closures + sim.cap.changes(sim.now, last)
    ]
    for time, _, task in sorted(reopenings + ends, key=lambda event: event[:2]):
        if shadow < NEVER and (time > shadow or not count_ties):
            break
        if task is not None:
            later.give(task, task.placement)
        if shadow == NEVER and place(later, head, time) is not None and sim.cap.holds(head, time, sim):
            shadow = time
    return shadow, later


def in_order_of_expected_ends(running: list[Task]) -> list[Task]:
    return sorted(running, key=lambda task: (task.expected_end, task.started))


def expected_by(shadow: float, sim: NodeSimulation) -> Room:
    later = sim.cap.unlimited(sim.room)
    for task in sim.running:
        if seen_end(task, sim.now) <= shadow:
            later.give(task, task.placement)
    return later


class EasyAccasimOnNodes(EasyAccasim):
    """As on a counted machine; the reserved time is the first at which the allocator could place the head."""

    def reserved_time(self, head: Task, sim: NodeSimulation) -> float:  # type: ignore[override]
        return shadow_of(head, sim)[0]
