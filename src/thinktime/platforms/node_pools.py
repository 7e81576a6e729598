"""Pools: amounts of the whole cluster, of which a job holds a part while it runs.

The pools of the cluster come first. Each running limit of a queue is a pool too, and each limit per user is one pool
per user of the queue, so that the engine has one mechanism.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from thinktime.platforms.cluster import Cluster
from thinktime.platforms.cluster_parts import LIMITS, MOST_AMOUNT, Pool
from thinktime.support.equality import ByContent
from thinktime.workload import Workload


class _Use(NamedTuple):
    """Jobs that take of some pools: rows, pools and amounts of equal length."""

    rows: np.ndarray
    pools: np.ndarray
    amounts: np.ndarray


@dataclass(frozen=True, eq=False, repr=False)
class PoolUses(ByContent):
    """Job j takes `amount[start[j]:start[j+1]]` of `pool[start[j]:start[j+1]]`."""

    sizes: np.ndarray  # int64, by pool
    names: tuple[str, ...]  # the pool, or the limit that it represents
    start: np.ndarray  # int64, one more than jobs
    pool: np.ndarray  # int64
    amount: np.ndarray  # int64

    @property
    def row(self) -> np.ndarray:
        """Return the job of every use."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    def taken(self, pool: int) -> np.ndarray:
        """Return what every job takes of one pool."""
        mine = self.pool == pool
        return np.bincount(self.row[mine], self.amount[mine], minlength=len(self.start) - 1)

    def refused(self) -> Iterator[tuple[str, np.ndarray]]:
        """Yield a reason and a mask of the jobs that ask for more than the size of a pool."""
        much = self.amount > self.sizes[self.pool]
        for name in dict.fromkeys(np.array(self.names, dtype=object)[self.pool[much]].tolist()):
            mine = np.array([each == name for each in self.names])
            jobs = np.zeros(len(self.start) - 1, bool)
            jobs[self.row[much & mine[self.pool]]] = True
            yield f"more than {name}", jobs

    def without(self, refused: np.ndarray) -> PoolUses:
        """Return the uses without those of these jobs."""
        kept = ~refused[self.row]
        count = np.bincount(self.row[kept], minlength=len(self.start) - 1)
        return PoolUses(self.sizes, self.names, _starts(count), self.pool[kept], self.amount[kept])

    def with_pool(self, name: str, size: int, amount: np.ndarray) -> PoolUses:
        """Return the uses with one more pool, of which every job takes its amount."""
        jobs = np.arange(len(self.start) - 1)
        row = np.concatenate([self.row, jobs])
        order = np.argsort(row, kind="stable")
        pool = np.concatenate([self.pool, np.full(len(jobs), len(self.sizes))])[order]
        every = np.concatenate([self.amount, amount])[order]
        start = self.start + np.arange(len(self.start))
        return PoolUses(np.append(self.sizes, size), (*self.names, name), start, pool, every)

    def rows(self, rows: slice) -> PoolUses:
        begin, end, _ = rows.indices(len(self.start) - 1)
        inside = slice(int(self.start[begin]), int(self.start[max(begin, end)]))
        start = self.start[begin : max(begin, end) + 1] - self.start[begin]
        return PoolUses(self.sizes, self.names, start, self.pool[inside], self.amount[inside])


def pool_uses(
    workload: Workload, cluster: Cluster, queue: np.ndarray, processors: np.ndarray, given: Mapping[str, np.ndarray]
) -> PoolUses:
    """Return all pools of the cluster, and what jobs take of them."""
    sizes, names, uses = list[int](), list[str](), list[_Use]()
    for pool in cluster.pools:
        amount = given.get(pool.name, _configured(pool, workload, processors))
        rows = np.flatnonzero(amount > 0)
        uses.append(_Use(rows, np.full(len(rows), len(sizes)), amount[rows]))
        sizes.append(pool.amount)
        names.append(f"the pool {pool.name} has")
    for k, each in enumerate(cluster.queues):
        for limit in (limit for limit in LIMITS if getattr(each, limit) is not None):
            rows = np.flatnonzero(queue == k)
            which, count = _pool_of(workload, rows, limit)
            amount = np.ones(len(rows), np.int64) if LIMITS[limit][0] == "jobs" else processors[rows].astype(np.int64)
            uses.append(_Use(rows, len(sizes) + which, amount))
            sizes += [getattr(each, limit)] * count
            names += [f"{limit} of queue {each.name}"] * count
    return _join_pool_uses(uses, np.array(sizes, dtype=np.int64), tuple(names), len(workload))


def pool_sizes(cluster: Cluster) -> np.ndarray:
    """Return the sizes of the pools before any job is known, without limits per user."""
    limits = [(queue, limit) for queue in cluster.queues for limit, (_, by_user) in LIMITS.items() if not by_user]
    given = [getattr(queue, limit) for queue, limit in limits]
    return np.array([*(pool.amount for pool in cluster.pools), *(size for size in given if size)], dtype=np.int64)


def _pool_of(workload: Workload, rows: np.ndarray, limit: str) -> tuple[np.ndarray, int]:
    """Return for every row the pool of the limit, and the number of pools: one, or one per user."""
    if not LIMITS[limit][1]:
        return np.zeros(len(rows), np.int64), 1
    users, which = np.unique(workload["user"][rows], return_inverse=True)
    return which, len(users)


def _configured(pool: Pool, workload: Workload, processors: np.ndarray) -> np.ndarray:
    """Return what a job takes by the configuration."""
    amount = np.minimum(pool.per_job + pool.per_processor * processors, 2.0 * MOST_AMOUNT).astype(np.int64)
    return np.where(np.isin(workload["executable"], pool.executables), amount, 0) if pool.executables else amount


def _join_pool_uses(uses: list[_Use], sizes: np.ndarray, names: tuple[str, ...], jobs: int) -> PoolUses:
    rows, pools, amounts = (
        np.concatenate([np.empty(0, np.int64), *(use[k] for use in uses)]).astype(np.int64) for k in range(3)
    )
    order = np.argsort(rows, kind="stable")
    return PoolUses(sizes, names, _starts(np.bincount(rows, minlength=jobs)), pools[order], amounts[order])


def _starts(count: np.ndarray) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(count)]).astype(np.int64)
