"""The summary of a streamed run has every metric of the run in memory, with the same value."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import thinktime as tt
from tests.shared_data import log
from tests.simulation.streamed import blocks

ROUNDING = 1e-14  # of sums of fractions in another order; whole seconds are exact
#: Metrics that are sums of fractions.
FRACTIONS = ("slowdown", "std", "jain")


def assert_equal(streamed: tt.Summary, whole: tt.Summary) -> None:
    assert list(streamed.values) == list(whole.values)
    assert (streamed.notes, streamed.excluded, streamed.settings) == (whole.notes, whole.excluded, whole.settings)
    for name, value, _ in streamed:
        expected = whole[name]
        assert value is not None, name
        assert expected is not None, name
        exact = value == expected or (math.isnan(value) and math.isnan(expected))
        close = any(part in name for part in FRACTIONS) and "median" not in name and "p95" not in name
        assert exact or (close and math.isclose(value, expected, rel_tol=ROUNDING)), (name, value, expected)


@pytest.mark.parametrize("name", ["KTH-SP2-1996-2.1-cln", "CTC-SP2-1996-3.1-cln", "HPC2N-2002-2.2-cln"])
@pytest.mark.parametrize("window", [None, (1e6, 5e6), (None, 5e6), (1e6, None)])
def test_real_logs(name: str, window: tuple[float | None, float | None] | None, tmp_path: Path) -> None:
    options = {"window": window, "exclude_users": () if window is None else (1, 2)}
    whole = tt.simulate(log(name), None, "easy").summary(**options)  # type: ignore[arg-type]
    streamed = tt.simulate_stream(log(name), None, "easy", tmp_path / "run", **options)  # type: ignore[arg-type]
    assert_equal(streamed, whole)


def test_without_a_timeline_the_reason_is_the_same(tmp_path: Path) -> None:
    workload = tt.default_workload(jobs=200)
    whole = tt.simulate(workload, 64, "easy", timeline=False).summary()
    streamed = tt.simulate_stream(blocks(workload, 50), 64, "easy", tmp_path / "run", timeline=False)
    assert_equal(streamed, whole)
    assert streamed.notes["queued_jobs_mean"] == "no timeline in the window"
