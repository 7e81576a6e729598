"""Replay with feedback in the reference: sessions and graphs worked by hand, and replays whose result is known."""

from __future__ import annotations

import math

import pytest

from reference import Job, simulate
from reference.users.session_replay import SessionReplay
from reference.users.sessions import Session, find_sessions, link

FCFS = {"name": "fcfs"}


def job(submit: float, run: float, processors: int = 1, user: int = 1, wait: float = 0.0) -> Job:
    return Job(submit=submit, run=run, processors=processors, estimate=run, user=user, wait=wait)


def linked(jobs: list[Job], threshold: float, graph: str = "reduced") -> list[Session]:
    sessions = find_sessions(jobs, threshold)
    link(sessions, graph)
    return sessions


def edges(sessions: list[Session]) -> set[tuple[int, int]]:
    return {(earlier.number, session.number) for session in sessions for earlier in session.predecessors}


# --- sessions -----------------------------------------------------------------------------------------------


def test_a_gap_as_long_as_the_threshold_does_not_cut() -> None:
    jobs = [job(0, 5), job(10, 5), job(21, 5)]
    assert [session.jobs for session in find_sessions(jobs, 10)] == [[0, 1], [2]]


def test_with_threshold_0_every_job_is_a_session() -> None:
    assert [session.jobs for session in find_sessions([job(0, 5), job(0, 5)], 0)] == [[0], [1]]


@pytest.mark.parametrize(
    ("delimiter", "sessions"),
    [("arrival", [[0], [1], [2]]), ("last", [[0, 1], [2]]), ("max", [[0, 1, 2]])],
)
def test_delimiters(delimiter: str, sessions: list[list[int]]) -> None:
    """Gaps of 20 and 20; the ends are at 30, 22 and 41."""
    jobs = [job(0, 30), job(20, 2), job(40, 1)]
    assert [session.jobs for session in find_sessions(jobs, 10, delimiter)] == sessions


def test_users_are_apart() -> None:
    jobs = [job(0, 5, user=2), job(1, 5, user=1), job(2, 5, user=2)]
    assert [session.jobs for session in find_sessions(jobs, 10)] == [[0, 2], [1]]
    assert edges(linked(jobs, 0)) == set()


# --- the graph ----------------------------------------------------------------------------------------------


def test_a_chain_has_no_shortcut_unless_asked_for() -> None:
    jobs = [job(0, 5), job(10, 5), job(20, 5)]
    assert edges(linked(jobs, 0)) == {(0, 1), (1, 2)}
    assert edges(linked(jobs, 0, "full")) == {(0, 1), (1, 2), (0, 2)}


def test_sessions_that_overlap_do_not_wait_for_each_other() -> None:
    jobs = [job(0, 15), job(10, 5), job(20, 5)]
    assert edges(linked(jobs, 0)) == {(0, 2), (1, 2)}


def test_jobs_without_length_at_one_instant_are_a_chain() -> None:
    assert edges(linked([job(5, 0), job(5, 0), job(5, 0)], 0)) == {(0, 1), (1, 2)}


# --- replay -------------------------------------------------------------------------------------------------


def test_a_faster_machine_draws_submissions_nearer() -> None:
    jobs = [job(0, 10), job(14, 10), job(40, 10)]
    outcomes = simulate(jobs, 1, FCFS, users=SessionReplay(0), speed=2.0)
    assert [each.submit for each in outcomes] == [0, 5 + 4, 14 + 16]


def test_jobs_of_a_session_keep_their_distances() -> None:
    jobs = [job(0, 10), job(20, 1), job(23, 1)]
    outcomes = simulate(jobs, 1, FCFS, users=SessionReplay(5), speed=0.5)
    assert [each.submit for each in outcomes] == [0, 30, 33]


def test_a_session_begins_after_the_latest_of_ends_and_think_times() -> None:
    """Ends at 15 and 12 were followed by 5 and 8 s of thought. Now they come at 15 and 25."""
    jobs = [job(0, 15), job(2, 10), job(20, 1)]
    outcomes = simulate(jobs, 1, FCFS, users=SessionReplay(0))
    assert [each.end for each in outcomes[:2]] == [15, 25]
    assert outcomes[2].submit == 25 + 8


def test_a_rejected_job_has_ended_at_its_submission() -> None:
    jobs = [job(0, 10, processors=3), job(14, 10)]
    outcomes = simulate(jobs, 2, FCFS, users=SessionReplay(0))
    assert (outcomes[0].status, outcomes[1].submit) == ("rejected", 4)


def test_a_killed_job_has_ended_when_it_was_killed() -> None:
    jobs = [Job(submit=0, run=10, processors=1, estimate=3), job(14, 10)]
    outcomes = simulate(jobs, 2, FCFS, users=SessionReplay(0), overrun="kill")
    assert (outcomes[0].status, outcomes[1].submit) == ("killed", 3 + 4)


def test_without_think_time_users_submit_at_the_instant_of_the_end() -> None:
    """Job 2 waits for job 0 and comes before job 1, which another user submits at that instant."""
    jobs = [job(0, 10), job(10, 5, user=2), job(8, 5, wait=0), job(10, 7)]
    order = sorted(jobs, key=lambda each: each.submit)
    outcomes = simulate(order, 1, FCFS, users=SessionReplay(0))
    assert [each.submit for each in outcomes] == [0, 8, 10, 10]
    assert [each.start for each in outcomes] == [0, 10, 15, 20]


def test_recorded_ends_give_the_recorded_submissions_back() -> None:
    """On a machine without queues and with waits that were none, nothing moves."""
    jobs = [job(3 * i % 50, 7 * i % 13, user=i % 4) for i in range(60)]
    jobs.sort(key=lambda each: each.submit)
    for threshold in (0, 4, 20):
        outcomes = simulate(jobs, 10_000, FCFS, users=SessionReplay(threshold))
        assert [each.submit for each in outcomes] == [each.submit for each in jobs]
        assert not any(math.isnan(each.submit) for each in outcomes)
