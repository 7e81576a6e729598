"""Conservative backfilling on nodes: every waiting job is promised a start and the nodes.

The plan is a list of bookings: who has which nodes, from when until when, running or waiting. A job's slot is the
earliest instant at which the allocator can place it on what is free on each node for its whole expected length. It
keeps slot and nodes, until an end lets it have an earlier slot. When the slot comes, the job starts on these nodes. If
they must boot first it stays for longer than was planned: then all jobs are placed again at the next pass; and if it
would meet a closure for that reason, or because it is late, at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.conservative import Conservative
from reference.job import Task
from reference.nodes.allocator import place
from reference.nodes.cluster import Room
from reference.overrun import seen_end

if TYPE_CHECKING:
    from reference.nodes.simulation import NodeSimulation

NEVER = float("inf")
Booking = tuple[float, float, Task]  # from, until, and whose: on task.placement


class ConservativeOnNodes(Conservative):
    off_plan = False  # a job ends at another time than planned

    def ended(self, sim: NodeSimulation) -> None:  # type: ignore[override]
        if not self.compress or sim.overrun == "extend-blind":
            return
        for task in sim.queue:
            move_forward(task, sim)

    def changed(self, sim: NodeSimulation) -> None:  # type: ignore[override]
        """Nodes were opened or closed: place all jobs again."""
        if sim.overrun != "extend-blind":
            book_all(sim)

    def submitted(self, task: Task, sim: NodeSimulation) -> None:  # type: ignore[override]
        if sim.overrun != "extend-blind":
            book(task, running(sim) + waiting(sim.queue), sim)

    def schedule(self, sim: NodeSimulation) -> None:  # type: ignore[override]
        if sim.overrun == "extend-blind" or self.off_plan:
            book_all(sim)
        self.off_plan = False
        if not self.start_due(sim) and sim.overrun != "extend-blind":
            book_all(sim)
            self.off_plan = False
            self.start_due(sim)

    def start_due(self, sim: NodeSimulation) -> bool:
        """Return False if a job cannot use its slot, which has come."""
        usable = True
        for task in list(sim.queue):
            if task.slot <= sim.now and sim.room.has(task, task.placement):
                if sim.meets_closure(task):
                    usable = False
                else:
                    self.start_one(task, sim)
        return usable

    def start_one(self, task: Task, sim: NodeSimulation) -> None:
        planned = task.slot + task.expected_length
        sim.start(task, task.placement)
        if sim.now < task.expected_end != planned:
            self.off_plan = True


def book_all(sim: NodeSimulation) -> None:
    for place_in_line, task in enumerate(sim.queue):
        book(task, running(sim) + waiting(sim.queue[:place_in_line]), sim)


def move_forward(task: Task, sim: NodeSimulation) -> None:
    """To an earlier slot if there is one. Only a job of no length, which books nothing, may have to move backward."""
    slot, placement = task.slot, task.placement
    book(task, running(sim) + waiting([other for other in sim.queue if other is not task]), sim)
    if task.slot >= slot and task.expected_length > 0:
        task.slot, task.placement = slot, placement


def running(sim: NodeSimulation) -> list[Booking]:
    return [(task.start, seen_end(task, sim.now), task) for task in sim.running]


def waiting(queue: list[Task]) -> list[Booking]:
    return [(task.slot, task.slot + task.expected_length, task) for task in queue if task.slot < NEVER]


def book(task: Task, plan: list[Booking], sim: NodeSimulation) -> None:
    ends = {end for _, end, _ in plan if end > sim.now} | {c.end for c in sim.cluster.calendar if c.end > sim.now}
    for slot in sorted({sim.now} | ends):
        if slot == NEVER:
            break
        room = free_throughout(slot, slot + task.expected_length, plan, sim)
        placement = sim.find(room, task) if slot == sim.now else place(room, task, slot)
        if placement is not None:
            task.slot, task.placement = slot, placement
            return
    task.slot, task.placement = NEVER, ()  # while nodes are broken there may be no place for it at all


def free_throughout(start: float, end: float, plan: list[Booking], sim: NodeSimulation) -> Room:
    """What is free on each node at `start`, and at every instant until `end`."""
    room = free_at(start, plan, sim)
    for begin in {begin for begin, _, _ in plan if start < begin < end}:
        room = room.least(free_at(begin, plan, sim))
    return room


def free_at(time: float, plan: list[Booking], sim: NodeSimulation) -> Room:
    room = sim.empty_room()
    for start, end, task in plan:
        if start <= time < end:
            room.take(task, task.placement)
    return room
