"""The use of the nodes of a run, by the formulas of metrics/nodes.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics.nodes import Entries, LoadRatio
from thinktime.metrics.nodes import load_ratio as load_ratio_of
from thinktime.metrics.nodes import resource_efficiency as efficiency_of
from thinktime.result.given_back import held_on_nodes
from thinktime.spec import one_of

if TYPE_CHECKING:
    from thinktime.result.arrays import ResultArrays


def load_ratio(result: ResultArrays, resource: str | None) -> LoadRatio:
    return load_ratio_of(*_amounts_held_on_nodes(result, resource))


def resource_efficiency(result: ResultArrays, resource: str | None) -> np.ndarray:
    """Return the efficiency of the last run of each job."""
    return efficiency_of(*_amounts_held_on_nodes(result, resource), len(result) + 1)[:-1]


def held_at(result: ResultArrays, resource: str | None, time_s: float) -> np.ndarray:
    """Return the amount in use on each node after an instant."""
    entries, capacity = _amounts_held_on_nodes(result, resource)
    now = (entries.start_s <= time_s) & ~(entries.end_s <= time_s)
    return np.bincount(entries.node[now], entries.amount[now], len(capacity))


def _amounts_held_on_nodes(result: ResultArrays, resource: str | None) -> tuple[Entries, np.ndarray]:
    """Return the amounts that jobs hold of each node, and the capacity of the nodes; of one resource or of their sum.

    Runs of jobs that were requeued have the row len(result), which is that of no job.
    """
    cluster = result.cluster
    if cluster is None or not result.has_nodes:
        raise InputError(f"{result!r} has no nodes of jobs: simulate on a tt.Cluster, without streaming")
    if resource is not None:
        one_of("resource", resource, cluster.resources)
    counted = list(cluster.resources) if resource is None else [resource]
    columns = [cluster.resources.index(name) for name in counted]
    unit = np.asarray(sum(result.columns[f"unit_{name}"] for name in counted))
    every, start_s, end_s, last = held_on_nodes(result, cluster)
    row = np.where(last, every.row, len(result)).astype(np.int64)
    held = Entries(row, every.node.astype(np.int64), start_s, end_s, (every.units * unit[every.row]).astype(np.int64))
    return held, cluster.capacity[:, columns].sum(axis=1)
