"""Traces of runs: fixed jobs are one task a core; formats by name, windows, jobs, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import thinktime as tt
from thinktime.tracing import trace_of
from thinktime.tracing.write import format_of

CLUSTER = tt.Cluster(groups=[{"name": "thin", "nodes": 3, "core": 4}, {"name": "fat", "nodes": 1, "core": 10}])


@pytest.fixture(scope="module")
def run() -> tt.Result:
    workload = tt.default_workload(jobs=150)
    return tt.simulate(workload, tt.Machine(processors=128), tt.Easy())


@pytest.fixture(scope="module")
def on_nodes() -> tt.Result:
    jobs = tt.Workload.from_columns(
        job=[1, 2, 3], submit_s=[0, 10, 11], run_s=[100, 50, 1], processors=[6, 20, 99], user=[7, 8, 8]
    )
    return tt.simulate(jobs, CLUSTER, tt.FCFS())


def table(run: tt.Result, folder: Path, **options) -> pl.DataFrame:
    tt.write_trace(run, folder / "a.parquet", **options)
    return pl.read_parquet(folder / "a.parquet")


def test_a_fixed_job_is_a_task_on_each_of_its_cores(run: tt.Result, tmp_path: Path) -> None:
    found = table(run, tmp_path).group_by("job").agg(pl.len(), pl.col("core").n_unique().alias("cores"))
    found = found.join(run.jobs.select("job", "processors"), on="job")
    assert len(found) == len(run)
    assert found["len"].to_list() == found["cores"].to_list() == found["processors"].to_list()


def test_no_core_serves_two_jobs_at_once(run: tt.Result, tmp_path: Path) -> None:
    found = table(run, tmp_path).sort("core", "start_s", "end_s")
    same = found["core"].to_numpy()[1:] == found["core"].to_numpy()[:-1]
    assert np.all(found["start_s"].to_numpy()[1:][same] >= found["end_s"].to_numpy()[:-1][same])


def test_cores_of_nodes(on_nodes: tt.Result, tmp_path: Path) -> None:
    found = table(on_nodes, tmp_path)
    of_first = found.filter(pl.col("job") == 1)
    assert of_first["host"].to_list() == ["thin-0"] * 4 + ["thin-1"] * 2
    assert of_first["core"].to_list() == [0, 1, 2, 3, 4, 5]
    assert set(found["job"]) == {1, 2}, "a rejected job has no cores"


def test_window_and_jobs(run: tt.Result, tmp_path: Path) -> None:
    begin, end = 20_000.0, 40_000.0
    chosen = run.jobs.filter(pl.col("start_s") < end, pl.col("end_s") > begin)["job"].to_list()[:5]
    found = table(run, tmp_path, window=(begin, end), jobs=chosen)
    assert set(found["job"]) == set(chosen)
    assert found["start_s"].min() >= begin
    assert found["end_s"].max() <= end
    told: list[float] = []
    written = tt.write_trace(run, tmp_path / "b.csv", window=(None, end), told=told.append)
    assert (written.format, written.tasks) == ("csv", len(pl.read_csv(tmp_path / "b.csv")))
    assert told == sorted(told)
    assert told


def test_formats_by_name() -> None:
    named = {"a.otf2": "otf2", "a.JSON": "perfetto", "a.json.gz": "perfetto", "a.paje": "paje", "a.csv.gz": "csv"}
    assert {name: format_of(name) for name in named} == named
    assert format_of("a.txt", "paje") == "paje"
    for name, given, words in (("a.txt", None, "end the name in"), ("a.csv", "vcd", "choose one of")):
        with pytest.raises(tt.InputError, match=words):
            format_of(name, given)


def test_refused(run: tt.Result, tmp_path: Path) -> None:
    wrong = {
        "no task ran in 1e\\+09": {"window": (1e9, 2e9)},
        "has no job 999999": {"jobs": [999999]},
        "later end": {"window": (5, 1)},
        "OTF2 archives only": {"group_cores": 4},
        "no markers": {"markers": True},
    }
    for words, options in wrong.items():
        with pytest.raises(tt.InputError, match=words):
            tt.write_trace(run, tmp_path / "a.csv", **options)
    with pytest.raises(tt.InputError, match="cannot share a location"):
        tt.write_trace(run, tmp_path / "a.otf2", group_cores=0)
    assert list(tmp_path.iterdir()) == []


def test_blocks_come_in_the_order_of_starts(run: tt.Result) -> None:
    starts = np.concatenate([each["start_s"] for each in trace_of(run).blocks])
    assert np.all(np.diff(starts) >= 0)
