"""One run of a study is what `simulate` gives, wherever it is carried out."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thinktime as tt
from tests.shared_data import ROOT
from tests.study.studies import small, without_times
from thinktime.errors import InputError
from thinktime.metrics.saturation import waits_grow
from thinktime.study import Threads, execute
from thinktime.study.execute import simulated
from thinktime.study.executors import Local, local
from thinktime.study.executors.processes import Worker
from thinktime.study.sources import WorkloadCache
from thinktime.study.stored_distributions import quantiles, stored_distributions, week_load


def test_an_outcome_has_the_summary_of_the_same_run_by_hand() -> None:
    study = small(summary={"warmup_s": 3600.0, "tau_s": 60.0}, estimates=["at_least:3"], platforms=["log:speed=2"])
    outcome = execute(study.tasks()[-1])
    log = tt.default_workload(jobs=60, seed=2)
    machine = tt.Machine(processors=128, speed=2.0)
    run = tt.simulate(log, machine, tt.Easy(), estimates=tt.Estimates.at_least(3.0), seed=2)
    expected = run.summary(warmup_s=3600.0, tau_s=60.0).values
    assert {name: outcome["summary"][name] for name in expected} == expected


def test_any_number_of_threads_gives_the_same_outcomes() -> None:
    tasks = small(seeds=6, schedulers=["fcfs", "easy", "conservative"]).tasks()
    found = []
    for number in (1, 4):
        outcomes = {each["run"]: without_times(each) for each in Threads(number)(tasks)}
        found.append([outcomes[task.run] for task in tasks])
    assert found[0] == found[1]


def test_tasks_can_be_sent_to_another_process() -> None:
    task = small().tasks()[0]
    assert pickle.loads(pickle.dumps(task)) == task


def test_leaving_the_loop_waits_for_the_runs_in_flight_only() -> None:
    before = threading.active_count()
    taken = []

    def tasks() -> Any:
        for task in small(seeds=50).tasks():
            taken.append(task)
            yield task

    for _ in Threads(2)(tasks()):
        break
    assert threading.active_count() == before
    assert len(taken) < 20


def test_an_error_of_the_source_reaches_the_caller() -> None:
    def broken() -> Any:
        yield small().tasks()[0]
        raise InputError("the disk is gone")

    with pytest.raises(InputError, match="the disk is gone"):
        list(Threads(2)(broken()))


def test_no_threads_is_one_message() -> None:
    with pytest.raises(InputError, match=r"threads must be at least 1 \(got 0\)"):
        Threads(0)


def test_a_log_that_changed_is_reported(tmp_path: Path) -> None:
    log = tmp_path / "a.swf"
    tt.write_swf(tt.default_workload(jobs=27, seed=5), log)  # read by this test alone: content is cached
    task = small(workloads=[{"log": str(log)}]).tasks()[0]
    tt.write_swf(tt.default_workload(jobs=28, seed=5), log)
    assert "has changed since the study was read" in execute(task)["error"]


def test_a_log_without_a_size_needs_a_platform(tmp_path: Path) -> None:
    log = tmp_path / "a.swf"
    log.write_text("".join(f"{k} {k} -1 10 1 -1 -1 -1 20 -1 1 1 -1 -1 -1 -1 -1 -1\n" for k in range(1, 9)))
    study = small(workloads=[{"log": str(log)}], platforms=["log", "machine:processors=2"])
    errors = {task.cell["platform"]: execute(task)["error"] for task in study.tasks()}
    assert "does not record the number of processors: name a platform" in errors["log"]
    assert errors["machine:processors=2"] is None


def test_a_workload_is_read_once_for_all_threads() -> None:
    shelf, found = WorkloadCache(2), []
    source = {"generator": "default", "jobs": 50}
    threads = [threading.Thread(target=lambda: found.append(shelf.get(source, 1))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(each is found[0] for each in found)
    for seed in (2, 3):
        shelf.get(source, seed)
    assert shelf.get(source, 1) is not found[0]  # two others were used since


def test_sketches_are_the_quantiles_and_the_load() -> None:
    task = small().tasks()[1]
    workload = tt.default_workload(jobs=60, seed=2)
    result = simulated(task.spec, workload)
    wait = result.columns["start_s"] - result.columns["submit_s"]
    found = stored_distributions(result, workload, {"tau_s": 10.0})
    assert found["wait_s"] == pytest.approx(np.quantile(wait, np.linspace(0, 1, 101)), rel=1e-5)
    assert sum(found["users"]["jobs"]) == 60
    first, last = result.timeline_columns["time_s"][[0, -1]]
    hours = np.ceil(last / 3600) - np.floor(first / 3600)
    area = float(np.sum(result.columns["run_s"] * result.columns["processors"]))
    if hours <= 168:  # every hour of the week is met once at most
        assert sum(week_load(result, 0.0)) * 3600 * 128 == pytest.approx(area, rel=1e-4)
    assert quantiles(np.array([])) == []
    assert quantiles(np.array([3.0])) == [3.0] * 101


def test_saturation_is_seen_where_waits_grow_and_not_elsewhere() -> None:
    log = tt.Workload.from_columns(submit_s=np.arange(2000) * 10.0, run_s=np.full(2000, 12.0), processors=np.ones(2000))
    assert waits_grow(tt.simulate(log, tt.Machine(processors=1), tt.FCFS()).columns)
    assert not waits_grow(tt.simulate(log, tt.Machine(processors=2), tt.FCFS()).columns)


def test_processes_and_a_longer_study_give_what_threads_give(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "PATIENCE_S", 0.05)
    tasks = small(seeds=12, schedulers=["fcfs", "easy"]).tasks()
    found = [{each["run"]: without_times(each) for each in executor(tasks)} for executor in (Threads(1), Local(2))]
    assert found[0] == found[1]
    assert len(found[0]) == len(tasks)


def test_a_worker_that_dies_takes_only_its_own_run() -> None:
    worker, tasks = Worker(), small(seeds=3).tasks()
    assert worker(tasks[0])["error"] is None
    assert worker._process is not None
    worker._process.kill()
    worker._process.wait()
    assert "died" in worker(tasks[1])["error"]
    assert without_times(worker(tasks[2])) == without_times(execute(tasks[2]))
    worker.close()


def test_workers_end_with_their_parent() -> None:
    code = "from thinktime.study.executors.processes import Worker; from tests.study.studies import small; import os\n"
    code += "w = Worker(); w(small().tasks()[0]); print(w._process.pid, flush=True); os.kill(os.getpid(), 9)"
    path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env={**os.environ, "PYTHONPATH": path})
    command = Path(f"/proc/{int(done.stdout)}/cmdline")  # empty or gone once it has ended
    until = time.monotonic() + 20
    while _content(command) and time.monotonic() < until:
        time.sleep(0.05)
    assert not _content(command)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_long_runs_are_judged_by_outstanding_jobs_and_short_ones_by_waits() -> None:
    """One job every two hours that runs for three, on one processor; and a week in which only the beginning queues."""
    found = {}
    for weeks, run_s in ((12, 10_800.0), (12, 3_600.0), (3, 10_800.0), (3, 3_600.0)):
        submit = np.arange(0.0, weeks * 604_800.0, 7_200.0)
        columns: dict[str, Any] = {"run_s": np.full(len(submit), run_s), "processors": np.ones(len(submit))}
        log = tt.Workload.from_columns(
            submit_s=submit, requested_time_s=columns["run_s"], user=columns["processors"], **columns
        )
        run = tt.simulate(log, tt.Machine(processors=1), tt.FCFS())
        found[weeks, run_s] = [each.because for each in run.summary().cautions]
    assert found[12, 10_800.0] == ["outstanding jobs grew by 28 per week"]
    assert found[3, 10_800.0] == ["waits grew from quarter to quarter"]
    assert found[12, 3_600.0] == found[3, 3_600.0] == []


def test_a_study_can_be_looked_at(tmp_path: Path) -> None:
    study = small(platforms=64, users="rigid", schedulers=["fcfs", tt.Easy()], seeds=1)
    assert repr(study) == "<Study small: 2 runs of 1 workload and 2 schedulers>"
    assert "machine:processors=64" in study._repr_html_()
    done = study.run(tmp_path / "store")
    assert repr(done) == "<Studied small: 2 runs, 2 of them new>"
    assert "<table>" in done._repr_html_()
    assert done.plot("utilisation").axes
    assert repr(done.compare()).startswith("<Conclusions with fcfs by wait_mean_s: easy one run")
    alone = small(schedulers="fcfs", seeds=1).run(tmp_path / "alone")
    assert "nothing to compare" in alone._repr_html_()
