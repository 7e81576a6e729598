"""The four steps of the saturation test, by hand; runs that are and are not saturated; users who do not count."""

from __future__ import annotations

import numpy as np
import pytest

import thinktime as tt
from thinktime.metrics import outstanding_jobs, saturation, saturation_of
from thinktime.support.time_units import WEEK_S


def test_outstanding_jobs_at_borders() -> None:
    submit, end = np.array([0.0, 1.0, 5.0, np.nan]), np.array([3.0, np.nan, 6.0, np.nan])
    assert outstanding_jobs(submit, end, np.array([-1.0, 0.0, 1.0, 3.0, 5.0, 6.0])).tolist() == [0, 1, 2, 1, 2, 1]


def test_the_steps_by_hand() -> None:
    """A bump that falls again does not count, nor do the last two of ten weeks."""
    found = saturation_of(np.array([0, 9, 2, 3, 4, 5, 30, 7, 8, 90]))
    assert found.lasting.tolist() == [0, 2, 2, 3, 4, 5, 7, 7, 8, 90]
    assert found.used == 8
    weeks = np.arange(8)
    assert found.slope == pytest.approx(np.polyfit(weeks, [0, 2, 2, 3, 4, 5, 7, 7], 1)[0])
    assert found.saturated
    assert bool(found)


@pytest.mark.parametrize(("growth", "saturated"), [(0.0, False), (0.99, False), (1.0, True), (3.0, True)])
def test_one_job_a_week_is_the_border(growth: float, saturated: bool) -> None:
    assert saturation_of(5 + growth * np.arange(40)).saturated is saturated


def test_nothing_to_look_at_is_stable() -> None:
    assert not saturation(np.empty(0), np.empty(0)).saturated
    assert not saturation(np.array([5.0]), np.array([9.0])).saturated


def test_a_queue_that_drains_after_the_last_submission_is_still_saturated() -> None:
    submit = np.arange(0.0, 20 * WEEK_S, 3600.0)
    end = np.cumsum(np.full(len(submit), 5000.0))
    assert saturation(submit, end).saturated
    assert not saturation(submit, submit + 5000.0).saturated


def test_a_run_says_whether_it_is_saturated() -> None:
    log = tt.default_workload(weeks=12, load=0.7)
    assert not tt.simulate(log, tt.Machine(processors=128), tt.Easy()).saturation()
    assert tt.simulate(log, tt.Machine(processors=80), tt.Easy(), oversized="clip").saturation()


def test_a_rejected_job_is_never_outstanding() -> None:
    log = tt.default_workload(weeks=12, load=0.5)
    run = tt.simulate(log, tt.Machine(processors=64), tt.Easy())
    assert run.summary()["rejected"] > 12
    assert not run.saturation()


def test_excluded_users_count_for_the_machine_only() -> None:
    log = tt.default_workload(weeks=2)
    run = tt.simulate(log, tt.Machine(processors=128), tt.Easy())
    users = tuple(log.users[:10])
    all_jobs, some = run.summary(), run.summary(exclude_users=users)
    own = np.isin(run.columns["user"], users)
    wait = run.columns["start_s"] - run.columns["submit_s"]
    assert some["wait_mean_s"] == pytest.approx(wait[~own].mean())
    assert some["jobs_counted"] == all_jobs["jobs_counted"] - own.sum()
    assert some.excluded["of excluded users"] == own.sum()
    assert some["completed"] == all_jobs["completed"] - own.sum()
    assert some["throughput_per_day"] == pytest.approx(all_jobs["throughput_per_day"] * np.mean(~own))
    assert (some["utilisation"], some["queued_jobs_mean"]) == (all_jobs["utilisation"], all_jobs["queued_jobs_mean"])
    assert run.per_user(exclude_users=users).height == run.per_user().height - 10
