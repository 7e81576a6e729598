"""Traces of runs: fixed jobs are one task a core; formats by name, windows, jobs, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import thinktime as tt
from tests.tracing.samples import tool
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
    one_after_the_other(table(run, tmp_path))


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
    assert found["start_s"].min() >= begin  # type: ignore[operator]
    assert found["end_s"].max() <= end  # type: ignore[operator]
    told: list[float] = []
    written = tt.write_trace(run, tmp_path / "b.csv", window=(None, end), progress=told.append)
    assert (written.format, written.tasks) == ("csv", len(pl.read_csv(tmp_path / "b.csv")))
    assert told == sorted(told)
    assert told


def test_formats_by_name() -> None:
    named = {"a.otf2": "otf2", "a.JSON": "perfetto", "a.json.gz": "perfetto", "a.paje": "paje", "a.csv.gz": "csv"}
    assert {name: format_of(name) for name in named} == named
    assert format_of("a.txt", "paje") == "paje"
    for name, given, words in (
        (
            "a.txt",
            None,
            "the name must end in",
        ),
        ("a.csv", "vcd", "choose one of"),
    ):
        with pytest.raises(tt.InputError, match=words):
            format_of(name, given)


def test_refused(run: tt.Result, tmp_path: Path) -> None:
    wrong: dict[str, dict[str, Any]] = {
        "no task ran in 1000000000 to": {"window": (1e9, 2e9)},
        r"jobs must be numbers of the 150 jobs of the run \(got 999999\)": {"jobs": [999999]},
        "later end": {"window": (5, 1)},
        "give its begin and its end": {"window": (5,)},
        "OTF2 archives only": {"group_cores": 4},
        "markers are for OTF2": {"markers": True},
    }
    for words, options in wrong.items():
        with pytest.raises(tt.InputError, match=words):
            tt.write_trace(run, tmp_path / "a.csv", **options)
    group: Any
    for group in (0, 2.5, "x"):
        with pytest.raises(tt.InputError, match="group_cores must be"):
            tt.write_trace(run, tmp_path / "a.otf2", group_cores=group)
    assert list(tmp_path.iterdir()) == []


def test_tasks_refuse_what_traces_refuse(run: tt.Result) -> None:
    wrong: Any
    for wrong in ((5, 1), (np.nan, 3), (5,), ("a", "b")):
        with pytest.raises(tt.InputError, match="the window is"):
            next(run.tasks(window=wrong))
    for wrong in (5, ["x"]):
        with pytest.raises(tt.InputError, match="jobs is"):
            next(run.tasks(jobs=wrong))
    (early,), (late,) = run.tasks(window=(None, 5e4)), run.tasks(window=(5e4, None))
    assert early["end_s"].max() <= 5e4 <= late["start_s"].min()


def test_blocks_come_in_the_order_of_starts(run: tt.Result) -> None:
    starts = np.concatenate([each["start_s"] for each in trace_of(run).blocks])
    assert np.all(np.diff(starts) >= 0)


# --- runs whose jobs are loops ------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["end", "idle"])
def loops(request: pytest.FixtureRequest) -> tt.Result:
    loop = tt.Loop(technique="gss", variation=0.3, tasks_per_core=5, overhead_s=0.1, release=request.param)
    return tt.simulate(tt.default_workload(jobs=60), CLUSTER, tt.Easy(), oversized="clip", applications=loop)


def test_every_task_of_a_loop_is_in_the_trace(loops: tt.Result, tmp_path: Path) -> None:
    found = table(loops, tmp_path)
    assert len(found) == loops.summary()["tasks"]
    assert (found["end_s"] - found["start_s"]).sum() == pytest.approx(loops.core_seconds().tasks)
    last = found.group_by("job").agg(pl.col("end_s").max()).join(loops.jobs.select("job", end="end_s"), on="job")
    assert last["end_s"].to_list() == pytest.approx(last["end"].to_list())
    one_after_the_other(found)


def one_after_the_other(found: pl.DataFrame) -> None:
    """No core is in two tasks at once, to the nanosecond that traces have."""
    found = found.sort("core", "start_s", "end_s")
    same = found["core"].to_numpy()[1:] == found["core"].to_numpy()[:-1]
    assert np.all(found["start_s"].to_numpy()[1:][same] >= found["end_s"].to_numpy()[:-1][same] - 1e-9)


@pytest.mark.parametrize("name", ["a.otf2", "a.paje", "a.json"])
def test_loops_in_formats_that_are_in_the_order_of_time(loops: tt.Result, tmp_path: Path, name: str) -> None:
    """Other programs find as many tasks as there are."""
    if name == "a.otf2":
        pytest.importorskip("_otf2", reason="the package otf2 is not installed")
    written = tt.write_trace(loops, tmp_path / name)
    assert written.tasks == loops.summary()["tasks"]
    counts = {
        "a.otf2": lambda: sum(line.startswith("ENTER") for line in tool("otf2-print", tmp_path / name / "traces.otf2")),
        "a.paje": lambda: sum(line.startswith("State") for line in tool("pj_dump", tmp_path / name)),
        "a.json": lambda: (tmp_path / name).read_text().count('"ph":"X"'),
    }
    assert counts[name]() == written.tasks


def test_a_saved_run_gives_the_same_trace(loops: tt.Result, tmp_path: Path) -> None:
    loops.save(tmp_path / "run")
    for number, each in enumerate((loops, tt.Result.load(tmp_path / "run"))):
        tt.write_trace(each, tmp_path / f"{number}.csv", window=(3600, 90_000))
    assert (tmp_path / "0.csv").read_bytes() == (tmp_path / "1.csv").read_bytes()


def test_tasks_of_a_file_on_a_faster_machine(tmp_path: Path) -> None:
    (tmp_path / "tasks.csv").write_text("job,task_s\n1,4\n1,2\n1,8\n")
    jobs = tt.Workload.from_columns(submit_s=[0], run_s=[7], processors=[2])
    machine, loop = tt.Machine(processors=2, speed=2.0), tt.Loop(technique="ss", tasks=str(tmp_path / "tasks.csv"))
    found = table(tt.simulate(jobs, machine, tt.FCFS(), applications=loop), tmp_path)
    assert found.sort("task").select("core", "start_s", "end_s").rows() == [(0, 0, 2), (1, 0, 1), (1, 1, 5)]
