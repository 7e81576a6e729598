"""Bootstraps: what is in the table, that it depends on the seed alone, and what intervals and differences say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import thinktime as tt
from tests.bootstrapping.logs import MACHINE, POOLS, bootstrapped, small_log
from thinktime.bootstrapping.trials import COUNTED, MEASURES
from thinktime.errors import InputError


@pytest.fixture(scope="module")
def found() -> tt.Bootstrap:
    return bootstrapped()


def test_rows_are_what_simulating_each_resample_gives(found: tt.Bootstrap) -> None:
    shown = ["resample", "load", "seed", "scheduler", "jobs", *MEASURES, "saturated"]
    assert found.table.columns == [*shown, *COUNTED]
    assert found.table["resample"].to_list() == [k for k in range(12) for _ in range(2)]
    for row in found.table[3:5].to_dicts():
        scheduler = {"easy": tt.Easy(), "fcfs": tt.FCFS()}[row["scheduler"]]
        workload = tt.resample(small_log(), seed=row["seed"], **POOLS)
        run = tt.simulate(workload, MACHINE, scheduler)
        assert row["jobs"] == len(workload)
        assert row["saturated"] == bool(run.saturation())
        assert {name: row[name] for name in MEASURES} == {name: run.summary()[name] for name in MEASURES}


def test_the_original_is_beside_them(found: tt.Bootstrap) -> None:
    for name, scheduler in {"easy": tt.Easy(), "fcfs": tt.FCFS()}.items():
        run = tt.simulate(small_log(), MACHINE, scheduler)
        expected = {measure: run.summary()[measure] for measure in MEASURES}
        expected |= {kind: run.cautions.count(kind) for kind in COUNTED}
        assert found.original[name] == {"jobs": len(small_log()), **expected, "saturated": bool(run.saturation())}


def test_schedulers_meet_the_same_resamples(found: tt.Bootstrap) -> None:
    easy, fcfs = (found.table.filter(scheduler=name) for name in found.schedulers)
    assert easy["seed"].equals(fcfs["seed"])
    assert easy["jobs"].equals(fcfs["jobs"])
    assert easy["seed"].n_unique() == 12


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_do_not_matter(found: tt.Bootstrap, threads: int) -> None:
    again = bootstrapped(threads=threads)
    assert again.table.equals(found.table)
    assert again.intervals().equals(found.intervals())


def test_seeds_matter_and_more_resamples_begin_with_the_fewer(found: tt.Bootstrap) -> None:
    assert not set(bootstrapped(seed=1, jackknife=0).table["seed"]) & set(found.table["seed"])
    more = bootstrapped(resamples=14, jackknife=0)
    assert more.table[: len(found.table)].equals(found.table)


def test_intervals_are_quantiles_of_the_resamples(found: tt.Bootstrap) -> None:
    row = found.intervals(0.8).filter(scheduler="easy", measure="wait_mean_s").to_dicts()[0]
    values = found.table.filter(scheduler="easy")["wait_mean_s"].to_numpy()
    assert (row["percentile_low"], row["percentile_high"]) == tuple(np.quantile(values, [0.1, 0.9]))
    assert row["mean"] == values.mean()
    assert row["below_original"] == np.mean(values < row["original"])
    assert found.interval("wait_mean_s", "easy", level=0.8, method="percentile").low == row["percentile_low"]


def test_differences_are_paired(found: tt.Bootstrap) -> None:
    easy, fcfs = (found.table.filter(scheduler=name)["wait_mean_s"].to_numpy() for name in ("easy", "fcfs"))
    row = found.differences("easy", "fcfs", level=0.8).filter(measure="wait_mean_s").to_dicts()[0]
    assert row["median"] == np.median(easy - fcfs)
    assert row["a_below_b"] == np.mean(easy < fcfs)
    assert row["original"] == found.original["easy"]["wait_mean_s"] - found.original["fcfs"]["wait_mean_s"]
    other = found.differences("fcfs", "easy", level=0.8).filter(measure="wait_mean_s").to_dicts()[0]
    assert (other["percentile_low"], other["percentile_high"]) == (-row["percentile_high"], -row["percentile_low"])
    assert found.differences().equals(found.differences("easy", "fcfs"))
    with pytest.raises(InputError, match="two schedulers, or none"):
        found.differences("easy")


def test_groups_of_users_are_left_out_once_each(found: tt.Bootstrap) -> None:
    """Every job is in all groups' remainders but one."""
    kept = found.left_out["jobs"][found.left_out["scheduler"] == "easy"]
    assert len(kept) == 5
    assert kept.sum() == 4 * len(small_log())
    every = bootstrapped(resamples=2, jackknife=100).left_out["jobs"]
    assert len(every) == 2 * len(np.unique(small_log()["user"]))


def test_without_a_jackknife_bca_says_so() -> None:
    found = bootstrapped(jackknife=0)
    interval = found.interval("utilisation", "easy")
    assert interval.method == "percentile"
    assert "jackknife" in interval.note


def test_saved_and_loaded_it_is_the_same(found: tt.Bootstrap, tmp_path: Path) -> None:
    found.save(tmp_path / "kept")
    again = tt.Bootstrap.load(tmp_path / "kept")
    assert again.table.equals(found.table)
    assert again.intervals().equals(found.intervals())
    assert again.original == found.original
    with pytest.raises(InputError, match="No readable load sweep"):
        tt.LoadSweep.load(tmp_path / "kept")


def test_any_metric_of_a_summary_and_any_rule_can_be_had() -> None:
    measures = ("queued_jobs_mean", "wait_p95_s")
    users = tt.SessionReplay()
    found = bootstrapped(schedulers=[tt.Easy()], resamples=2, measures=measures, users=users, jackknife=0)
    row = found.table[1].to_dicts()[0]
    run = tt.simulate(
        tt.resample(small_log(), seed=row["seed"], **POOLS), MACHINE, tt.Easy(), users=users, seed=row["seed"]
    )
    assert {name: row[name] for name in measures} == {name: run.summary()[name] for name in measures}


def test_clusters_of_nodes() -> None:
    cluster = tt.Cluster(groups=[{"name": "g", "nodes": 128, "core": 1}])
    counted, nodes = (
        bootstrapped(schedulers=[tt.FCFS()], resamples=2, machine=machine, jackknife=0)
        for machine in (MACHINE, cluster)
    )
    assert nodes.table.equals(counted.table)


def test_load_and_weeks_are_those_of_resample() -> None:
    found = bootstrapped(schedulers=[tt.FCFS()], resamples=2, load=1.5, weeks=9)
    assert not len(found.left_out["jobs"])
    assert "a load other than 1" in found.interval("wait_mean_s").note
    row = found.table.to_dicts()[0]
    assert row["load"] == 1.5
    assert row["jobs"] == len(tt.resample(small_log(), seed=row["seed"], load=1.5, weeks=9, **POOLS))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"resamples": 0}, "resamples must be a whole number from 1 .* \\(got 0\\)"),
        ({"jackknife": -1}, "jackknife must be a whole number"),
        ({"measures": ["wait"]}, "unknown metric 'wait'"),
        ({"measures": []}, "one or more different names"),
        ({"schedulers": []}, "schedulers is empty"),
        ({"schedulers": [tt.Easy(), tt.Easy()]}, "two schedulers are the same"),
        ({"schedulers": ["eazy"]}, "did you mean 'easy'"),
        ({"threads": 0}, "threads must be at least 1"),
        ({"load": -1}, "load must be above 0"),
        ({"log": "no-such-log"}, "No file or downloaded log named no-such-log"),
    ],
)
def test_mistakes_are_reported(options: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        bootstrapped(**options)


def test_a_mistake_in_a_trial_is_reported_and_ends_all() -> None:
    with pytest.raises(InputError, match="needs"):
        bootstrapped(machine=tt.Machine(processors=2), oversized="error")


def test_questions_that_have_no_answer(found: tt.Bootstrap) -> None:
    with pytest.raises(InputError, match="was not measured"):
        found.interval("wait_p95_s", "easy")
    with pytest.raises(InputError, match="unknown scheduler 'sjf'"):
        found.interval("wait_mean_s", "sjf")
    with pytest.raises(InputError, match="needs two schedulers"):
        bootstrapped(schedulers=[tt.Easy()], resamples=1, jackknife=0).differences()


def test_the_table_is_polars(found: tt.Bootstrap) -> None:
    assert isinstance(found.table, pl.DataFrame)
    assert found.table.schema["seed"] == pl.UInt64
    flags = found.table.group_by("scheduler", maintain_order=True).agg(pl.col("saturated").mean())
    assert found.saturated == dict(flags.iter_rows())


def test_texts_numbers_and_defaults_are_taken() -> None:
    log = small_log()
    options: dict[str, Any] = {"resamples": 2, "jackknife": 0, "resample": POOLS}
    specs = tt.bootstrap(log, MACHINE, [tt.Easy(), tt.FCFS()], estimates=tt.Estimates.perfect(), **options)
    texts = tt.bootstrap(log, MACHINE.processors, ["easy", "fcfs"], estimates="perfect", **options)
    assert texts.table.equals(specs.table)
    named = tt.bootstrap(log, MACHINE.processors, {"a": "easy"}, **options)
    assert named.schedulers == ["a"]


def test_a_bootstrap_can_be_looked_at() -> None:
    found = bootstrapped(resamples=3, jackknife=0)
    assert repr(found).startswith("<Bootstrap of")
    assert "<table>" in found._repr_html_()
    assert len(found.plot(found.schedulers[0]).axes) >= len(found.measures)
