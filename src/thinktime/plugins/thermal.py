"""Temperatures of nodes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics.metric import Blocks, Metric, with_plugin
from thinktime.platforms import Cluster
from thinktime.plugins.context import Context
from thinktime.plugins.plugin import Columns, Plugin, Published, by_table
from thinktime.plugins.power import UNUSED_NODE_W
from thinktime.statistics.bounds import UNBOUNDED
from thinktime.support.json_types import JsonDict, JsonTable


class Thermal(Plugin, name="thermal"):
    """Computes the temperatures of nodes: power heats a node, air cools it, and neighbours exchange heat.

    `tau_s · dT/dt = ambient_c + resistance · P − T + coupling · Σ (T_neighbour − T)`: a single node that draws P watts
    approaches `resistance · P` degrees above the air, with the time constant `tau_s`. The nodes of a group form rows of
    `row` nodes (default: one row); neighbours are adjacent in the row or in adjacent rows. Steps last `step_s`
    (default: a tenth of `tau_s`). Temperatures are sampled every `sample_s`, or less often in a long run.

    With `limit_c`, a hotter node takes no new jobs until it is below `resume_c` (default: 5 degrees less). Needs
    `tt.Power(…)` before it.
    """

    needs: ClassVar[str] = "power"
    publishes: ClassVar[Mapping[str, Published]] = {
        "hottest_c": Published("the temperature of the hottest node", "tt.Power() and tt.Thermal()"),
    }
    lowest: ClassVar[Mapping[str, float]] = {"ambient_c": -273.15, "tau_s": 1e-3, "step_s": 1e-3, "sample_s": 1e-3}

    metrics: ClassVar[tuple[Metric, ...]] = (
        Metric(
            name="temperature_max_c",
            label="temperature, highest",
            unit="°C",
            formula="of any node at any time",
            group="temperature",
            runs=with_plugin("thermal", "node_temperatures"),
            value=lambda run: float(run.tables["node_temperatures"]["max_c"].max(initial=-np.inf)),
            bounds=UNBOUNDED,
            blocks=Blocks("node_temperatures", max),
        ),
    )

    ambient_c: float = 22.0
    resistance: float = 0.1
    tau_s: float = 600.0
    coupling: float = 0.1
    row: int | None = None
    step_s: float | None = None
    sample_s: float = 3600.0
    limit_c: float | None = None
    resume_c: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.row is not None and (isinstance(self.row, bool) or not isinstance(self.row, int) or self.row < 1):
            raise InputError(f"row of thermal is {self.row!r}: choose a whole number of nodes, 1 or more")
        for option in ("step_s", "limit_c", "resume_c"):
            if getattr(self, option) is not None:
                object.__setattr__(self, option, self.number(option, getattr(self, option)))
        if self.resume_c is not None and self.limit_c is None:
            raise InputError("resume_c of thermal is given without limit_c: give both, or limit_c alone")
        if self.limit_c is not None and self.resume_c is not None and self.resume_c > self.limit_c:
            raise InputError(f"resume_c of thermal is {self.resume_c:g}: choose no more than limit_c, {self.limit_c:g}")

    def plan(self, context: Context) -> JsonDict:
        start, neighbour = neighbours(context.cluster, self.row)
        limit = math.inf if self.limit_c is None else self.limit_c
        resume = self.resume_c if self.resume_c is not None else limit - 5 if self.limit_c is not None else math.inf
        self._require_cool(context, resume)
        return {
            "resistance": np.full(context.nodes, self.resistance),
            "tau_s": np.full(context.nodes, self.tau_s),
            "air_c": np.full(context.nodes, self.ambient_c),
            "neighbour_start": start,
            "neighbour": neighbour,
            "coupling": self.coupling,
            "step_s": self.tau_s / 10 if self.step_s is None else self.step_s,
            "sample_s": self.sample_s,
            "limit_c": limit,
            "resume_c": resume,
            "begin_s": context.begin_s,
        }

    def _require_cool(self, context: Context, resume: float) -> None:
        """Raise InputError if an idle node would stay too hot to take jobs again."""
        idle = self.ambient_c + self.resistance * context.facts[UNUSED_NODE_W]
        if not idle < resume:
            raise InputError(
                f"an unused node reaches {idle:g} degrees, not below resume_c, {resume:g}, so it would never take jobs"
                " again: choose a higher limit_c, or a lower resistance"
            )

    def tables(self, report: Mapping[str, np.ndarray], context: Context, plan: JsonTable) -> dict[str, Columns]:
        """Return `temperatures`: all nodes at sampled times; `node_temperatures`: mean, maximum and last by node."""
        tables = by_table(report)
        each = tables["node_temperatures"]
        each["node"] = each["node"].astype(np.int64)
        taken = tables.get("temperatures", {})
        times = taken.get("time_s", np.empty(0))
        tables["temperatures"] = {
            "time_s": np.repeat(times, context.nodes),
            "node": np.tile(np.arange(context.nodes), len(times)),
            "temperature_c": taken.get("c", np.empty(0)),
        }
        return tables


def neighbours(cluster: Cluster, row: int | None) -> tuple[np.ndarray, np.ndarray]:
    """Return start and neighbour: node n has the neighbours `neighbour[start[n]:start[n+1]]`, all in its group."""
    pairs = [np.empty((0, 2), np.int64)]
    first = 0
    for count in cluster.group_nodes:
        node, wide = np.arange(count), min(row or count, count)
        left = node[:-1][(node[:-1] + 1) % wide != 0]
        pairs.append(first + np.stack([left, left + 1], axis=1))
        front = node[: max(0, count - wide)]
        pairs.append(first + np.stack([front, front + wide], axis=1))
        first += count
    one_way = np.concatenate(pairs)
    both = np.concatenate([one_way, one_way[:, ::-1]])
    both = both[np.lexsort((both[:, 1], both[:, 0]))]
    start = np.concatenate([[0], np.cumsum(np.bincount(both[:, 0], minlength=cluster.nodes))])
    return start.astype(np.int64), both[:, 1].astype(np.int64)
