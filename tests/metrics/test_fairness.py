"""Fairness over users: hand-worked numbers, and what must hold for any."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.metrics.schedule import columns, empty
from thinktime.errors import InputError
from thinktime.metrics import counted_columns, fair_start_misses, fairness, gini, jain_index, per_user, worst_tenth
from thinktime.result import Result

values = st.lists(st.floats(0, 1e6).map(lambda x: round(x, 3)), min_size=1, max_size=30).map(np.array)


def test_jain_by_hand() -> None:
    """1 2 3: 36 / (3 · 14)."""
    assert jain_index(np.array([1.0, 2, 3])) == pytest.approx(36 / 42)
    assert jain_index(np.array([0.0, 0, 0, 5])) == pytest.approx(0.25)
    assert jain_index(np.zeros(3)) == jain_index(np.full(3, 7.0)) == 1


def test_gini_by_hand() -> None:
    """1 2 3: the mean absolute difference over all nine pairs is 8/9, over twice the mean 2."""
    assert gini(np.array([3.0, 1, 2])) == pytest.approx(8 / 9 / 4)
    assert gini(np.array([0.0, 0, 0, 5])) == pytest.approx(0.75)
    assert gini(np.zeros(3)) == 0


def test_the_worst_tenth_is_rounded_up() -> None:
    assert worst_tenth(np.arange(1.0, 21)) == 19.5  # two of twenty
    assert worst_tenth(np.arange(1.0, 22)) == 20  # three of twenty-one
    assert worst_tenth(np.array([4.0])) == 4


def test_no_job() -> None:
    nothing = np.array([])
    assert all(math.isnan(function(nothing)) for function in (jain_index, gini, worst_tenth))
    found = fairness(empty(columns()))
    assert found["users"] == 0
    assert math.isnan(found["wait_jain"])


@given(values, st.floats(0.001, 1000))
def test_evenness_does_not_depend_on_the_unit(some: np.ndarray, scale: float) -> None:
    assert jain_index(some * scale) == pytest.approx(jain_index(some))
    assert gini(some * scale) == pytest.approx(gini(some), abs=1e-9)
    assert 1 / len(some) - 1e-9 <= jain_index(some) <= 1 + 1e-9
    assert -1e-9 <= gini(some) <= 1
    assert worst_tenth(some) >= some.mean() - 1e-6


def test_users_of_the_hand_worked_schedule() -> None:
    """User 1 waits 0 and 90, user 2 130 and 0 (and one rejected), user 3 0."""
    table = per_user(counted_columns(columns()))
    assert table["user"].tolist() == [1, 2, 3]
    assert table["jobs"].tolist() == [2, 2, 1]
    assert table["mean_wait_s"].tolist() == [45, 65, 0]
    assert table["mean_bounded_slowdown"] == pytest.approx([(1 + 2.8) / 2, (13.5 + 1) / 2, 1])
    assert table["processor_s"].tolist() == [400, 5, 40]


def test_fairness_of_the_hand_worked_schedule() -> None:
    found = fairness(counted_columns(columns()))
    assert found["wait_jain"] == pytest.approx(110**2 / (3 * (45**2 + 65**2)))
    assert found["user_wait_mean_s"] == pytest.approx(110 / 3)
    assert found["worst_tenth_wait_mean_s"] == 65
    assert found["worst_tenth_wait_ratio"] == pytest.approx(65 * 3 / 110)


def test_misses_by_hand() -> None:
    missed = fair_start_misses(np.array([5.0, 9, np.nan]), np.array([7.0, 4, 1]))
    assert missed[:2].tolist() == [0, 5]
    assert math.isnan(missed[2])
    with pytest.raises(InputError, match=r"one value per job \(3, got 2\)"):
        fair_start_misses(np.zeros(3), np.zeros(2))


def test_a_result_has_both() -> None:
    run = Result(columns=columns(), processors=4)
    frame = run.per_user()
    assert frame.columns == ["user", "jobs", "mean_wait_s", "mean_bounded_slowdown", "processor_s"]
    assert frame["user"].to_list() == [1, 2, 3]
    fair = np.array([0.0, 100, 20, np.nan, 160, 170])  # job 3 starts 130 s late
    found = run.fairness(fair)
    assert found["fair_start_miss_mean_s"] == pytest.approx(130 / 5)
    assert (found["fair_start_miss_share"], found["fair_start_miss_max_s"]) == (0.2, 130)
    with pytest.raises(InputError, match=r"must have one value per job \(got 1 for 6 jobs\)"):
        run.fairness(np.zeros(1))


def test_a_result_counts_what_its_summary_counts() -> None:
    run = Result(columns=columns(), processors=4)
    for window in ({"warmup_s": 15.0}, {"window": (0.0, 160.0)}, {"exclude": ("rejected", "killed")}):
        summary = run.summary(**window)
        assert run.per_user(**window)["jobs"].sum() == summary["jobs_counted"]
        assert run.fairness(**window)["user_wait_mean_s"] == pytest.approx(summary["user_wait_mean_s"])
