"""Schedules that were worked out by hand, one idea each. A job is (submit, run, processors, estimate)."""

from __future__ import annotations

from typing import Any

import pytest

from reference import Job
from tests.engine.workloads import run_engine
from thinktime.metrics.status import STATUS_NAMES
from thinktime.schedulers import Scheduler
from thinktime.schedulers.conservative import Conservative
from thinktime.schedulers.easy import Easy
from thinktime.schedulers.edf import EDF
from thinktime.schedulers.fcfs import FCFS
from thinktime.schedulers.ljf import LJF
from thinktime.schedulers.priority import Priority
from thinktime.schedulers.reject import Reject
from thinktime.schedulers.sjf import SJF


def starts(processors: int, scheduler: Scheduler, *jobs: tuple[int, ...], **rules: Any) -> list[float]:
    """Starts in the order given; without an estimate the run time is known."""
    found = run_engine([whole(job) for job in jobs], processors, scheduler, **rules)
    return found.columns["start_s"].tolist()


def whole(job: tuple[int, ...]) -> Job:
    submit, run, processors, *estimate = job
    return Job(submit, run, processors, estimate[0] if estimate else run)


# --- list policies ------------------------------------------------------------------------------------------


def test_fcfs_waits_behind_the_head() -> None:
    assert starts(4, FCFS(), (0, 10, 3), (1, 5, 2), (2, 5, 1)) == [0, 10, 10]


def test_fcfs_with_skip_does_not() -> None:
    assert starts(4, FCFS(skip=True), (0, 10, 3), (1, 5, 2), (2, 5, 1)) == [0, 10, 2]


BEHIND_A_LONG_ONE = [(0, 10, 1), (1, 5, 1), (3, 4, 1), (4, 3, 1, 9)]  # deadlines 6, 7 and 13


@pytest.mark.parametrize(
    ("scheduler", "expected"),
    [
        (FCFS(), [0, 10, 15, 19]),
        (SJF(), [0, 14, 10, 19]),  # by estimate, though the last one runs 3 s only
        (LJF(), [0, 13, 18, 10]),
        (EDF(), [0, 10, 15, 19]),
        (EDF(deadline_factor=10.0), [0, 14, 10, 19]),  # deadlines 51, 43, 94
    ],
    ids=repr,
)
def test_orders(scheduler: Scheduler, expected: list[float]) -> None:
    assert starts(1, scheduler, *BEHIND_A_LONG_ONE) == expected


def test_equal_keys_go_by_arrival() -> None:
    assert starts(1, SJF(), (0, 10, 1), (1, 5, 1), (2, 5, 1), (2, 5, 1)) == [0, 10, 15, 20]


@pytest.mark.parametrize(
    ("key", "second_first"),
    [
        ("wfp3", True),  # at 10: (8/4)³ · 2 = 16 and (5/2)³ · 2 = 31.25
        ("unicef", True),  # 8 / (log2(2) · 4) = 2 and 5 / (log2(2) · 2) = 2.5
        ("expansion", True),  # (8 + 4) / 4 = 3 and (5 + 2) / 2 = 3.5
        ("wait", False),
        ("smallest-area", True),
        ("largest-area", False),
        ("f1", False),  # 870 log10(s) decides: s = 2 and 5
    ],
)
def test_priority_keys(key: str, second_first: bool) -> None:
    found = starts(2, Priority(key=key), (0, 10, 2), (2, 4, 2), (5, 2, 2))
    assert found == ([0, 12, 10] if second_first else [0, 10, 14])


def test_wfp3_prefers_the_larger_job() -> None:
    """2 · (8/4)³ = 16 beats 1 · (5/2)³ = 15.6."""
    assert starts(2, Priority(key="wfp3"), (0, 10, 2), (2, 4, 2), (5, 2, 1)) == [0, 10, 14]


def test_reject() -> None:
    found = run_engine([Job(0, 1, 1, 1)], 4, Reject())
    assert STATUS_NAMES[found.columns["status"][0]] == "rejected"


# --- EASY ---------------------------------------------------------------------------------------------------


def test_easy_lets_pass_who_is_over_by_the_shadow() -> None:
    """The head's shadow is 10; the third job ends exactly then, the fourth finds no processor."""
    assert starts(4, Easy(), (0, 10, 3), (1, 10, 4), (2, 8, 1), (3, 8, 1)) == [0, 10, 2, 20]


def test_easy_holds_back_who_is_over_one_second_later() -> None:
    assert starts(4, Easy(), (0, 10, 3), (1, 10, 4), (2, 9, 1)) == [0, 10, 20]


EXTRA = [(0, 10, 3), (1, 10, 4), (2, 20, 1), (3, 20, 1)]  # on 5 processors one is extra at the shadow


def test_easy_gives_away_the_extra_processor_once() -> None:
    assert starts(5, Easy(), *EXTRA) == [0, 10, 2, 20]


def test_easy_gives_away_the_extra_processor_once_in_one_pass() -> None:
    assert starts(5, Easy(), *EXTRA[:3], (2, 20, 1)) == [0, 10, 2, 20]


def test_easy_without_extra_nodes() -> None:
    assert starts(5, Easy(extra_nodes=False), *EXTRA) == [0, 10, 10, 20]


def test_easy_counts_all_that_end_at_the_shadow() -> None:
    """Two end at 10, one would do for the head; so one is extra, unless ties are not counted."""
    jobs = [(0, 10, 1), (0, 10, 1), (1, 10, 3), (2, 20, 1)]
    assert starts(4, Easy(), *jobs) == [0, 0, 10, 2]
    assert starts(4, Easy(count_ties=False), *jobs) == [0, 0, 10, 10]


def test_easy_recomputes_the_promise() -> None:
    """The second job ends at 2, not at 20. Then the shadow is 10, but the first promise was 20."""
    jobs = [(0, 10, 1), (0, 2, 1, 20), (1, 5, 3), (3, 15, 1)]
    assert starts(3, Easy(), *jobs) == [0, 0, 10, 15]
    assert starts(3, Easy(recompute=False), *jobs) == [0, 0, 18, 3]


def test_easy_with_the_shortest_candidate_first() -> None:
    jobs = [(0, 10, 1), (1, 10, 2), (2, 8, 1), (2, 3, 1)]
    assert starts(2, Easy(), *jobs) == [0, 10, 2, 20]
    assert starts(2, Easy(backfill_order="sjf"), *jobs) == [0, 10, 20, 2]


def test_easy_sorts_the_candidates_by_the_keys_of_now() -> None:
    """At 5, WFP3 is (3/14)³ for the fourth job and (1/2)³ for the last; when they came, both were 0."""
    jobs = [(0, 20, 1), (0, 5, 1), (1, 20, 2), (2, 14, 1), (4, 2, 1)]
    assert starts(2, Easy(backfill_order="wfp3"), *jobs) == [0, 0, 20, 40, 5]


def test_easy_sees_overrunning_jobs_as_ending_now() -> None:
    """At 4 two jobs of 2 + 1 processors are past their estimates: the shadow is now, and one is extra."""
    jobs = [(0, 10, 2, 2), (0, 10, 1, 3), (0, 20, 1), (1, 5, 3), (4, 30, 1)]
    assert starts(5, Easy(), *jobs, overrun="extend-blind") == [0, 0, 0, 10, 4]
    assert starts(5, Easy(), *jobs, overrun="extend") == [0, 0, 0, 10, 4]


def test_easy_in_another_order_promises_another_head() -> None:
    """By size the third job is the head; by arrival it is the second."""
    jobs = [(0, 10, 2), (1, 10, 3), (1, 10, 2)]
    assert starts(3, Easy(order="largest"), *jobs) == [0, 10, 20]
    assert starts(3, Easy(order="smallest"), *jobs) == [0, 20, 10]


def test_accasim_starts_whatever_fits_and_tries_the_head_late() -> None:
    """The head's slot is 10. The first job ends at 3, but the head is asked at 10; then the third runs."""
    compat = Easy(compat="accasim-1.0")
    assert starts(2, compat, (0, 3, 1, 10), (1, 5, 2)) == [0, 10]
    assert starts(2, compat, (0, 3, 1, 10), (1, 5, 2), (2, 20, 1)) == [0, 22, 2]
    assert starts(2, Easy(), (0, 3, 1, 10), (1, 5, 2), (2, 20, 1)) == [0, 3, 8]


# --- conservative -------------------------------------------------------------------------------------------

TWO_PROMISES = [(0, 10, 2), (1, 10, 3), (2, 10, 4), (3, 30, 1)]


def test_conservative_keeps_the_second_promise_too() -> None:
    assert starts(4, Conservative(), *TWO_PROMISES) == [0, 10, 20, 30]
    assert starts(4, Easy(), *TWO_PROMISES) == [0, 10, 33, 3]


def test_conservative_compresses_when_a_job_ends_early() -> None:
    jobs = [(0, 5, 2, 10), (1, 10, 4)]
    assert starts(4, Conservative(), *jobs) == [0, 5]
    assert starts(4, Conservative(compress=False), *jobs) == [0, 10]


def test_conservative_fills_a_hole() -> None:
    """The hole before the second job's slot is 10 s long on two processors."""
    assert starts(4, Conservative(), (0, 10, 2), (1, 5, 4), (1, 9, 2), (1, 1, 2)) == [0, 10, 1, 15]


# --- the instant --------------------------------------------------------------------------------------------


def test_submissions_of_one_instant() -> None:
    jobs = [(0, 8, 1), (0, 1, 1)]
    assert starts(1, SJF(), *jobs, same_instant="batch") == [1, 0]
    assert starts(1, SJF(), *jobs, same_instant="each-submit-first") == [0, 8]
    assert starts(1, SJF(), *jobs, same_instant="each-end-first") == [0, 8]


def test_an_end_and_a_submission_at_one_instant() -> None:
    jobs = [(0, 10, 1), (5, 8, 1), (10, 1, 1)]
    assert starts(1, SJF(), *jobs, same_instant="batch") == [0, 11, 10]
    assert starts(1, SJF(), *jobs, same_instant="each-submit-first") == [0, 11, 10]
    assert starts(1, SJF(), *jobs, same_instant="each-end-first") == [0, 10, 18]


def test_each_submit_first_counts_only_what_was_expected_to_end() -> None:
    """Two jobs come at 10, when the first ends. If it was expected to, the earlier of the two has its
    processor before the shorter one is there; if not, both are there before its end is an event."""
    for estimate, expected in ((10, [0, 10, 18]), (15, [0, 11, 10])):
        jobs = [(0, 10, 1, estimate), (10, 8, 1), (10, 1, 1)]
        assert starts(1, SJF(), *jobs, same_instant="each-submit-first") == expected


def test_easy_gives_what_ends_now_to_who_waited() -> None:
    """The first job ends at 10, when the last is submitted: the fourth, which waited, has its processor."""
    jobs = [(0, 10, 1), (0, 20, 1), (1, 5, 2), (2, 9, 1), (10, 5, 1)]
    for rule in ("batch", "each-submit-first", "each-end-first"):
        assert starts(2, Easy(), *jobs, same_instant=rule) == [0, 0, 20, 10, 25]


def test_jobs_of_no_length_pass_through() -> None:
    assert starts(4, FCFS(), (0, 0, 4), (0, 5, 4), (5, 0, 1)) == [0, 0, 5]
    assert starts(4, FCFS(), (0, 0, 4), (0, 0, 4), (0, 0, 4)) == [0, 0, 0]


# --- overrun, size, speed -----------------------------------------------------------------------------------


def test_overrun() -> None:
    """A job of 10 s that asked for 5."""
    for rule, end, status in (
        ("extend", 10, "completed"),
        ("extend-blind", 10, "completed"),
        ("kill", 5, "killed"),
    ):
        columns = run_engine([Job(0, 10, 1, 5)], 1, FCFS(), overrun=rule).columns
        assert (columns["end_s"][0], STATUS_NAMES[columns["status"][0]]) == (end, status)


def test_only_extend_foresees_an_overrun() -> None:
    """The first job asked for 5 s and runs 10. Who knows it lets the last job, of 9 s, pass."""
    jobs = [(0, 10, 1, 5), (0, 1, 1, 6), (0, 5, 2), (1, 9, 1)]
    assert starts(2, Easy(), *jobs, overrun="extend") == [0, 0, 10, 1]
    assert starts(2, Easy(), *jobs, overrun="extend-blind") == [0, 0, 10, 15]


def test_oversized() -> None:
    jobs = [Job(0, 10, 9, 10), Job(1, 10, 1, 10)]
    rejected = run_engine(jobs, 4, FCFS()).columns
    assert STATUS_NAMES[rejected["status"][0]] == "rejected"
    assert rejected["start_s"][1] == 1
    clipped = run_engine(jobs, 4, FCFS(), oversized="clip").columns
    assert (clipped["processors"][0], clipped["start_s"].tolist()) == (4, [0, 10])


def test_speed_divides_run_times_and_leaves_estimates() -> None:
    columns = run_engine([Job(0, 10, 1, 12), Job(0, 5, 1, 6)], 1, FCFS(), speed=4.0).columns
    assert columns["end_s"].tolist() == [2.5, 3.75]
    assert columns["estimate_s"].tolist() == [12, 6]
