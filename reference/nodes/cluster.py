"""A cluster: nodes in the order of the configuration, each with amounts of some resources; and pools.

A job asks for a number of processors, each a *unit*: amounts of the resources, all from one node. Units of one job may
share a node. It is placed whole or not at all. A pool is one number for the whole cluster, of which a job takes an
amount while it runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from reference.job import Task

Placement = tuple[tuple[int, int], ...]  # (node, units there), in the order in which they were taken


class Closure(NamedTuple):
    """Known beforehand: nodes from `first` on are closed from `start` until `end`, except for the owner's jobs."""

    first: int
    nodes: int
    start: float
    end: float
    owner: int = 0

    def forbids(self, node: int, start: float, end: float, owner: int) -> bool:
        """Whether it keeps a job of this owner from having the node from `start` until `end`, or at `start`."""
        mine = owner == self.owner != 0
        overlaps = (self.start < end and start < self.end) or self.start <= start < self.end
        return self.first <= node < self.first + self.nodes and overlaps and not mine


@dataclass(frozen=True)
class Cluster:
    capacity: Sequence[Sequence[int]]  # [node][resource]
    pools: Sequence[int] = ()
    allocator: dict[str, object] = field(default_factory=lambda: {"name": "first-fit"})
    ranked: int | None = None  # how many resources count in the rank of a node; None = all
    calendar: Sequence[Closure] = ()

    def room(self) -> Room:
        return Room(self, [list(amounts) for amounts in self.capacity], list(self.pools))

    def open(self, node: int, start: float, task: Task, boot: float = 0.0) -> bool:
        """Whether the calendar lets the job have the node if it starts then, and runs when its nodes have booted."""
        end = start + (task.expected_length + boot)
        return not any(closure.forbids(node, start, end, task.owner) for closure in self.calendar)


@dataclass
class Room:
    """What is free, or will be."""

    cluster: Cluster
    free: list[list[int]]  # [node][resource]
    pools: list[int]
    closed: frozenset[int] = frozenset()  # broken nodes, which take no jobs

    def copy(self) -> Room:
        return Room(self.cluster, [list(amounts) for amounts in self.free], list(self.pools), self.closed)

    def add_nodes(self, task: Task, placement: Placement, sign: int) -> None:
        for node, units in placement:
            for resource, amount in enumerate(task.unit):
                self.free[node][resource] += sign * units * amount

    def add(self, task: Task, placement: Placement, sign: int) -> None:
        self.add_nodes(task, placement, sign)
        for pool, amount in task.pools:
            self.pools[pool] += sign * amount

    def give(self, task: Task, placement: Placement) -> None:
        self.add(task, placement, +1)

    def give_nodes(self, task: Task, placement: Placement) -> None:
        """Of a job that goes on without them, and keeps its pools."""
        self.add_nodes(task, placement, +1)

    def take(self, task: Task, placement: Placement) -> None:
        self.add(task, placement, -1)

    def without(self, task: Task, placement: Placement) -> Room:
        less = self.copy()
        less.take(task, placement)
        return less

    def least(self, other: Room) -> Room:
        """What both have."""
        free = [[min(a, b) for a, b in zip(x, y, strict=True)] for x, y in zip(self.free, other.free, strict=True)]
        pools = [min(a, b) for a, b in zip(self.pools, other.pools, strict=True)]
        return Room(self.cluster, free, pools, self.closed)

    def has(self, task: Task, placement: Placement) -> bool:
        """Whether this very placement is free."""
        if any(node in self.closed for node, _ in placement):
            return False
        less = self.without(task, placement)
        return self.pools_suffice(task) and min((n for amounts in less.free for n in amounts), default=0) >= 0

    def units(self, task: Task) -> list[int]:
        """How many units of the job fit on each node."""
        return [0 if node in self.closed else units_that_fit(free, task.unit) for node, free in enumerate(self.free)]

    def pools_suffice(self, task: Task) -> bool:
        """Who takes nothing of a pool does not wait for it, even if less than nothing is left, as under a lower cap."""
        return all(self.pools[pool] >= amount for pool, amount in task.pools if amount)


def units_that_fit(free: Sequence[int], unit: Sequence[int]) -> int:
    return max(0, min(amount // each for amount, each in zip(free, unit, strict=True) if each > 0))
