"""Lateness, activity, the week's rhythm and long windows: worked out by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from thinktime.errors import InputError
from thinktime.metrics import (
    activity,
    cycle_distance,
    lateness_by_user,
    long_windows,
    mean_lateness,
    prefix_lateness,
    week_s,
    weekly_profile,
)

DAY, HOUR = 86400.0, 3600.0
RECORDED = np.array([0.0, 10.0, 20.0, 30.0])


def test_lateness_that_grows_evenly_gives_its_slope() -> None:
    found = mean_lateness(RECORDED + 3.0 * np.arange(4), RECORDED)
    assert (found.jobs, found.mean_s, found.additional_s) == (4, 4.5, 3.0)
    assert found.relative == 1 + 4.5 / 30


@given(st.lists(st.integers(0, 1000), min_size=2), st.integers(-50, 50))
def test_a_common_shift_is_the_mean(recorded: list[int], shift: int) -> None:
    recorded_s = np.array(recorded, float)
    found = mean_lateness(recorded_s + shift, recorded_s)
    assert found.mean_s == pytest.approx(shift)
    assert found.additional_s == pytest.approx(2 * shift / (len(recorded) - 1))


def test_a_job_that_was_never_submitted_has_no_lateness() -> None:
    found = mean_lateness(np.array([5.0, 10.0, np.nan, np.nan]), RECORDED)
    assert (found.jobs, found.mean_s, found.relative) == (2, 2.5, 1.25)


@pytest.mark.parametrize("jobs", [0, 1])
def test_too_few_jobs_have_no_slope(jobs: int) -> None:
    found = mean_lateness(RECORDED[:jobs], RECORDED[:jobs])
    assert math.isnan(found.additional_s)
    assert math.isnan(found.relative)


def test_users_with_one_job_are_in_no_percentile() -> None:
    user = np.array([1.0, 1.0, 2.0, np.nan, 3.0, 3.0, 3.0])
    recorded = np.array([0.0, 10.0, 0.0, 0.0, 0.0, 5.0, 20.0])
    late = np.array([2.0, 4.0, 99.0, 99.0, -3.0, -3.0, -3.0])
    found = lateness_by_user(recorded + late, recorded, user)
    assert found.user.tolist() == [1, 2, 3]
    assert found.jobs.tolist() == [2, 1, 3]
    assert found.mean_s.tolist() == [3, 99, -3]
    assert found.additional_s[[0, 2]].tolist() == [6, -3]
    assert found.relative[[0, 2]].tolist() == [1.3, 0.85]
    assert math.isnan(found.additional_s[1])
    assert found.percentiles() == pytest.approx({10.0: -2.1, 50.0: 1.5, 90.0: 5.1})  # between −3 and 6
    assert found.frame["additional_s"].to_list() == [6.0, None, -3.0]


def test_prefixes_are_by_recorded_submission() -> None:
    order = [2, 0, 3, 1]
    late = np.array([1.0, 3.0, 5.0, 7.0])
    found = prefix_lateness((RECORDED + late)[order], RECORDED[order], [2, 4])
    assert [one.mean_s for one in found] == [2.0, 4.0]
    assert [one.jobs for one in found] == [2, 4]


def test_activity_of_users() -> None:
    columns = {
        "user": np.array([2.0, 1.0, 1.0, np.nan, 3.0]),
        "submit_s": np.array([0.0, 0.0, DAY, 5.0, 7.0]),
        "end_s": np.array([DAY / 2, 10.0, 4 * DAY, 6.0, np.nan]),
    }
    found = activity(columns)
    assert found["user"].tolist() == [1, 2, 3]
    assert found["activity_s"].tolist() == [DAY, 0, 0]
    assert found["throughput_per_day"][:2].tolist() == [0.5, 2.0]
    assert math.isnan(found["throughput_per_day"][2])  # nothing of user 3 ended


def test_profiles_are_shares_by_hour_of_the_week() -> None:
    profile = weekly_profile(np.array([0.0, HOUR - 1, HOUR, 7 * DAY + 30, -1.0, np.nan]))
    assert (profile[0], profile[1], profile[167], profile.sum()) == (0.6, 0.2, 0.2, 1.0)
    with pytest.raises(InputError, match="No job was submitted"):
        weekly_profile(np.array([np.nan]))


def only(hour: int) -> np.ndarray:
    return np.eye(168)[hour]


@pytest.mark.parametrize(("a", "b", "hours"), [(0, 0, 0), (0, 5, 5), (2, 167, 3), (0, 84, 84), (160, 3, 11)])
def test_submissions_are_moved_the_short_way_around_the_week(a: int, b: int, hours: int) -> None:
    found = cycle_distance(only(a), only(b))
    assert found.wasserstein_h == pytest.approx(hours)
    assert found.total_variation == (a != b)


def test_half_of_the_jobs_an_hour_later() -> None:
    found = cycle_distance(only(9), (only(9) + only(10)) / 2)
    assert (found.total_variation, found.wasserstein_h) == (0.5, 0.5)


def test_long_windows() -> None:
    columns = {
        "submit_s": np.array([10.0, 20.0]),
        "start_s": np.array([10.0, 110.0]),
        "end_s": np.array([60.0, 210.0]),
        "processors": np.array([4.0, 2.0]),
    }
    half, all_of_it = long_windows(columns, 8, lengths_s=(100.0, 200.0), begin_s=20.0)
    assert (half.t1_s, half.t2_s, half.complete, all_of_it.complete) == (30.0, 130.0, True, False)
    assert half.used_processors == pytest.approx((4 * 30 + 2 * 20) / 100)
    assert half.utilisation == pytest.approx(half.used_processors / 8)
    assert half.throughput_per_day == pytest.approx(DAY / 100)


@pytest.fixture(scope="module")
def run() -> tuple[tt.Workload, tt.Result]:
    workload = tt.default_workload(jobs=200)
    return workload, tt.simulate(workload, tt.Machine(processors=128), tt.Easy())


def test_rigid_users_are_never_late(run: tuple[tt.Workload, tt.Result]) -> None:
    workload, result = run
    assert (result.lateness().mean_s, result.lateness().relative) == (0.0, 1.0)
    assert set(result.lateness(by="user").percentiles().values()) == {0.0}
    assert result.cycle_distance(workload).total_variation == 0.0
    assert result.activity()["jobs"].sum() == 200
    assert len(result.long_windows()) == 3


def test_late_users_are_late_by_as_much(run: tuple[tt.Workload, tt.Result]) -> None:
    workload, result = run
    later = replace(result, columns={**result.columns, "submit_s": result.columns["submit_s"] + 6 * HOUR})
    assert later.lateness().mean_s == 6 * HOUR
    assert later.lateness(relative_to=workload).mean_s == 6 * HOUR
    assert later.lateness(relative_to=result).mean_s == 6 * HOUR
    assert result.lateness(relative_to=later).mean_s == -6 * HOUR
    assert later.cycle_distance(workload).wasserstein_h == pytest.approx(6.0)


def test_mistakes_are_named(run: tuple[tt.Workload, tt.Result]) -> None:
    workload, result = run
    with pytest.raises(InputError, match="by"):
        result.lateness(by="group")  # type: ignore[call-overload]
    with pytest.raises(InputError, match="other jobs than this run"):
        result.lateness(relative_to=workload.select(np.arange(5)))
    with pytest.raises(InputError, match="other jobs than this run"):
        result.lateness(relative_to=tt.simulate(workload.select(np.arange(5)), tt.Machine(processors=128), tt.Easy()))
    with pytest.raises(InputError, match=r"^relative_to is .* give the workload that was simulated"):
        result.lateness(relative_to="log.swf")  # type: ignore[call-overload]
    with pytest.raises(InputError, match=r"^workload is None: give the workload that was simulated"):
        result.cycle_distance(None)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="UnixStartTime"):
        week_s(tt.Workload.from_columns(submit_s=[0]))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"lengths_s": 5.0}, "lengths_s is 5.0: give a list of windows' lengths in seconds"),
        ({"lengths_s": None}, "lengths_s is None: give a list of windows' lengths in seconds"),
        ({"lengths_s": "4 months"}, "lengths_s is '4 months': give a list of windows' lengths in seconds"),
        ({"lengths_s": ["x"]}, "a window's length must be at least 0 seconds (got 'x')"),
        ({"lengths_s": [None]}, "a window's length must be at least 0 seconds (got None)"),
        ({"lengths_s": [float("nan")]}, "a window's length must be at least 0 seconds (got nan)"),
        ({"lengths_s": [-1.0]}, "a window's length must be at least 0 seconds (got -1.0)"),
        ({"begin_s": "x"}, "begin_s must be at least 0 seconds (got 'x')"),
    ],
)
def test_odd_windows_are_refused(run: tuple[tt.Workload, tt.Result], options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError) as mistake:
        run[1].long_windows(**options)
    assert str(mistake.value) == sentence
