"""Adjusted, fluid and distribution-based users: the engine is the reference, job by job, random draws included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from reference import Job
from reference.users.batches import find_batches
from tests.effort import examples
from tests.engine.workloads import rules, run_engine, schedulers, workload_of
from tests.users.populations import assert_agreement, of_reference, population
from thinktime.schedulers import Scheduler
from thinktime.spec import REGISTRY, built_in, from_dict
from thinktime.support.random_streams import stream
from thinktime.workload.user_sessions.batches import batches

THRESHOLDS = st.sampled_from([2, 5, 12])  # seconds
SEEDS = st.sampled_from([0, 1, 2**64 - 1])
#: A day of the random workloads is as short as their jobs: hours in which something happens.
SHORT = 30.0


def hours(monday: float) -> dict[str, float]:
    """The clock of a workload of a minute, set so that hours of activity begin and end in it."""
    return {"monday_s": monday, "longest_break_h": 10 / 3600, "impatience": 6.0, "shift_h": 20 / 3600}


def assert_all_agree(
    jobs: list[Job], processors: int, scheduler: Scheduler, threshold: int, seed: int, **rules: Any
) -> None:
    minutes, days = threshold / 60, SHORT / 86400
    monday = 15.0 - 7.5 * 3600  # 7:30 of a Monday comes at 15 s, give or take the shift
    models = [
        tt.Adjusted(threshold_min=minutes),
        tt.Fluid(threshold_min=minutes, repeat_days=days),
        tt.Fluid(threshold_min=minutes, repeat_days=days, stays_min=4 / 60),
        tt.DistributionBased(threshold_min=minutes, **hours(monday)),
    ]
    for ours in models:
        assert_agreement(jobs, processors, scheduler, ours, of_reference(ours, seed), seed=seed, **rules)


@examples(700)
@given(population(), st.integers(1, 8), schedulers(), rules(), THRESHOLDS, SEEDS)
def test_the_engine_is_the_reference(
    jobs: list[Job], processors: int, scheduler: Scheduler, rules: dict[str, Any], threshold: int, seed: int
) -> None:
    """Rejected (too large) and killed (overrun) jobs are among them."""
    assert_all_agree(jobs, processors, scheduler, threshold, seed, **rules)


@pytest.mark.parametrize("name", sorted(REGISTRY["scheduler"]))
@examples(25)
@given(jobs=population(most=60, machine=4), processors=st.integers(3, 5), rules=rules(), threshold=THRESHOLDS)
def test_every_scheduler(name: str, jobs: list[Job], processors: int, rules: dict[str, Any], threshold: int) -> None:
    scheduler: Any = REGISTRY["scheduler"][name]()
    assert_all_agree(jobs, processors, scheduler, threshold, 7, **rules)


@examples(500)
@given(population(), THRESHOLDS, st.booleans())
def test_the_fast_batches_are_the_plain_ones(jobs: list[Job], threshold: int, reduced: bool) -> None:
    plain = [batch for own in find_batches(jobs, threshold).values() for batch in own]
    found = batches(workload_of(jobs), threshold_s=threshold, reduced=reduced)
    number = {id(batch): k for k, batch in enumerate(plain)}
    assert [found.batch[batch.jobs].tolist() for batch in plain] == [[k] * len(b.jobs) for k, b in enumerate(plain)]
    assert found.in_session.tolist() == [batch.in_session for batch in plain]
    for given_s, name in ((found.think_s, "think_time"), (found.inter_arrival_s, "inter_arrival")):
        assert [None if np.isnan(t) else t for t in given_s] == [getattr(batch, name) for batch in plain]
    for k, batch in enumerate(plain):
        on = set(found.depends_on[found.depends_start[k] : found.depends_start[k + 1]].tolist())
        every = {number[id(each)] for each in batch.depends_on}
        assert on <= every if reduced else on == every


@examples(300)
@given(population(), THRESHOLDS)
def test_adjusted_gives_the_recorded_submissions_back(jobs: list[Job], threshold: int) -> None:
    """A log without waits on a machine without queues: every job ends as recorded, so it is submitted as recorded."""
    at_once = [Job(job.submit, job.run, job.processors, job.estimate, job.user) for job in jobs]
    result = run_engine(at_once, 1_000, tt.FCFS(), users=tt.Adjusted(threshold_min=threshold / 60))
    assert np.array_equal(result.columns["submit_s"], result.columns["recorded_submit_s"])


@examples(200)
@given(population(), st.integers(1, 8), THRESHOLDS)
def test_adjusted_repeats_the_schedule_that_was_recorded(jobs: list[Job], processors: int, threshold: int) -> None:
    """The waits of a rigid run, recorded as the log's: users do again what they did."""
    small = [job for job in jobs if job.processors <= processors]
    rigid = run_engine(small, processors, tt.Easy())
    waits = (rigid.columns["start_s"] - rigid.columns["submit_s"]).tolist()
    recorded = [
        Job(job.submit, job.run, job.processors, job.estimate, job.user, wait)
        for job, wait in zip(small, waits, strict=True)
    ]
    again = run_engine(recorded, processors, tt.Easy(), users=tt.Adjusted(threshold_min=threshold / 60))
    assert np.array_equal(again.columns["submit_s"], rigid.columns["submit_s"])


# --- hours of activity --------------------------------------------------------------------------------------


def beginnings(user: int, shift_h: float) -> tuple[list[float], float]:
    """When the hours of a user who works by night begin, over a month around the workload's week, and their length."""
    _, shift, week = stream(3, "users", "distribution-based", user).random(3)
    begin = 3600.0 * 17.5 + (2.0 * shift - 1.0) * (3600.0 * shift_h)
    days = [day for day in range(-14, 21) if (day % 7 < 5) == (week < 0.8)]
    return [86400.0 * day + begin for day in days], 3600.0 * 14.0


@pytest.mark.parametrize("shift_h", [1.0, 16.5, 24.0])
def test_hours_of_activity_reach_as_far_as_they_are_shifted(shift_h: float) -> None:
    """Nights that are shifted by a day end on the second day after the one on which they begin.

    Every user has two batches, a minute apart; the first ends after ten seconds, at some hour of a week.
    """
    ended = {user: 3600.0 * (7 * user % 168) + 10.0 for user in range(1, 160)}
    jobs = [
        Job(submit=end - 10.0 + later, run=10, processors=1, estimate=10, user=user)
        for user, end in ended.items()
        for later in (0, 70)
    ]
    jobs.sort(key=lambda job: job.submit)
    ours = tt.DistributionBased(by_day=0.0, shift_h=shift_h, goes_on=1.0, impatience=0.0, monday_s=0.0)
    result = assert_agreement(jobs, 1_000, tt.FCFS(), ours, of_reference(ours, 3), seed=3)
    for user, end in ended.items():
        begins, length = beginnings(user, shift_h)
        active = any(begin <= end < begin + length for begin in begins)
        second = result.columns["submit_s"][result.columns["user"] == user][1]
        assert second == (end + 60.0 if active else min(begin for begin in begins if begin > end))


# --- random numbers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", [(0, 0), (1, 2), (2**64 - 1, 2**63), (12345, 0x9E3779B97F4A7C15)])
def test_the_engines_random_numbers_are_numpys(key: tuple[int, int]) -> None:
    from thinktime import _engine

    theirs = np.random.Generator(np.random.Philox(key=np.array(key, dtype=np.uint64))).random(1001)
    assert np.array_equal(_engine.uniforms(*key, 1001), theirs)


@pytest.mark.parametrize("users", [tt.Fluid(), tt.DistributionBased(threshold_min=0.1, monday_s=-30000)])
def test_the_seed_decides(users: Any) -> None:
    workload = tt.default_workload(jobs=2000, seed=3)
    runs = [
        tt.simulate(workload, tt.Machine(processors=64), tt.Easy(), users=users, seed=seed).columns["submit_s"]
        for seed in (1, 1, 2)
    ]
    assert np.array_equal(runs[0], runs[1])
    assert not np.array_equal(runs[0], runs[2])


# --- specs --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(cls.name for cls in built_in("users").values()))
def test_every_model_round_trips_and_says_whether_it_draws(name: str) -> None:
    spec: Any = REGISTRY["users"][name]()
    assert from_dict("users", spec.to_dict()) == spec
    assert spec.random == (name in ("fluid", "distribution-based"))


@pytest.mark.parametrize(
    ("model", "options", "sentence"),
    [
        (tt.Adjusted, {"threshold_min": "x"}, "threshold_min of adjusted is 'x': choose a number of 0 or more"),
        (tt.Fluid, {"repeat_days": 0}, "repeat_days of fluid is 0: choose a number from 0.0001 to 36525"),
        (tt.Fluid, {"repeat_days": 1e300}, "repeat_days of fluid is 1e+300: choose a number from 0.0001 to 36525"),
        (
            tt.SessionReplay,
            {"activity": "fluid", "repeat_days": 1e300},
            "repeat_days of session-replay is 1e+300: choose a number from 0.0001 to 36525",
        ),
        (
            tt.DistributionBased,
            {"monday_s": float("nan")},
            "monday_s of distribution-based is nan: give a time of the log in seconds",
        ),
        (tt.DistributionBased, {"by_day": 1.5}, "by_day of distribution-based is 1.5: choose a number from 0 to 1"),
        (
            tt.DistributionBased,
            {"day_ends_h": 5},
            "day_ends_h of distribution-based is 5, before day_begins_h, 7.5: let the day end after it begins",
        ),
        (
            tt.DistributionBased,
            {"monday_s": "x"},
            "monday_s of distribution-based is 'x': give a time of the log in seconds",
        ),
    ],
)
def test_mistakes(model: Any, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(tt.InputError) as mistake:
        model(**options)
    assert str(mistake.value) == sentence


def test_a_log_without_a_clock_needs_to_know_when_monday_is() -> None:
    workload = tt.Workload.from_columns(submit_s=[0, 9], run_s=[1, 1], processors=[1, 1], user=[1, 1], wait_s=[0, 0])
    with pytest.raises(tt.InputError, match="does not record the time of day"):
        tt.simulate(workload, tt.Machine(processors=1), tt.FCFS(), users=tt.DistributionBased())
    assert len(tt.simulate(workload, tt.Machine(processors=1), tt.FCFS(), users=tt.DistributionBased(monday_s=0)))
