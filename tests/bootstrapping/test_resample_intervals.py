"""Intervals from drawn statistics: scipy's where scipy has them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from tests.effort import seeds
from thinktime.bootstrapping.resample_intervals import NO_JACKKNIFE, Values
from thinktime.statistics import acceleration, drawn_interval


@pytest.mark.parametrize("seed", seeds(25))
@pytest.mark.parametrize("level", [0.9, 0.99])
def test_bca_of_a_mean_is_scipys(seed: int, level: float) -> None:
    values = np.random.default_rng(seed).exponential(size=40)
    theirs = stats.bootstrap((values,), np.mean, method="BCa", confidence_level=level, n_resamples=2000, rng=seed)
    left_out = (values.sum() - values) / (len(values) - 1)
    ours = Values(values.mean(), theirs.bootstrap_distribution, left_out).interval(level, "bca")
    assert (ours.low, ours.high) == pytest.approx(tuple(theirs.confidence_interval), rel=1e-9)
    assert (ours.method, ours.note) == ("bca", "")


def test_groups_of_users_give_the_acceleration_of_users() -> None:
    """Skewness over √n is kept when independent shares are summed in groups, so both estimate the same."""
    rng = np.random.default_rng(7)
    found = []
    for _ in range(400):
        shares = rng.exponential(size=240)
        single, grouped = shares, shares.reshape(60, 4).sum(axis=1)
        found.append([acceleration([each.sum() - each]) for each in (single, grouped)])
    apart = np.diff(np.array(found), axis=1)[:, 0]
    exact = 2 / (6 * np.sqrt(240))  # the skewness of an exponential is 2
    bias = exact * 0.15  # of a skewness that is estimated from 60 sums
    assert abs(apart.mean()) < bias + 5 * apart.std() / np.sqrt(len(apart))
    assert np.mean(found) == pytest.approx(exact, rel=0.2)


def test_all_resamples_on_one_side_leave_no_bca() -> None:
    drawn = np.linspace(2.0, 3.0, 100)
    found = Values(1.0, drawn, np.array([0.9, 1.0, 1.2])).interval(0.9, "bca")
    assert (found.low, found.high) == tuple(np.quantile(drawn, [0.05, 0.95]))
    assert found.method == "percentile"
    assert "undefined" in found.note


def test_an_original_in_the_tail_is_noted() -> None:
    drawn = np.linspace(0.0, 1.0, 101)
    assert "below 97.5%" in Values(0.02, drawn, np.array([0.0, 0.1, 0.3])).interval(0.9, "bca").note
    assert Values(0.4, drawn, np.array([0.0, 0.1, 0.3])).interval(0.9, "bca").note == ""


def test_missing_values() -> None:
    few = Values(1.0, np.array([1.0, np.nan]), np.array([1.0, np.nan])).known()
    assert (len(few.drawn), len(few.left_out)) == (1, 0)
    assert "fewer than two" in few.interval(0.9, "bca").note
    assert Values(1.0, np.arange(5.0), np.empty(0)).interval(0.9, "bca").note == NO_JACKKNIFE
    unknown = Values(np.nan, np.arange(5.0), np.empty(0))
    assert unknown.interval(0.9, "bca").method == "percentile"
    assert np.isnan(unknown.below)


def test_no_bias_and_no_acceleration_is_the_percentile_interval() -> None:
    drawn = np.random.default_rng(1).normal(size=1001)
    middle = float(np.median(drawn))
    plain, bca = (drawn_interval(drawn, middle, method=method, level=0.9, a=0.0) for method in ("percentile", "bca"))
    assert (bca.low, bca.high) == pytest.approx((plain.low, plain.high))


def test_a_bca_interval_that_excludes_the_mean_is_flagged_with_the_reason() -> None:
    """The original lies above 99.5 % of the resamples: BCa moves the interval beyond their mean."""
    drawn = np.random.default_rng(1).normal(size=2001)
    observed = float(np.quantile(drawn, 0.995))
    found = drawn_interval(drawn, observed, method="bca", level=0.9)
    assert not found.low <= drawn.mean() <= found.high
    assert "excludes the mean of the resamples" in found.note
    assert "above 99.5% of them" in found.note
    assert drawn_interval(drawn, 0.1, method="bca", level=0.9).note == ""
    assert drawn_interval(drawn, observed, method="percentile", level=0.9).note == ""


@pytest.mark.parametrize(
    ("shift", "measure", "verdict"),
    [(-5, "wait_mean_s", "better"), (5, "wait_mean_s", "worse"), (5, "utilisation", "better"), (0, "jobs", "open")],
)
def test_the_verdict_on_a_difference(shift: float, measure: str, verdict: str) -> None:
    drawn = np.random.default_rng(2).normal(size=400) + shift
    assert Values(shift, drawn, np.empty(0)).verdict(measure, 0.95) == verdict
    assert Values(shift, drawn[:19], np.empty(0)).verdict(measure, 0.95) == "few"
    assert Values(0.0, np.zeros(100), np.empty(0)).verdict(measure, 0.95) == "equal"
