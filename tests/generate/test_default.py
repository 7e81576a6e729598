"""The default workload: reproducible, calibrated, and shaped like the work of people."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from tests.generate.replications import digest
from thinktime.errors import InputError
from thinktime.generate import default_blocks, default_workload
from thinktime.generate.default_users import HOUR_S, HOURS, QUEUE_LIMITS_S, ROUND_S, WEEK_S, start_times
from thinktime.support.random_streams import stream
from thinktime.traces.column_names import COLUMNS

SIGMAS = 5.0


@pytest.fixture(scope="module")
def workload():
    return default_workload()


@pytest.fixture(scope="module")
def long_workload():
    return default_workload(weeks=60)


def test_same_seed_same_bytes_also_in_another_process(workload):
    program = (
        "from tests.generate.replications import digest; from thinktime.generate import default_workload; "
        "print(digest([default_workload().columns]))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "77", "PYTHONPATH": os.pathsep.join(sys.path)}
    other = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert other.stdout.strip() == digest([workload.columns])


def test_another_seed_is_another_workload(workload):
    assert digest([default_workload(seed=2).columns]) != digest([workload.columns])


def test_a_longer_workload_continues_a_shorter_one(workload, long_workload):
    for name in workload:
        assert np.array_equal(workload[name], long_workload[name][: len(workload)], equal_nan=True)


def test_blocks_are_weeks_and_the_workload_is_their_concatenation(workload):
    blocks = list(default_blocks())
    assert len(blocks) == 8
    for number, block in enumerate(blocks):
        assert np.all(block["submit_s"] // WEEK_S == number)
    joined = {name: np.concatenate([block[name] for block in blocks]) for name in workload}
    assert digest([joined]) == digest([workload.columns])


def test_a_number_of_jobs_is_a_prefix(workload):
    first = default_workload(jobs=1234)
    assert len(first) == 1234
    assert digest([first.columns]) == digest([workload.select(np.arange(1234)).columns])


@pytest.mark.parametrize("jobs", [1, 5000])
def test_blocks_of_a_number_of_jobs_add_up(jobs):
    assert sum(len(block["job"]) for block in default_blocks(jobs=jobs)) == jobs


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"seed": 9, "load": 0.3},
        {"load": 1.4},
        {"processors": 1},
        {"processors": 1, "load": 0.01},
        {"processors": 100},
        {"processors": 93312, "users": 700},
        {"users": 1},
    ],
)
def test_every_week_offers_the_load(options):
    processors, load = options.get("processors", 128), options.get("load", 0.7)
    for block in default_blocks(weeks=3, **options):
        offered = block["run_s"] @ block["processors"] / (processors * WEEK_S)
        assert offered == pytest.approx(load, rel=0.02)
        assert 1 <= block["processors"].min() <= block["processors"].max() <= processors
        assert set(block["user"]) <= set(range(1, options.get("users", 60) + 1))


def test_all_columns_are_filled_and_times_are_whole(workload):
    assert set(workload) == {*COLUMNS, "processors", "line"}
    empty = [name for name in COLUMNS if np.isnan(workload[name]).all()]
    partly = [name for name in COLUMNS if np.isnan(workload[name]).any() and name not in empty]
    assert empty == ["wait_s"]
    assert partly == ["preceding_job", "think_time_s"]
    for name in set(COLUMNS) - {"wait_s"}:
        known = workload[name][~np.isnan(workload[name])]
        assert workload[name].dtype == np.float64
        assert np.array_equal(known, np.floor(known))


def test_jobs_are_sorted_and_numbered(workload):
    assert np.all(np.diff(workload["submit_s"]) >= 0)
    assert np.array_equal(workload["job"], np.arange(1, len(workload) + 1))
    assert workload["run_s"].min() >= 1


def test_source_and_account_say_what_was_made(workload):
    assert workload.source == {
        "generator": "default",
        "seed": 1,
        "weeks": 8,
        "users": 60,
        "processors": 128,
        "load": 0.7,
        "clock": "local",
        "starts": "Monday 00:00",
    }
    assert workload.account["generated"] is True
    assert workload.account["jobs"] == len(workload)
    assert workload.account["machine_processors"] == 128
    assert workload.account["offered_load"] == pytest.approx(0.7, rel=0.02)


def test_sessions_start_by_the_stated_hours():
    count = 200_000
    hour = start_times(stream(3, "hours"), count).astype(int) // HOUR_S
    seen = np.bincount(hour, minlength=168)
    sigma = np.sqrt(count * HOURS * (1 - HOURS))  # of a binomial count
    assert len(seen) == 168
    assert np.max(np.abs(seen - count * HOURS) / sigma) < SIGMAS


def weekly_share(workload, hours) -> np.ndarray:
    """For each week the share of its jobs that are submitted in the given hours of the week."""
    week = (workload["submit_s"] // WEEK_S).astype(int)
    chosen = np.isin(workload["submit_s"] // HOUR_S % 168, hours)
    return np.bincount(week, weights=chosen) / np.bincount(week)


def sigmas_from(values: np.ndarray, expected: float) -> float:
    return (values.mean() - expected) / (values.std(ddof=1) / np.sqrt(len(values)))


def test_jobs_follow_the_day_and_the_week(long_workload):
    hours = np.arange(168)
    working = hours[(hours < 5 * 24) & (hours % 24 >= 9) & (hours % 24 < 18)]
    nights, weekend = hours[hours % 24 < 7], hours[hours >= 5 * 24]
    # weeks are independent replications; without a cycle the share of jobs is the share of hours
    assert sigmas_from(weekly_share(long_workload, working), len(working) / 168) > SIGMAS
    assert sigmas_from(weekly_share(long_workload, nights), len(nights) / 168) < -SIGMAS
    assert sigmas_from(weekly_share(long_workload, weekend), len(weekend) / 168) < -SIGMAS


def test_requests_are_round_and_never_too_short(workload):
    assert np.all(workload["run_s"] <= workload["requested_time_s"])
    assert np.all(np.isin(workload["requested_time_s"], ROUND_S))
    assert np.all(workload["requested_time_s"] <= QUEUE_LIMITS_S[workload["queue"].astype(int) - 1])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_some_jobs_stop_at_their_request_and_most_far_below(seed):
    workload = default_workload(seed=seed)
    accuracy = workload["run_s"] / workload["requested_time_s"]
    assert 0.03 < np.mean(accuracy == 1) < 0.20
    assert np.median(accuracy) < 0.5
    assert np.all(workload["status"][accuracy == 1] == 0)


def test_sizes_are_mostly_powers_of_two_with_serial_and_odd_ones(long_workload):
    size = long_workload["processors"]
    assert 0.70 < np.mean(np.log2(size) % 1 == 0) < 0.98
    assert 0.05 < np.mean(size == 1) < 0.50
    assert np.any(np.log2(size) % 1 != 0)


def test_a_few_users_are_very_active_and_many_are_not(workload):
    jobs = np.sort(np.unique(workload["user"], return_counts=True)[1])[::-1]
    assert jobs[:6].sum() > 0.3 * jobs.sum()  # a tenth of the users
    assert jobs[30:].sum() < 0.25 * jobs.sum()  # the less active half


def test_a_think_time_runs_from_the_end_of_the_preceding_job(workload):
    follows = ~np.isnan(workload["preceding_job"])
    before = workload["preceding_job"][follows].astype(int) - 1  # row of the preceding job
    end_s = workload["submit_s"] + workload["run_s"]
    assert np.array_equal(follows, ~np.isnan(workload["think_time_s"]))
    assert np.array_equal(workload["submit_s"][follows] - end_s[before], workload["think_time_s"][follows])
    assert workload["think_time_s"][follows].min() >= 1
    assert np.array_equal(workload["user"][follows], workload["user"][before])
    assert np.array_equal(workload["executable"][follows], workload["executable"][before])


def test_a_users_next_job_is_like_the_last(workload):
    order = np.lexsort((workload["job"], workload["user"]))
    same_user = np.diff(workload["user"][order]) == 0
    soon = same_user & (np.diff(workload["submit_s"][order]) < 1200)
    size, log_run = workload["processors"][order], np.log(workload["run_s"][order])
    shuffled = stream(1, "shuffle").permutation(len(size))
    repeats = np.mean(size[1:][soon] == size[:-1][soon])
    assert repeats > 0.6
    assert repeats > 3 * np.mean(size == size[shuffled])
    distance = np.median(np.abs(np.diff(log_run))[soon])
    assert distance < 0.3 * np.median(np.abs(log_run - log_run[shuffled]))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"weeks": 0}, "weeks must be a whole number of at least 1 (got 0)"),
        ({"jobs": -5}, "jobs must be a whole number of at least 1 (got -5)"),
        ({"users": 2.5}, "users must be a whole number of at least 1 (got 2.5)"),
        ({"processors": 0}, "processors must be a whole number of at least 1 (got 0)"),
        ({"load": 0}, "load must be a number between 0.01 and 10.0, 1 fills the machine (got 0)"),
        ({"load": "high"}, "load must be a number between 0.01 and 10.0, 1 fills the machine (got 'high')"),
        ({"load": float("nan")}, "load must be a number between 0.01 and 10.0, 1 fills the machine (got nan)"),
        ({"weeks": 2, "jobs": 5}, "weeks and jobs exclude each other: give one of them (got 2 and 5)"),
        ({"seed": -1}, "seed is -1: choose"),
    ],
)
def test_bad_parameters_are_named_at_once(options, sentence):
    with pytest.raises(InputError) as error:
        default_blocks(**options)
    assert str(error.value).startswith(sentence)
