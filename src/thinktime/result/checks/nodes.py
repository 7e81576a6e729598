"""Rules on a cluster: jobs are placed whole, inside their partition, and no node, pool or limit is exceeded.

Inside one instant, ends release before starts take, and a job of length zero starts and ends. A streamed run has no
nodes: only its pools and limits are checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from thinktime.platforms import Cluster
from thinktime.platforms.cluster_parts import LIMITS
from thinktime.result.checks.timeline import Finding
from thinktime.result.given_back import held_on_nodes
from thinktime.result.placements import ByNode, by_node
from thinktime.result.result import Result

Say = Callable[[int], str]


def placed_whole(result: Result) -> Iterator[Finding]:
    """Every started job has exactly its units, on existing nodes, each once; other jobs have no nodes."""
    cluster = result.cluster
    if cluster is None:
        return
    every, name = by_node(result.placement_columns), _namer(result)
    started, size = ~np.isnan(result.columns["start_s"]), result.columns["processors"]
    units = np.bincount(every.row, every.units, minlength=len(result))
    wrong = np.flatnonzero(started & (units != size))
    yield Finding(wrong, lambda i: f"{name(i)} has {units[i]:g} units on its nodes, not its {size[i]:g}", of_jobs=True)
    idle = np.flatnonzero(~started & (units > 0))
    yield Finding(idle, lambda i: f"{name(i)} never started but holds {units[i]:g} units on nodes", of_jobs=True)
    bad = (every.node < 0) | (every.node >= cluster.nodes) | (every.units < 1)
    yield _finding_on_nodes(
        every, bad, lambda k: f"{name(every.row[k])} has {every.units[k]} units on node {every.node[k]}"
    )
    order = np.lexsort((every.node, every.row))
    again = (np.diff(every.row[order]) == 0) & (np.diff(every.node[order]) == 0)
    rows = np.unique(every.row[order][1:][again])
    yield Finding(rows, lambda i: f"{name(i)} has the same node twice", of_jobs=True)


def nodes_never_oversubscribed(result: Result) -> Iterator[Finding]:
    """At every start, the use of each resource of a node is at most its capacity."""
    cluster = result.cluster
    if cluster is None or not result.has_nodes:
        return
    every, start, end = _known_pieces(result, cluster)
    sweep, name = Sweep(every.node, start, end), _namer(result)
    for k, resource in enumerate(cluster.resources):
        used = sweep.used(every.units * result.columns[f"unit_{resource}"][every.row])
        has = cluster.capacity[every.node, k]

        def say(i: int, used: np.ndarray = used, has: np.ndarray = has, resource: str = resource) -> str:
            held = f"{used[i]:g} {resource} of node {cluster.node_names[every.node[i]]} are in use"
            return f"when {name(every.row[i])} starts, {held}, which has {has[i]}"

        yield _finding_on_nodes(every, used > has, say)


def _known_pieces(result: Result, cluster: Cluster) -> tuple[ByNode, np.ndarray, np.ndarray]:
    """Return what every run held on each existing node, from when until when."""
    every, start_s, end_s, _ = held_on_nodes(result, cluster)
    there = (every.node >= 0) & (every.node < cluster.nodes)
    return ByNode(*(each[there] for each in every)), start_s[there], end_s[there]


def inside_partitions(result: Result) -> Iterator[Finding]:
    """Jobs of a queue with a partition run on the nodes of the partition."""
    cluster = result.cluster
    if cluster is None or not result.has_nodes or not cluster.queues:
        return
    every, name = _known_nodes(by_node(result.placement_columns), cluster), _namer(result)
    group = np.repeat(np.arange(len(cluster.groups)), cluster.group_nodes)[every.node]
    members = {part.name: part.groups for part in cluster.partitions}
    queue = result.columns["cluster_queue"][every.row]
    for k, each in enumerate(cluster.queues):
        if each.partition is None:
            continue
        inside = np.array([part.name in members[each.partition] for part in cluster.groups])

        def say(i: int, partition: str = each.partition) -> str:
            where = cluster.node_names[every.node[i]]
            return f"{name(every.row[i])} runs on node {where}, which is outside its partition {partition}"

        yield _finding_on_nodes(every, (queue == k) & ~inside[group], say)


def pools_never_oversubscribed(result: Result) -> Iterator[Finding]:
    """At every start, the use of each pool and of each queue's running limit is at most its size."""
    cluster = result.cluster
    if cluster is None:
        return
    of, name = result.columns, _namer(result)
    for what, size, key, amount in _pools(cluster, of):
        again = result.attempts_made.requeued().columns
        row = np.concatenate([np.flatnonzero(~np.isnan(of["start_s"])), again["row"]])
        start, end = (
            np.concatenate([of[each][~np.isnan(of["start_s"])], again[each]]) for each in ("start_s", "end_s")
        )
        takes = amount[row] > 0
        row, start, end = row[takes], start[takes], end[takes]
        worst = np.zeros(len(result))
        np.maximum.at(worst, row, Sweep(key[row], start, end).used(amount[row]))

        def say(i: int, what: str = what, size: int = size, worst: np.ndarray = worst) -> str:
            return f"when {name(i)} starts, {worst[i]:g} of {what} are in use, which is {size}"

        yield Finding(np.flatnonzero(worst > size), say, of_jobs=True)


def _pools(cluster: Cluster, of: Mapping[str, np.ndarray]) -> Iterator[tuple[str, int, np.ndarray, np.ndarray]]:
    """Yield name, size, owner (a number per separate pool) and the amount of every job."""
    all_users = np.zeros(len(of["job"]), np.int64)
    for pool in cluster.pools:
        yield f"pool {pool.name}", pool.amount, all_users, of[f"pool_{pool.name}"]
    for k, queue in enumerate(cluster.queues):
        mine = of["cluster_queue"] == k
        for limit, (what, by_user) in LIMITS.items():
            if (size := getattr(queue, limit)) is not None:
                key = np.unique(of["user"], return_inverse=True)[1] if by_user else all_users
                taken = np.where(mine, of["processors"] if what == "processors" else 1.0, 0.0)
                yield f"{limit} of queue {queue.name}", size, key, taken


class Sweep:
    """Intervals that hold amounts of a key: how much of the key is held at each start.

    Events are in the order (key, time, kind): ends, then intervals of length zero, then starts.
    """

    def __init__(self, key: np.ndarray, start_s: np.ndarray, end_s: np.ndarray) -> None:
        self._passing = end_s == start_s
        starts, ends = np.arange(len(key)), np.flatnonzero(end_s > start_s)
        entry = np.concatenate([ends, starts])
        kind = np.concatenate([np.zeros(len(ends)), np.where(self._passing, 1, 2)])
        time = np.concatenate([end_s[ends], start_s])
        order = np.lexsort((entry, kind, time, key[entry]))
        self._entry, self._kind = entry[order], kind[order]
        ordered = key[self._entry]
        self._first = np.searchsorted(ordered, ordered, side="left")  # the first event of the same key

    def used(self, amount: np.ndarray) -> np.ndarray:
        """Return the amount held at the start of every interval, its own included."""
        own = amount[self._entry].astype(np.float64)
        total = np.concatenate([[0.0], np.cumsum(np.select([self._kind == 0, self._kind == 1], [-own, 0.0], own))])
        held = total[1:] - total[self._first] + np.where(self._kind == 1, own, 0.0)
        used = np.zeros(len(amount))
        used[self._entry[self._kind > 0]] = held[self._kind > 0]
        return used


def _finding_on_nodes(every: ByNode, broken: np.ndarray, say: Say) -> Finding:
    """Yield the jobs with a violation; the sentence is about the first of each."""
    found = np.flatnonzero(broken)
    rows, first = np.unique(every.row[found], return_index=True)
    entry = dict(zip(rows.tolist(), found[first].tolist(), strict=True))
    return Finding(rows, lambda i: say(entry[i]), of_jobs=True)


def _known_nodes(every: ByNode, cluster: Cluster) -> ByNode:
    """Return the entries on existing nodes; another rule checks the others."""
    there = (every.node >= 0) & (every.node < cluster.nodes)
    return every if there.all() else ByNode(*(each[there] for each in every))


def _namer(result: Result) -> Callable[[int], str]:
    job = result.columns["job"]
    return lambda i: f"row {i}" if np.isnan(job[i]) else f"job {job[i]:.0f}"


#: name → rule
NODE_RULES: dict[str, Callable[[Result], Iterator[Finding]]] = {
    "placed whole": placed_whole,
    "nodes never oversubscribed": nodes_never_oversubscribed,
    "inside partitions": inside_partitions,
    "pools never oversubscribed": pools_never_oversubscribed,
}
