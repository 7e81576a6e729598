"""random: nodes drawn one after the other, each as likely as any other with room."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from reference.job import Task
from reference.nodes.allocator import Allocator
from reference.nodes.cluster import Room

TRIES = 16


class RandomNodes(Allocator):
    name = "random"

    def nodes(self, room: Room, task: Task, units: list[int]) -> Iterator[int]:
        """Draw from all nodes until one has room; after some misses in a row, from those that have."""
        low, high = room.cluster.allocator["seed_low"], int(str(room.cluster.allocator["seed_high"]))
        key = np.array((low, (high + task.index) % 2**64), dtype=np.uint64)
        random = np.random.Generator(np.random.Philox(key=key))
        left = list(units)
        while True:
            node = next_node(random, left)
            left[node] = 0
            yield node


def next_node(random: np.random.Generator, units: list[int]) -> int:
    for _ in range(TRIES):
        node = int(random.random() * len(units))
        if units[node]:
            return node
    roomy = [node for node, n in enumerate(units) if n]
    return roomy[int(random.random() * len(roomy))]
