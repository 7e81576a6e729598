"""Required runs: the number is enough, one fewer is not."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from thinktime.errors import InputError
from thinktime.statistics import runs_for_half_width, runs_for_relative_half_width, runs_to_detect
from thinktime.statistics.required_runs import MOST
from thinktime.support.random_streams import stream

VALUES = 10 + stream(1, "test").normal(size=8)


@pytest.mark.parametrize("half_width", [0.01, 0.1, 0.5, 3.0])
def test_enough_and_not_too_many(half_width: float) -> None:
    n, spread = runs_for_half_width(VALUES, half_width), VALUES.std(ddof=1)

    def half(runs: int) -> float:
        return stats.t.ppf(0.975, runs - 1) * spread / np.sqrt(runs)

    assert half(n) <= half_width
    assert n == 2 or half(n - 1) > half_width


def test_a_relative_half_width() -> None:
    assert runs_for_relative_half_width(VALUES, 0.05) == runs_for_half_width(VALUES, 0.05 * VALUES.mean())


def power(n: int) -> float:
    """Of the t test, exactly: the noncentral t distribution beyond the critical value."""
    return float(stats.nct.sf(stats.t.ppf(0.975, n - 1), n - 1, 0.5 * np.sqrt(n)))


def test_a_power_that_is_reached() -> None:
    """Differences with mean 0.5 and deviation 1: of many studies with that many runs, 80 % find it."""
    differences = np.array([-1.0, 1.0] * 5000)
    n = runs_to_detect(differences, 0.5)
    assert power(n - 1) < 0.8 <= power(n)
    draws = stream(2, "test").normal(0.5, 1.0, size=(4000, n))
    found = np.mean(stats.ttest_1samp(draws, 0, axis=1).pvalue < 0.05)
    assert 0.78 < found < 0.84


def test_no_spread_needs_two_and_a_tiny_difference_too_many() -> None:
    assert runs_for_half_width([3.0, 3.0], 0.1) == 2
    assert runs_to_detect(VALUES, 1e-12) == MOST


def test_wrong_wishes() -> None:
    for wrong in (0.0, -1.0, np.nan):
        with pytest.raises(InputError, match="above 0"):
            runs_for_half_width(VALUES, wrong)
    with pytest.raises(InputError, match="absolute half-width"):
        runs_for_relative_half_width([-1.0, 1.0], 0.1)
