"""Boxes of slowdowns and queue sizes, and what decisions cost by the size of the queue."""

from __future__ import annotations

import math

import numpy as np
import pytest

from thinktime.errors import InputError
from thinktime.metrics import box, growth, mean_by_size, queue_box, slowdown, slowdown_box, smoothed


def test_a_job_of_no_length_has_its_wait_as_slowdown() -> None:
    found = slowdown(np.array([30.0, 7.0, 0.0]), np.array([10.0, 0.0, 0.0]))
    assert found.tolist() == [3.0, 7.0, 1.0]


def test_without_one_drops_exactly_one() -> None:
    values = np.array([1.0, 1.0, 1.0000001, 3.0, np.nan, 5.0])
    assert slowdown_box(values).observations == 5
    found = slowdown_box(values, without_one=True)
    assert (found.observations, found.median, found.most) == (3, 3.0, 5.0)
    assert found.q25 == pytest.approx(2.0)


def test_nothing_has_no_box() -> None:
    found = slowdown_box(np.array([1.0, 1.0]), without_one=True)
    assert found.observations == 0
    assert math.isnan(found.mean)
    assert queue_box(np.empty(0), np.empty(0), weighting="time").observations == 0


def test_a_queue_by_event_and_by_time() -> None:
    queued, time_s = np.array([0, 4, 2, 0]), np.array([0.0, 10.0, 11.0, 20.0])
    by_event, by_time = (queue_box(queued, time_s, weighting=each) for each in ("event", "time"))
    assert (by_event.mean, by_event.most, by_event.observations) == (1.5, 4.0, 4)
    assert by_time.mean == pytest.approx((10 * 0 + 1 * 4 + 9 * 2) / 20)
    assert (by_time.median, by_time.q75) == (0.0, 2.0)  # 0 for half of the time
    with pytest.raises(InputError, match="must be event or time"):
        queue_box(queued, time_s, weighting="job")


def test_weights_are_like_repetitions() -> None:
    values, weights = np.array([5.0, 1.0, 3.0]), np.array([1.0, 2.0, 4.0])
    found, repeated = box(values, weights), np.repeat(values, weights.astype(int))
    assert found.mean == pytest.approx(repeated.mean())
    assert found.median == np.quantile(repeated, 0.5, method="inverted_cdf")


def test_the_mean_of_each_queue_size() -> None:
    sizes, mean_s = mean_by_size(np.array([3, 0, 3, 7]), np.array([1.0, 2.0, 3.0, 4.0]))
    assert (sizes.tolist(), mean_s.tolist()) == ([0, 3, 7], [2.0, 2.0, 4.0])


def test_the_filter_keeps_a_cubic_and_calms_noise() -> None:
    x = np.linspace(0, 1, 300)
    assert smoothed(x**3 - x) == pytest.approx(x**3 - x)
    noise = np.random.default_rng(1).normal(size=300)
    assert smoothed(noise).std() < 0.7 * noise.std()
    assert smoothed(noise[:20]).tolist() == noise[:20].tolist()  # too short for 30 parts
    assert smoothed(noise, parts=0).tolist() == noise.tolist()


def test_growth_is_the_slope() -> None:
    queued = np.arange(50)
    assert growth(queued, 2e-6 + 3e-7 * queued) == pytest.approx(3e-7)
    assert math.isnan(growth(np.array([4, 4]), np.array([1.0, 2.0])))
