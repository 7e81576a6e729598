"""first-fit: nodes in the order of the configuration."""

from __future__ import annotations

from collections.abc import Iterator

from reference.job import Task
from reference.nodes.allocator import Allocator
from reference.nodes.cluster import Room


class FirstFit(Allocator):
    name = "first-fit"

    def nodes(self, room: Room, task: Task, units: list[int]) -> Iterator[int]:
        return iter([node for node, n in enumerate(units) if n])
