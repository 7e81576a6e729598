"""Application models that differ between jobs: each job runs as it would if all jobs had its model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from tests.effort import examples
from tests.study.studies import written
from thinktime.applications import Application
from thinktime.errors import InputError
from thinktime.spec import from_dict, parse

WIDE = tt.Machine(processors=100_000)  # no job waits
LOOPS = tt.Loop(technique="gss", variation=0.5, tasks_per_core=6, overhead_s=0.5)
MODELS = (
    LOOPS,
    LOOPS.replace(technique="ss"),
    LOOPS.replace(variation=2.0, distribution="gamma"),
    tt.Loop(),
    tt.Fixed(),
)


def log(jobs: int = 40) -> tt.Workload:
    return tt.default_workload(jobs=jobs, seed=5)


def run_s(applications: Any, workload: tt.Workload | None = None, **rules: Any) -> np.ndarray:
    return tt.simulate(workload or log(), WIDE, "fcfs", applications=applications, **rules).columns["run_s"]


@examples(40)
@given(st.lists(st.integers(0, len(MODELS) - 1), min_size=40, max_size=40), st.integers(0, len(MODELS) - 1))
def test_each_job_runs_as_if_all_had_its_model(chosen: list[int], default: int) -> None:
    numbers = log()["job"].astype(int).tolist()
    mixed = tt.PerJob(
        default=MODELS[default],
        jobs={number: MODELS[model] for number, model in zip(numbers, chosen, strict=True) if model != default},
    )
    alone = [run_s(model) for model in MODELS]
    expected = [alone[model][row] for row, model in enumerate(chosen)]
    assert run_s(mixed).tolist() == expected


def test_one_line_changes_one_job() -> None:
    run = tt.simulate(log(), WIDE, "fcfs", applications=tt.PerJob(default=LOOPS, jobs={17: "ss"}))
    inside = run.reports["inside"]
    row = inside["job"].to_list().index(17)
    assert inside["application"][row] == LOOPS.replace(technique="ss").text()
    assert set(inside["application"].to_list()) == {LOOPS.text(), LOOPS.replace(technique="ss").text()}
    assert run.columns["run_s"][row] == run_s(LOOPS.replace(technique="ss"))[row]
    assert np.array_equal(np.delete(run.columns["run_s"], row), np.delete(run_s(LOOPS), row))
    assert tt.check(run) == []


def test_the_same_for_all_is_the_single_model() -> None:
    assert run_s(tt.PerJob(default=LOOPS)).tolist() == run_s(LOOPS).tolist()
    assert run_s(tt.PerJob(default="fixed")).tolist() == run_s("fixed").tolist()


@pytest.mark.parametrize("by", ["user", "executable", "queue"])
def test_groups_by_a_column(by: str) -> None:
    workload = log(200)
    value = int(workload[by][50])
    mixed = tt.PerJob(default=LOOPS, by=by, groups={value: {"technique": "static", "variation": 1.5}})
    mine = workload[by] == value
    other = run_s(LOOPS.replace(technique="static", variation=1.5), workload)
    assert run_s(mixed, workload).tolist() == np.where(mine, other, run_s(LOOPS, workload)).tolist()


def coloured() -> tt.Workload:
    return tt.Workload.from_columns(
        submit_s=[0, 1, 2, 3],
        run_s=[100, 100, 100, 100],
        processors=[4, 4, 4, 4],
        attributes={"colour": ["red", None, "blue", "red"], "level": [1.5, 2.0, 1.5, 0.0]},
    )


def test_groups_by_an_attribute() -> None:
    by_text = tt.PerJob(default="fixed", by="colour", groups={"red": LOOPS, "blue": LOOPS.replace(technique="ss")})
    run = tt.simulate(coloured(), WIDE, "fcfs", applications=by_text)
    texts = [LOOPS.text(), "fixed", LOOPS.replace(technique="ss").text(), LOOPS.text()]
    assert run.reports["inside"]["application"].to_list() == texts
    by_number = tt.PerJob(default="fixed", by="level", groups={1.5: LOOPS})
    told = tt.simulate(coloured(), WIDE, "fcfs", applications=by_number).reports["inside"]["application"].to_list()
    assert told == [LOOPS.text(), "fixed", LOOPS.text(), "fixed"]


def test_jobs_come_before_groups() -> None:
    mixed = tt.PerJob(default="fixed", by="colour", groups={"red": LOOPS}, jobs={1: "loop:technique=ss"})
    told = tt.simulate(coloured(), WIDE, "fcfs", applications=mixed).reports["inside"]["application"].to_list()
    assert told == ["loop:technique=ss", "fixed", "fixed", LOOPS.text()]


def test_fixed_jobs_run_as_recorded_whatever_the_cores() -> None:
    slow = LOOPS.replace(speeds=(0.5,), variation=0.0, overhead_s=0.0)
    found = run_s(tt.PerJob(default=slow, jobs={2: tt.Fixed()}), coloured())
    assert found.tolist() == pytest.approx([200, 100, 200, 200])


# --- specs --------------------------------------------------------------------------------------------------

MIXED = tt.PerJob(
    default=LOOPS, jobs={17: "ss", 9: "tap:alpha=2"}, by="executable", groups={3: "fixed", 12: {"variation": 1.0}}
)


def test_round_trips() -> None:
    assert from_dict("application", MIXED.to_dict()) == MIXED
    assert from_dict("application", json.loads(json.dumps(MIXED.to_dict(), sort_keys=True))) == MIXED
    assert parse("application", MIXED.text()) == MIXED
    assert eval(repr(MIXED), vars(tt) | {"PerJob": tt.PerJob, "Loop": tt.Loop, "Fixed": tt.Fixed}) == MIXED
    assert hash(MIXED) == hash(from_dict("application", MIXED.to_dict()))
    assert tt.PerJob(default=LOOPS, jobs={17: "ss"}) != MIXED


def test_texts_of_the_command_line() -> None:
    jobs = "jobs=(17=ss,18=(loop:technique=fac)),by=user,groups=(3=fixed)"
    assert parse("application", f"per-job:default=(loop:technique=gss,variation=0.25),{jobs}") == tt.PerJob(
        default=tt.Loop(technique="gss", variation=0.25),
        jobs={17: tt.Loop(technique="ss", variation=0.25), 18: tt.Loop(technique="fac")},
        by="user",
        groups={3: tt.Fixed()},
    )


STUDY = """
name = "mixed"
schedulers = ["easy"]
[[applications]]
spec = "loop:technique=gss"
[[applications]]
name = "one job with ss"
[applications.spec]
name = "per-job"
default = "loop:technique=gss"
jobs = {17 = "ss"}
by = "user"
groups = {1 = {variation = 1.0}}
[[workloads]]
generator = "default"
jobs = 60
"""


def test_in_a_study_file(tmp_path: Any) -> None:
    study = tt.Study.read(written(tmp_path / "study.toml", STUDY))
    waits = study.run(tmp_path / "store").table["wait_mean_s"].to_list()
    assert len(waits) == 2
    again = tt.Study.from_dict(json.loads(json.dumps(study.to_dict())))
    assert json.dumps(again.to_dict()) == json.dumps(study.to_dict())


def test_digests_differ_and_columns_are_hashed() -> None:
    workload = log()
    first = tt.simulate(workload, WIDE, "fcfs", applications=tt.PerJob(default=LOOPS, jobs={17: "ss"}))
    second = tt.simulate(workload, WIDE, "fcfs", applications=tt.PerJob(default=LOOPS, jobs={18: "ss"}))
    assert first.digest != second.digest
    grouped = tt.PerJob(default=LOOPS, by="executable", groups={int(workload["executable"][0]): "ss"})
    other = np.where(np.arange(len(workload)) > 0, workload["executable"] + 1, workload["executable"])
    moved = tt.Workload(columns={**workload.columns, "executable": other}, name=workload.name)
    digests = [tt.simulate(each, WIDE, "fcfs", applications=grouped).digest for each in (workload, moved)]
    assert digests[0] != digests[1]


def test_saved_loaded_and_replayed(tmp_path: Any) -> None:
    mixed = tt.PerJob(default=LOOPS, jobs={17: "ss", 3: "fixed"})
    run = tt.simulate(log(), tt.Machine(processors=128), "easy", applications=mixed)
    run.save(tmp_path / "run")
    again = tt.Result.load(tmp_path / "run")
    assert again == run
    assert again.reports["inside"].equals(run.reports["inside"])
    played = dict.fromkeys(run.columns["job"].astype(int).tolist(), 0)
    for block in again.tasks():
        for number in block["job"].tolist():
            played[number] += 1
    assert [played[number] for number in run.reports["inside"]["job"]] == run.reports["inside"]["tasks"].to_list()


def test_in_a_stream(tmp_path: Any) -> None:
    workload = log(200)
    blocks = [{name: values[k : k + 30] for name, values in workload.columns.items()} for k in range(0, 200, 30)]
    mixed = tt.PerJob(default=LOOPS, jobs={17: "ss", 150: "fixed"}, by="user", groups={int(workload["user"][0]): "fac"})
    tt.simulate_stream(blocks, 128, "easy", tmp_path / "run", applications=mixed)
    streamed = tt.Result.load(tmp_path / "run").reports["inside"].sort("job")
    memory = tt.simulate(workload, 128, "easy", applications=mixed).reports["inside"].sort("job")
    columns = ["job", "tasks", "chunks", "busy_s", "application"]
    assert streamed.select(columns).equals(memory.select(columns))


def test_with_failures_and_early_release() -> None:
    cluster = tt.Cluster(groups=[{"name": "g", "nodes": 32, "core": 4}])  # type: ignore[list-item]
    loops = LOOPS.replace(release="idle")
    mixed = tt.PerJob(default=loops, by="user", groups={1: {"technique": "ss"}, 2: "fixed"})
    plugins = [tt.Failures(mtbf_h=20, mttr_h=1)]
    run = tt.simulate(log(200), cluster, "easy", applications=mixed, plugins=plugins)
    assert tt.check(run) == []


# --- mistakes -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"default": "fixed", "jobs": {17: "ss"}}, "which change a loop, but the default is fixed"),
        ({"default": LOOPS, "jobs": {"a": "ss"}}, "jobs of per-job has the key 'a': give a job number"),
        ({"default": LOOPS, "groups": {3: "ss"}}, "by of per-job is None and groups is"),
        ({"default": LOOPS, "by": "user"}, "give both, such as by="),
        ({"default": LOOPS, "jobs": {17: "sss"}}, "no technique is called 'sss'"),
        ({"default": LOOPS, "jobs": {17: {"techniqe": "ss"}}}, "application loop has no option 'techniqe'"),
        ({"default": LOOPS, "jobs": {17: {"speeds": (2.0,)}}}, "speeds is a property of the platform"),
        ({"default": LOOPS, "jobs": {17: {"release": "idle"}}}, "release is a property of the platform"),
        ({"default": "per-job"}, "default of per-job is per-job: choose fixed or loop"),
        ({"default": LOOPS, "jobs": "17"}, "'17' in jobs of per-job has no model: write jobs=(17=ss,18=fac)"),
    ],
)
def test_mistakes_are_error_messages(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError) as error:
        tt.PerJob(**options)
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    ("application", "sentence"),
    [
        (tt.PerJob(default=LOOPS, jobs={999: "ss"}), "jobs of per-job has 999, which is no job of"),
        (tt.PerJob(default=LOOPS, by="shape", groups={3: "ss"}), "by of per-job is 'shape', but"),
        (tt.PerJob(default=LOOPS, by="colour", groups={"rde": "ss"}), "groups of per-job has 'rde', which no job of"),
        (tt.PerJob(default=LOOPS, by="level", groups={"red": "ss"}), "the column level of"),
    ],
)
def test_mistakes_in_the_workload(application: Application, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        tt.simulate(coloured(), WIDE, "fcfs", applications=application)
    assert sentence in str(error.value)
    tt.write(coloured(), tmp_path / "log.csv")
    with pytest.raises(InputError) as error:
        tt.simulate_stream(tmp_path / "log.csv", WIDE, "fcfs", tmp_path / "run", applications=application)
    assert sentence in str(error.value)
    assert not (tmp_path / "run").exists()
