"""best-fit: nodes with the least free first. worst-fit: nodes with the most free first.

What is free is the sum of the amounts ("raw"), or of the free shares ("normalized").
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from reference.job import Task
from reference.nodes.allocator import Allocator
from reference.nodes.cluster import Room


class BestFit(Allocator):
    name = "best-fit"
    sign: ClassVar[int] = 1

    def nodes(self, room: Room, task: Task, units: list[int]) -> Iterator[int]:
        roomy = [node for node, n in enumerate(units) if n]
        return iter(sorted(roomy, key=lambda node: (self.sign * rank(room, node), node)))


class WorstFit(BestFit):
    name = "worst-fit"
    sign = -1


def rank(room: Room, node: int) -> float:
    free, capacity = room.free[node], room.cluster.capacity[node]
    pairs = list(zip(free, capacity, strict=True))[: room.cluster.ranked]
    if room.cluster.allocator.get("ranking", "raw") == "raw":
        return float(sum(amount for amount, _ in pairs))
    total = 0.0
    for amount, most in pairs:
        total += amount / most if most else 0.0
    return total
