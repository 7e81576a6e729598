"""Warm-up: hand-worked cuts, and a run that warms up."""

from __future__ import annotations

import numpy as np
import pytest

from thinktime.errors import InputError
from thinktime.statistics import fixed_cut, mser5
from thinktime.statistics.warmup import AT_LIMIT
from thinktime.support.random_streams import stream


def test_fixed_cuts() -> None:
    values = np.arange(10.0)
    assert fixed_cut(values, count=3).of(values).tolist() == [3, 4, 5, 6, 7, 8, 9]
    assert (fixed_cut(values, share=0.25).count, fixed_cut(values, share=0.25).kept) == (2, 8)


@pytest.mark.parametrize("wrong", [{"count": 10}, {"count": -1}, {"share": 1.0}, {}, {"count": 1, "share": 0.1}])
def test_a_cut_leaves_something(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError, match="cut"):
        fixed_cut(np.arange(10.0), **wrong)  # type: ignore[arg-type]


def test_mser_5_by_hand() -> None:
    """Batch means 9 5 1 2 1 2 1 2 1 2: Σ (Y − mean)² / n² after leaving out d.

    d = 0: 58.4 / 100 = 0.584; d = 1: 12.889 / 81 = 0.159; d = 2: 2 / 64 = 0.03125, which is the least;
    d = 3: 1.714 / 49 = 0.03499; d = 4: 1.5 / 36 = 0.04167; d = 5: 1.2 / 25 = 0.048.
    """
    means = np.array([9.0, 5, 1, 2, 1, 2, 1, 2, 1, 2])
    cut = mser5(np.repeat(means, 5))
    assert (cut.count, cut.kept, cut.method, cut.note) == (10, 40, "MSER-5", "")


def test_mser_statistic_is_its_formula() -> None:
    from thinktime.statistics.warmup import _mser

    means = stream(1, "test").random(30) + 1e6
    plain = [np.sum((means[d:] - means[d:].mean()) ** 2) / (30 - d) ** 2 for d in range(29)]
    assert _mser(means) == pytest.approx(np.array(plain), rel=1e-6)


def test_a_run_that_never_settles_says_so() -> None:
    cut = mser5(np.linspace(100.0, 0.0, 200) ** 2)
    assert (cut.count, cut.note) == (100, AT_LIMIT)


def test_a_transient_is_found_and_noise_is_kept() -> None:
    noise = stream(2, "test").normal(size=2000)
    assert mser5(noise).count < 500
    transient = np.where(np.arange(2000) < 300, 20.0, 0.0)
    assert 300 <= mser5(noise + transient).count < 700


def test_constant_values_need_no_cut() -> None:
    assert mser5(np.full(100, 3.0)).count == 0


def test_too_short_a_run() -> None:
    with pytest.raises(InputError, match="at least 50"):
        mser5(np.arange(49.0))
