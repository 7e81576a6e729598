"""Use of nodes: by hand, and against a plain loop."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from tests.effort import examples
from thinktime.metrics.nodes import Entries, load_ratio, resource_efficiency

nan = np.nan


def entries(rows: list[tuple[int, int, float, float, int]]) -> Entries:
    columns = zip(*rows, strict=True) if rows else [[] for _ in range(5)]
    kinds = (np.int64, np.int64, float, float, np.int64)
    return Entries(*(np.array(list(values), dtype=kind) for values, kind in zip(columns, kinds, strict=True)))


def test_by_hand() -> None:
    """Nodes of 4 and 8. Job 0 holds 2 and 4 from 0 to 10; job 1 holds 2 of the first from 5 on; job 2 has no length."""
    given = entries([(0, 0, 0, 10, 2), (0, 1, 0, 10, 4), (1, 0, 5, nan, 2), (2, 1, 5, 5, 4)])
    found = load_ratio(given, np.array([4, 8]))
    assert found.time_s.tolist() == [0, 5, 10]
    assert found.used_nodes.tolist() == [1, 1, 0.5]
    assert found.use_of_used_nodes.tolist() == [6 / 12, 8 / 12, 2 / 4]
    efficiency = resource_efficiency(given, np.array([4, 8]), 4)
    assert efficiency[:2].tolist() == [6 / 12, 2 / 2]
    assert np.isnan(efficiency[2:]).all()


def test_nothing_at_all() -> None:
    found = load_ratio(entries([]), np.array([4]))
    assert [len(each) for each in found] == [0, 0, 0]
    assert np.isnan(resource_efficiency(entries([]), np.array([4]), 2)).all()


piece = st.tuples(st.integers(0, 5), st.integers(0, 2), st.integers(0, 6), st.integers(0, 6), st.integers(0, 3))


@examples(60)
@given(st.lists(piece, max_size=14))
def test_against_a_plain_loop(pieces: list[tuple[int, int, int, int, int]]) -> None:
    rows = [(row, node, float(start), float(start + length), amount) for row, node, start, length, amount in pieces]
    capacity = np.array([50, 60, 70])
    found = load_ratio(entries(rows), capacity)
    for time, used, use in zip(*found, strict=True):
        held = [sum(r[4] for r in rows if r[1] == v and r[2] <= time < r[3]) for v in range(3)]
        there = sum(int(capacity[v]) for v in range(3) if held[v])
        assert used == sum(h > 0 for h in held) / 3
        assert use == (sum(held) / there if there else 0)


def test_of_a_run() -> None:
    cluster = tt.Cluster(groups=[{"name": "a", "nodes": 32, "core": 4, "mem": 10_000_000}])
    run = tt.simulate(tt.default_workload(jobs=200), cluster, tt.FCFS())
    for resource in (None, "core", "mem"):
        found = run.load_ratio(resource)
        assert ((found.used_nodes >= 0) & (found.used_nodes <= 1)).all()
        assert ((found.use_of_used_nodes >= 0) & (found.use_of_used_nodes <= 1)).all()
        assert (found.used_nodes[-1], found.use_of_used_nodes[-1]) == (0, 0)
    cores = run.load_ratio("core")
    at = np.searchsorted(run.timeline_columns["time_s"], cores.time_s)
    used = run.timeline_columns["used_processors"][at]
    assert np.allclose(cores.used_nodes * 32 * 4 * cores.use_of_used_nodes, used)
    efficiency = run.resource_efficiency("core")
    lasts = run.columns["end_s"] > run.columns["start_s"]
    assert ((efficiency[lasts] > 0) & (efficiency[lasts] <= 1)).all()
    assert np.isnan(efficiency[~lasts]).all()


def test_sentences() -> None:
    workload = tt.default_workload(jobs=5)
    machine = tt.simulate(workload, tt.Machine(processors=128), tt.FCFS())
    with pytest.raises(tt.InputError, match="has no nodes of jobs"):
        machine.load_ratio()
    with pytest.raises(tt.InputError, match="resource is 'gpu': choose one of core, mem"):
        tt.simulate(workload, tt.Cluster.named("seth"), tt.FCFS()).resource_efficiency("gpu")
