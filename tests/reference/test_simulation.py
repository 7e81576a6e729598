"""Instants, overruns, oversized jobs, speed and users, on schedules worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from reference import Job, simulate
from reference.users import Users
from tests.reference.workloads import job, schedule, starts

BATCH, SUBMIT_FIRST, END_FIRST = "batch", "each-submit-first", "each-end-first"
EVERY_RULE = (BATCH, SUBMIT_FIRST, END_FIRST)


@pytest.mark.parametrize(("rule", "expected"), [(BATCH, [3, 0]), (SUBMIT_FIRST, [0, 8]), (END_FIRST, [0, 8])])
def test_two_submissions_at_one_instant(rule, expected):
    """Shortest first sees both jobs only if there is one pass for both."""
    assert starts([job(0, 4, 8), job(0, 4, 3)], 4, "sjf", same_instant=rule) == expected


@pytest.mark.parametrize(
    ("rule", "expected"), [(BATCH, [0, 13, 10]), (SUBMIT_FIRST, [0, 13, 10]), (END_FIRST, [0, 10, 18])]
)
def test_an_end_and_a_submission_at_one_instant(rule, expected):
    """A ends at 10, where the shorter C is submitted; if the end has its own pass, the longer B starts."""
    assert starts([job(0, 4, 10), job(1, 4, 8), job(10, 4, 3)], 4, "sjf", same_instant=rule) == expected


@pytest.mark.parametrize("rule", [SUBMIT_FIRST, END_FIRST])
def test_ends_of_one_instant_come_in_the_order_of_the_starts(rule):
    """Small and large end at 10. B needs all 4 processors, C, behind it, the 3 of large.

    If small is first, no job fits in its pass, and in that of large B does. If large is first, C fits in its
    pass. Both end earlier than expected, so that neither counts as free before its own pass.
    """
    small, large, b, c = job(0, 1, 10, 20), job(0, 3, 10, 20), job(1, 4, 5), job(2, 3, 5)
    assert starts([small, large, b, c], 4, "fcfs", skip=True, same_instant=rule) == [0, 0, 10, 15]
    assert starts([large, small, b, c], 4, "fcfs", skip=True, same_instant=rule) == [0, 0, 15, 10]


def test_submit_first_counts_as_free_what_ends_now_as_expected():
    """B and C are submitted at 10, where A ends. If that was expected, B starts before C is known."""
    as_expected = [job(0, 4, 10, 10), job(10, 4, 8), job(10, 4, 3)]
    too_early = [job(0, 4, 10, 20), job(10, 4, 8), job(10, 4, 3)]
    assert starts(as_expected, 4, "sjf", same_instant=SUBMIT_FIRST) == [0, 10, 18]
    assert starts(too_early, 4, "sjf", same_instant=SUBMIT_FIRST) == [0, 13, 10]


@pytest.mark.parametrize("rule", EVERY_RULE)
def test_jobs_of_no_length_start_and_end_in_one_instant(rule):
    jobs = [job(0, 1, 0), job(0, 1, 0), job(0, 1, 5), job(5, 1, 0)]
    assert schedule(jobs, 1, "fcfs", same_instant=rule) == [(0, 0), (0, 0), (0, 5), (5, 5)]


# 3 processors. A (2) runs 20 s but said 10. B needs all 3. C (1) runs 12 s.
#   extend: shadow 20, C passes        blind: shadow 10, C would end at 14      kill
#   0         1         2              0         1         2         3          0         1         2
#   0123456789012345678901234          0123456789012345678901234567890123456    012345678901234567890123456
#   AAAAAAAAAAAAAAAAAAAABBBBB          AAAAAAAAAAAAAAAAAAAABBBBBCCCCCCCCCCCC    AAAAAAAAAABBBBBCCCCCCCCCCCC
#   AAAAAAAAAAAAAAAAAAAABBBBB          AAAAAAAAAAAAAAAAAAAABBBBB                AAAAAAAAAABBBBB
#   ..CCCCCCCCCCCC......BBBBB          ....................BBBBB                ..........BBBBB
OVERRUN = [job(0, 2, 20, 10), job(1, 3, 5), job(2, 1, 12)]


@pytest.mark.parametrize(
    ("overrun", "expected"),
    [
        ("extend", [(0, 20), (20, 25), (2, 14)]),
        ("extend-blind", [(0, 20), (20, 25), (25, 37)]),
        ("kill", [(0, 10), (10, 15), (15, 27)]),
    ],
)
def test_overrun(overrun, expected):
    assert schedule(OVERRUN, 3, "easy", overrun=overrun) == expected


def test_only_a_job_that_is_cut_is_called_killed():
    outcomes = simulate([job(0, 1, 20, 10), job(0, 1, 10, 10)], 2, {"name": "fcfs"}, overrun="kill")
    assert [outcome.status for outcome in outcomes] == ["killed", "completed"]


def test_an_overrunning_candidate_passes_only_if_the_overrun_is_not_known():
    # As above, but C says 3 and runs 30: with a known overrun it would end at 32, after the shadow.
    jobs = [OVERRUN[0], OVERRUN[1], job(2, 1, 30, 3)]
    assert starts(jobs, 3, "easy", overrun="extend") == [0, 20, 25]
    assert starts(jobs, 3, "easy", overrun="extend-blind") == [0, 32, 2]


def test_submit_first_counts_as_free_a_blind_overrun_that_ends_now():
    # A said 5 and runs until 10, where B and then C are submitted: B starts in its own pass.
    jobs = [job(0, 4, 10, 5), job(10, 4, 8), job(10, 4, 3)]
    options = {"same_instant": SUBMIT_FIRST, "overrun": "extend-blind"}
    assert starts(jobs, 4, "sjf", **options) == [0, 10, 18]


def test_speed_divides_the_run_time_but_not_the_estimate():
    # At half speed A runs 20 s and is killed at its estimate of 15.
    assert schedule([job(0, 1, 10, 15)], 1, "fcfs", speed=0.5) == [(0, 20)]
    assert schedule([job(0, 1, 10, 15)], 1, "fcfs", speed=0.5, overrun="kill") == [(0, 15)]
    assert schedule([job(0, 1, 10, 15)], 1, "fcfs", speed=2.0) == [(0, 5)]


def test_oversized():
    jobs = [job(0, 9, 5), job(1, 4, 5)]
    assert schedule(jobs, 4, "fcfs", oversized="reject") == [(None, None), (1, 6)]
    assert schedule(jobs, 4, "fcfs", oversized="clip") == [(0, 5), (5, 10)]
    with pytest.raises(ValueError, match="a job needs 9 processors but the machine has 4"):
        schedule(jobs, 4, "fcfs", oversized="error")


class OneAfterTheOther(Users):
    """One user who submits the next job of the list as soon as the last has ended, after a think time."""

    def __init__(self, think_s: float) -> None:
        self.think_s = think_s

    def begin(self, jobs: Sequence[Job]) -> list[tuple[float, int]]:
        self.count = len(jobs)
        return [(jobs[0].submit, 0)]

    def ended(self, index: int, now: float) -> list[tuple[float, int]]:
        return [(now + self.think_s, index + 1)] if index + 1 < self.count else []


@pytest.mark.parametrize("rule", EVERY_RULE)
def test_users_who_wait_for_their_jobs(rule):
    """The second job is too large: for its user it has ended at its submission."""
    jobs = [job(5, 1, 10), job(0, 9, 10), job(0, 1, 0), job(0, 1, 10)]
    users = OneAfterTheOther(think_s=3)
    outcomes = simulate(jobs, 4, {"name": "fcfs"}, same_instant=rule, users=users)
    assert [(o.submit, o.start, o.end) for o in outcomes] == [
        (5, 5, 15),
        (18, None, None),
        (21, 21, 21),
        (24, 24, 34),
    ]


@pytest.mark.parametrize("rule", EVERY_RULE)
def test_no_think_time_is_the_same_instant(rule):
    jobs = [job(5, 1, 10), job(0, 9, 10), job(0, 1, 0), job(0, 1, 10)]
    outcomes = simulate(jobs, 4, {"name": "fcfs"}, same_instant=rule, users=OneAfterTheOther(think_s=0))
    assert [(o.submit, o.end) for o in outcomes] == [(5, 15), (15, None), (15, 15), (15, 25)]


@pytest.mark.parametrize("option", ["same_instant", "overrun", "oversized"])
def test_unknown_options_are_refused(option):
    with pytest.raises(ValueError, match=option):
        simulate([job(0, 1, 1)], 1, {"name": "fcfs"}, **dict[str, Any]({option: "sometimes"}))


def test_no_jobs():
    assert simulate([], 4, {"name": "easy"}) == []
