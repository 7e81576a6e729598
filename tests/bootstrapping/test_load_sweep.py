"""Load sweeps: more users, more load; runs that saturate are counted and left out of means."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import thinktime as tt
from tests.bootstrapping.logs import MACHINE, POOLS, bootstrapped, small_log
from thinktime.bootstrapping.load_sweep import wilson
from thinktime.errors import InputError


def swept(loads: Any, machine: tt.Machine = MACHINE, **options: Any) -> tt.LoadSweep:
    given: dict[str, Any] = {"resamples": 4, "resample": POOLS} | options
    return tt.load_sweep(small_log(), machine, given.pop("schedulers", [tt.Easy()]), loads, **given)


def test_load_one_is_the_bootstrap() -> None:
    at_one = swept([1.0, 1.5], schedulers=[tt.Easy(), tt.FCFS()]).table.filter(load=1.0)
    assert at_one.equals(bootstrapped(resamples=4, jackknife=0).table)


def test_more_users_bring_more_load() -> None:
    found = swept([0.5, 1.0, 2.0], machine=tt.Machine(processors=1024)).summary()
    assert found["load"].to_list() == [0.5, 1.0, 2.0]
    ratio = found["utilisation"].to_numpy() / found["utilisation"][1]
    assert ratio == pytest.approx([0.5, 1.0, 2.0], rel=0.3)
    assert (found["unsaturated"] == 1.0).all()


def test_saturated_runs_are_counted_and_left_out() -> None:
    found = swept([0.3, 3.0], machine=tt.Machine(processors=128), weeks=26)
    low, high = found.summary().to_dicts()
    assert low["unsaturated"] == 1.0
    assert high["unsaturated"] == 0.0
    assert math.isnan(high["wait_mean_s"])
    assert found.table.filter(load=3.0)["saturated"].all()
    rows = found.rows("easy", 0.3, stable=True)
    assert low["wait_mean_s"] == np.mean(found.columns["wait_mean_s"][rows])
    assert low["runs"] == high["runs"] == 4


def test_some_saturate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Means, and intervals, of the unsaturated runs only."""
    found = swept([1.0])
    columns = {**found.columns, "saturated": np.array([False, True, False, False])}
    row = replace(found, columns=columns).summary(0.5).to_dicts()[0]
    stable = found.columns["wait_mean_s"][[0, 2, 3]]
    assert row["unsaturated"] == 0.75
    assert row["wait_mean_s"] == stable.mean()
    assert (row["wait_mean_s_low"], row["wait_mean_s_high"]) == tuple(np.quantile(stable, [0.25, 0.75]))


@pytest.mark.parametrize(("hits", "runs"), [(0, 10), (7, 10), (10, 10), (500, 1000)])
def test_wilsons_interval_is_scipys(hits: int, runs: int) -> None:
    theirs = stats.binomtest(hits, runs).proportion_ci(0.95, method="wilson")
    assert wilson(hits, runs) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_threads_do_not_matter_and_a_folder_keeps_it(tmp_path: Path) -> None:
    one = swept([0.8, 1.2], threads=1, folder=tmp_path / "s")
    assert swept([0.8, 1.2], threads=3).table.equals(one.table)
    again = tt.LoadSweep.load(tmp_path / "s")
    assert again.summary().equals(one.summary(), null_equal=True)
    assert (again.loads, again.schedulers) == ([0.8, 1.2], ["easy"])


def test_resamples_are_the_same_at_every_load() -> None:
    found = swept([0.8, 1.2]).table
    assert found.filter(load=0.8)["seed"].equals(found.filter(load=1.2)["seed"])


def test_utilisation_is_always_measured() -> None:
    assert swept([1.0], measures="wait_mean_s", resamples=1).measures == ["wait_mean_s", "utilisation"]


@pytest.mark.parametrize("loads", [[], [1.0, 1.0], "many", [0.0], 1.0])
def test_loads_that_cannot_be(loads: Any) -> None:
    with pytest.raises(InputError, match="load"):
        swept(loads)


def test_a_load_sweep_can_be_looked_at() -> None:
    found = tt.load_sweep(small_log(), MACHINE.processors, "easy", [0.8, 1.2], resamples=2, resample=POOLS)
    assert repr(found) == f"<LoadSweep of {small_log().name}: loads 0.8, 1.2, easy>"
    assert "<table>" in found._repr_html_()
    assert found.plot().axes
