"""Rank tests against scipy and published tables."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from thinktime.errors import InputError
from thinktime.statistics import average_ranks, friedman, holm, nemenyi, sign_test, wilcoxon
from thinktime.support.random_streams import stream

TABLE = stream(1, "test").random((12, 4)) + np.array([0.0, 0.1, 0.4, 0.5])


def test_wilcoxon_is_scipys() -> None:
    differences = stream(2, "test").normal(0.5, size=15)
    assert wilcoxon(differences).p_value == stats.wilcoxon(differences, method="exact").pvalue


def test_wilcoxon_by_hand() -> None:
    """Five positive differences: 2 / 2^5, the least that five can give; and it says so."""
    found = wilcoxon([1.0, 2, 3, 4, 5])
    assert (found.statistic, found.p_value, found.n) == (0, 0.0625, 5)
    assert "no p-value below 0.062" in found.note


@pytest.mark.parametrize(
    "differences",
    [[0.0, 0, 1, 1, 2, -1, 3, 3, 4, 5], [10.0] * 4, [1.0] * 5, [0.0, 0, 0, 1], [2.0, -2, 2, -2, 3], [1.0, -2, 3, -4]],
)
def test_zeros_and_ties_by_trying_all_signs(differences: list[float]) -> None:
    array = np.array(differences)
    ranks = np.where(array != 0, stats.rankdata(np.abs(array)), 0.0)
    signs = np.array(list(itertools.product([0, 1], repeat=int(np.count_nonzero(array)))))
    sums = signs @ ranks[ranks > 0]
    smaller = np.minimum(sums, ranks.sum() - sums)
    seen = min(ranks[array > 0].sum(), ranks[array < 0].sum())
    assert wilcoxon(differences).p_value == pytest.approx(np.mean(smaller <= seen + 1e-9))
    assert wilcoxon(differences).statistic == seen


def test_the_sign_test() -> None:
    """8 of 9: 2 · (1 + 9) / 512."""
    found = sign_test([1.0] * 8 + [-1.0, 0.0])
    assert (found.statistic, found.n) == (8, 9)
    assert found.p_value == pytest.approx(20 / 512)


def test_holm_by_hand() -> None:
    """0.01 · 4, 0.03 · 3, max(0.09, 0.04 · 2), max(0.09, 0.05)."""
    assert holm([0.04, 0.01, 0.05, 0.03]) == pytest.approx([0.09, 0.04, 0.09, 0.09])
    assert holm([0.9, 0.8]).tolist() == [1, 1]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_between_none_and_bonferroni(p: list[float]) -> None:
    adjusted = holm(p)
    assert (adjusted >= np.array(p)).all()
    assert (adjusted <= np.minimum(np.array(p) * len(p), 1) + 1e-15).all()


def test_friedman_is_scipys() -> None:
    found = friedman(TABLE)
    expected = stats.friedmanchisquare(*TABLE.T)
    assert (found.statistic, found.p_value) == pytest.approx((expected.statistic, expected.pvalue))
    tied = np.round(TABLE * 3)
    assert friedman(tied).statistic == pytest.approx(stats.friedmanchisquare(*tied.T).statistic)


def test_average_ranks_by_hand() -> None:
    assert average_ranks([[1.0, 2.0, 3.0], [1.0, 1.0, 0.0]]).tolist() == [1.75, 2.25, 2.0]


def test_equal_configurations() -> None:
    found = friedman(np.ones((5, 3)))
    assert (found.average, found.p_value) == ((2, 2, 2), 1)


@pytest.mark.parametrize(("k", "q"), [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (10, 3.164)])
def test_the_critical_difference_has_demsars_q(k: int, q: float) -> None:
    """Table 5a of Demšar 2006."""
    assert nemenyi(k, 1) == pytest.approx(q * np.sqrt(k * (k + 1) / 6), abs=2e-3 * k)


def test_demsars_example() -> None:
    """Four classifiers on 14 data sets, q = 2.569: CD = 1.25 (his page 13, at 0.05)."""
    assert nemenyi(4, 14) == pytest.approx(1.25, abs=0.005)


def test_wrong_tables() -> None:
    with pytest.raises(InputError, match="needs at least 3"):
        friedman(np.ones((5, 2)))
    with pytest.raises(InputError, match="two or more rows"):
        friedman(np.ones((1, 3)))
    with pytest.raises(InputError, match="between 0 and 1"):
        holm([1.5])
