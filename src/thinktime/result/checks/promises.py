"""EASY never delays the reservation of the head: a job at the head of the queue starts by its shadow time.

The shadow time is recomputed from the finished schedule: from the jobs that ran when a job became the blocked head, and
from their expected ends. Later shadow times are never later, so the first one is tested.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from thinktime.metrics.status import COMPLETED, KILLED, UNFINISHED
from thinktime.platforms import Cluster
from thinktime.result.checks.timeline import Finding
from thinktime.result.result import Result
from thinktime.support.json_types import JsonDict

#: Allocators that take any node with room → whether the nodes of a job must be neighbours.
NEIGHBOURS = {"first-fit": False, "best-fit": False, "worst-fit": False, "random": False, "contiguous": True}


def heads_promise(result: Result) -> Iterator[Finding]:
    """The head of the queue starts by its shadow time, under EASY in order of arrival with reliable expected ends.

    On a cluster the reservation is of nodes. It is checked where nodes alone decide: without pools, queues and plugins,
    and with an allocator that takes any node with room.
    """
    if not _promises(result) or (result.cluster is not None and not _only_nodes_decide(result, result.cluster)):
        return
    of = result.columns
    ran = np.flatnonzero((of["status"] == COMPLETED) | (of["status"] == KILLED))
    promised = _promised_starts(result, ran)
    late = of["start_s"][ran] > promised

    def say(i: int) -> str:
        name = f"row {i}" if np.isnan(of["job"][i]) else f"job {of['job'][i]:.0f}"
        due = promised[np.searchsorted(ran, i)]
        return (
            f"{name} starts at {of['start_s'][i]:.15g} s although it was promised {due:.15g} s as the head of the queue"
        )

    yield Finding(ran[late], say, of_jobs=True)


def _promises(result: Result) -> bool:
    spec, scheduler = result.spec, result.spec.get("scheduler")
    if not ties_by_row(result) or not isinstance(scheduler, Mapping) or (result.columns["status"] == UNFINISHED).any():
        return False
    usual = scheduler.get("order", "arrival") == "arrival" and scheduler.get("recompute", True)
    usual = usual and scheduler.get("eligible") is None  # otherwise the head depends on more than the arrival
    looked_into = spec.get("applications", {}).get("name", "fixed") != "fixed"  # expected ends are unknown
    easy = not looked_into and scheduler.get("name") == "easy" and usual and not scheduler.get("compat")
    return bool(easy and spec.get("same_instant") == "batch" and spec.get("overrun") in ("extend", "kill"))


def _only_nodes_decide(result: Result, cluster: Cluster) -> bool:
    allocator = result.spec.get("allocator")
    known = isinstance(allocator, Mapping) and allocator.get("name") in NEIGHBOURS
    return bool(known and result.has_nodes and not (cluster.queues or cluster.pools or result.spec.get("plugins")))


def ties_by_row(result: Result) -> bool:
    """Return whether jobs of one instant queue in the order of the rows.

    A streamed run has another order. Users who react may submit after an event of the same instant, behind others.
    """
    workload, users = result.spec.get("workload"), result.spec.get("users")
    streamed = isinstance(workload, Mapping) and workload.get("streamed")
    return not streamed and (not isinstance(users, Mapping) or users.get("name") == "rigid")


def _promised_starts(result: Result, ran: np.ndarray) -> np.ndarray:
    from thinktime import _engine

    of = {name: np.ascontiguousarray(values[ran]) for name, values in result.columns.items()}
    known = np.maximum(of["estimate_s"], of["run_s"]) if result.spec["overrun"] == "extend" else of["estimate_s"]
    times: JsonDict = {"submit": of["submit_s"], "start": of["start_s"], "end": of["end_s"]}
    times["expected_end"] = of["start_s"] + known
    promised: np.ndarray
    if result.cluster is not None:
        promised = _engine.easy_promises_on_nodes(**times, **_nodes_of(result, result.cluster, ran, of))
    else:
        promised = _engine.easy_promises(
            **times, processors=of["processors"].astype(np.int32), machine=result.processors
        )
    return promised


def _nodes_of(result: Result, cluster: Cluster, ran: np.ndarray, of: Mapping[str, np.ndarray]) -> JsonDict:
    """Return the nodes and their jobs for the engine; rows are positions among the jobs that ran."""
    spans = result.placement_columns
    there = (spans["first"] >= 0) & (spans["first"] + spans["nodes"] <= cluster.nodes)  # other rules check the rest
    mine = np.isin(spans["row"], ran) & there
    placed = {name: np.ascontiguousarray(spans[name][mine], dtype=np.int64) for name in ("first", "nodes", "units")}
    unit = np.column_stack([of[f"unit_{name}"] for name in cluster.resources])
    return {
        **placed,
        "row": np.searchsorted(ran, spans["row"][mine]).astype(np.int64),
        "processors": of["processors"].astype(np.int64),
        "capacity": np.ascontiguousarray(cluster.capacity, dtype=np.int64).ravel(),
        "resources": len(cluster.resources),
        "unit": np.ascontiguousarray(unit, dtype=np.int64).ravel(),
        "neighbours": NEIGHBOURS[result.spec["allocator"]["name"]],
    }
