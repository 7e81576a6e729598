"""Failures and repairs of nodes."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics.metric import Blocks, Metric, rate_of_events, with_plugin
from thinktime.plugins.calendar import horizon_s
from thinktime.plugins.context import Context
from thinktime.plugins.node_names import NodesLike, nodes_of
from thinktime.plugins.plugin import Columns, Plugin, Published, by_table
from thinktime.plugins.windows import Windows, as_tables, windows
from thinktime.support.json_types import JsonDict, JsonTable
from thinktime.support.random_streams import checked_seed, name_hash
from thinktime.support.time_units import HOUR_S
from thinktime.workload.reading.implausible_times import YEAR_S, suspect

MOST_FAILURES = 5_000_000


class Failures(Plugin, name="failures"):
    """Breaks and repairs nodes; jobs on a broken node are requeued, restarted from a checkpoint, or lost.

    With `mtbf_h`, the mean time between failures of a node in hours, failures are drawn from one random stream per
    node: the time to the next failure is Weibull with `shape` (1: exponential), the repair takes `mttr_h` hours on
    average (`repair`: `exponential` or `constant`). Otherwise `table` or the CSV `file` lists them: rows of
    `nodes, from_s, to_s`.

    `jobs` decides about the jobs on a broken node: `requeue` starts them over, `checkpoint` continues from the last
    checkpoint (every `checkpoint_h` hours of work), `lose` ends them. A restart costs `restart_s`. A job that is hit
    more than `restarts` times is lost. `nodes` are the nodes that can break.
    """

    random: ClassVar[bool] = True
    publishes: ClassVar[Mapping[str, Published]] = {
        "broken_nodes": Published("the number of broken nodes", "tt.Failures(…)"),
    }
    words: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "jobs": ("requeue", "checkpoint", "lose"),
        "repair": ("exponential", "constant"),
    }
    lowest: ClassVar[Mapping[str, float]] = {"shape": 0.05, "mtbf_h": 1e-4}

    metrics: ClassVar[tuple[Metric, ...]] = (
        Metric(
            name="failures",
            label="failures of nodes",
            unit="failures",
            formula="how often a node broke",
            group="failures",
            runs=with_plugin("failures", "failures"),
            value=lambda run: len(run.tables["failures"]["node"]),
            rate=lambda run, t1, t2: rate_of_events(run.tables["failures"]["broken_s"], 1.0, t1, t2),
            blocks=Blocks("failures", operator.add),
        ),
        Metric(
            name="broken_node_h",
            label="node-hours lost to failures",
            unit="node h",
            formula="hours in which nodes were broken, from the first submission to the last end, over all nodes",
            group="failures",
            runs=with_plugin("failures", "failures"),
            value=lambda run: broken_node_s(run.tables["failures"], *run.span_s) / HOUR_S,
            rate=lambda run, t1, t2: broken_node_s(run.tables["failures"], t1, t2) / HOUR_S / (t2 - t1),
            blocks=Blocks("failures", operator.add, again=lambda rows, end_s: ~(rows["repaired_s"] <= end_s)),
        ),
    )

    mtbf_h: float | None = None
    mttr_h: float = 4.0
    shape: float = 1.0
    repair: str = "exponential"
    jobs: str = "requeue"
    checkpoint_h: float = 0.0
    restart_s: float = 0.0
    restarts: int = 100
    nodes: NodesLike = "all"
    table: Windows = ()
    file: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "table", windows(self.table, self.file, "failures"))
        object.__setattr__(self, "file", None)  # its rows are in the table now
        if self.mtbf_h is None and not self.table:
            raise InputError("failures needs mtbf_h, a table or a file: give one of them")
        if self.mtbf_h is not None and self.table:
            raise InputError("failures has both mtbf_h and a table or file: give one of the two")
        if self.mtbf_h is not None:
            object.__setattr__(self, "mtbf_h", self.number("mtbf_h", self.mtbf_h))
        if isinstance(self.restarts, bool) or not isinstance(self.restarts, int) or self.restarts < 0:
            raise InputError(f"restarts of failures is {self.restarts!r}: choose a whole number of 0 or more")
        if self.jobs == "checkpoint" and not self.checkpoint_h > 0:
            raise InputError(f"checkpoint_h of failures is {self.checkpoint_h:g}: with checkpoints choose more than 0")

    def canonical(self) -> JsonDict:
        """Return the options with the table as plain data."""
        return {**self.options(), "table": as_tables(self.table)}

    def to_dict(self) -> JsonDict:
        return {key: value for key, value in super().to_dict().items() if key != "table" or value}

    def plan(self, context: Context) -> JsonDict:
        common = {
            "jobs": self.jobs,
            "checkpoint_s": self.checkpoint_h * HOUR_S if self.jobs == "checkpoint" else 0.0,
            "restart_s": self.restart_s,
            "restarts": float(self.restarts),
        }
        return {**common, **(self._drawn(context) if self.mtbf_h is not None else self._given(context))}

    def _drawn(self, context: Context) -> JsonDict:
        nodes = nodes_of(context.cluster, self.nodes, "plugin failures")
        keys = [name_hash("failures", context.cluster.node_names[node]) for node in nodes.tolist()]
        assert self.mtbf_h is not None
        return {
            "when": "drawn",
            "node": nodes,
            "stream": np.array(keys, dtype=np.uint64),
            "seed": np.array([checked_seed(context.seed)], dtype=np.uint64),
            "mtbf_s": self.mtbf_h * HOUR_S,
            "mttr_s": self.mttr_h * HOUR_S,
            "shape": self.shape,
            "repair": self.repair,
            "begin_s": context.begin_s,
        }

    def check(self, context: Context) -> None:
        """Raise InputError if too many failures are expected."""
        if self.mtbf_h is None:
            return
        nodes = len(nodes_of(context.cluster, self.nodes, "plugin failures"))
        span_s = horizon_s(context) - context.begin_s
        expected = nodes * span_s / ((self.mtbf_h + self.mttr_h) * HOUR_S)
        if expected > MOST_FAILURES:
            raise InputError(
                f"about {expected:,.0f} failures are expected in {span_s / YEAR_S:,.0f} years on {nodes:,} nodes, and"
                f" at most {MOST_FAILURES:,} are simulated{suspect(context.workload.account)}, or give a larger mtbf_h"
            )

    def _given(self, context: Context) -> JsonDict:
        parts = [(nodes_of(context.cluster, row["nodes"], "a row of failures"), row) for row in as_tables(self.table)]
        node = np.concatenate([nodes for nodes, _ in parts])
        begin, end = (
            np.concatenate([np.full(len(nodes), float(row[key])) for nodes, row in parts]) for key in ("from_s", "to_s")
        )
        return {"when": "given", **dict(zip(("node", "from_s", "to_s"), merged(node, begin, end), strict=True))}

    def tables(self, report: Mapping[str, np.ndarray], context: Context, plan: JsonTable) -> dict[str, Columns]:
        """Return `failures`: node, broken_s, repaired_s; and `hits`: job, node, hit_s, saved_s."""
        tables = by_table(report)
        hits = tables["hits"]
        tables["hits"] = {"job": context.job_numbers(hits.pop("slot")), **hits}
        for table in tables.values():
            table["node"] = table["node"].astype(np.int64)
        repaired = tables["failures"]["repaired_s"]
        tables["failures"]["repaired_s"] = np.where(np.isfinite(repaired), repaired, np.nan)
        return tables


def broken_node_s(failures: Mapping[str, np.ndarray], t1: float, t2: float) -> float:
    """Return the seconds from t1 to t2 in which nodes were broken, added up over the nodes."""
    repaired_s = np.where(np.isnan(failures["repaired_s"]), np.inf, failures["repaired_s"])
    return float(np.maximum(np.minimum(repaired_s, t2) - np.maximum(failures["broken_s"], t1), 0.0).sum())


def merged(node: np.ndarray, begin: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Merge the failures of a node that overlap or touch; sort by (begin, node)."""
    order = np.lexsort((begin, node))
    node, begin, end = node[order], begin[order], end[order]
    latest = _latest_end(node, end)
    new = np.ones(len(node), bool)
    new[1:] = (node[1:] != node[:-1]) | (begin[1:] > latest[:-1])
    first = np.flatnonzero(new)
    last = np.append(first[1:], len(node)) - 1
    node, begin, end = node[first], begin[first], latest[last]
    order = np.lexsort((node, begin))
    return node[order], begin[order], end[order]


def _latest_end(node: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the latest end so far of the same node; rows are sorted by node."""
    rank = np.unique(end, return_inverse=True)[1]
    high = np.maximum.accumulate(rank + node * (len(end) + 1)) - node * (len(end) + 1)
    latest: np.ndarray = np.unique(end)[high]
    return latest
