"""The nodes of a cluster as the engine has them: real resources, then one feature for each partition in use.

A feature marks a partition: a node inside has more of it than all units take, a node outside has none. A unit that must
stay inside takes 1. Rankings ignore features.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from thinktime.platforms.cluster import Cluster
from thinktime.platforms.cluster_parts import MOST_AMOUNT

#: Rows that are compared with all groups at once, in a few MB.
ROWS = 16_384
#: More units than a job can have: enough for a node, and sums over all nodes stay within 64 bits.
ENOUGH = 2**31


@dataclass(frozen=True)
class Layout:
    """`capacity` is [node, resource]: the resources, then the features."""

    cluster: Cluster

    @property
    def real(self) -> int:
        return len(self.cluster.resources)

    @cached_property
    def features(self) -> tuple[str, ...]:
        """The partitions that a queue names, except those of the whole cluster."""
        every = {group.name for group in self.cluster.groups}
        named = {queue.partition for queue in self.cluster.queues}
        parts = [part for part in self.cluster.partitions if part.name in named]
        return tuple(part.name for part in parts if set(part.groups) != every)

    @property
    def resources(self) -> int:
        return self.real + len(self.features)

    @cached_property
    def group_capacity(self) -> np.ndarray:
        """[group, resource]: what one node of the group has."""
        members = {part.name: part.groups for part in self.cluster.partitions}
        inside = [[group.name in members[name] for name in self.features] for group in self.cluster.groups]
        marks = np.array(inside, dtype=np.int64).reshape(len(self.cluster.groups), len(self.features))
        return np.hstack([self.cluster.group_capacity, MOST_AMOUNT * marks])

    @property
    def capacity(self) -> np.ndarray:
        return np.repeat(self.group_capacity, self.cluster.group_nodes, axis=0)

    def most_units(self, units: np.ndarray) -> np.ndarray:
        """Return for every row of `units` the number that the empty nodes hold."""
        nodes = np.array(self.cluster.group_nodes)
        parts = [units[begin : begin + ROWS] for begin in range(0, len(units), ROWS)]
        return np.concatenate([np.empty(0, np.int64), *(self._by_group(part).min(axis=2) @ nodes for part in parts)])

    def most_units_by_resource(self, units: np.ndarray) -> np.ndarray:
        """Return [row, resource]: the same if only this resource were limited."""
        most: np.ndarray = np.einsum("sgr,g->sr", self._by_group(units), np.array(self.cluster.group_nodes))
        return most

    def most_units_in_total(self, units: np.ndarray) -> np.ndarray:
        """Return for every row the number that the sums over all nodes would allow."""
        totals = np.array(self.cluster.group_nodes) @ self.cluster.group_capacity
        most: np.ndarray = _quotients(totals, units[:, : self.real]).min(axis=1)
        return most

    def _by_group(self, units: np.ndarray) -> np.ndarray:
        """Return [row, group, resource]: the number that one node of the group holds."""
        return _quotients(self.group_capacity[None, :, :], units[:, None, :])


def _quotients(has: np.ndarray, needs: np.ndarray) -> np.ndarray:
    """Return how often each amount fits; ENOUGH where none is needed."""
    return np.where(needs > 0, np.minimum(has // np.maximum(needs, 1), ENOUGH), ENOUGH)
