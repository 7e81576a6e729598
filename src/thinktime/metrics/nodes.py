"""How well nodes are used: AccaSim's load ratio over time, and the resource efficiency of every start.

The functions take one entry for every node of every job: `node`, `amount` (what the job holds there of one resource,
or the plain sum of several), `start_s` and `end_s`; and `capacity`, the same of every node. A job without length holds
nothing; one without an end holds for ever. All that happens at an instant has happened when it is looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class NodeUse:
    """Who holds how much of which node, from when until when."""

    node: np.ndarray  # int: place of the node
    amount: np.ndarray
    start_s: np.ndarray
    end_s: np.ndarray
    capacity: np.ndarray  # of each node

    @cached_property
    def held(self) -> np.ndarray:
        """The entries that hold something for some time."""
        end_s = np.where(np.isnan(self.end_s), np.inf, self.end_s)
        return (self.amount > 0) & (end_s > self.start_s)

    @cached_property
    def steps(self) -> Steps:
        node, amount, start_s, end_s = (each[self.held] for each in (self.node, self.amount, self.start_s, self.end_s))
        end_s = np.where(np.isnan(end_s), np.inf, end_s)
        time_s, both = np.concatenate([start_s, end_s]), np.concatenate([node, node])
        change, holders = np.concatenate([amount, -amount]), np.repeat([1, -1], len(node))
        return Steps.of(both, time_s, change, holders)

    def load_ratio(self, time_s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """After each instant: the share of nodes in use, and of what these have, the share in use. Both are 0 while
        nobody runs."""
        steps = self.steps
        turned = np.diff(steps.used.astype(np.int64), prepend=0)  # +1: a node comes into use, -1: it is empty again
        order = np.argsort(steps.time_s, kind="stable")
        changes = (turned, turned * self.capacity[steps.node], steps.change)
        sums = [np.concatenate([[0.0], np.cumsum(each[order])]) for each in changes]
        place = np.searchsorted(steps.time_s[order], time_s, side="right")
        nodes, has, use = (each[place] for each in sums)
        return nodes / max(len(self.capacity), 1), np.where(has > 0, use / np.where(has > 0, has, 1.0), 0.0)

    def used_at(self, time_s: float) -> np.ndarray:
        """What is in use of every node after an instant."""
        now = (self.start_s <= time_s) & ~(self.end_s <= time_s)
        return np.bincount(self.node[now], self.amount[now], len(self.capacity))

    def efficiency(self, row: np.ndarray, rows: int) -> np.ndarray:
        """Of each job: what it holds, by that and all that is still free on its nodes after its start. NaN for one
        that holds nothing."""
        steps = self.steps
        at = steps.place[: np.count_nonzero(self.held)]  # of each entry's start
        free = self.capacity[self.node[self.held]] - steps.after[at]
        own = np.bincount(row[self.held], self.amount[self.held], rows)
        beside = np.bincount(row[self.held], free, rows)
        return np.divide(own, own + beside, out=np.full(rows, np.nan), where=own > 0)


@dataclass(frozen=True)
class Steps:
    """One row for every node and instant at which its use changes; by node, then time."""

    node: np.ndarray
    time_s: np.ndarray
    change: np.ndarray  # of the amount in use
    after: np.ndarray  # amount in use after it
    used: np.ndarray  # bool: somebody holds some of the node after it
    place: np.ndarray  # of every change that was given: its row

    @classmethod
    def of(cls, node: np.ndarray, time_s: np.ndarray, change: np.ndarray, holders: np.ndarray) -> Steps:
        order = np.lexsort((time_s, node))
        node, time_s = node[order], time_s[order]
        new = np.ones(len(node), bool)
        new[1:] = (node[1:] != node[:-1]) | (time_s[1:] != time_s[:-1])
        group = np.cumsum(new) - 1
        place = np.empty(len(node), np.int64)
        place[order] = group
        node, time_s, count = node[new], time_s[new], int(group[-1]) + 1 if len(group) else 0
        change = np.bincount(group, change[order], count)
        # All that is taken is given back, at infinity if not before: a running sum is 0 again where a node begins.
        after, held = np.cumsum(change), np.cumsum(np.bincount(group, holders[order], count))
        return cls(node, time_s, change, after, held > 0, place)
