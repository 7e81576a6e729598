"""How the nodes of a run were used: its placements as the entries that metrics/nodes.py takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics.nodes import NodeUse
from thinktime.result.placements import by_node

if TYPE_CHECKING:
    import polars as pl

    from thinktime.platforms import Cluster
    from thinktime.result.result import Result


def load_ratio(result: Result, resource: str | None) -> pl.DataFrame:
    import polars as pl

    use, _ = node_use(result, resource)
    time_s = result.timeline_columns["time_s"]
    nodes, share = use.load_ratio(time_s)
    return pl.DataFrame({"time_s": np.asarray(time_s), "used_nodes": nodes, "use": share})


def resource_efficiency(result: Result, resource: str | None) -> np.ndarray:
    use, row = node_use(result, resource)
    return use.efficiency(row, len(result))


def node_use(result: Result, resource: str | None = None) -> tuple[NodeUse, np.ndarray]:
    """What jobs held of one resource, or of all added up as they are (AccaSim: cores and kilobytes alike); and the row
    of the job of each entry."""
    cluster = _nodes_of(result)
    chosen = [resource] if resource is not None else list(cluster.resources)
    if resource is not None and resource not in cluster.resources:
        raise InputError(f"the nodes have no {resource!r}: choose one of {', '.join(cluster.resources)}")
    every, of = by_node(result.placement_columns), result.columns
    unit = np.sum([of[f"unit_{name}"] for name in chosen], axis=0)
    capacity = cluster.capacity[:, [cluster.resources.index(name) for name in chosen]].sum(axis=1).astype(np.float64)
    start_s, end_s = of["start_s"][every.row], of["end_s"][every.row]
    return NodeUse(every.node, every.units * unit[every.row], start_s, end_s, capacity), every.row


def _nodes_of(result: Result) -> Cluster:
    if result.cluster is None:
        raise InputError("the run was on a machine without nodes: simulate on a tt.Cluster to see how nodes are used")
    if not result.has_nodes and np.any(~np.isnan(result.columns["start_s"])):
        raise InputError("the run kept no nodes: simulate it without --stream")
    return result.cluster
