"""Depths, longest paths and arity of session graphs; against a walk over every path."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shared_data import log
from tests.workload.structures import workloads
from thinktime.workload import SessionGraph, Workload, read_swf, session_graph, sessions
from thinktime.workload.user_sessions.graph_shape import arities, depths, longest_paths, quantiles


def slow_depths(graph: SessionGraph) -> list[int]:
    depth = [1] * len(graph.sessions)
    for a, b in sorted(
        zip(graph.predecessor.tolist(), graph.successor.tolist(), strict=True), key=lambda edge: edge[::-1]
    ):
        depth[b] = max(depth[b], depth[a] + 1)
    return depth


@given(workloads(), st.sampled_from([0.0, 1.0, 3.0]), st.booleans())
def test_depths_are_those_of_the_longest_paths(workload: Workload, threshold_s: float, reduced: bool) -> None:
    found = sessions(workload, threshold_s=threshold_s)
    depth = slow_depths(session_graph(found, reduced))
    assert depths(found).tolist() == depth
    by_user = [max(depth[number] for number in np.flatnonzero(found.user == user)) for user in found.users]
    assert longest_paths(found).tolist() == by_user


def test_a_session_that_two_wait_for_has_arity_two() -> None:
    workload = Workload.from_columns(submit_s=[0, 10, 11], run_s=[1, 50, 50], user=[3, 3, 3])
    graph = session_graph(sessions(workload, threshold_s=0.0))
    assert arities(graph).tolist() == [2]
    assert longest_paths(graph.sessions).tolist() == [2]


@pytest.mark.parametrize(("threshold_s", "longest"), [(0.0, 883), (3600.0, 312)])
def test_kth_has_the_published_longest_path(threshold_s: float, longest: int) -> None:
    found = sessions(read_swf(log("KTH-SP2-1996-2.1-cln")), threshold_s=threshold_s)
    assert longest_paths(found).max() == longest


def test_no_user_at_kth_has_an_arity_over_eleven_with_an_hour() -> None:
    assert arities(session_graph(sessions(read_swf(log("KTH-SP2-1996-2.1-cln"))))).max() <= 11


def test_quantiles_leave_out_what_is_unknown() -> None:
    assert quantiles(np.array([1.0, np.nan, 3.0])) == {
        "known": 2,
        "mean": 2.0,
        "least": 1.0,
        "25 %": 1.5,
        "median": 2.0,
        "75 %": 2.5,
        "95 %": pytest.approx(2.9),
        "most": 3.0,
    }
    assert quantiles(np.array([np.nan])) == {"known": 0}
