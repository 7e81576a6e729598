"""Each formula on numbers small enough to work out on paper."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.metrics.schedule import NAN, PROCESSORS, columns, timeline
from thinktime import metrics

OF, LINE = columns(), timeline()
ENDED = OF["status"] != metrics.REJECTED


def test_wait_and_response_are_missing_for_a_job_that_never_ran() -> None:
    wait = metrics.wait(OF["submit_s"], OF["start_s"])
    response = metrics.response(OF["submit_s"], OF["end_s"])
    np.testing.assert_array_equal(wait, [0, 90, 130, NAN, 0, 0])
    np.testing.assert_array_equal(response, [100, 140, 135, NAN, 0, 20])


def test_slowdown_of_a_job_without_length_is_its_wait_or_one() -> None:
    slowdown = metrics.slowdown(np.array([100.0, 7, 0, NAN, 5]), np.array([50.0, 0, 0, 0, NAN]))
    np.testing.assert_array_equal(slowdown, [2, 7, 1, NAN, NAN])


def test_bounded_slowdown_treats_short_jobs_as_tau_long() -> None:
    response, run = np.array([100.0, 30, 4, NAN]), np.array([50.0, 1, 1, 1])
    np.testing.assert_array_equal(metrics.bounded_slowdown(response, run), [2, 3, 1, NAN])
    np.testing.assert_array_equal(metrics.bounded_slowdown(response, run, tau_s=1.0), [2, 30, 4, NAN])


def test_per_processor_bounded_slowdown_divides_by_the_size() -> None:
    values = metrics.per_processor_bounded_slowdown(np.array([400.0, 400]), np.array([50.0, 50]), np.array([2.0, 16]))
    np.testing.assert_array_equal(values, [4, 1])


def test_every_user_weighs_the_same() -> None:
    user, values = np.array([7.0, 7, 7, 3, NAN]), np.array([1.0, 2, 3, 10, 1000])
    users, means = metrics.means_by_user(values, user)
    np.testing.assert_array_equal(users, [3, 7])
    np.testing.assert_array_equal(means, [10, 2])
    assert metrics.mean_over_users(values, user) == 6
    assert math.isnan(metrics.mean_over_users(values[:0], user[:0]))


def test_utilisation_counts_what_overlaps_the_window() -> None:
    # whole: 2·100 + 4·50 + 1·5 + 0 + 2·20 = 445 of 4·190
    whole = metrics.utilisation(OF["start_s"], OF["end_s"], OF["processors"], PROCESSORS, 0, 190)
    assert whole == pytest.approx(445 / 760)
    # [90, 152]: job 1 has 10 s left, job 2 is inside, job 3 begins: 2·10 + 4·50 + 1·2 of 4·62
    part = metrics.utilisation(OF["start_s"], OF["end_s"], OF["processors"], PROCESSORS, 90, 152)
    assert part == pytest.approx(222 / 248)


def test_a_job_without_an_end_runs_to_the_end_of_the_window() -> None:
    start, end, size = np.array([5.0, NAN]), np.array([NAN, NAN]), np.array([3.0, 4.0])
    assert metrics.utilisation(start, end, size, 4, 0, 20) == pytest.approx(3 * 15 / 80)


def test_a_window_without_length_has_no_rate() -> None:
    assert math.isnan(metrics.utilisation(OF["start_s"], OF["end_s"], OF["processors"], PROCESSORS, 5, 5))
    assert math.isnan(metrics.throughput(OF["end_s"], 5, 5))


def test_throughput_counts_terminations_with_both_borders() -> None:
    assert metrics.terminations(OF["end_s"], 100, 160) == 4  # 100, 150, 155, 160
    assert metrics.throughput(OF["end_s"], 0, 190) == pytest.approx(5 / 190)


def test_makespan_and_offered_load() -> None:
    of = {name: values[ENDED] for name, values in OF.items()}
    assert metrics.makespan(of["submit_s"], of["end_s"]) == 190
    load = metrics.offered_load(of["submit_s"], of["run_s"], of["processors"], PROCESSORS)
    assert load == pytest.approx(445 / (4 * 170))
    assert math.isnan(metrics.offered_load(of["submit_s"][:1], of["run_s"][:1], of["processors"][:1], PROCESSORS))


def test_time_weighting_is_littles_law_and_event_weighting_is_not() -> None:
    queue, time = LINE["queued_jobs"], LINE["time_s"]
    # 1·10 + 2·80 + 1·50 = 220 job-seconds, which is the sum of all waits, 90 + 130
    assert metrics.time_mean(queue, time, 0, 190) == pytest.approx(220 / 190)
    assert metrics.event_mean(queue, time, 0, 190) == pytest.approx(6 / 10)
    assert metrics.time_max(queue, time, 0, 190) == metrics.event_max(queue, time, 0, 190) == 2


def test_a_window_cuts_steps() -> None:
    queue, time = LINE["queued_jobs"], LINE["time_s"]
    assert metrics.time_mean(queue, time, 15, 25) == pytest.approx((1 * 5 + 2 * 5) / 10)
    assert metrics.event_mean(queue, time, 15, 25) == 2  # only the instant 20
    assert metrics.time_max(queue, time, 100, 120) == 1
    assert metrics.time_mean(queue, time, -10, 10) == 0  # no job waits before the first row
    assert metrics.time_mean(LINE["used_processors"][:2], time[:2], 50, 60) == 2  # the last state holds


def test_loss_of_capacity_is_idle_while_any_job_waits() -> None:
    # two of four idle from 10 to 100, none from 100 to 150, no job waits afterwards
    loss = metrics.loss_of_capacity(LINE["used_processors"], LINE["queued_jobs"], LINE["time_s"], PROCESSORS, 0, 190)
    assert loss == pytest.approx(2 * 90 / 760)


def test_bounded_loss_counts_no_more_than_the_queue_asks_for() -> None:
    # 8 processors: 6 idle and 1 asked for during 10 s, then 2 idle and 5 asked for during 10 s
    time, used = np.array([0.0, 10, 20]), np.array([2, 6, 8])
    jobs, processors = np.array([1, 1, 0]), np.array([1, 5, 0])
    assert metrics.loss_of_capacity(used, jobs, time, 8, 0, 20) == pytest.approx((6 * 10 + 2 * 10) / 160)
    assert metrics.loss_of_capacity_bounded(used, processors, time, 8, 0, 20) == pytest.approx((10 + 20) / 160)
