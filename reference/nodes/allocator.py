"""Where a job runs: a file in `allocators/` with a class that has the allocator's name.

All take from each node that they visit as many units as fit and are missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import ClassVar

from reference.discover import classes
from reference.job import Task
from reference.nodes.cluster import Placement, Room


class Allocator:
    name: ClassVar[str]

    def nodes(self, room: Room, task: Task, units: list[int]) -> Iterator[int]:
        """The nodes in the order in which they are visited; `units[node]` is what fits there, and it fits in all."""
        raise NotImplementedError

    def placement(self, room: Room, task: Task, units: list[int]) -> Placement | None:
        """The nodes of the job with its units on each; None if the allocator finds no place."""
        return fill(self.nodes(room, task, units), units, task.processors)


@cache
def allocators() -> dict[str, type[Allocator]]:
    """Return name → class, from every module in `allocators/`."""
    return {cls.name: cls for cls in classes("reference.nodes.allocators", Allocator)}


def place(room: Room, task: Task, start: float, boot: float = 0.0) -> Placement | None:
    """Where the allocator puts the job if it starts then, and its nodes boot for so long; None if it does not fit."""
    units = [n if n and room.cluster.open(node, start, task, boot) else 0 for node, n in enumerate(room.units(task))]
    if sum(units) < task.processors or not room.pools_suffice(task):
        return None
    return allocators()[str(room.cluster.allocator["name"])]().placement(room, task, units)


def fill(nodes: Iterator[int], units: list[int], missing: int) -> Placement:
    placement = []
    while missing:
        node = next(nodes)
        placement.append((node, min(missing, units[node])))
        missing -= placement[-1][1]
    return tuple(placement)
