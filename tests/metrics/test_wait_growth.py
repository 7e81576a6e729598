"""Waits that grow from quarter to quarter: the same verdict in a stream as in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

import thinktime as tt
from thinktime.metrics.saturation import waits_grow
from thinktime.metrics.wait_growth import MOST_BINS, WaitGrowth


def columns(submit_s: np.ndarray, wait_s: np.ndarray) -> dict[str, np.ndarray]:
    return {
        "submit_s": submit_s,
        "recorded_submit_s": submit_s,
        "start_s": submit_s + wait_s,
        "run_s": np.full(len(submit_s), 10.0),
    }


def grown(given: dict[str, np.ndarray], rows: int, seed: int) -> WaitGrowth:
    """In blocks, and in another order than that of submission, as jobs end."""
    growth, order = WaitGrowth(), np.random.default_rng(seed).permutation(len(given["run_s"]))
    for k in range(0, len(order), rows):
        growth.add({name: values[order[k : k + rows]] for name, values in given.items()})
    return growth


@given(some.integers(100, 400), some.floats(-50, 50), some.integers(1, 200), some.integers(0, 9))
def test_verdicts_agree_with_those_in_memory(jobs: int, slope: float, rows: int, seed: int) -> None:
    dice = np.random.default_rng(seed)
    submit_s = np.cumsum(dice.integers(1, 900, jobs)).astype(np.float64)  # one job per bin of a second
    wait_s = np.where(
        dice.random(jobs) < 0.1, np.nan, np.maximum(0, slope * np.arange(jobs) + dice.normal(0, 99, jobs))
    )
    given = columns(submit_s, wait_s.round())
    assert grown(given, rows, seed).grows() == waits_grow(given)


def test_wide_bins_give_nearly_the_means_of_the_jobs() -> None:
    dice, jobs = np.random.default_rng(1), 60_000
    submit_s = np.sort(dice.integers(0, 8 * 7 * 86_400, jobs)).astype(np.float64)
    wait_s = submit_s / 100 + dice.exponential(3600, jobs)
    growth = grown(columns(submit_s, wait_s), 10_000, 2)
    assert len(growth._bins) <= MOST_BINS
    exact = [float(np.mean(part)) for part in np.array_split(wait_s, 4)]
    assert growth._quarters(jobs) == pytest.approx(exact, rel=1e-3)
    assert growth.grows()


def test_a_saturated_stream_of_days_has_the_caution(tmp_path: Path) -> None:
    submit_s = np.arange(400) * 60.0
    log = tt.Workload.from_columns(
        submit_s=submit_s, run_s=np.full(400, 600), processors=np.ones(400), wait_s=submit_s * 0
    )
    tt.write(log, tmp_path / "log.swf")
    streamed = tt.simulate_stream(tmp_path / "log.swf", 4, "fcfs", tmp_path / "run")
    memory = tt.simulate(log, 4, "fcfs").summary()
    assert "saturated" in repr(memory.cautions)
    assert repr(streamed.cautions) == repr(memory.cautions)
