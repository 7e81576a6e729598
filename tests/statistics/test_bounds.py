"""Bounds: intervals stay inside, agree with Student's far from the bounds, and every metric has declared its own."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from thinktime.metrics import CATALOGUE
from thinktime.statistics import Bounds, paired, t_interval

SHARE, WAIT = Bounds(0.0, 1.0), Bounds(0.0)


def test_an_unknown_metric_has_neither_bounds_nor_a_direction() -> None:
    mine = CATALOGUE.about("mine")
    assert (mine.bounds.scale, mine.better) == ("linear", 0)
    assert [CATALOGUE[name].better for name in ("utilisation", "wait_mean_s", "jobs")] == [1, -1, 0]


@given(some.lists(some.floats(0, 1), min_size=5, max_size=12), some.floats(0.5, 0.999))
def test_shares_stay_between_zero_and_one(values: list[float], level: float) -> None:
    found = t_interval(values, level, SHARE)
    assert 0 <= found.low <= found.estimate + 1e-12
    assert found.estimate - 1e-12 <= found.high <= 1


@given(some.lists(some.floats(0, 1e9), min_size=5, max_size=12))
def test_waits_are_never_negative(values: list[float]) -> None:
    found = t_interval(values, 0.95, WAIT)
    assert 0 <= found.low <= found.estimate * (1 + 1e-12)
    assert found.high >= found.estimate * (1 - 1e-12)


@given(some.lists(some.tuples(some.floats(0, 1), some.floats(0, 1)), min_size=5, max_size=10))
def test_differences_of_shares_stay_between_minus_one_and_one(pairs: list[tuple[float, float]]) -> None:
    a, b = zip(*pairs, strict=True)
    found = paired(a, b, bounds=SHARE, resamples=100)
    assert -1 <= found.difference.low <= found.difference.high <= 1
    assert found.relative is None or found.relative.low >= -1


def test_the_interval_of_equal_differences_has_its_ends_in_order() -> None:
    """The scales of both intervals round in the sixteenth digit; the cut at them must not exchange the ends."""
    found = paired([1.0] * 5, [0.8531] * 5, bounds=SHARE, resamples=100).difference
    assert found.low == found.estimate == found.high


def test_far_from_the_bounds_the_interval_is_students() -> None:
    values = np.array([0.50, 0.51, 0.49, 0.502, 0.498])
    plain, inside = t_interval(values), t_interval(values, bounds=SHARE)
    assert (inside.low, inside.high) == pytest.approx((plain.low, plain.high), abs=1e-4)


def test_the_log_scale_by_hand() -> None:
    """Mean 2, half-width 1 on the linear scale: 2 / e^0.5 to 2 e^0.5; from 1 on, 1 + 1 / e to 1 + e."""
    assert WAIT.ends(2.0, 1.0) == pytest.approx((2 / math.sqrt(math.e), 2 * math.sqrt(math.e)))
    assert Bounds(1.0).ends(2.0, 1.0) == pytest.approx((1 + 1 / math.e, 1 + math.e))
    odds = math.exp(0.1 / 0.25)
    assert SHARE.ends(0.5, 0.1) == pytest.approx((1 / (1 + odds), odds / (1 + odds)))


def test_the_example_of_two_utilisations_has_no_interval() -> None:
    """Two values once gave −0.41 to 1.87."""
    found = t_interval([0.82, 0.64], 0.95, SHARE)
    assert (found.known, found.estimate) == (False, pytest.approx(0.73))
    assert "fewer than 5 values" in found.note
    assert -5 in found  # without ends nothing is excluded
