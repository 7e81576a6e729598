"""Bootstraps of synthetic logs whose truth is known: intervals contain it as often as they say.

Every user comes for one week and has jobs of one run time, drawn from an exponential distribution; no job waits, so
that the mean response is the mean of run times over users, and its truth the mean of the distribution. A resample draws
every user about as often as a Poisson number of mean 1 says, which is a bootstrap of users. Of M independent logs, the
number whose interval contains the truth is binomial: sigma = √(level (1 − level) / M). These logs are unlucky: on the
first 150 a Poisson bootstrap in numpy covers 0.75 (percentile) and 0.73 (BCa), on 5,000 0.778 and 0.773 (± 0.006).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import thinktime as tt
from thinktime.support.random_streams import stream

LOGS, RESAMPLES, LEVEL = 80, 200, 0.8
WEEKS, USERS, JOBS = 40, 100, 2
WEEK_S, MEAN_S = 604800.0, 1000.0
#: of 100 exponential values the 80 % interval is a little too narrow: numpy's bootstrap covers 0.778 to 0.792
BIAS = 0.015


def synthetic(seed: int) -> tt.Workload:
    random = stream(seed, "verification", "bootstrap")
    week = np.repeat(random.integers(0, WEEKS, USERS), JOBS)
    run_s = np.repeat(random.exponential(MEAN_S, USERS), JOBS)
    submit_s = week * WEEK_S + random.random(USERS * JOBS) * 0.9 * WEEK_S
    order = np.argsort(submit_s, kind="stable")
    columns = {"submit_s": submit_s, "run_s": run_s, "user": np.repeat(np.arange(1, USERS + 1), JOBS)}
    ordered: dict[str, Any] = {name: np.asarray(values, dtype=np.float64)[order] for name, values in columns.items()}
    return tt.Workload.from_columns(
        name="synthetic",
        **ordered,
        processors=np.ones(USERS * JOBS),
        wait_s=np.zeros(USERS * JOBS),
    )


@cache
def intervals() -> dict[str, np.ndarray]:
    """Method → [log, (low, high)]."""
    found: dict[str, list[tuple[float, float]]] = {"percentile": [], "bca": []}
    for seed in range(LOGS):
        made = tt.bootstrap(
            synthetic(seed),
            tt.Machine(processors=10_000),
            [tt.FCFS()],
            resamples=RESAMPLES,
            seed=seed,
            measures=["response_mean_s"],
            weeks=WEEKS,
            resample={"edge_weeks": 0},
            jackknife=USERS,
            threads=1,
        )
        for method, kept in found.items():
            interval = made.interval("response_mean_s", level=LEVEL, method=method)
            kept.append((interval.low, interval.high))
    return {method: np.array(kept) for method, kept in found.items()}


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_intervals_contain_the_truth_as_often_as_they_say(method: str) -> None:
    low, high = intervals()[method].T
    coverage = float(np.mean((low <= MEAN_S) & (high >= MEAN_S)))
    sigma = np.sqrt(LEVEL * (1 - LEVEL) / LOGS)
    print(f"{method}: coverage {coverage:.3f}, {(coverage - LEVEL) / sigma:+.1f} sigma of {LEVEL}")
    assert abs(coverage - LEVEL) < BIAS + 5 * sigma


def test_intervals_are_as_wide_as_theory_says() -> None:
    """z · mean / √users on either side, for a mean of exponential values: a sharper test than coverage."""
    low, high = intervals()["percentile"].T
    expected = 2 * 1.2816 * MEAN_S / np.sqrt(USERS)
    width = high - low
    error = width.std(ddof=1) / np.sqrt(LOGS)
    print(f"width {width.mean():.1f} s, expected {expected:.1f} s, error {error:.2f} s")
    assert abs(width.mean() - expected) < 0.05 * expected + 5 * error


def test_bca_leans_to_the_side_of_the_long_tail() -> None:
    """Of a right-skewed sum, BCa reaches further to the right than percentiles: its acceleration is positive."""
    plain, bca = intervals()["percentile"], intervals()["bca"]
    shift = (bca - plain).mean(axis=1)
    assert shift.mean() > 5 * shift.std(ddof=1) / np.sqrt(LOGS)
