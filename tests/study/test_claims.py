"""Several processes on one store: each run is carried out about once, and the runs of a dead one are taken over."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from tests.shared_data import ROOT
from tests.study.studies import small, written
from thinktime.study import Store, open_store, run_study, study_of
from thinktime.study.execute import execute
from thinktime.study.store import claims as claiming
from thinktime.study.store.claims import CLAIMS, OWNERS, Claims
from thinktime.support.output_files import RUN_FILE

KEPT = """
name = "kept"
keep = "jobs"
seeds = 12
schedulers = ["fcfs", "easy"]
[[workloads]]
generator = "default"
jobs = 1000
"""


def started(file: Path, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "thinktime", "study", "run", str(file), "--json", *more]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, cwd=ROOT, env=environment, **pipes)  # type: ignore[call-overload, no-any-return]


def times_computed(store: Path) -> Counter[str]:
    lines = [line for path in (store / "journal").glob("*.jsonl") for line in path.read_text().splitlines()]
    return Counter(json.loads(line)["run"] for line in lines)


def test_four_processes_share_the_work(tmp_path: Path) -> None:
    file = written(tmp_path / "kept.toml", KEPT)
    processes = [started(file, "--threads", "1") for _ in range(4)]
    ended = [process.communicate(timeout=120) for process in processes]
    assert [(process.returncode, err) for process, (_, err) in zip(processes, ended, strict=True)] == [(0, "")] * 4
    facts = [json.loads(out) for out, _ in ended]
    assert [each["done"] for each in facts] == [24] * 4, "each process waits for the others' runs"
    store = tmp_path / "kept.study"
    assert sum(times_computed(store).values()) <= 26
    assert len(times_computed(store)) == 24
    assert all((store / "runs" / run / RUN_FILE).is_file() for run in times_computed(store))
    assert sorted(path.name for path in store.iterdir()) == ["journal", "runs", "study.json"]


def test_the_runs_of_a_killed_process_are_taken_over(tmp_path: Path) -> None:
    file = written(tmp_path / "kept.toml", KEPT)
    store = tmp_path / "kept.study"
    first = started(file, "--threads", "1")
    end = time.monotonic() + 60
    while not list((store / CLAIMS).glob("*.0")):
        assert time.monotonic() < end
        assert first.poll() is None
    first.send_signal(signal.SIGKILL)
    first.communicate()
    assert list((store / CLAIMS).glob("*.0")), "a killed process leaves its claims"
    second = started(file, "--threads", "1")
    assert (second.communicate(timeout=120)[1], second.returncode) == ("", 0)
    assert len(times_computed(store)) == 24
    assert not (store / CLAIMS).exists()


def claims_of(folder: Path) -> tuple[Claims, Claims]:
    folder.mkdir()
    return Claims(folder), Claims(folder)


def test_a_run_has_one_owner(tmp_path: Path) -> None:
    one, other = claims_of(tmp_path / "s")
    assert one.take("a")
    assert one.take("a"), "it is ours already"
    assert not other.take("a")
    assert other.take("b")
    assert one.shared()
    assert other.shared()
    one.release("a")
    assert other.take("a")
    one.close()
    other.close()
    assert list((tmp_path / "s").iterdir()) == []


def test_an_owner_elsewhere_is_dead_when_its_count_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another machine's process numbers mean nothing here, and neither does its clock."""
    monkeypatch.setattr(claiming, "machine", lambda: f"elsewhere {time.monotonic()}")
    monkeypatch.setattr(claiming, "RECENT_S", 0.0)
    one, other = claims_of(tmp_path / "s")
    assert one.take("a")
    owner = next((tmp_path / "s" / CLAIMS / OWNERS).iterdir())
    os.utime(owner, (0, 0))
    assert not other.take("a")
    monkeypatch.setattr(claiming, "STALE_S", 0.2)
    time.sleep(0.3)
    one._beat(7)
    assert not other.take("a"), "a new count is a sign of life"
    time.sleep(0.3)
    assert other.take("a")
    assert sorted(path.name for path in (tmp_path / "s" / CLAIMS).glob("a.*")) == ["a.0", "a.1"]
    assert not one.take("a")


def test_a_claim_without_a_name_is_being_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = claims_of(tmp_path / "s")
    assert one.take("b")
    (tmp_path / "s" / CLAIMS / "a.0").touch()
    assert not other.take("a")
    monkeypatch.setattr(claiming, "STALE_S", 0.0)
    monkeypatch.setattr(claiming, "RECENT_S", 0.0)
    assert other.take("a")


def _take(folder: Path, runs: int, out: multiprocessing.queues.SimpleQueue[list[int]], all_done: Barrier) -> None:
    claims = Claims(folder)
    out.put([run for run in range(runs) if claims.take(f"run{run}")])
    all_done.wait(60)  # the claims of a process that has ended may be taken again


def test_no_two_take_the_same_run_at_the_same_time(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    out = context.SimpleQueue()
    dead = Claims(tmp_path)
    assert all(dead.take(f"run{k}") for k in range(0, 200, 2))
    dead._over.set()
    (tmp_path / CLAIMS / OWNERS / dead._name).unlink()  # as of one that was killed long ago
    all_done = context.Barrier(4)
    takers = [context.Process(target=_take, args=(tmp_path, 200, out, all_done)) for _ in range(4)]
    for taker in takers:
        taker.start()
    found = [run for _ in takers for run in out.get()]
    for taker in takers:
        taker.join()
    assert sorted(found) == list(range(200))


def test_a_store_keeps_a_run_that_another_has_kept_meanwhile(tmp_path: Path) -> None:
    study = small(keep="jobs")
    outcome = execute(study.tasks()[0])
    stores = [open_store(tmp_path / "s", study) for _ in range(2)]
    for store in stores:
        store.add(dict(outcome))
    assert len(Store(tmp_path / "s").outcomes) == 1
    assert study_of(tmp_path / "s").name == "small"


def test_a_run_that_an_executor_cannot_keep_is_not_tried_for_ever(tmp_path: Path) -> None:
    study = small(keep="jobs")

    def without_files(tasks):  # type: ignore[no-untyped-def]
        for task in tasks:
            yield {key: value for key, value in execute(task).items() if key != "files"}

    with open_store(tmp_path / "s", study) as store:
        assert run_study(study, store, without_files).done == 4
