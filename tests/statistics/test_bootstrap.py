"""The bootstrap draws what scipy would draw, so its intervals are scipy's to the last digits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from thinktime.errors import InputError
from thinktime.statistics import bootstrap
from thinktime.statistics.bootstrap import CELLS
from thinktime.support.random_streams import stream

ONE = stream(1, "test").exponential(size=40)
OTHER = stream(2, "test").exponential(2.0, size=25)


def scipys(samples: tuple[np.ndarray, ...], statistic: Any, method: str, **options: Any) -> tuple[float, float]:
    random = stream(7, "statistics", "bootstrap")
    found = stats.bootstrap(
        samples, statistic, method=method, n_resamples=999, random_state=random, vectorized=True, **options
    )
    return found.confidence_interval.low, found.confidence_interval.high


def mean_difference(a: np.ndarray, b: np.ndarray, axis: int = -1) -> np.ndarray:
    return np.mean(a, axis=axis) - np.mean(b, axis=axis)


def ratio(a: np.ndarray, b: np.ndarray, axis: int = -1) -> np.ndarray:
    return np.sum(a, axis=axis) / np.sum(b, axis=axis)


@pytest.mark.parametrize("method", ["bca", "percentile"])
@pytest.mark.parametrize("name", ["mean", "median"])
def test_one_sample(name: str, method: str) -> None:
    found = bootstrap(ONE, name, method=method, resamples=999, seed=7)
    expected = scipys((ONE,), getattr(np, name), {"bca": "BCa"}.get(method, method))
    assert (found.low, found.high) == pytest.approx(expected, rel=1e-9)
    assert (found.estimate, found.n) == (getattr(np, name)(ONE), 40)


@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_two_independent_samples(method: str) -> None:
    found = bootstrap((ONE, OTHER), mean_difference, method=method, resamples=999, seed=7)
    expected = scipys((ONE, OTHER), mean_difference, {"bca": "BCa"}.get(method, method))
    assert (found.low, found.high) == pytest.approx(expected, rel=1e-9)


def test_pairs_are_drawn_together() -> None:
    pair = (ONE[:25], OTHER)
    found = bootstrap(pair, ratio, resamples=999, seed=7, together=True)
    assert (found.low, found.high) == pytest.approx(scipys(pair, ratio, "BCa", paired=True), rel=1e-9)


def test_the_seed_decides() -> None:
    first, again, other = (bootstrap(ONE, resamples=500, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_a_large_sample_is_drawn_in_parts() -> None:
    values = stream(3, "test").normal(size=CELLS // 40)
    found = bootstrap(values, method="percentile", resamples=100, seed=7)
    random = stream(7, "statistics", "bootstrap")
    drawn = [values[random.integers(0, len(values), len(values))].mean() for _ in range(100)]
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])))


@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_equal_values(method: str) -> None:
    found = bootstrap(np.full(5, 2.0), method=method)
    assert (found.low, found.estimate, found.high) == (2.0, 2.0, 2.0)
    assert "no width" in found.note


def test_where_bca_is_undefined_it_says_so() -> None:
    """The observed statistic, the largest number of different values, is above that of every drawn sample."""
    found = bootstrap(ONE, lambda values, axis: np.count_nonzero(np.diff(np.sort(values, axis=axis)), axis=axis))
    assert "percentile interval" in found.note
    assert found.method == "percentile"
    assert found.high < found.estimate == 39


@pytest.mark.parametrize("wrong", [[1.0], [], [np.nan, 1.0, 2.0]])
def test_too_few_values(wrong: list[float]) -> None:
    with pytest.raises(InputError):
        bootstrap(wrong)


def test_wrong_options() -> None:
    with pytest.raises(InputError, match="bca"):
        bootstrap(ONE, method="BCA")
    with pytest.raises(InputError, match="mean, median"):
        bootstrap(ONE, "mode")
    with pytest.raises(InputError, match="at least 100"):
        bootstrap(ONE, resamples=10)
    with pytest.raises(InputError, match="40, 25 values cannot be drawn together"):
        bootstrap((ONE, OTHER), ratio, together=True)
    with pytest.raises(InputError, match="not finite"), np.errstate(divide="ignore", invalid="ignore"):
        bootstrap((np.array([1.0, 1.0]), np.array([0.0, 1.0])), ratio)
