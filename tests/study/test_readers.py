"""Logs of any format in studies: own readers by name, ending or module; hashed, trusted, sent to Dask's workers."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import thinktime as tt
from thinktime.spec import REGISTRY
from thinktime.study.executors.own_modules import modules_of, only_here

MODULE = """\
import thinktime as tt


class Lines(tt.OwnReader, name="study-lines", endings=(".lines",)):
    run_s: float = {run_s}

    def blocks(self, source):
        submit, size = zip(*(map(float, line.split()) for line in open(source)))
        yield {{"submit_s": submit, "run_s": [self.run_s] * len(size), "processors": size}}
"""


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    before = dict(REGISTRY["reader"])
    yield
    REGISTRY["reader"].clear()
    REGISTRY["reader"].update(before)


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "log.lines").write_text("0 2\n5 4\n6 8\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return lambda run_s: imported(tmp_path, monkeypatch, run_s)


def imported(folder: Path, monkeypatch: pytest.MonkeyPatch, run_s: float) -> Any:
    (folder / "readers_of_study.py").write_text(MODULE.format(run_s=run_s))
    importlib.invalidate_caches()
    monkeypatch.delitem(sys.modules, "readers_of_study", raising=False)
    return importlib.import_module("readers_of_study")


def study(folder: Path, **workload: Any) -> tt.Study:
    table = {"log": str(folder / "log.lines"), **workload}
    return tt.Study.of(name="s", workloads=[table], platforms=["machine:processors=8"], schedulers=["fcfs", "easy"])


def test_by_object_text_and_ending_it_is_one_run(tmp_path: Path, module: Any) -> None:
    code = module(9)
    ways: list[dict[str, Any]] = [{"reader": code.Lines()}, {"reader": "study-lines"}, {}]
    ways += [{"reader": "readers_of_study:Lines"}, {"reader": {"name": "study-lines"}}]
    runs = [[task.run for task in study(tmp_path, **way).tasks()] for way in ways]
    assert all(each == runs[0] for each in runs)
    assert runs[0] != [task.run for task in study(tmp_path, reader=code.Lines(run_s=8)).tasks()]
    done = study(tmp_path).run(tmp_path / "store")
    assert done.counts.failed == 0
    assert set(done.table["jobs"]) == {3}


def test_changed_code_is_another_run(tmp_path: Path, module: Any) -> None:
    module(9)
    before = [task.run for task in study(tmp_path).tasks()]
    module(10)
    assert [task.run for task in study(tmp_path).tasks()] != before


def test_a_study_file_names_a_reader_and_must_be_trusted(tmp_path: Path, module: Any) -> None:
    module(9)
    del REGISTRY["reader"]["study-lines"], sys.modules["readers_of_study"]
    (tmp_path / "study.toml").write_text(
        'name = "s"\nplatforms = ["machine:processors=8"]\nschedulers = ["fcfs"]\n'
        '[[workloads]]\nlog = "log.lines"\nreader = "readers_of_study:Lines"\n'
    )
    with pytest.raises(tt.InputError, match="this would import the module readers_of_study"):
        tt.Study.read(tmp_path / "study.toml")
    found = tt.Study.read(tmp_path / "study.toml", trust=True)
    assert found.run(tmp_path / "store").counts.failed == 0
    assert "reader study-lines" in found.to_dict()["own"]


@pytest.mark.parametrize(
    ("reader", "message"),
    [("nothing", "no reader is called 'nothing'"), ("csv:delimitter=;", "reader csv has no option 'delimitter'")],
)
def test_wrong_readers(tmp_path: Path, reader: str, message: str) -> None:
    (tmp_path / "log.lines").write_text("")
    with pytest.raises(tt.InputError, match=message):
        study(tmp_path, reader=reader)


def test_csv_parquet_and_json_in_one_study(tmp_path: Path) -> None:
    for ending in ("swf.gz", "csv", "parquet", "json"):
        tt.write(tt.default_workload(jobs=60), tmp_path / f"{ending[:3]}.{ending}")
    logs = [str(path) for path in sorted(tmp_path.iterdir())]
    done = tt.Study.of(name="s", workloads=logs, schedulers=["easy"]).run(tmp_path / "store")
    assert len(set(done.table["wait_mean_s"])) == 1


def test_dask_workers_get_the_reader(tmp_path: Path, module: Any) -> None:
    distributed = pytest.importorskip("distributed", reason='pip install "thinktime[cluster]"')
    from thinktime.study.executors.dask import DaskExecutor

    module(9)
    tasks = study(tmp_path).tasks()
    assert modules_of(tasks) == ("readers_of_study",)
    assert all(only_here(task) for task in tasks)
    with distributed.LocalCluster(processes=True, n_workers=1, threads_per_worker=1, dashboard_address=":0") as cluster:
        outcomes = list(DaskExecutor(address=cluster.scheduler_address)(tasks))
    assert [outcome["error"] for outcome in outcomes] == [None, None]
