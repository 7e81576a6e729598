"""Clusters and allocators as dimensions of a study."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import thinktime as tt
from tests.study.studies import small, written
from thinktime.study import Study, execute

FILE = """\
name = "nodes"
schedulers = ["easy"]
platforms = ["seth:memory=ignore", "cluster:file=mine.toml,speed=2"]
allocators = ["first-fit", "best-fit:ranking=normalized"]
[[workloads]]
generator = "default"
jobs = 60
[[rules]]
admission = "total"
"""


def test_a_file_with_clusters_and_allocators(tmp_path: Path) -> None:
    mine = tt.Cluster(groups=[{"name": "a", "nodes": 32, "core": 4}], title="Mine")
    (tmp_path / "mine.toml").write_text(mine.to_toml())
    study = Study.read(written(tmp_path / "study.toml", FILE))
    (tmp_path / "mine.toml").unlink()  # the study has it whole
    outcomes = [execute(task) for task in study.tasks()]
    assert [outcome["error"] for outcome in outcomes] == [None] * 4
    assert [outcome["cell"]["platform"] for outcome in outcomes][::2] == ["seth:memory=ignore", "Mine"]
    assert outcomes[1]["cell"]["allocator"] == "best-fit:ranking=normalized"
    workload = tt.default_workload(jobs=60, seed=1)
    rules: dict[str, Any] = {"allocator": tt.BestFit(ranking="normalized"), "admission": "total", "seed": 1}
    by_hand = tt.simulate(workload, mine.scaled(speed=2), tt.Easy(), **rules).summary()
    assert outcomes[3]["summary"]["wait_mean_s"] == by_hand["wait_mean_s"]


def test_random_nodes_are_run_for_every_seed(tmp_path: Path) -> None:
    log = tmp_path / "log.swf"
    tt.write_swf(tt.default_workload(jobs=30), log)
    study = small(
        workloads=[str(log)], platforms=["seth"], schedulers=["fcfs"], allocators=["random", "first-fit"], seeds=3
    )
    assert len(study.tasks()) == 3 + 1


def test_a_machine_takes_no_allocator() -> None:
    (outcome, *_) = [
        execute(task) for task in small(allocators=["first-fit"], platforms=["machine:processors=128"]).tasks()
    ]
    assert "only counts processors and has no nodes" in outcome["error"]


def test_mistakes_have_their_line(tmp_path: Path) -> None:
    with pytest.raises(tt.InputError, match=r"line 3: Cannot read .*mine.toml"):
        Study.read(written(tmp_path / "study.toml", FILE))
    with pytest.raises(tt.InputError, match="admission is 'al'"):
        Study.read(
            written(
                tmp_path / "study.toml",
                FILE.replace('"total"', '"al"').replace(', "cluster:file=mine.toml,speed=2"', ""),
            )
        )
