"""Batches: connected components of overlaps, what they depend on, think times and inter-arrival times."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.shared_data import log
from tests.workload.structures import slow_batches, slow_reduction, slow_relation, slow_sessions, workloads
from thinktime.workload import Batches, Workload, batches, known_end_s, read_swf

thresholds = st.sampled_from([0.0, 1.0, 3.0, 100.0])


def rows_of(found: Batches) -> list[list[int]]:
    return [np.flatnonzero(found.batch == number).tolist() for number in range(len(found))]


def depends(found: Batches, number: int) -> list[int]:
    return sorted(found.depends_on[found.depends_start[number] : found.depends_start[number + 1]].tolist())


@given(workloads(), thresholds)
def test_batches_are_connected_components_of_overlaps(workload: Workload, threshold_s: float) -> None:
    found = batches(workload, threshold_s=threshold_s)
    slow = slow_batches(workload, slow_sessions(workload, "arrival", threshold_s))
    assert rows_of(found) == slow
    for number, rows in enumerate(slow):
        assert found.jobs[number] == len(rows)
        assert found.session[number] == found.sessions.session[rows[0]]
        assert found.first_submit_s[number] == workload["submit_s"][rows[0]]
        assert found.last_submit_s[number] == workload["submit_s"][rows[-1]]
        assert found.last_end_s[number] == known_end_s(workload)[rows].max()


@given(workloads(), thresholds, st.booleans())
def test_batches_depend_as_the_two_rules_say(workload: Workload, threshold_s: float, reduced: bool) -> None:
    found = batches(workload, threshold_s=threshold_s, reduced=reduced)
    relation = slow_relation(workload, slow_sessions(workload, "arrival", threshold_s))
    relation = slow_reduction(relation) if reduced else relation
    last = {session: number for number, session in enumerate(found.session.tolist())}
    for number, session in enumerate(found.session.tolist()):
        inside = number > 0 and found.session[number - 1] == session
        rule = [number - 1] if inside else sorted(last[before] for before, after in relation if after == session)
        assert depends(found, number) == rule
        assert found.in_session[number] == inside
        think = found.first_submit_s[number] - max(found.last_end_s[rule], default=np.nan)
        assert np.array_equal(found.think_s[number], think, equal_nan=True)


@given(workloads(), thresholds)
def test_users_batches_follow_each_other(workload: Workload, threshold_s: float) -> None:
    found = batches(workload, threshold_s=threshold_s)
    assert found.users[found.user].tolist() == np.sort(found.users[found.user]).tolist()
    for k in range(len(found.users)):
        first, stop = found.user_start[k], found.user_start[k + 1]
        assert np.all(found.user[first:stop] == k)
        assert np.isnan(found.inter_arrival_s[first])
        gaps = found.first_submit_s[first + 1 : stop] - found.last_submit_s[first : stop - 1]
        assert found.inter_arrival_s[first + 1 : stop].tolist() == gaps.tolist()


@given(workloads(), thresholds)
def test_leaving_out_implied_dependencies_changes_no_think_time(workload: Workload, threshold_s: float) -> None:
    some, every = (batches(workload, threshold_s=threshold_s, reduced=reduced) for reduced in (True, False))
    assert np.array_equal(some.think_s, every.think_s, equal_nan=True)


def test_a_users_day_by_hand() -> None:
    """Two overlapping jobs, one after a pause of ten minutes, one on the next day while nothing runs."""
    workload = Workload.from_columns(
        submit_s=[0, 60, 1200, 90_000], wait_s=[0, 0, 0, 0], run_s=[300, 540, 60, 60], user=[7, 7, 7, 7]
    )
    found = batches(workload)
    assert found.batch.tolist() == [0, 0, 1, 2]
    assert found.session.tolist() == [0, 0, 1]
    assert [depends(found, number) for number in range(3)] == [[], [0], [1]]
    assert found.think_s.tolist()[1:] == [600.0, 90_000.0 - 1260.0]
    assert found.inter_arrival_s.tolist()[1:] == [1140.0, 88_800.0]


def test_every_job_of_a_real_log_has_a_batch() -> None:
    workload = read_swf(log("KTH-SP2-1996-2.1-cln"))
    found = batches(workload)
    assert found.jobs.sum() == len(workload)
    assert (len(found.sessions), len(found.users)) == (10_292, 214)
    assert np.all(found.think_s[~np.isnan(found.think_s)] >= 0)
