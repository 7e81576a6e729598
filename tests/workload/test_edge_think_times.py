"""Think times counted without listing edges are those of the listed ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from tests.workload.structures import workloads
from thinktime.workload import Workload, session_graph, sessions
from thinktime.workload.user_sessions.edge_think_times import EdgeThinkTimes, share_under, think_quantiles
from thinktime.workload.user_sessions.graph import SessionGraph


def require_equal(graph: SessionGraph) -> None:
    listed, counted = think_quantiles(graph), think_quantiles(graph, listed=0)
    assert counted == pytest.approx(listed, abs=1e-6)
    for bound_s in (0.0, 1.0, 3.5, 3600.0):
        assert share_under(graph, bound_s, listed=0) == share_under(graph, bound_s)


@given(workloads(), st.booleans(), st.sampled_from([0.0, 2.0]))
def test_counted_is_listed(workload: Workload, reduced: bool, threshold_s: float) -> None:
    require_equal(session_graph(sessions(workload, threshold_s=threshold_s), reduced=reduced))


@pytest.mark.parametrize("reduced", [True, False])
def test_also_of_many_jobs_and_of_parts_of_seconds(reduced: bool) -> None:
    workload = tt.default_workload(jobs=2000)
    parts = replace(workload, columns={**workload.columns, "run_s": workload["run_s"] + 0.123456})
    for each in (workload, parts):
        require_equal(session_graph(sessions(each, threshold_s=0.0), reduced=reduced))


def test_a_graph_with_more_edges_than_can_be_listed() -> None:
    """30,000 jobs of one user, one after the other: half of 30,000² pairs, each a whole number of seconds apart."""
    jobs = 30_000
    workload = Workload.from_columns(submit_s=np.arange(jobs), run_s=np.zeros(jobs), user=np.ones(jobs))
    graph = session_graph(sessions(workload, threshold_s=0.0), reduced=False)
    assert graph.edges == jobs * (jobs - 1) // 2 > 200_000_000
    found = think_quantiles(graph)
    assert (found["known"], found["least"], found["most"]) == (graph.edges, 1.0, jobs - 1)
    assert found["mean"] == pytest.approx((jobs + 1) / 3)
    assert found["median"] == pytest.approx(jobs * (1 - 0.5**0.5), abs=1.0)
    assert EdgeThinkTimes(graph).count(1.0) == jobs - 1
