"""Attributes of jobs in results: typed in the tables, the same after saving, in exports and in streamed runs."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

import thinktime as tt

GIVEN = {
    "colour": ["red", None, "blue", "red"],
    "gpus": [1, 2, None, 0],
    "weight": [1.5, None, 0.25, 1e300],
    "urgent": [True, None, False, True],
    "empty": [None] * 4,
}


def workload(**more):
    columns: dict[str, Any] = {"submit_s": [0, 1, 2, 3], "run_s": [10] * 4, "processors": [1] * 4, "user": [1, 1, 2, 2]}
    return tt.Workload.from_columns(**columns, attributes={**GIVEN, **more})


def test_the_jobs_have_typed_attributes():
    frame = tt.simulate(workload(), 2, "fcfs").jobs
    assert frame.columns[-5:] == list(GIVEN)
    assert frame.select(*GIVEN).dtypes == [pl.String, pl.Int64, pl.Float64, pl.Boolean, pl.Float64]
    assert {name: frame[name].to_list() for name in GIVEN} == GIVEN


def test_a_saved_run_has_the_same_attributes(tmp_path):
    run = tt.simulate(workload(), 2, "fcfs")
    run.save(tmp_path / "run")
    again = tt.Result.load(tmp_path / "run")
    assert again == run
    assert again.jobs.equals(run.jobs)
    assert tt.check(again) == []
    assert pl.read_parquet(tmp_path / "run" / "jobs.parquet").select(*GIVEN).equals(run.jobs.select(*GIVEN))
    assert json.loads((tmp_path / "run" / "run.json").read_text())["attributes"] == {
        "colour": "text", "gpus": "whole", "weight": "number", "urgent": "truth", "empty": "number"
    }  # fmt: skip


def test_the_content_digest_depends_on_attributes_and_not_on_codes():
    run = tt.simulate(workload(), 2, "fcfs")
    codes = np.array([2.0, np.nan, 1.0, 2.0])
    types = {**run.types, "colour": tt.ColumnType("text", ("blue", "red"))}
    assert replace(run, columns={**run.columns, "colour": codes}, types=types) == run
    assert replace(run, types=types) != run


def test_the_csv_has_attributes(tmp_path):
    run = tt.simulate(workload(), 2, "fcfs")
    run.write_csv(tmp_path / "jobs.csv")
    assert pl.read_csv(tmp_path / "jobs.csv")["colour"].to_list() == GIVEN["colour"]


def test_the_recorded_schedule_has_attributes():
    log = workload()
    log = replace(log, columns={**log.columns, "wait_s": np.zeros(4)})
    assert tt.recorded(log, 4).jobs["colour"].to_list() == GIVEN["colour"]


def blocks(log, size):
    """The workload in blocks, as a reader yields them."""
    frame = log.frame
    for begin in range(0, len(log), size):
        part = frame.slice(begin, size)
        names = ("job", "submit_s", "run_s", "processors", "user", *log.attributes)
        yield {name: part[name] for name in names}


@pytest.mark.parametrize("size", [1, 3, 50])
def test_a_streamed_run_has_attributes(tmp_path, size):
    rng = np.random.default_rng(5)
    attributes = {
        "colour": rng.choice(["red", "blue", "green", "grey"], 50).tolist(),
        "gpus": rng.integers(0, 4, 50).tolist(),
        "urgent": (rng.random(50) < 0.5).tolist(),
    }
    log = tt.Workload.from_columns(
        submit_s=np.sort(rng.integers(0, 60, 50)),
        run_s=rng.integers(1, 20, 50),
        processors=rng.integers(1, 4, 50),
        user=rng.integers(1, 4, 50),
        attributes=attributes,
    )
    key = tt.key.where(tt.key["colour"] == "grey", 0, 1) - tt.key["gpus"]
    run = tt.simulate(log, 4, tt.Priority(key=key))
    tt.simulate_stream(blocks(log, size), 4, tt.Priority(key=key), tmp_path / "run")
    streamed = tt.Result.load(tmp_path / "run")
    assert streamed.digest == run.digest
    columns = ["job", "start_s", *attributes]
    assert streamed.jobs.sort("job").select(columns).equals(run.jobs.select(columns))
    assert tt.check(streamed) == []


def test_an_attribute_that_changes_its_type_in_a_stream_is_named(tmp_path):
    usual = {"submit_s": [0], "run_s": [1], "processors": [1]}
    given = [{**usual, "colour": [None]}, {**usual, "submit_s": [5], "colour": ["red"]}]
    run = lambda blocks: tt.simulate_stream(blocks, 4, "fcfs", tmp_path / "run")  # noqa: E731
    assert run(given)["jobs"] == 2  # both blocks are written at the end
    assert tt.Result.load(tmp_path / "run").jobs["colour"].to_list() == [None, "red"]
    with pytest.raises(tt.InputError, match="give all blocks the same columns"):
        tt.simulate_stream([usual, {**given[1], "gpus": [1]}], 4, "fcfs", tmp_path / "other")


@pytest.mark.parametrize(
    "kinds", ['{"colour": "number"}', '{"gpus": "text"}', '{"colour": "strange"}', "[]", '{"x": "text"}']
)
def test_a_wrong_kind_in_run_json_is_one_message(tmp_path, kinds):
    tt.simulate(workload(), 2, "fcfs").save(tmp_path / "run")
    path = tmp_path / "run" / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "attributes": json.loads(kinds)}))
    with pytest.raises(tt.InputError, match="save the run again"):
        tt.Result.load(tmp_path / "run")
