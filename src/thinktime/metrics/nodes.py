"""Use of nodes: how many are in use, how full they are, and how well a job fills its nodes.

Both are AccaSim's (`plot_factory`), for one resource or the plain sum of all. An entry is a node of a job: what the job
holds of it from its start to its end. Jobs without length hold nothing. States are those after an instant.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thinktime.support.shown import short_html, short_repr


class Entries(NamedTuple):
    """Arrays of equal length: one value for every node of every job that started."""

    row: np.ndarray  # of the job
    node: np.ndarray
    start_s: np.ndarray
    end_s: np.ndarray  # NaN: still running
    amount: np.ndarray  # int64: what the job holds on this node


class LoadRatio(NamedTuple):
    """After each instant at which something changed: the share of nodes in use, and of what these have, in use."""

    time_s: np.ndarray
    used_nodes: np.ndarray  # 0 to 1
    use_of_used_nodes: np.ndarray  # 0 to 1; 0 where no node is in use

    def __repr__(self) -> str:
        return short_repr(self)

    def _repr_html_(self) -> str:
        return short_html(self)


class _States(NamedTuple):
    """What is held of a node after each instant at which that changed, ordered by node and time."""

    node: np.ndarray
    time_s: np.ndarray
    held: np.ndarray
    of_start: np.ndarray  # for every entry, the state after its start


def load_ratio(entries: Entries, capacity: np.ndarray) -> LoadRatio:
    """`capacity` is what each node has of the resource; nodes that have none do not count as used."""
    states = _states(_lasting(entries))
    new_node = np.append(True, np.diff(states.node) != 0)[: len(states.node)]
    before = np.where(new_node, 0, np.append(0, states.held[:-1])[: len(states.held)])
    change = (states.held > 0).astype(np.int64) - (before > 0)
    times, at = np.unique(states.time_s, return_inverse=True)
    sums = [np.zeros(len(times), np.int64) for _ in range(3)]
    for total, values in zip(sums, (change, change * capacity[states.node], states.held - before), strict=True):
        np.add.at(total, at, values)
    used, there, held = (np.cumsum(total) for total in sums)
    return LoadRatio(times, used / max(len(capacity), 1), np.where(there > 0, held / np.maximum(there, 1), 0.0))


def resource_efficiency(entries: Entries, capacity: np.ndarray, jobs: int) -> np.ndarray:
    """For every job: what it holds / (that + what is free on its nodes after the instant of its start); NaN for a job
    that never started or has no length."""
    lasting = _lasting(entries)
    states = _states(lasting)
    free = capacity[lasting.node] - states.held[states.of_start]
    own, left = (np.bincount(lasting.row, values, minlength=jobs) for values in (lasting.amount, free))
    started = np.bincount(lasting.row, minlength=jobs) > 0
    total = own + left
    return np.where(started & (total > 0), own / np.where(total > 0, total, 1), np.nan)


def _lasting(entries: Entries) -> Entries:
    kept = ~(entries.end_s == entries.start_s)
    return Entries(*(values[kept] for values in entries))


def _states(entries: Entries) -> _States:
    ending = np.flatnonzero(~np.isnan(entries.end_s))
    count = len(entries.node)
    node = np.concatenate([entries.node, entries.node[ending]])
    time = np.concatenate([entries.start_s, entries.end_s[ending]])
    delta = np.concatenate([entries.amount, -entries.amount[ending]]).astype(np.int64)
    order = np.lexsort((time, node))
    node, time, delta = node[order], time[order], delta[order]
    fresh = np.append(True, (np.diff(node) != 0) | (np.diff(time) != 0))[: len(node)]
    begin = np.flatnonzero(fresh)
    state = np.empty(len(node), np.int64)  # event in the order given → state
    state[order] = np.cumsum(fresh) - 1
    total = np.cumsum(np.add.reduceat(delta, begin)) if len(begin) else np.empty(0, np.int64)
    node, time = node[begin], time[begin]
    first = np.searchsorted(node, node, side="left")
    return _States(node, time, total - np.append(0, total)[first], state[:count])
