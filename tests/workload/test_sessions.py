"""Sessions and their graph: as the quadratic definitions say, and of the published sizes."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shared_data import log
from tests.workload.structures import slow_reduction, slow_relation, slow_sessions, workloads
from thinktime.errors import InputError
from thinktime.workload import DELIMITERS, SessionGraph, Workload, known_end_s, read_swf, session_graph, sessions

thresholds = st.sampled_from([0.0, 1.0, 3.0, 100.0, float("inf")])


@given(workloads(), st.sampled_from(DELIMITERS), thresholds)
def test_sessions_are_what_their_definition_says(workload: Workload, delimiter: str, threshold_s: float) -> None:
    found = sessions(workload, delimiter=delimiter, threshold_s=threshold_s)
    slow = slow_sessions(workload, delimiter, threshold_s)
    assert [part.tolist() for part in np.split(found.job_rows, found.job_start[1:-1])][: len(found)] == slow
    for number, rows in enumerate(slow):
        assert found.session[rows].tolist() == [number] * len(rows)
        assert found.by_user[found.place[rows]].tolist() == [number] * len(rows)
        assert found.jobs[number] == len(rows)
        assert found.first_submit_s[number] == workload["submit_s"][rows[0]]
        assert found.last_submit_s[number] == workload["submit_s"][rows[-1]]
        assert found.last_end_s[number] == known_end_s(workload)[rows].max()


@given(workloads(), thresholds)
def test_sessions_are_listed_by_user(workload: Workload, threshold_s: float) -> None:
    found = sessions(workload, threshold_s=threshold_s)
    for k, user in enumerate(found.users):
        of_user = found.by_user[found.user_start[k] : found.user_start[k + 1]]
        assert of_user.tolist() == np.flatnonzero(found.user == user).tolist()


@given(workloads(), st.lists(st.sampled_from([-7.0, -0.0, 0.0, 0.5, 255.0, 256.0, 2.0**53, 1e300]), min_size=14))
def test_users_may_have_any_number(workload: Workload, numbers: list[float]) -> None:
    user = np.where(np.isnan(workload["user"]), np.nan, numbers[: len(workload)])
    other = replace(workload, columns={**workload.columns, "user": user})
    found, slow = sessions(other, threshold_s=3.0), slow_sessions(other, "arrival", 3.0)
    assert [part.tolist() for part in np.split(found.job_rows, found.job_start[1:-1])][: len(found)] == slow
    assert found.users.tolist() == np.unique(np.nan_to_num(user, nan=-1.0)).tolist()
    assert found.users[np.searchsorted(found.users, found.user)].tolist() == found.user.tolist()


@given(workloads(), st.sampled_from(DELIMITERS), st.randoms())
def test_the_order_of_the_rows_does_not_matter(workload: Workload, delimiter: str, shuffled: Random) -> None:
    """But for jobs submitted at one instant, of which the upper row comes first: here there are none."""
    once = workload.select(np.flatnonzero(np.diff(workload["submit_s"], prepend=-1.0)))
    order = np.array(shuffled.sample(range(len(once)), len(once)), dtype=np.int64)
    found, other = (sessions(each, delimiter=delimiter, threshold_s=3.0) for each in (once, once.select(order)))
    assert other.session.tolist() == found.session[order].tolist()
    assert order[other.rows].tolist() == found.rows.tolist()
    assert other.last_end_s.tolist() == found.last_end_s.tolist()


def test_a_job_without_a_submit_time_is_named() -> None:
    with pytest.raises(InputError, match="row 1 of workload has no submit time"):
        sessions(Workload.from_columns(submit_s=[5, np.nan], user=[1, 1]))


def edges(graph: SessionGraph) -> list[tuple[int, int]]:
    return list(zip(graph.predecessor.tolist(), graph.successor.tolist(), strict=True))


@given(workloads(), st.sampled_from(DELIMITERS), thresholds, st.booleans())
def test_the_graph_is_the_relation_or_its_transitive_reduction(
    workload: Workload, delimiter: str, threshold_s: float, reduced: bool
) -> None:
    found = sessions(workload, delimiter=delimiter, threshold_s=threshold_s)
    graph = session_graph(found, reduced)
    relation = slow_relation(workload, slow_sessions(workload, delimiter, threshold_s))
    assert edges(graph) == sorted(slow_reduction(relation) if reduced else relation)
    assert graph.edges == len(graph.successor) == graph.start[-1]
    assert graph.predecessors.tolist() == np.bincount(graph.successor, minlength=len(found)).tolist()
    assert np.all(graph.think_s >= 0)
    assert np.array_equal(graph.think_s, found.first_submit_s[graph.successor] - found.last_end_s[graph.predecessor])


def test_two_sessions_without_length_at_one_instant_make_no_cycle() -> None:
    workload = Workload.from_columns(submit_s=[5, 5, 5], wait_s=[0, 0, 9], run_s=[0, 0, 1], user=[1, 1, 1])
    graph = session_graph(sessions(workload, threshold_s=0.0))
    assert edges(graph) == [(0, 1), (1, 2)]


def test_jobs_without_a_user_are_one_user_and_waits_that_are_unknown_are_said() -> None:
    workload = Workload.from_columns(submit_s=[0, 1, 2], run_s=[1, 1, 1], wait_s=[0, np.nan, 0])
    found = sessions(workload)
    assert found.user.tolist() == [-1.0]
    assert found.notes == ("1 job has no recorded wait, counted as 0",)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"threshold_s": -1.0}, "threshold_s must be"),
        ({"threshold_s": float("nan")}, "nan"),
        ({"delimiter": "gap"}, "gap"),
    ],
)
def test_bad_options_are_named(options: dict, words: str) -> None:
    with pytest.raises(InputError, match=words):
        sessions(Workload.from_columns(submit_s=[0]), **options)


def test_a_graph_too_large_to_be_listed_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("thinktime.workload.user_sessions.graph"), "MOST_EDGES", 1)
    workload = Workload.from_columns(submit_s=[0, 5, 9], run_s=[1, 1, 1], user=[1, 1, 1])
    with pytest.raises(InputError, match="3 edges, and at most 1 can be listed"):
        _ = session_graph(sessions(workload, threshold_s=0.0), reduced=False).successor


#: threshold → sessions, reduced edges, roots, share of think times under 10 h and under 1 h
KTH = {0.0: (28_475, 85_936, 284, 0.747, 0.368), 3600.0: (10_292, 13_481, 228, 0.517, 0.138)}


@pytest.mark.parametrize("threshold_s", KTH)
def test_kth_has_the_published_structure(threshold_s: float) -> None:
    found = sessions(read_swf(log("KTH-SP2-1996-2.1-cln")), threshold_s=threshold_s)
    graph = session_graph(found)
    shares = [round(float(np.mean(graph.think_s < hours * 3600)), 3) for hours in (10, 1)]
    assert (len(found), graph.edges, len(graph.roots), *shares) == KTH[threshold_s]
