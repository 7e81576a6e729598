"""A study on a Dask cluster of two worker processes: the outcomes of threads, whatever happens to the workers."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.study.grids import LOG, comparable, generated, on_threads, tasks, write_log
from thinktime.errors import InputError
from thinktime.study.executors.dask import DaskExecutor, Tls, need
from thinktime.study.study import Task

distributed = pytest.importorskip("distributed", reason='pip install "thinktime[cluster]"')


def started(**options: Any) -> Any:
    """Two processes of one thread each; a nanny starts a lost one again."""
    import dask

    with dask.config.set({"distributed.scheduler.allowed-failures": 1}):
        return distributed.LocalCluster(
            processes=True, n_workers=2, threads_per_worker=1, dashboard_address=":0", **options
        )


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with started() as cluster:
        yield cluster


@pytest.fixture
def executor(cluster: Any) -> DaskExecutor:
    return DaskExecutor(address=cluster.scheduler_address)


@pytest.fixture
def elsewhere(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of a log that the workers cannot read: they have another working directory."""
    write_log(tmp_path)
    monkeypatch.chdir(tmp_path)
    return Path("/proc/self/cwd") / LOG


def on_workers(cluster: Any, function: Any) -> dict[str, Any]:
    with distributed.Client(cluster, set_as_default=False) as client:
        return dict(client.run(function))


def test_the_outcomes_are_those_of_threads(executor: DaskExecutor) -> None:
    grid = generated(jobs=200, seeds=10)
    assert comparable(executor(iter(grid))) == on_threads(grid)


def test_a_run_that_fails_is_an_outcome(executor: DaskExecutor, tmp_path: Path) -> None:
    (tmp_path / LOG).write_bytes(b"no log at all")
    grid = tasks([{"log": str(tmp_path / LOG)}])
    outcomes = comparable(executor(grid))
    assert outcomes == on_threads(grid)
    assert all(str(tmp_path / LOG) in outcome["error"] for outcome in outcomes.values())


def logs_of(dask_worker: Any) -> list[str]:
    return [str(path.name) for path in (Path(dask_worker.local_directory) / "logs").rglob("*.gz")]


def test_a_log_moves_once_to_workers_that_cannot_read_it(cluster: Any, executor: DaskExecutor, elsewhere: Path) -> None:
    grid = tasks([{"name": name, "log": str(elsewhere), "filter": name} for name in ("base", "strict")])
    assert comparable(executor(grid)) == on_threads(grid)
    found = list(on_workers(cluster, logs_of).values())
    assert [LOG] in found
    assert all(each in ([], [LOG]) for each in found)


def test_run_directories_come_back_as_bytes(executor: DaskExecutor, elsewhere: Path) -> None:
    grid = tasks([{"log": str(elsewhere)}], keep="jobs")
    ours, theirs = comparable(executor(grid)), on_threads(grid)
    for run, outcome in ours.items():
        assert set(outcome["files"]) == set(theirs[run]["files"])
        for name in ("jobs.parquet", "timeline.parquet"):
            assert outcome["files"][name] == theirs[run]["files"][name]


def pid_of(dask_worker: Any) -> int:
    return os.getpid()


def test_a_worker_is_killed_in_the_middle(cluster: Any, executor: DaskExecutor, elsewhere: Path) -> None:
    """All outcomes arrive, once each, though the log's bytes may be lost with the worker."""
    many = [f"job>{number}" for number in range(400, 460)]
    grid = tasks([{"name": each, "log": str(elsewhere), "remove": [each]} for each in many])
    running, outcomes = executor(grid), []
    for outcome in running:
        outcomes.append(outcome)
        if len(outcomes) == 20:
            os.kill(next(iter(on_workers(cluster, pid_of).values())), signal.SIGKILL)
    assert comparable(outcomes) == on_threads(grid)


class Deadly(dict[str, Any]):
    """A spec whose run ends the process of the worker, as one that needs too much memory does."""

    def __getitem__(self, key: str) -> Any:
        with contextlib.suppress(ValueError):  # the client reads it, too
            distributed.get_worker()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().__getitem__(key)


def deadly(task: Task) -> Task:
    return dataclasses.replace(task, spec=Deadly(task.spec))


def test_a_run_that_kills_its_workers_fails_and_the_others_go_on(executor: DaskExecutor) -> None:
    grid = generated(jobs=100, seeds=4)
    outcomes = comparable(executor([grid[0], deadly(grid[1]), *grid[2:]]))
    assert "workers died during this run" in outcomes.pop(grid[1].run)["error"]
    assert outcomes == on_threads([grid[0], *grid[2:]])


def tasks_of(dask_scheduler: Any) -> int:
    return len(dask_scheduler.tasks)


def test_leaving_early_leaves_nothing_queued(cluster: Any, executor: DaskExecutor) -> None:
    running = executor(generated(jobs=2000, seeds=50))
    first = next(running)
    with pytest.raises(KeyboardInterrupt):
        running.throw(KeyboardInterrupt)  # type: ignore[attr-defined]
    assert first["error"] is None
    with distributed.Client(cluster, set_as_default=False) as client:
        wait_until(lambda: client.run_on_scheduler(tasks_of) == 0)


def wait_until(true: Any) -> None:
    for _ in range(300):
        if true():
            return
        time.sleep(0.1)
    raise AssertionError("it did not happen in 30 s")


def test_other_versions_are_refused(executor: DaskExecutor, monkeypatch: pytest.MonkeyPatch) -> None:
    grid = generated(jobs=100, seeds=1)
    old = [dataclasses.replace(task, spec={**task.spec, "version": "0.0.1"}) for task in grid]
    with pytest.raises(InputError, match=r"a worker has thinktime .* but the study is of 0\.0\.1"):
        list(executor(old))
    monkeypatch.setattr("thinktime.study.executors.dask.__version__", "99.0")
    with pytest.raises(InputError, match=r"the scheduler has thinktime .* but this is 99\.0"):
        list(executor(grid))


def test_no_answer() -> None:
    with pytest.raises(InputError, match=r"No Dask scheduler answered at tcp://127\.0\.0\.1:9 within 0\.5 s"):
        list(DaskExecutor(address="tcp://127.0.0.1:9", timeout_s=0.5)(generated(jobs=100, seeds=1)))


@pytest.mark.parametrize("address", ["host:8786", "tcp://host", "tcp://host:x", ""])
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(InputError, match="is not an address of a Dask scheduler"):
        list(DaskExecutor(address=address)(generated(jobs=100, seeds=1)))


def test_without_tasks_no_worker_is_asked() -> None:
    assert list(DaskExecutor(address="tcp://127.0.0.1:9")([])) == []


def test_no_workers() -> None:
    with distributed.LocalCluster(n_workers=0, dashboard_address=":0") as empty:
        executor = DaskExecutor(address=empty.scheduler_address, workers_timeout_s=0.2)
        with pytest.raises(InputError, match="has no workers: start some with `dask worker"):
            list(executor(generated(jobs=100, seeds=1)))


def test_what_is_not_installed_is_named() -> None:
    with pytest.raises(InputError, match=r'no_such_module is not installed: pip install "thinktime\[cluster\]"'):
        need("no_such_module")


@pytest.mark.skipif(
    shutil.which("openssl") is None, reason="makes its certificate with openssl: apt-get install openssl"
)
def test_tls(tmp_path: Path) -> None:
    cert, key = str(tmp_path / "cert.pem"), str(tmp_path / "key.pem")
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    subprocess.run([*made, "-keyout", key, "-out", cert], check=True, capture_output=True)
    tls = Tls(ca_file=cert, cert=cert, key=key)
    grid = generated(jobs=100, seeds=2)
    with started(protocol="tls://", security=tls.security()) as cluster:
        address = cluster.scheduler_address
        assert address.startswith("tls://")
        assert comparable(DaskExecutor(address=address, tls=tls)(grid)) == on_threads(grid)
        with pytest.raises(InputError, match="check the address, and the TLS files"):
            list(DaskExecutor(address=address, timeout_s=1)(grid))


def test_tls_files_must_be_there() -> None:
    with pytest.raises(InputError, match=r"No file nowhere\.pem: --tls-ca-file takes a PEM file"):
        Tls(ca_file="nowhere.pem")
