"""Metrics of power and energy, for runs with the plugin `power`."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from thinktime.metrics.metric import Blocks, Metric, with_plugin
from thinktime.metrics.timeline import time_mean

_of_power = partial(Metric, group="power", runs=with_plugin("power", "node_energy"))


def _joules(nodes: Mapping[str, np.ndarray]) -> dict[str, float]:
    """State → energy of all nodes."""
    return {name: float(values.sum()) for name, values in nodes.items() if name.endswith("_j")}


def _all_joules(nodes: Mapping[str, np.ndarray]) -> float:
    return sum(_joules(nodes).values())


def _overall_mean_w(nodes: Mapping[str, np.ndarray]) -> float:
    node_s = sum(float(values.sum()) for name, values in nodes.items() if name.endswith("_s"))
    return _all_joules(nodes) / (node_s / len(nodes["node"])) if node_s > 0 else math.nan


def _watts(trace: Mapping[str, np.ndarray], states: Sequence[str] = ()) -> np.ndarray:
    """By time: what nodes in some states draw, or in all."""
    names = states or [name for name in trace if name.endswith("_w")]
    watts: np.ndarray = np.sum([trace[name] for name in names], axis=0)
    return watts


def _mean_w(trace: Mapping[str, np.ndarray], t1: float, t2: float, states: Sequence[str] = ()) -> float:
    return time_mean(_watts(trace, states), trace["time_s"], t1, t2)


POWER_ROWS: tuple[Metric, ...] = (
    _of_power(
        name="energy_j",
        label="energy of all nodes",
        unit="J",
        formula="energy of all nodes",
        value=lambda run: _all_joules(run.tables["node_energy"]),
        rate=lambda run, t1, t2: _mean_w(run.tables["power"], t1, t2),
        blocks=Blocks("node_energy", operator.add),
    ),
    _of_power(
        name="job_energy_j",
        label="energy of jobs",
        unit="J",
        formula="energy of nodes in use, by job",
        value=lambda run: float(run.tables["job_energy"]["energy_j"].sum()),
        blocks=Blocks("job_energy", operator.add),
    ),
    _of_power(
        name="idle_energy_j",
        label="energy of idle nodes",
        unit="J",
        formula="energy of nodes without jobs",
        value=lambda run: _joules(run.tables["node_energy"])["idle_j"],
        rate=lambda run, t1, t2: _mean_w(run.tables["power"], t1, t2, ("idle_w",)),
        blocks=Blocks("node_energy", operator.add),
    ),
    _of_power(
        name="power_mean_w",
        label="power over time, mean",
        unit="W",
        formula="energy of all nodes / time",
        value=lambda run: _overall_mean_w(run.tables["node_energy"]),
        in_window=lambda run, t1, t2: _mean_w(run.tables["power"], t1, t2),
        blocks=Blocks("node_energy", lambda _, last: last),
    ),
    _of_power(
        name="power_max_w",
        label="power over time, maximum",
        unit="W",
        formula="largest power of all nodes together",
        value=lambda run: float(np.max(_watts(run.tables["power"]), initial=0.0)),
        blocks=Blocks("power", max),
    ),
)
