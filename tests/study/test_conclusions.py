"""What a study's runs allow to conclude, and what stands in the way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import thinktime as tt
from tests.study.studies import small
from thinktime.errors import InputError
from thinktime.study.comparison.conclusions import Conclusions, conclusions


def concluded(place: Path, metrics: tuple[str, ...] = ("wait_mean_s",), **keys: Any) -> Conclusions:
    done = small(**keys).run(place)
    return conclusions(done.study, done.store, metrics)


def test_a_log_listed_twice_is_one_observation(tmp_path: Path) -> None:
    log = tmp_path / "a.swf"
    tt.write_swf(tt.default_workload(jobs=60), log)
    found = concluded(tmp_path / "s", workloads=[{"name": f"k{k}", "log": str(log)} for k in range(8)])
    assert len(found["wait_mean_s"].table.blocks) == 1
    assert found["wait_mean_s"]["easy"].verdict == "single"


def test_one_workload_is_said_to_be_one(tmp_path: Path) -> None:
    said = " ".join(concluded(tmp_path / "s", seeds=6).words())
    assert "default" in said


def test_rejected_jobs_are_said_first(tmp_path: Path) -> None:
    platforms = ["log", {"name": "small", "spec": "machine:processors=8"}]
    found = concluded(tmp_path / "s", platforms=platforms, seeds=6, schedulers=["easy"])
    assert "means of the configurations are over different jobs" in found.words()[0]


def test_a_metric_that_cannot_be_compared_does_not_hide_the_others(tmp_path: Path) -> None:
    found = concluded(
        tmp_path / "s", ("wait_mean_s", "utilisation"), schedulers=["reject", "easy"], baseline="easy", seeds=3
    )
    assert list(found.only.metrics) == ["utilisation"]
    assert found.words()[0].startswith("wait_mean_s is not compared: ") or "wait_mean_s is not compared" in " ".join(
        found.words()
    )


def test_a_configuration_without_success_is_left_out_and_named(tmp_path: Path) -> None:
    platforms = [
        "log",
        {"name": "tiny", "spec": "machine:processors=2"},
        {"name": "wide", "spec": "machine:processors=256"},
    ]
    found = concluded(tmp_path / "s", platforms=platforms, schedulers=["easy"], rules=[{"oversized": "error"}])
    assert found.words()[0] == "Left out, because none of their runs succeeded: tiny."


def test_nothing_to_compare_is_one_message(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing to compare it with"):
        concluded(tmp_path / "s", schedulers=["easy"])


def test_a_model_that_draws_nothing_stands_beside_every_seed(tmp_path: Path) -> None:
    log = tmp_path / "a.swf"
    tt.write_swf(tt.default_workload(jobs=900, users=20), log)
    users = ["rigid", "adjusted", "fluid"]
    workloads = [{"log": str(log), "machine": 64}]
    found = concluded(tmp_path / "s", workloads=workloads, users=users, schedulers=["easy"], seeds=5)
    assert len(found["wait_mean_s"].table.blocks) == 5


LOOPS = ["loop:technique=static,variation=0.3", "loop:technique=ss,variation=0.3"]


def test_what_happens_inside_jobs_is_compared(tmp_path: Path) -> None:
    metrics = ("imbalance_share", "chunks")
    found = concluded(tmp_path / "s", metrics, schedulers=["fcfs"], applications=LOOPS)
    assert all((found[metric].table.values > 0).all() for metric in metrics)


def test_insides_that_some_runs_do_not_have_are_not_compared() -> None:
    with pytest.raises(InputError, match="'chunks' needs an application model"):
        small(applications=["fixed", *LOOPS], metrics=["chunks"])
