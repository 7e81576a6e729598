"""Benchmarks: what they compute is right, whatever the time. No test here asks how long something took."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import thinktime as tt
from tests.cli.commands import thinktime
from thinktime.errors import InputError
from thinktime.platforms import Machine
from thinktime.schedulers.conservative import Conservative
from thinktime.schedulers.easy import Easy
from thinktime.schedulers.fcfs import FCFS
from thinktime.simulation.settings import Settings
from thinktime_bench import (
    PARTS,
    Measurement,
    bootstrap,
    cases,
    description,
    engine,
    plugins,
    process,
    queue,
    scanner,
    stream,
    traces,
    users,
)
from thinktime_bench.logs import find_logs, main_log, written


@pytest.mark.parametrize(
    ("value", "unit", "goal", "ratio", "met"),
    [
        (6.0, "M jobs/s", 3.0, 2.0, True),
        (2.0, "M jobs/s", 4.0, 0.5, False),
        (0.2, "s", 0.4, 2.0, True),
        (200.0, "MB", 100.0, 0.5, False),
        (1.0, "s", 1.0, 1.0, True),
        (1.0, "s", None, None, None),
        (0.0, "s", 1.0, None, None),
    ],
)
def test_ratio_to_the_goal(value: float, unit: str, goal: float | None, ratio: float | None, met: bool | None) -> None:
    one = Measurement("part", "name", value, unit, goal)
    assert (one.ratio, one.met) == (ratio, met)
    assert one.to_dict()["met"] is met


@pytest.mark.parametrize("scheduler", [FCFS(), Easy(), Conservative()])
def test_the_engine_alone_simulates_what_a_run_does(scheduler: tt.Scheduler) -> None:
    workload = tt.default_workload(jobs=2000)
    found = engine.measure(workload, scheduler, 1)
    run = tt.simulate(workload, tt.Machine(processors=128), scheduler)
    assert found.details["jobs"] == 2000
    assert found.details["events"] == run.statistics["events"]
    assert found.details["mean_wait_s"] == pytest.approx(run.summary()["wait_mean_s"], rel=1e-12)
    assert found.finished
    assert found.value == pytest.approx(2000 / found.details["cpu_s"] / 1e6)


def test_what_own_policies_cost_is_measured_on_the_same_work() -> None:
    passes, rows, *found = [case.run()[0] for case in cases("own", quick=True)]
    assert passes.details["mean_wait_s"] == rows.details["mean_wait_s"] == 0
    assert passes.goal == rows.goal == 2.0
    assert passes.details["jobs"] >= passes.details["asked"] > 0
    assert len(found) >= 2  # three where numba is installed
    assert len({round(one.details["mean_key"], 6) for one in found}) == 1  # one key, however it is said


def test_what_reacting_users_cost_is_measured_on_what_a_run_does() -> None:
    workload = tt.default_workload(jobs=2000)
    alone, with_graph = users.measure(workload, Easy(), 1)
    run = tt.simulate(workload, tt.Machine(processors=128), Easy(), users=tt.SessionReplay())
    late_s = run.columns["submit_s"] - run.columns["recorded_submit_s"]
    assert alone.details["mean_lateness_s"] == pytest.approx(late_s.mean(), rel=1e-12)
    assert alone.details["events"] == run.statistics["events"]
    assert alone.value < with_graph.value
    assert (alone.goal, with_graph.goal) == (2.0, 3.0)


def test_a_run_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "PATIENCE_S", 0.0)
    monkeypatch.setattr(engine, "ROUNDS", 100)
    found = engine.measure(tt.default_workload(jobs=2000), Easy(), 1)
    assert not found.finished
    assert 0 < found.details["events"] < 4000


@pytest.mark.parametrize("log", ["KTH-SP2-1996-2.1-cln", "CTC-SP2-1996-3.1-cln", "HPC2N-2002-2.2-cln", "CEA-Curie"])
def test_goals_hold_for_four_logs_and_conservative_for_one(log: str) -> None:
    assert engine._goal(log, FCFS()) == 10.0
    assert engine._goal(log, Easy()) == 3.0
    assert engine._goal(log, Conservative()) == (0.15 if log.startswith("HPC2N") else None)
    assert engine._goal("RICC-2010-2", Easy()) is None


def test_descriptions_are_measured_on_what_they_compute() -> None:
    found = description.stack_depth_of_many(5000, 1)[0]
    assert (found.details["jobs"], found.goal) == (5000, 0.3)
    assert 100 < found.details["entries"] < 300  # times that differ by 5 % between a second and ten days
    assert found.details["entries"] / 4 < found.details["mean_depth"] < found.details["entries"]


def test_the_queue_stays_deep() -> None:
    found = queue.measure(queue.JOBS, 1)[0].details
    assert found["jobs"] == queue.JOBS
    assert abs(found["queued_time_mean"] / queue.WAITING - 1) < 0.1
    assert abs(found["queued_event_mean"] / queue.WAITING - 1) < 0.1
    assert found["queued_least"] > 0.8 * queue.WAITING
    assert found["events_while_coming"] > 0.9


def test_queue_lengths_of_a_case_by_hand() -> None:
    """On 1024 processors: the second job waits from 0 to 10, the third from 5 to 20."""
    submit, run = np.array([0.0, 0.0, 5.0, 20.0]), np.array([10.0, 10.0, 1.0, 1.0])
    requests = queue.Requests(submit, run, run, np.array([1024, 1024, 1024, 1], dtype=np.int32))
    found = queue.queue_lengths(Settings(machine=Machine(processors=1024), scheduler=FCFS()), requests)
    assert found["queued_time_mean"] == pytest.approx((5 * 1 + 5 * 2 + 10 * 1) / 20)
    assert (found["queued_least"], found["queued_most"]) == (1, 2)


def test_the_scanner_finds_every_job(tmp_path: Path) -> None:
    log = written(tmp_path / "small.swf", 500)
    found = scanner.measure("small", [log.read_bytes()], 2)
    assert found.details["jobs"] == 500
    assert found.details["lines"] == len(log.read_text().splitlines())
    assert found.details["bytes"] == log.stat().st_size
    assert found.details["sum_of_run_times_s"] == tt.default_workload(jobs=500)["run_s"].sum()


def test_a_repeated_log_goes_on_where_it_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "BASE_JOBS", 300)
    stream.write_repeated(tmp_path / "log.swf", 1000)
    log, base = tt.read_swf(tmp_path / "log.swf"), tt.default_workload(jobs=300)
    assert len(log) == 1000
    assert np.array_equal(log["job"], np.arange(1, 1001))
    period = log["submit_s"][300] - log["submit_s"][0]
    assert period > 0
    assert period % stream.WEEK_S == 0
    assert np.array_equal(log["submit_s"], np.tile(base["submit_s"], 4)[:1000] + period * (np.arange(1000) // 300))
    assert np.array_equal(log["run_s"], np.tile(base["run_s"], 4)[:1000])
    assert log.machine_processors == base.machine_processors


def test_a_streamed_run_is_the_run_in_memory() -> None:
    found = {one.unit: one for one in stream.measure(1000, compare=True)}
    assert found["M jobs/s"].details["same_starts_as_in_memory"] is True
    assert found["M jobs/s"].details["jobs"] == 1000
    run = tt.simulate(tt.default_workload(jobs=1000), tt.Machine(processors=128), Easy())
    assert found["M jobs/s"].details["mean_wait_s"] == pytest.approx(run.summary()["wait_mean_s"])


def test_the_hash_of_starts_sees_one_second() -> None:
    one = {"job": [2.0, 1.0], "start_s": [5.0, 7.0]}
    assert stream.starts_hash(one) == stream.starts_hash({"job": [1.0, 2.0], "start_s": [7.0, 5.0]})
    assert stream.starts_hash(one) != stream.starts_hash({"job": [2.0, 1.0], "start_s": [5.0, 8.0]})


def test_no_space_is_reported_before_anything_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "LINE_BYTES", 10**15)
    with pytest.raises(InputError, match="free but the log of 1,000 jobs needs"):
        stream._require_space(tmp_path, 1000)


def test_a_process_says_what_it_took() -> None:
    found = process.with_memory("held = bytearray(50_000_000); print('done')")
    assert found.out == "done\n"
    assert found.cpu_s > 0
    assert found.wall_s > 0
    if found.peak_mb is not None:
        assert 50 < found.peak_mb < 100


def test_a_process_that_fails_is_no_measurement() -> None:
    with pytest.raises(RuntimeError, match="no such thing"):
        process.with_memory("raise SystemExit('no such thing')")


def test_whole_commands_are_run_and_counted(tmp_path: Path) -> None:
    found = {one.name: one for case in cases("command", tmp_path, quick=True) for one in case.run()}
    whole = tt.simulate(tt.default_workload(), tt.Machine(processors=128), Easy())
    wait_s = pytest.approx(whole.summary()["wait_mean_s"])
    for name, goal in (("run default --no-figures, wall", 0.6), ("run default, CPU", 1.2)):
        assert (found[name].details["mean_wait_s"], found[name].goal) == (wait_s, goal)
    again = found["tt.simulate default, again, by engine time"]
    assert (again.details["mean_wait_s"], again.goal, again.unit) == (wait_s, 1.5, "x")
    assert again.value == again.details["simulate_again_s"] / again.details["engine_alone_s"] > 1
    small = tt.simulate(tt.default_workload(jobs=1000), tt.Machine(processors=128), Easy()).summary()["wait_mean_s"]
    assert found["first simulation, wall"].details["mean_wait_s"] == pytest.approx(small)
    assert found["--help, wall"].details["lines"] > 5


def test_logs_that_are_there_are_measured(tmp_path: Path) -> None:
    assert find_logs(tmp_path, quick=False) == {"default": None}
    for name in ("HPC2N-2002-2.2-cln.swf.gz", "KTH-SP2-1996-2.1-cln.swf", "other.swf"):
        written(tmp_path / name, 10)
    assert list(find_logs(tmp_path, quick=False)) == ["KTH-SP2-1996-2.1-cln", "HPC2N-2002-2.2-cln"]
    assert list(find_logs(tmp_path, quick=True)) == ["KTH-SP2-1996-2.1-cln"]
    assert main_log(tmp_path, tmp_path / "unused").name == "HPC2N-2002-2.2-cln.swf.gz"
    assert [case.name for case in cases("engine", tmp_path, quick=True)] == [
        f"KTH-SP2-1996-2.1-cln, {name}" for name in ("fcfs", "easy", "conservative")
    ]


def test_the_bootstrap_says_what_was_computed(tmp_path: Path) -> None:
    log = tt.default_workload(weeks=14, users=10, load=0.3)
    tt.write_swf(log, tmp_path / "KTH-SP2-1996-2.1-cln.swf.gz")
    cpu, wall, rate, memory = bootstrap.measure(tmp_path, 20)
    found = tt.bootstrap(log, tt.Machine(processors=128), [tt.Easy()], resamples=20, jackknife=0)
    assert wall.details["resamples"] == 20
    assert wall.details["mean_wait_s"] == pytest.approx(found.values("wait_mean_s").mean(), rel=1e-12)
    assert rate.value == pytest.approx(20 / cpu.value)
    assert memory.value == pytest.approx(memory.details["all_mb"] / memory.details["tenth_mb"])


@pytest.mark.parametrize(("kind", "cores", "group"), traces.KINDS)
def test_a_trace_has_every_begin_and_end(kind: str, cores: int, group: int, tmp_path: Path) -> None:
    if kind == "otf2":
        pytest.importorskip("_otf2", reason="the package otf2 is not installed")
    found = traces.measure(kind, min(cores, 256), group, 600, 1)
    assert (found.details["jobs"], found.details["events"]) == (2, 2 * 512)
    assert found.details["size_bytes"] > 2 * 512


def test_a_made_up_trace_keeps_its_cores_apart() -> None:
    blocks = list(traces.made_up(128, 3).blocks)
    assert all((before["end_s"] < after["start_s"]).all() for before, after in pairwise(blocks))
    assert [len(np.unique(block["core"])) for block in blocks] == [128] * 3


def test_the_command_measures_the_parts_it_is_asked_for(tmp_path: Path) -> None:
    arguments = ("bench", "--quick", "--only", "scanner", "--only", "engine")
    found = thinktime(tmp_path, *arguments, "--json").json["measurements"]
    assert [one["part"] for one in found] == ["engine"] * 3 + ["scanner"]
    assert all(math.isfinite(one["value"]) and one["finished"] for one in found)
    printed = thinktime(tmp_path, *arguments).out
    assert "default, conservative" in printed
    assert "lines" in printed


def test_a_part_that_is_not_there(tmp_path: Path) -> None:
    outcome = thinktime(tmp_path, "bench", "--only", "everything")
    assert outcome.code == 2
    assert all(name in outcome.err for name in (*PARTS, "everything"))


def test_plugins_that_have_nothing_to_do_change_nothing() -> None:
    workload = tt.default_workload(processors=480, jobs=1500)
    by_name = {each.name.split(", ")[-1]: each for each in plugins.measure(workload, Easy(), 1)}
    wait_s = tt.simulate(workload, tt.Cluster.named("seth"), Easy()).summary()["wait_mean_s"]
    for idle in ("a maintenance after all jobs", "a failure after all jobs"):
        assert by_name[idle].details["mean_wait_s"] == pytest.approx(wait_s, rel=1e-12)
    assert by_name["a maintenance every month"].details["mean_wait_s"] > wait_s
    assert len(by_name) == 4
