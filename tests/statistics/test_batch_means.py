"""Batch means: the arithmetic, the check, and the choice of the number of batches."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from thinktime.errors import InputError
from thinktime.statistics import batch_means, independence, t_interval
from thinktime.support.random_streams import stream


def autoregressive(n: int, correlation: float) -> np.ndarray:
    """x_t = c x_{t−1} + e."""
    from scipy.signal import lfilter

    return lfilter([1.0], [1.0, -correlation], stream(3, "test").normal(size=n))


def test_five_batches_by_hand() -> None:
    """11 values in 5 batches of 2: the first is left out; means 1.5, 3.5, 8, 2, 5."""
    found = batch_means([100.0, 1, 2, 3, 4, 7, 9, 2, 2, 4, 6], batches=5)
    assert (found.batches, found.batch_size, found.left_out) == (5, 2, 1)
    expected = stats.t.interval(0.95, 4, loc=4, scale=stats.sem([1.5, 3.5, 8.0, 2.0, 5.0]))
    assert (found.interval.low, found.interval.high) == pytest.approx(expected)
    assert "5 batches are few" in found.note


def test_three_batches_have_no_interval() -> None:
    found = batch_means([100.0, 1, 2, 3, 4, 7, 9], batches=3)
    assert (found.interval.estimate, found.interval.known) == (pytest.approx(13 / 3), False)
    assert "fewer than 5 values" in found.interval.note


def test_independent_values_take_thirty_batches() -> None:
    found = batch_means(stream(6, "test").normal(size=3000))
    assert (found.batches, found.check.passes, found.note) == (30, True, "")


def test_correlated_values_take_fewer() -> None:
    found = batch_means(autoregressive(3000, 0.98))
    assert found.batches < 30


def test_hopelessly_correlated_values_are_named() -> None:
    found = batch_means(autoregressive(3000, 0.999))
    assert found.batches == 10
    assert not found.check.passes
    assert "make the batches longer" in found.note


def test_the_check_is_von_neumanns() -> None:
    """1 2 3 4: squared steps 3, squared deviations 5, C = 1 − 3/10, variance 2/15."""
    found = independence([1.0, 2, 3, 4])
    assert found.correlation == pytest.approx(0.7)
    assert found.p_value == pytest.approx(stats.norm.sf(0.7 / np.sqrt(2 / 15)))


def test_the_check_errs_as_often_as_it_says() -> None:
    draws = stream(4, "test").normal(size=(2000, 20))
    failed = np.mean([not independence(row).passes for row in draws])
    assert 0.08 < failed < 0.12


def test_equal_values_have_an_interval_without_width() -> None:
    found = batch_means(np.full(100, 0.1))
    assert found.interval.low == found.interval.high == pytest.approx(0.1)
    assert "no width" in found.note


def test_students_interval_is_scipys() -> None:
    values = stream(5, "test").exponential(size=12)
    expected = stats.t.interval(0.9, 11, loc=values.mean(), scale=stats.sem(values))
    found = t_interval(values, 0.9)
    assert (found.low, found.high) == pytest.approx(expected)
    assert values.mean() in found


@pytest.mark.parametrize("values", [[], [1.0], [1.0, np.nan], [[1.0, 2.0]], [1.0, np.inf]])
def test_what_is_no_sample(values: list[float]) -> None:
    with pytest.raises(InputError):
        t_interval(values)


@pytest.mark.parametrize("level", [0, 1, 95, "0.95", True])
def test_what_is_no_level(level: float) -> None:
    with pytest.raises(InputError, match="between 0 and 1"):
        t_interval([1.0, 2.0], level)


def test_more_batches_than_values() -> None:
    with pytest.raises(InputError, match="between 2 and 5"):
        batch_means(np.arange(5.0), batches=6)
