"""Pairs: against scipy, under weights, and where there is nothing to vary."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from thinktime.errors import InputError
from thinktime.statistics import bootstrap, paired
from thinktime.statistics.paired import ratio
from thinktime.support.random_streams import stream

COMMON = stream(1, "test").exponential(10.0, size=20)  # what makes a block hard for both
B = COMMON + stream(2, "test").random(20)
A = COMMON + stream(3, "test").random(20) - 2.0


def test_the_difference_is_scipys() -> None:
    found = paired(A, B, resamples=500)
    expected = stats.ttest_rel(A, B).confidence_interval(0.95)
    assert (found.difference.low, found.difference.high) == pytest.approx((expected.low, expected.high))
    assert (found.n, found.lower, found.equal, found.higher) == (20, 20, 0, 0)


def test_common_numbers_save_runs() -> None:
    found = paired(A, B, resamples=500)
    assert found.correlation == pytest.approx(stats.pearsonr(A, B).statistic)
    assert found.variance_reduction == pytest.approx((A.var(ddof=1) + B.var(ddof=1)) / (A - B).var(ddof=1))
    assert found.variance_reduction > 50


def test_the_relative_difference() -> None:
    found = paired(A, B, resamples=500)
    assert found.relative is not None
    assert found.relative.estimate == pytest.approx(A.mean() / B.mean() - 1)
    assert found.relative.high < 0
    boot = bootstrap((A - B, B), ratio, together=True)
    assert found.relative.half_width == pytest.approx(boot.half_width, rel=0.25)


def test_weights_give_the_difference_over_all_jobs() -> None:
    """Blocks of 1, 2 and 5 jobs: the estimate is that of all 8 jobs."""
    jobs = np.array([1.0, 2, 5])
    a, b = np.array([4.0, 2, 1]), np.array([1.0, 1, 1])
    found = paired(a, b, weights=jobs, resamples=500)
    assert found.difference.estimate == found.bootstrap.estimate == pytest.approx((3 + 2 + 0) / 8)


def test_equal_weights_change_nothing() -> None:
    assert paired(A, B, weights=np.full(20, 3.0)).difference.high == pytest.approx(paired(A, B).difference.high)


def test_no_difference_at_all() -> None:
    found = paired(B, B, resamples=500)
    assert (found.difference.low, found.difference.high, found.equal) == (0, 0, 20)
    assert found.variance_reduction is None


def test_a_baseline_of_zero_has_no_relative_difference() -> None:
    found = paired([1.0, 2.0], [0.0, 0.0], resamples=500)
    assert (found.relative, found.correlation) == (None, None)


def test_what_is_no_pair() -> None:
    with pytest.raises(InputError, match="got 2 and 3"):
        paired([1.0, 2], [1.0, 2, 3])
    with pytest.raises(InputError, match="above 0"):
        paired([1.0, 2], [1.0, 2], weights=[0.0, 1])
    with pytest.raises(InputError, match="at least 2"):
        paired([1.0], [1.0])
