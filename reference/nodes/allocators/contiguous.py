"""contiguous: the first run of neighbouring nodes, each with room for a unit, that has room for all."""

from __future__ import annotations

from reference.job import Task
from reference.nodes.allocator import Allocator, fill
from reference.nodes.cluster import Placement, Room


class Contiguous(Allocator):
    name = "contiguous"

    def placement(self, room: Room, task: Task, units: list[int]) -> Placement | None:
        run: list[int] = []
        for node, n in enumerate(units):
            run = [*run, node] if n else []
            if sum(units[k] for k in run) >= task.processors:
                return fill(iter(run), units, task.processors)
        return None
