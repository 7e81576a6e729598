"""Generators as workloads of a study: by name, text or table, drawn anew for every seed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thinktime as tt
from thinktime.errors import InputError
from thinktime.study import Study
from thinktime.study.execute import execute
from thinktime.study.sources import WORKLOADS, identity


def study(*workloads: Any, seeds: int = 2, **more: Any) -> Study:
    return Study.of(name="made", workloads=list(workloads), schedulers=["easy", "fcfs"], seeds=seeds, **more)


def test_texts_and_tables_mean_the_same() -> None:
    text, table = (
        study(each).tasks()
        for each in ("lublin:jobs=200,processors=64", {"generator": "lublin", "jobs": 200, "processors": 64})
    )
    assert [task.spec["workload"] for task in text] == [task.spec["workload"] for task in table]
    assert {task.cell["workload"] for task in text} == {"lublin:jobs=200,processors=64"}
    assert {task.cell["workload"] for task in table} == {"lublin"}


def test_a_seed_is_a_workload_unless_the_generator_has_one() -> None:
    assert len(study("lublin:jobs=50", seeds=3).tasks()) == 6
    assert len(study("lublin:jobs=50,seed=4", seeds=3).tasks()) == 2
    source = study("lublin:jobs=50").tasks()[0].spec["workload"]
    one, two = (WORKLOADS.get(source, seed) for seed in (1, 2))
    assert np.array_equal(one["run_s"], tt.Lublin(jobs=50).workload(seed=1)["run_s"])
    assert not np.array_equal(one["run_s"], two["run_s"])


def test_two_schedulers_see_the_same_jobs_on_the_generators_machine() -> None:
    outcomes = [execute(task) for task in study("lublin:jobs=3000,processors=64,load=0.9", seeds=1).tasks()]
    assert [outcome.get("error") for outcome in outcomes] == [None, None]
    assert {outcome["summary"]["jobs"] for outcome in outcomes} == {3000}
    assert outcomes[0]["summary"]["wait_mean_s"] != outcomes[1]["summary"]["wait_mean_s"]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    spec = tt.Lublin(jobs=1500, processors=128)
    spec.write_swf(tmp_path / "small.swf")
    return tmp_path / "small.swf"


@pytest.fixture
def cluster(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(tt.Cluster(groups=[{"name": "g", "nodes": 32, "core": 4}]).to_toml())
    return path


def test_one_that_learns_from_a_log(log: Path, cluster: Path) -> None:
    text = f"accasim:from={log},cluster={cluster},jobs=100"
    tasks = study(text, platforms=["machine:processors=128"]).tasks()
    assert len(tasks) == 4
    source = tasks[0].spec["workload"]
    assert "path" not in identity(source)["from"]
    assert len(identity(source)["from"]["log"]) == 64
    expected = tt.AccaSim(jobs=100).of(tt.read_swf(log), tt.Cluster.from_toml(cluster)).workload(seed=2)
    assert np.array_equal(WORKLOADS.get(source, 2)["run_s"], expected["run_s"])
    assert execute(tasks[0])["summary"]["jobs"] == 100


@pytest.mark.parametrize(
    ("workload", "sentence"),
    [
        ("lublin:job=5", "generator lublin has no option 'job' (did you mean 'jobs'?)"),
        ("lublin:jobs=0", "jobs must be a whole number of at least 1 (got 0)"),
        ("lublin:seed=-1", "seed is -1"),
        ("accasim:jobs=10", "accasim learns from a log: write { generator = 'accasim', from = LOG, cluster = NAME }"),
        ({"generator": "lublln"}, "unknown generator 'lublln' (did you mean 'lublin'?): choose from default,"),
        (
            {"generator": "default", "load": 0},
            "load must be a number between 0.01 and 10.0, 1 fills the machine (got 0)",
        ),
    ],
)
def test_mistakes_are_named(workload: object, sentence: str) -> None:
    with pytest.raises(InputError) as error:
        study(workload)
    assert sentence in str(error.value)


def test_a_learner_needs_its_cluster(log: Path) -> None:
    with pytest.raises(InputError, match="cluster of accasim must be the cluster of its log"):
        study(f"accasim:from={log}")
