"""Policies of one's own on Dask's workers: imported there, sent, or refused in a sentence before anything is sent."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import thinktime as tt
from tests.study.grids import comparable, on_threads, write_log
from thinktime.errors import InputError
from thinktime.spec import REGISTRY, parse
from thinktime.study.executors.dask import DaskExecutor
from thinktime.study.executors.own_modules import modules_of, only_here
from thinktime.study.study import Study, Task

distributed = pytest.importorskip("distributed", reason='pip install "thinktime[cluster]"')

MODULE = """\
import thinktime as tt


class Greedy(tt.OwnScheduler, name="{name}-greedy"):
    most: int = 1000

    def schedule(self, now_s, queue, running, machine):
        return queue.row[machine.fits(queue.row)][: self.most]


class Backwards(tt.OwnAllocator, name="{name}-backwards"):
    def place(self, job, units, nodes):
        return nodes.node[::-1]


class Slow(tt.OwnPlugin, name="{name}-slow"):
    def delay(self, system, job):
        return 10.0
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(processes=True, n_workers=1, threads_per_worker=1, dashboard_address=":0") as cluster:
        yield cluster


@pytest.fixture
def executor(cluster: Any) -> DaskExecutor:
    return DaskExecutor(address=cluster.scheduler_address)


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    before = {kind: dict(names) for kind, names in REGISTRY.items()}
    yield
    for kind, names in before.items():
        REGISTRY[kind].clear()
        REGISTRY[kind].update(names)


def imported(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A module that this process finds and workers do not."""
    path = folder / Path(*name.split(".")).with_suffix(".py")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(MODULE.format(name=name.rpartition(".")[2]))
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, name, raising=False)
    return importlib.import_module(name)


def study_of(module: Any) -> list[Task]:
    keys: dict[str, Any] = {
        "workloads": [{"generator": "default", "jobs": 60}],
        "platforms": ["seth"],
        "schedulers": ["fcfs", module.Greedy(most=3)],
        "allocators": [module.Backwards()],
        "rules": [{"plugins": [module.Slow().to_dict()]}],
    }
    return Study.of(name="own", **keys).tasks()


def test_a_single_file_is_sent(executor: DaskExecutor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = study_of(imported(tmp_path, "sent_policies", monkeypatch))
    assert all(only_here(task) for task in tasks)
    assert modules_of(tasks) == ("sent_policies",)
    outcomes = comparable(executor(tasks))
    assert all(outcome["error"] is None for outcome in outcomes.values())
    assert outcomes == on_threads(tasks)


def test_a_module_of_a_package_must_be_there(
    executor: DaskExecutor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = study_of(imported(tmp_path, "lab_of_mine.policies", monkeypatch))
    with pytest.raises(InputError, match=r"cannot import the module lab_of_mine.policies .*install it on all workers"):
        list(executor(tasks))


def test_what_only_this_program_has_is_refused(executor: DaskExecutor) -> None:
    class Here(tt.OwnScheduler, name="here"):
        def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> Any:
            return ()

    keys: dict[str, Any] = {"name": "own", "workloads": ["default:jobs=20"]}
    with pytest.raises(InputError, match="scheduler here is defined in a function, where workers cannot find it"):
        list(executor(Study.of(**keys, schedulers=[Here()]).tasks()))
    Here.__module__, Here.__qualname__ = "__main__", "Here"
    with pytest.raises(InputError, match="scheduler here is defined in this program"):
        list(executor(Study.of(**keys, schedulers=["fcfs", Here()]).tasks()))


def test_a_compiled_key_is_refused(executor: DaskExecutor) -> None:
    numba = pytest.importorskip("numba")
    from thinktime.schedulers.native import SIGNATURE

    widest = numba.cfunc(SIGNATURE)(_widest)
    tasks = Study.of(name="own", workloads=["default:jobs=20"], schedulers=[tt.Priority(key=tt.native(widest))]).tasks()
    with pytest.raises(InputError, match="is compiled in this program, which workers do not have"):
        list(executor(tasks))


def _widest(now_s: float, submit_s: float, estimate_s: float, processors: float, user: float) -> float:
    return -processors


def test_requests_move_to_workers_that_cannot_read_them(
    executor: DaskExecutor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_log(tmp_path, jobs=60)
    (tmp_path / "gpus.csv").write_text("job,gpu\n1,1\n2,1\n")
    monkeypatch.chdir(tmp_path)
    here = "/proc/self/cwd"  # the workers have another one
    nodes = tt.Cluster(groups=[{"name": "g", "nodes": 32, "core": 4, "gpu": 1}])
    workloads = [{"log": f"{here}/made.swf.gz", "requests": f"{here}/gpus.csv"}]
    tasks = Study.of(name="gpus", workloads=workloads, platforms=[nodes], schedulers=["fcfs", "easy"]).tasks()
    outcomes = comparable(executor(tasks))
    assert all(outcome["error"] is None for outcome in outcomes.values())
    assert outcomes == on_threads(tasks)


def test_named_by_module_and_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = imported(tmp_path, "named_policies", monkeypatch)
    assert parse("scheduler", "named_policies:Greedy") == found.Greedy()
    assert parse("scheduler", "named_policies:Greedy:most=2") == found.Greedy(most=2)
    assert parse("plugin", "named_policies:Slow") == found.Slow()
    study = Study.of(
        name="own",
        workloads=["default:jobs=20"],
        platforms=["seth"],
        schedulers=["named_policies:Greedy:most=2"],
        rules=[{"plugins": ["named_policies:Slow"]}],
    )
    assert modules_of(study.tasks()) == ("named_policies",)
    for text, sentence in {
        "nothing_of_mine:Greedy": "no module nothing_of_mine can be imported",
        "esay:order": "did you mean 'easy'",
        "named_policies:Fast": "has no scheduler called Fast",
        "named_policies:Slow": "has no scheduler called Slow",
        "named_policies:Greedy:least=2": "has no option 'least'",
        "easy:order": "is not an option",
    }.items():
        with pytest.raises(InputError, match=sentence):
            parse("scheduler", text)


def test_in_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "policies_here.py").write_text(MODULE.format(name="current"))
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.chdir(tmp_path)
    assert parse("allocator", "policies_here:Backwards").name == "current-backwards"
