"""A simulation that is driven: steps, stops, states, two at a time; and a log that is simulated in blocks."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from reference import Job
from tests.effort import examples
from tests.engine.workloads import AsWritten, jobs, rules, run_engine, schedulers, workload_of
from tests.shared_data import log
from thinktime.result import check
from thinktime.schedulers import Scheduler
from thinktime.simulation import Simulation, simulate, simulate_stream
from thinktime.spec import REGISTRY
from thinktime.workload import COLUMNS

EXAMPLES = examples(80)
KTH = "KTH-SP2-1996-2.1-cln"


def driven(workload: list[Job], processors: int, scheduler: Scheduler, rules: dict[str, Any]) -> Simulation:
    others = {name: value for name, value in rules.items() if name != "speed"}
    machine = tt.Machine(processors=processors, speed=rules["speed"])
    return Simulation(workload_of(workload), machine, scheduler, estimates=AsWritten(), **others)


def assert_same(a: tt.Result, b: tt.Result) -> None:
    assert a.content_digest == b.content_digest
    assert a.digest == b.digest
    for name, values in a.timeline_columns.items():
        assert np.array_equal(values, b.timeline_columns[name]), name


# --- steps and stops ----------------------------------------------------------------------------------------


@EXAMPLES
@given(jobs(), st.integers(1, 8), schedulers(), rules())
def test_steps_to_the_end_are_a_run(
    workload: list[Job], processors: int, scheduler: Scheduler, rules: dict[str, Any]
) -> None:
    simulation = driven(workload, processors, scheduler, rules)
    while simulation.step():
        pass
    assert not simulation.step()
    assert simulation.state.next_s == np.inf
    assert_same(simulation.result(), run_engine(workload, processors, scheduler, **rules))


@EXAMPLES
@given(jobs(), st.integers(1, 8), schedulers(), rules(), st.lists(st.floats(-5, 60), max_size=4))
def test_stops_on_the_way_change_nothing(
    workload: list[Job], processors: int, scheduler: Scheduler, rules: dict[str, Any], stops: list[float]
) -> None:
    simulation = driven(workload, processors, scheduler, rules)
    for stop in sorted(stops):
        simulation.run(until=stop)
        state = simulation.state
        assert state.clock_s <= stop < state.next_s
        assert check(simulation.result()) == []
    assert_same(simulation.run().result(), run_engine(workload, processors, scheduler, **rules))


@EXAMPLES
@given(jobs(), st.integers(1, 8), schedulers(), rules())
def test_results_on_the_way_change_nothing(
    workload: list[Job], processors: int, scheduler: Scheduler, rules: dict[str, Any]
) -> None:
    """Also between two rounds of one instant."""
    simulation = driven(workload, processors, scheduler, rules)
    while simulation.step():
        simulation.result()
    assert_same(simulation.result(), run_engine(workload, processors, scheduler, **rules))


def test_until_is_included() -> None:
    simulation = driven([Job(0, 5, 1, 5), Job(3, 5, 1, 5)], 1, tt.FCFS(), {"speed": 1.0})
    assert simulation.state.clock_s == -np.inf
    simulation.run(until=5)
    assert simulation.state.clock_s == 5
    assert simulation.state.running.tolist() == [1]
    assert simulation.state.next_s == 10


def test_the_result_of_a_stopped_run() -> None:
    """At 4 the first job runs, the second waits, the third is not yet submitted."""
    simulation = driven([Job(0, 5, 1, 5), Job(3, 5, 1, 5), Job(9, 1, 1, 1)], 1, tt.FCFS(), {"speed": 1.0})
    stopped = simulation.run(until=4).result()
    assert stopped.statistics["stopped"]
    assert stopped.jobs["status"].to_list() == ["unfinished"] * 3
    assert stopped.jobs["start_s"].to_list() == [0, None, None]
    assert stopped.jobs["end_s"].to_list() == [None] * 3
    assert stopped.timeline["time_s"].to_list() == [0, 3]
    finished = simulation.run().result()
    assert not finished.statistics["stopped"]
    assert finished.jobs["end_s"].to_list() == [5, 10, 11]


def test_progress_hears_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without patience, a report for every 64 rounds; a round is an instant here."""
    monkeypatch.setattr("thinktime.simulation.simulation.SECONDS", 0.0)
    times = np.arange(100.0)
    one = np.ones(len(times))
    columns = dict.fromkeys((*COLUMNS, "line"), np.full(len(times), np.nan))
    columns |= {"submit_s": 2 * times, "run_s": one, "processors": one, "requested_time_s": one}
    workload, machine, heard = tt.Workload(columns), tt.Machine(processors=1), list[Any]()
    simulate(workload, machine, tt.FCFS(), progress=heard.append, timeline=False)
    assert heard == [63.0, 127.0, 191.0]


def test_one_thread_at_a_time() -> None:
    """Another thread that comes while a simulation runs is sent away."""
    workload = tt.default_workload(jobs=20_000)
    simulation = tt.Simulation(workload, tt.Machine(processors=128), tt.Conservative())
    refused: list[Any] = []

    def intrude() -> None:
        while not refused and thread.is_alive():
            try:
                simulation.step()
            except RuntimeError as error:
                refused.append(str(error))

    thread = threading.Thread(target=simulation.run)
    thread.start()
    intrude()
    thread.join()
    assert refused == ["this simulation is already running: use one simulation per thread"]
    assert tt.check(simulation.run().result()) == []


# --- the state ----------------------------------------------------------------------------------------------


@EXAMPLES
@given(jobs(), st.integers(1, 8), schedulers(), rules())
def test_every_state_is_consistent(
    workload: list[Job], processors: int, scheduler: Scheduler, rules: dict[str, Any]
) -> None:
    """Free and used processors are the machine; no job waits and runs at once; the clock never goes back."""
    simulation = driven(workload, processors, scheduler, rules)
    submit, clock = simulation.workload["submit_s"], -np.inf
    size = np.minimum(simulation.workload["processors"], processors)
    left: set[int] = set()
    while simulation.step():
        state = simulation.state
        queue, running = set(state.queue.tolist()), set(state.running.tolist())
        assert state.free_processors + size[state.running].sum() == processors
        assert not queue & running
        assert not (queue | running) & left
        assert np.all(submit[[*queue, *running]] <= state.clock_s)
        assert clock <= state.clock_s <= state.next_s
        clock = state.clock_s
        left = set(np.flatnonzero(simulation.result().columns["status"] < 3).tolist())
        assert not (queue | running) & left


@EXAMPLES
@given(jobs(), st.integers(1, 8), schedulers(), rules())
def test_the_timeline_is_the_states(
    workload: list[Job], processors: int, scheduler: Scheduler, rules: dict[str, Any]
) -> None:
    simulation, seen = driven(workload, processors, scheduler, rules), {}
    size = np.minimum(simulation.workload["processors"], processors)
    while simulation.step():
        now = simulation.state
        used = processors - now.free_processors
        seen[now.clock_s] = (len(now.queue), int(size[now.queue].sum()), len(now.running), used)
    of = simulation.result().timeline_columns
    names = ("queued_jobs", "queued_processors", "running_jobs", "used_processors")
    rows = zip(*(of[name].tolist() for name in names), strict=True)
    assert dict(zip(of["time_s"].tolist(), rows, strict=True)) == seen


def test_the_queue_is_in_the_schedulers_order_and_running_jobs_by_end() -> None:
    workload = [Job(0, 9, 1, 9), Job(0, 5, 1, 5), Job(1, 7, 2, 7), Job(2, 3, 2, 3), Job(3, 5, 2, 5)]
    for scheduler, queue in (
        (tt.FCFS(), [2, 3, 4]),
        (tt.SJF(), [3, 4, 2]),
        (tt.LJF(), [2, 4, 3]),
        (tt.Easy(order="sjf"), [3, 4, 2]),
        (tt.Conservative(), [2, 3, 4]),
    ):
        state = driven(workload, 2, scheduler, {"speed": 1.0}).run(until=3).state
        assert (state.queue.tolist(), state.running.tolist()) == (queue, [1, 0])


def test_the_arrays_of_a_state_are_read_only() -> None:
    state = driven([Job(0, 9, 1, 9), Job(0, 9, 1, 9)], 1, tt.FCFS(), {"speed": 1.0}).run(until=0).state
    for array in (state.queue, state.running):
        assert len(array) == 1
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7


def test_an_old_state_does_not_follow_the_simulation() -> None:
    simulation = driven([Job(0, 9, 1, 9), Job(1, 9, 1, 9)], 1, tt.FCFS(), {"speed": 1.0})
    before = simulation.run(until=0).state
    simulation.run()
    assert before.running.tolist() == [0]
    assert simulation.state.running.tolist() == []


def test_statistics_count_events_and_passes() -> None:
    """Three submissions, one of them rejected, and two ends at four instants (0, 2, 5 and 7)."""
    workload = [Job(0, 5, 1, 5), Job(0, 9, 9, 9), Job(2, 2, 2, 2)]
    found = run_engine(workload, 2, tt.FCFS()).statistics
    assert {name: found[name] for name in ("events", "passes", "instants")} == {
        "events": 5,
        "passes": 4,
        "instants": 4,
    }
    each = run_engine(workload, 2, tt.FCFS(), same_instant="each-end-first").statistics
    assert {name: each[name] for name in ("events", "passes", "instants")} == {
        "events": 5,
        "passes": 5,
        "instants": 4,
    }


# --- two at a time ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(REGISTRY["scheduler"]))
def test_simulations_in_two_threads_do_not_disturb_each_other(name: str) -> None:
    """The engine runs without the interpreter's lock, so these really run at once where there are cores."""
    workload = tt.default_workload(seed=7, jobs=1500)
    scheduler = REGISTRY["scheduler"][name]()
    sizes = [64, 96, 128, 64, 96, 128]

    def run(processors: int) -> tt.Result:
        return simulate(workload, tt.Machine(processors=processors), scheduler)  # type: ignore[arg-type]

    with ThreadPoolExecutor(2) as pool:
        together = list(pool.map(run, sizes))
    for processors, found in zip(sizes, together, strict=True):
        assert_same(found, run(processors))


# --- blocks of a log ----------------------------------------------------------------------------------------

STREAMED = [
    tt.FCFS(),
    tt.SJF(skip=True),
    tt.Priority(key="wfp3"),
    tt.Easy(),
    tt.Easy(backfill_order="sjf", recompute=False),
    tt.Easy(compat="accasim-1.0"),
    tt.Conservative(),
    tt.Reject(),
]


def assert_streamed_alike(
    path: Path, directory: Path, processors: int, scheduler: Scheduler, block_bytes: int, **rules: Any
) -> None:
    """The run directory of the stream holds the jobs, the timeline and the means of the run in memory."""
    machine = tt.Machine(processors=processors)
    stream = tt.stream_swf(path, block_bytes=block_bytes)
    summary = simulate_stream(stream, machine, scheduler, directory, overwrite=True, **rules)
    streamed = tt.Result.load(directory)
    whole = simulate(tt.read_swf(path), machine, scheduler, **rules)
    order = np.argsort(streamed.columns["job"], kind="stable")
    expected = np.argsort(whole.columns["job"], kind="stable")
    for name, values in whole.columns.items():
        found = streamed.columns[name][order]
        assert np.array_equal(found.astype(float), values[expected].astype(float), equal_nan=True), name
    for name, values in whole.timeline_columns.items():
        assert np.array_equal(streamed.timeline_columns[name], values), name
    for name in ("jobs", "completed", "rejected"):
        assert summary[name] == whole.summary()[name]


@pytest.mark.parametrize("scheduler", STREAMED, ids=repr)
def test_a_streamed_generated_log(scheduler: Scheduler, tmp_path: Path) -> None:
    """Blocks of a few jobs; the smallest block is smaller than a line."""
    path = tmp_path / "default.swf"
    tt.write_swf(tt.default_workload(seed=2, jobs=1200), path)
    for block_bytes in (50, 1000, 1 << 20):
        assert_streamed_alike(path, tmp_path / "run", 100, scheduler, block_bytes)


@pytest.mark.parametrize("rule", ["batch", "each-submit-first", "each-end-first"])
@pytest.mark.parametrize("scheduler", STREAMED, ids=repr)
def test_jobs_of_one_instant_in_different_blocks(scheduler: Scheduler, rule: str, tmp_path: Path) -> None:
    """Thirty jobs at each of a few instants, in blocks of one or two lines."""
    random = np.random.default_rng(11)
    drawn = zip(random.integers(0, 25, 210), random.integers(1, 6, 210), random.integers(1, 30, 210), strict=True)
    workload = [Job(10 * (k // 30), int(run), int(size), int(w)) for k, (run, size, w) in enumerate(drawn)]
    columns = {**workload_of(workload).columns}
    columns["allocated_processors"] = columns["requested_processors"] = columns["processors"]
    path = tmp_path / "ties.swf"
    tt.write_swf(tt.Workload(columns), path)
    for block_bytes in (60, 100, 333):
        assert_streamed_alike(path, tmp_path / "run", 4, scheduler, block_bytes, same_instant=rule)


@pytest.mark.parametrize("scheduler", STREAMED, ids=repr)
def test_a_streamed_real_log(scheduler: Scheduler, tmp_path: Path) -> None:
    assert_streamed_alike(log(KTH), tmp_path / "run", 100, scheduler, 20_000)


@pytest.mark.parametrize("scheduler", STREAMED, ids=repr)
def test_a_streamed_run_passes_the_checks(scheduler: Scheduler, tmp_path: Path) -> None:
    """Its jobs are in the order of their ends, not of their submission."""
    path = tmp_path / "default.swf"
    tt.write_swf(tt.default_workload(seed=2, jobs=1200), path)
    stream = tt.stream_swf(path, block_bytes=1000)
    simulate_stream(stream, tt.Machine(processors=100), scheduler, tmp_path / "run")
    assert check(tt.Result.load(tmp_path / "run")) == []


def test_a_stream_that_fails_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "default.swf"
    tt.write_swf(tt.default_workload(seed=2, jobs=300), path)
    stream = tt.stream_swf(path, block_bytes=1000)
    with pytest.raises(tt.InputError, match="choose a larger --processors"):
        simulate_stream(stream, tt.Machine(processors=1), tt.FCFS(), tmp_path / "run", oversized="error")
    assert [entry.name for entry in tmp_path.iterdir()] == ["default.swf"]
