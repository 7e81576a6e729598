"""Cores that jobs gave back before their end: a run as pieces, each of which holds what it holds from start to end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from thinktime.platforms import Cluster
    from thinktime.result.result import Result

Columns = Mapping[str, np.ndarray]


def given_back(result: Result) -> Columns:
    """`row, time_s, core`, one row a core; empty where cores are held to the end."""
    none = {"row": np.empty(0, np.int64), "time_s": np.empty(0), "core": np.empty(0, np.int64)}
    return result.report_columns.get("given_back", none)


def held(result: Result) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Start, end and processors of every piece, and whose it is: what a job held to its end, row by row, and then
    every core that it gave back."""
    of, given = result.columns, given_back(result)
    row = given["row"]
    kept = of["processors"] - np.bincount(row, minlength=len(result))
    pieces = {
        "start_s": np.concatenate([of["start_s"], of["start_s"][row]]),
        "end_s": np.concatenate([of["end_s"], given["time_s"]]),
        "processors": np.concatenate([kept, np.ones(len(row))]),
    }
    return pieces, np.concatenate([np.arange(len(result)), row])


def node_of_core(cluster: Cluster, core: np.ndarray) -> np.ndarray:
    """Cores are numbered node by node."""
    on_node = cluster.capacity[:, cluster.resources.index("core")]
    return np.searchsorted(np.cumsum(on_node), core, side="right")
