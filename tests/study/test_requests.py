"""Amounts by job in studies: a table beside the workload, part of the run, the same as in `simulate`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thinktime as tt
from tests.study.studies import written
from thinktime.study import Study, execute
from thinktime.study.sources import identity

CLUSTER = tt.Cluster(groups=[{"name": "g", "nodes": 16, "core": 8, "gpu": 1}], title="Mine")
FILE = """\
name = "requests"
schedulers = ["easy", "fcfs"]
platforms = ["cluster:file=mine.toml"]
[[workloads]]
log = "log.swf"
[[workloads]]
name = "with GPUs"
log = "log.swf"
requests = "gpus.csv"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    log = tt.default_workload(jobs=120)
    tt.write_swf(log, tmp_path / "log.swf")
    (tmp_path / "mine.toml").write_text(CLUSTER.to_toml())
    lines = [f"{job:.0f},{int(job) % 3 == 0:d}" for job in log["job"]]
    (tmp_path / "gpus.csv").write_text("job,gpu\n" + "\n".join(lines) + "\n")
    return tmp_path


def test_a_study_with_requests(folder: Path) -> None:
    study = Study.read(written(folder / "study.toml", FILE))
    outcomes = [execute(task) for task in study.tasks()]
    assert [outcome["error"] for outcome in outcomes] == [None] * 4
    log = tt.read_swf(folder / "log.swf")
    gpus = {"gpu": (log["job"] % 3 == 0).astype(float)}
    for outcome, scheduler in zip(outcomes[2:], (tt.Easy(), tt.FCFS()), strict=True):
        by_hand = tt.simulate(log, CLUSTER, scheduler, requests=gpus).summary()
        assert outcome["summary"]["wait_mean_s"] == by_hand["wait_mean_s"]
    assert outcomes[0]["summary"]["wait_mean_s"] != outcomes[2]["summary"]["wait_mean_s"]


def test_another_table_is_another_run_and_another_path_is_not(folder: Path) -> None:
    first = Study.read(written(folder / "study.toml", FILE)).tasks()[2]
    table = (folder / "gpus.csv").read_text()
    (folder / "gpus.csv").write_text(table.replace(",1", ",0", 1))
    other = Study.read(folder / "study.toml").tasks()[2]
    (folder / "moved.csv").write_text(table)
    moved = Study.read(written(folder / "moved.toml", FILE.replace("gpus.csv", "moved.csv"))).tasks()[2]
    assert first.run == moved.run != other.run
    assert identity(first.spec["workload"])["requests"] == first.spec["workload"]["requests"]["sha256"]
    assert "has changed since the study was read" in execute(first)["error"]


def test_in_python(folder: Path) -> None:
    workloads = [{"log": str(folder / "log.swf"), "requests": str(folder / "gpus.csv")}]
    study = Study.of(name="here", workloads=workloads, platforms=[CLUSTER], schedulers=["fcfs"])
    assert execute(study.tasks()[0])["error"] is None
    with pytest.raises(tt.InputError, match=r"requests of a workload is \{'gpu': 1\}: give the path of a .csv"):
        Study.of(name="here", workloads=[{**workloads[0], "requests": {"gpu": 1}}], schedulers=["fcfs"])
    workloads[0]["requests"] = folder / "gpus.csv"  # type: ignore[assignment]
    again = Study.of(name="here", workloads=workloads, platforms=[CLUSTER], schedulers=["fcfs"])
    assert again.tasks()[0].run == study.tasks()[0].run
    fixed = [{"generator": "default", "jobs": 50, "seed": 3, "requests": str(folder / "gpus.csv")}]
    study = Study.of(name="here", workloads=fixed, platforms=[CLUSTER], schedulers=["fcfs"])
    assert execute(study.tasks()[0])["error"] is None


MISTAKES: dict[str, tuple[Any, str]] = {
    "machine": (lambda text: text.replace("cluster:file=mine.toml", "machine:processors=9"), "only counts processors"),
    "log": (lambda text: text.replace('platforms = ["cluster:file=mine.toml"]\n', ""), "only counts processors"),
    "missing": (lambda text: text.replace("gpus.csv", "no.csv"), "Cannot read the table of requests"),
    "column": (lambda text: text.replace("gpus.csv", "fpga.csv"), "a column 'fpga', which the cluster does not have"),
    "words": (lambda text: text.replace("gpus.csv", "words.csv"), "holds String, not numbers"),
    "random": (lambda text: text.replace('log = "log.swf"\nreq', 'generator = "default"\nreq'), "differ between seeds"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_reported_before_anything_runs(folder: Path, name: str) -> None:
    (folder / "fpga.csv").write_text("job,fpga\n1,1\n")
    (folder / "words.csv").write_text("job,gpu\n1,many\n")
    change, sentence = MISTAKES[name]
    with pytest.raises(tt.InputError, match=sentence):
        Study.read(written(folder / "study.toml", change(FILE)))


def test_unpublished_values_are_reported_before_anything_runs() -> None:
    keys: dict[str, Any] = {
        "name": "values",
        "workloads": ["default:jobs=20"],
        "platforms": [CLUSTER],
        "schedulers": ["priority:key=power_w * wait", "fcfs"],
    }
    with pytest.raises(tt.InputError, match="uses the value 'power_w', which no plugin of this run publishes"):
        Study.of(**keys)
    both: list[dict[str, Any]] = [{"name": "none"}, {"name": "power", "plugins": ["power"]}]
    study = Study.of(**keys, rules=both, skip=[{"scheduler": "priority*", "rules": "none"}])
    assert [execute(task)["error"] for task in study.tasks()] == [None] * 3


def test_streams_take_the_same_table(folder: Path) -> None:
    log = tt.read_swf(folder / "log.swf")
    whole = tt.simulate(log, CLUSTER, tt.Easy(), requests=folder / "gpus.csv")
    stream = tt.stream_swf(folder / "log.swf", block_bytes=2048)
    tt.simulate_stream(stream, CLUSTER, tt.Easy(), folder / "run", requests=folder / "gpus.csv")
    streamed = tt.Result.load(folder / "run")
    order = np.argsort(streamed.columns["job"])
    for column in ("start_s", "end_s", "unit_gpu"):
        assert np.array_equal(streamed.columns[column][order], whole.columns[column], equal_nan=True), column
    assert tt.check(streamed) == []
    assert whole.columns["unit_gpu"].sum() == 40


def test_streams_say_what_they_do_not_take(folder: Path) -> None:
    stream = tt.stream_swf(folder / "log.swf")
    with pytest.raises(tt.InputError, match="but the stream has more jobs: give one per job"):
        tt.simulate_stream(stream, CLUSTER, tt.FCFS(), folder / "run", requests={"gpu": [1]})
    stream = tt.stream_swf(folder / "log.swf")
    for simulated in (tt.simulate_stream, tt.simulate):
        what: Any = (stream, tt.Machine(processors=9), tt.FCFS(), folder / "run")
        if simulated is tt.simulate:
            what = (tt.default_workload(jobs=3), *what[1:3])
        with pytest.raises(tt.InputError, match=r"but Machine.* only counts processors"):
            simulated(*what, requests=folder / "gpus.csv")  # type: ignore[operator]


def test_a_platform_is_named_by_its_file_alone(folder: Path) -> None:
    named = Study.read(written(folder / "file.toml", FILE.replace("cluster:file=mine.toml", "mine.toml")))
    study = Study.read(written(folder / "study.toml", FILE))
    assert [task.run for task in named.tasks()] == [task.run for task in study.tasks()]


def test_a_table_with_a_header_alone_has_no_requests(folder: Path) -> None:
    (folder / "gpus.csv").write_text("job,gpu\n")
    outcomes = [execute(task) for task in Study.read(written(folder / "study.toml", FILE)).tasks()]
    waits = [outcome["summary"]["wait_mean_s"] for outcome in outcomes]
    assert waits[:2] == waits[2:]
