"""The numbers behind the figures, against definitions and hand-worked cases."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.effort import examples
from thinktime.plots.kit.binning import binned, distribution, group_quantiles
from thinktime.plots.kit.scales import bin_width, edges, percent, size_classes
from thinktime.plots.kit.time_axis import time_unit


def test_a_step_function_in_bins_by_hand():
    # 0 until 5, 4 on [5, 15), 0 on [15, 40), 2 from 40 on
    bins = binned(np.array([5.0, 15, 40]), np.array([4.0, 0, 2]), np.array([0.0, 10, 20, 30, 40, 50]))
    assert bins.mean.tolist() == [2, 2, 0, 0, 2]
    assert bins.low.tolist() == [0, 0, 0, 0, 2]
    assert bins.high.tolist() == [4, 4, 0, 0, 2]


@examples(100)
@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 9)), min_size=1, max_size=20),
    st.integers(1, 13),
)
def test_bins_agree_with_a_value_for_each_second(rows, width):
    steps = dict(rows)
    time = np.array(sorted(steps), dtype=float)
    value = np.array([steps[t] for t in sorted(steps)], dtype=float)
    borders = edges(0, 60, width)
    seconds = np.arange(borders[-1])
    row = np.searchsorted(time, seconds, side="right") - 1
    dense = np.where(row >= 0, value[row], 0.0).reshape(-1, width)
    bins = binned(time, value, borders)
    assert bins.mean == pytest.approx(dense.mean(axis=1))
    assert np.array_equal(bins.low, dense.min(axis=1))
    assert np.array_equal(bins.high, dense.max(axis=1))


def test_the_distribution_has_every_step_of_few_values():
    x, share = distribution(np.array([0, 0, 3, 3, 8.0]), low=1.0)
    assert x.tolist() == [1, 3, 8]
    assert share.tolist() == [0.4, 0.8, 1.0]


def test_the_distribution_of_many_values_is_exact_where_it_is_taken():
    values = np.random.default_rng(1).exponential(100, 50_000)
    x, share = distribution(values, low=1.0, points=200)
    assert len(x) == 200
    assert x[-1] == values.max()
    assert share == pytest.approx([np.mean(values <= at) for at in x])


def test_quantiles_of_groups():
    group, values = np.array([2, 0, 0, 2, 2, 0, 0]), np.array([7.0, 4, 1, 9, 8, 3, 2])
    assert group_quantiles(group, values, 3, (0.25, 0.5, 1.0)).T.tolist()[0] == [1, 2, 4]
    assert group_quantiles(group, values, 3, (0.25, 0.5, 1.0)).T.tolist()[2] == [7, 8, 9]
    assert np.isnan(group_quantiles(group, values, 3, (0.5,))[0, 1])


@pytest.mark.parametrize(
    ("span_s", "bins", "name"),
    [(60, 60, "1 minute"), (86400, 24, "1 hour"), (86401, 24, "3 hours"), (1e10, 10, "1664 weeks")],
)
def test_bins_have_named_widths_and_are_not_too_many(span_s, bins, name):
    width_s, found = bin_width(span_s, bins)
    assert found == name
    assert span_s / width_s <= bins


def test_size_classes_are_few_and_end_at_the_largest_job():
    assert size_classes(100)[1] == ["1", "2", "3–4", "5–8", "9–16", "17–32", "33–64", "65–100"]
    assert size_classes(1)[1] == ["1"]
    upper, names = size_classes(93312)
    assert len(names) <= 9
    assert upper[-1] == 93312
    assert names[-1].endswith("93k")


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_every_size_has_a_class(size, largest):
    upper, names = size_classes(max(size, largest))
    assert 0 <= np.searchsorted(upper, size) < len(names) == len(upper)


def test_words_for_shares_and_spans():
    assert [percent(s) for s in (0, 0.051, 0.43, 0.987, 1)] == ["0 %", "5.1 %", "43 %", "98.7 %", "100 %"]
    assert [time_unit(s)[1] for s in (0, 7200, 86400, 172800)] == ["minutes", "hours", "hours", "days"]
