"""Allocators: which nodes a job gets. All take from each node that they visit as many units as fit and are missing.

first-fit    nodes in the order of the configuration
best-fit     nodes with the least free first: the sum of what is free ("raw"), or of the free shares ("normalized")
worst-fit    nodes with the most free first
contiguous   the first run of neighbouring nodes, each with room for a unit, that has room for all
random       nodes drawn one after the other, each as likely as any other with room
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from reference.job import Task
from reference.nodes.cluster import Placement, Room


def place(room: Room, task: Task, start: float, boot: float = 0.0) -> Placement | None:
    """Where the allocator puts the job if it starts then, and its nodes boot for so long; None if it does not fit."""
    units = [n if n and room.cluster.open(node, start, task, boot) else 0 for node, n in enumerate(room.units(task))]
    if sum(units) < task.processors or not room.pools_suffice(task):
        return None
    name = room.cluster.allocator["name"]
    if name == "contiguous":
        return contiguous(units, task.processors)
    nodes = {"first-fit": by_index, "best-fit": by_rank, "worst-fit": by_rank, "random": drawn}[str(name)]
    return fill(nodes(room, task, units), units, task.processors)


def fill(nodes: Iterator[int], units: list[int], missing: int) -> Placement:
    placement = []
    while missing:
        node = next(nodes)
        placement.append((node, min(missing, units[node])))
        missing -= placement[-1][1]
    return tuple(placement)


def by_index(room: Room, task: Task, units: list[int]) -> Iterator[int]:
    return iter([node for node, n in enumerate(units) if n])


def by_rank(room: Room, task: Task, units: list[int]) -> Iterator[int]:
    sign = -1 if room.cluster.allocator["name"] == "worst-fit" else 1
    return iter(sorted((node for node, n in enumerate(units) if n), key=lambda node: (sign * rank(room, node), node)))


def rank(room: Room, node: int) -> float:
    free, capacity = room.free[node], room.cluster.capacity[node]
    pairs = list(zip(free, capacity, strict=True))[: room.cluster.ranked]
    if room.cluster.allocator.get("ranking", "raw") == "raw":
        return float(sum(amount for amount, _ in pairs))
    total = 0.0
    for amount, most in pairs:
        total += amount / most if most else 0.0
    return total


def contiguous(units: list[int], missing: int) -> Placement | None:
    run: list[int] = []
    for node, n in enumerate(units):
        run = [*run, node] if n else []
        if sum(units[k] for k in run) >= missing:
            return fill(iter(run), units, missing)
    return None


TRIES = 16


def drawn(room: Room, task: Task, units: list[int]) -> Iterator[int]:
    """Draw from all nodes until one has room; after some misses in a row, from those that have."""
    key = room.cluster.allocator["seed_low"], (int(room.cluster.allocator["seed_high"]) + task.index) % 2**64  # type: ignore[call-overload]
    random = np.random.Generator(np.random.Philox(key=np.array(key, dtype=np.uint64)))
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
