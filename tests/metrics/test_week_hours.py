"""Sums by hour of the week, against hour by hour; and spans of millions of years."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from thinktime.metrics.week_hours import HOURS, area_by_hour, hours_seen
from thinktime.support.time_units import HOUR_S

steps = st.lists(st.tuples(st.integers(-1_000_000, 3_000_000), st.integers(0, 100)), min_size=2, max_size=20)


def hour_by_hour(time_s: np.ndarray, value: np.ndarray) -> np.ndarray:
    edges = np.arange(np.floor(time_s[0] / HOUR_S), np.ceil(time_s[-1] / HOUR_S) + 1) * HOUR_S
    area = np.concatenate([[0.0], np.cumsum(value[:-1] * np.diff(time_s))])
    hour = np.floor(edges[:-1] / HOUR_S).astype(np.int64) % HOURS
    return np.bincount(hour, weights=np.diff(np.interp(edges, time_s, area)), minlength=HOURS)


@given(steps)
def test_areas_are_those_of_hour_by_hour(given_steps: list[tuple[int, int]]) -> None:
    time_s, value = (np.array(column, dtype=np.float64) for column in zip(*sorted(given_steps), strict=True))
    assert np.allclose(area_by_hour(time_s, value), hour_by_hour(time_s, value), rtol=1e-9, atol=1e-3)


@given(st.integers(-1000, 1000), st.integers(0, 1000))
def test_hours_are_counted(first: int, count: int) -> None:
    expected = np.bincount(np.arange(first, first + count + 1) % HOURS, minlength=HOURS)
    assert hours_seen(first, first + count).tolist() == expected.tolist()


def test_a_million_years_cost_no_more() -> None:
    week_s = HOURS * HOUR_S
    assert np.allclose(area_by_hour(np.array([0.0, 52e6 * week_s]), np.array([3.0, 0.0])), 3 * 52e6 * HOUR_S)
    assert hours_seen(0, int(52e6) * HOURS - 1).tolist() == [int(52e6)] * HOURS
