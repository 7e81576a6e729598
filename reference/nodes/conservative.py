"""Conservative backfilling on nodes: every waiting job is promised a start and the nodes.

The plan is a list of bookings: who has which nodes, from when until when, running or waiting. A job's slot is the
earliest instant at which the allocator can place it on what is free on each node for its whole expected length. It
keeps slot and nodes, until an end lets it have an earlier slot. When the slot comes, the job starts on these nodes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.conservative import Conservative
from reference.job import Task
from reference.nodes.allocators import place
from reference.nodes.cluster import Room
from reference.overrun import seen_end

if TYPE_CHECKING:
    from reference.nodes.simulation import NodeSimulation

NEVER = float("inf")
Booking = tuple[float, float, Task]  # from, until, and whose: on task.placement


class ConservativeOnNodes(Conservative):
    def ended(self, sim: NodeSimulation) -> None:  # type: ignore[override]
        if not self.compress or sim.overrun == "extend-blind":
            return
        for task in sim.queue:
            move_forward(task, sim)

    def changed(self, sim: NodeSimulation) -> None:  # type: ignore[override]
        """Nodes came or went: everybody is placed anew."""
        if sim.overrun != "extend-blind":
            book_all(sim)

    def submitted(self, task: Task, sim: NodeSimulation) -> None:  # type: ignore[override]
        if sim.overrun != "extend-blind":
            book(task, running(sim) + waiting(sim.queue), sim)

    def schedule(self, sim: NodeSimulation) -> None:  # type: ignore[override]
        if sim.overrun == "extend-blind":
            book_all(sim)
        for task in list(sim.queue):
            if task.slot <= sim.now and sim.room.has(task, task.placement):
                sim.start(task, task.placement)


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
        placement = place(free_throughout(slot, slot + task.expected_length, plan, sim), task, slot)
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
