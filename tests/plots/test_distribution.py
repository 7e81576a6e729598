"""Distributions from jobs, weights and stored quantiles: the same questions, the same answers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinktime.errors import InputError
from thinktime.plots import Distribution

SAMPLES = st.lists(st.floats(0, 1e6), min_size=1, max_size=40)
NAN = float("nan")


@given(SAMPLES, st.floats(0.01, 1))
def test_a_quantile_is_the_least_value_that_the_share_does_not_exceed(values, share):
    found = Distribution.of_sample(values)
    assert float(found.quantile(share)) == np.quantile(values, share, method="inverted_cdf")
    assert found.mean == pytest.approx(np.mean(values))


@given(SAMPLES, st.floats(0, 1e6))
def test_the_share_at_most_x_is_counted(values, x):
    assert Distribution.of_sample(values).at_most(x) == pytest.approx(np.mean(np.array(values) <= x))


@given(SAMPLES)
def test_a_sketch_gives_its_quantiles_back(values):
    stored = np.quantile(values, np.linspace(0, 1, 101))
    sketch = Distribution.of_quantiles(stored)
    assert sketch.quantile([0.05, 0.25, 0.5, 1.0]).tolist() == stored[[5, 25, 50, 100]].tolist()
    assert sketch.at_most(stored[-1]) == 1.0
    assert np.isnan(sketch.mean)


def test_a_sketch_is_straight_between_its_points_and_jumps_where_values_repeat():
    sketch = Distribution.of_quantiles([0, 0, 0, 10, 20])
    assert sketch.at_most([-1, 0, 5, 15, 20, 99]).tolist() == [0, 0.5, 0.625, 0.875, 1, 1]


def test_weights_count_as_so_many_observations():
    weighted = Distribution.of_sample([5, 0, 2], [1, 3, 0])
    assert weighted.quantile([0.5, 0.75, 0.76]).tolist() == [0, 0, 5]
    assert weighted.mean == 5 / 4


def test_what_is_missing_is_left_out():
    found = Distribution.of_sample([NAN, 3, NAN, 1])
    assert (len(found), found.mean) == (2, 2)
    assert np.isnan(Distribution.of_sample([NAN]).quantile([0.5])).all()
    assert len(Distribution.of_quantiles([NAN] * 101)) == 0


def test_above_leaves_out_what_is_exactly_there():
    found = Distribution.of_sample([1, 1, 2, 6]).above(1.0)
    assert (found.values.tolist(), found.shares.tolist(), found.mean) == ([2, 6], [0.5, 1], 4)
    sketch = Distribution.of_quantiles([1, 1, 1, 2, 3]).above(1.0)  # half is at 1
    assert sketch.quantile([0.5, 1.0]).tolist() == [2, 3]
    assert len(Distribution.of_sample([1, 1]).above(1.0)) == 0


def test_wrong_inputs_are_said():
    with pytest.raises(InputError, match="quantiles must ascend"):
        Distribution.of_quantiles([2, 1])
    with pytest.raises(InputError, match="one dimension"):
        Distribution.of_sample([[1, 2]])
