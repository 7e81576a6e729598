"""Temperatures: against the matrix exponential, and an allocator that uses them."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import thinktime as tt
from tests.plugins.small import cluster, random_workload, workload
from thinktime.errors import InputError
from thinktime.plugins.thermal import neighbours
from thinktime.result.placements import by_node

POWER = tt.Power(idle_w=100, processor_w=50)


def exact(result: tt.Result, thermal: tt.Thermal, at_s: np.ndarray) -> np.ndarray:
    """[time, node] by the matrix exponential between changes of power, from jobs and their nodes."""
    from scipy.linalg import expm

    nodes = 4
    start, neighbour = neighbours(cluster(4), thermal.row)
    matrix = -np.eye(nodes)
    for node in range(nodes):
        for other in neighbour[start[node] : start[node + 1]]:
            matrix[node, node] -= thermal.coupling
            matrix[node, other] += thermal.coupling
    matrix /= thermal.tau_s
    times = np.unique(np.concatenate([[0.0], result.columns["start_s"], result.columns["end_s"], at_s]))
    every, temperature = by_node(result.placement_columns), np.full(nodes, 22 + 0.1 * 100.0)
    found: dict[float, np.ndarray] = {}
    for begin, end in itertools.pairwise(times):
        found[begin] = temperature
        on = (result.columns["start_s"][every.row] <= begin) & (result.columns["end_s"][every.row] > begin)
        watts = 100 + 50 * np.bincount(every.node[on], every.units[on], minlength=nodes)
        steady = np.linalg.solve(-matrix, (22 + 0.1 * watts) / thermal.tau_s)
        temperature = steady + expm(matrix * (end - begin)) @ (temperature - steady)
    found[times[-1]] = temperature
    return np.array([found[each] for each in at_s])


@pytest.mark.parametrize(("coupling", "row", "within"), [(0.0, None, 1e-9), (0.3, None, 0.05), (0.3, 2, 0.05)])
def test_against_the_matrix_exponential(coupling: float, row: int | None, within: float) -> None:
    thermal = tt.Thermal(coupling=coupling, row=row, resistance=0.1, tau_s=300, sample_s=500, step_s=2)
    result = tt.simulate(random_workload(2), cluster(4), tt.Easy(), plugins=[POWER, thermal])
    table = result.reports["temperatures"]
    at_s = table["time_s"].unique().sort().to_numpy()
    given = table["temperature_c"].to_numpy().reshape(-1, 4)
    assert len(at_s) > 5
    assert np.abs(given - exact(result, thermal, at_s)).max() < within


def test_a_node_comes_to_rest_and_the_highest_is_kept() -> None:
    thermal = tt.Thermal(resistance=0.1, tau_s=100, coupling=0, sample_s=100)
    result = tt.simulate(
        workload([(0, 5000, 5000, 2), (9999, 1, 1, 1)]), cluster(1), tt.FCFS(), plugins=[POWER, thermal]
    )
    row = result.reports["node_temperatures"].row(0, named=True)
    assert row["max_c"] == pytest.approx(22 + 0.1 * 200, abs=1e-6)
    assert row["last_c"] == pytest.approx(22 + 0.1 * 100, abs=0.1)
    assert 32 < row["mean_c"] < 42
    assert result.summary()["temperature_max_c"] == pytest.approx(row["max_c"])


def test_long_runs_are_sampled_less_often() -> None:
    thermal = tt.Thermal(sample_s=10)
    result = tt.simulate(workload([(0, 1e6, 1e6, 1)]), cluster(2), tt.FCFS(), plugins=[POWER, thermal])
    times = result.reports["temperatures"]["time_s"].unique().sort().to_numpy()
    assert 1000 < len(times) < 2049
    assert len(np.unique(np.diff(times))) == 1


def test_the_coolest_nodes_are_taken_first() -> None:
    """Node 0 is warm from the first job; the second goes elsewhere, as first fit would not."""
    jobs = workload([(0, 600, 600, 2), (601, 600, 600, 2), (1300, 600, 600, 2)])
    plugins = [POWER, tt.Thermal(coupling=0, tau_s=2000)]
    result = tt.simulate(jobs, cluster(3), tt.FCFS(), allocator=tt.CoolestFirst(), plugins=plugins)
    assert result.jobs["nodes"].to_list() == ["g-0", "g-1", "g-2"]
    assert tt.check(result) == []


def test_coolest_first_is_cooler_than_first_fit() -> None:
    log = random_workload(5, jobs=300, most=2)
    plugins = [POWER, tt.Thermal()]
    hottest = [
        tt.simulate(log, cluster(8), tt.Easy(), allocator=allocator, plugins=plugins).summary()["temperature_max_c"]
        for allocator in (tt.CoolestFirst(), tt.FirstFit())
    ]
    assert hottest[0] <= hottest[1]


def test_a_hot_node_takes_no_new_jobs() -> None:
    """At 200 W a node comes to 42 degrees; it passes 40 and takes jobs again below 35."""
    thermal = tt.Thermal(coupling=0, tau_s=100, limit_c=40, resume_c=35)
    jobs = workload([(0, 1000, 1000, 2), (10, 1000, 1000, 2)])
    result = tt.simulate(jobs, cluster(1), tt.FCFS(), plugins=[POWER, thermal])
    assert result.columns["start_s"][1] > 1000 + 100 * np.log(10 / 3) - 6
    assert result.columns["start_s"][1] < 1000 + 100 * np.log(10 / 3) + 11
    assert tt.check(result) == []


@pytest.mark.parametrize(
    ("plugins", "words"),
    [
        ([tt.Thermal()], "needs power"),
        ([POWER, tt.Thermal(limit_c=30)], "reaches 32 degrees"),
    ],
)
def test_mistakes(plugins: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        tt.simulate(workload([(0, 1, 1, 1)]), cluster(1), tt.FCFS(), plugins=plugins)


def test_coolest_first_needs_temperatures() -> None:
    with pytest.raises(InputError, match="needs the plugin thermal"):
        tt.simulate(workload([(0, 1, 1, 1)]), cluster(1), tt.FCFS(), allocator=tt.CoolestFirst())
