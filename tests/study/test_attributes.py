"""Attributes in studies: keys and requests that read columns of the log, and the store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import thinktime as tt
from tests.study.studies import written
from thinktime.study import Study, execute

FILE = """\
name = "attributes"
platforms = ["cluster:file=mine.toml"]
schedulers = ["fcfs", 'priority:key=where(column(colour) == "red", 0, 1),skip=true']
[[workloads]]
log = "log.csv"
requests = "gpu=gpus"
"""
LOG = "submit_s,run_s,processors,gpus,colour\n0,10,1,2,blue\n0,10,1,2,blue\n0,10,1,2,red\n1,5,1,,red\n"
CLUSTER = tt.Cluster(groups=[{"name": "g", "nodes": 2, "core": 4, "gpu": 2}])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.toml").write_text(CLUSTER.to_toml())
    (tmp_path / "log.csv").write_text(LOG)
    return tmp_path


def test_keys_and_requests_read_attributes(folder: Path) -> None:
    study = Study.read(written(folder / "study.toml", FILE))
    outcomes = [execute(task) for task in study.tasks()]
    log = tt.read(folder / "log.csv")
    rules: dict[str, Any] = {"requests": {"gpu": "gpus"}, "seed": 1}
    key = tt.key.where(tt.key["colour"] == "red", 0, 1)
    for outcome, scheduler in zip(outcomes, (tt.FCFS(), tt.Priority(key=key, skip=True)), strict=True):
        assert outcome["error"] is None
        expected = tt.simulate(log, CLUSTER, scheduler, **rules).summary()["wait_mean_s"]
        assert outcome["summary"]["wait_mean_s"] == expected
    assert outcomes[0]["summary"]["wait_mean_s"] != outcomes[1]["summary"]["wait_mean_s"]


def test_the_columns_are_part_of_the_run(folder: Path) -> None:
    runs = set()
    for requests in ("gpu=gpus", "gpu=0", "gpu=2"):
        study = Study.read(written(folder / "study.toml", FILE.replace("gpu=gpus", requests)))
        runs |= {task.run for task in study.tasks()}
    assert len(runs) == 6


def test_a_task_of_an_unknown_attribute_says_so(folder: Path) -> None:
    study = Study.read(written(folder / "study.toml", FILE.replace("column(colour)", "column(shade)")))
    errors = [execute(task)["error"] for task in study.tasks()]
    assert errors[0] is None
    assert "reads the attribute 'shade', which log does not have" in str(errors[1])


def test_mistakes_are_found_when_the_file_is_read(folder: Path) -> None:
    with pytest.raises(tt.InputError, match="no resource or pool 'gpv'"):
        Study.read(written(folder / "study.toml", FILE.replace("gpu=gpus", "gpv=gpus")))
    with pytest.raises(tt.InputError, match="requests is gpu=gpus but the platform machine:processors=4 only counts"):
        Study.read(written(folder / "study.toml", FILE.replace("cluster:file=mine.toml", "machine:processors=4")))
