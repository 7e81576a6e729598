"""SimGrid as the application level: the schedules of the reference, core by core, and what its network adds.

Runs wherever SimGrid's worker can start; where THINKTIME_TESTS_REQUIRE or CI says so, it must.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import thinktime as tt
from reference.applications.play import Event
from reference.applications.play import play as play_by_hand
from reference.applications.technique import Facts
from reference.applications.techniques import TECHNIQUES, chunk_sequence, make
from tests.applications.workers import simgrid_command
from thinktime.applications.worker_level import WorkerLevel
from thinktime.applications.worker_messages import JobAnswer, JobMessage
from thinktime.applications.worker_pool import WorkerPool

#: whose chunks depend on who asks
ASKING = {"wf", "awf-b", "awf-c", "awf-d", "awf-e", "af", "static-balanced"}
LINE = {"bandwidth_bytes_s": 6.25e9, "latency_s": 5e-7, "message_bytes": 64}  # the paper's 50 Gb/s and 500 ns
HOP_S = 5e-7 + 64 / 6.25e9


@pytest.fixture(scope="module")
def bridge() -> Iterator[WorkerPool]:
    with WorkerPool(simgrid_command(), workers=2, timeout_s=120) as opened:
        yield opened


def loop(seed: int, tasks: int, cores: int, *, equal: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Lengths and speeds."""
    random = np.random.default_rng(seed)
    return random.gamma(4, 25, tasks), np.ones(cores) if equal else random.uniform(0.5, 2, cores)


def facts_of(tasks: np.ndarray, speeds: np.ndarray, overhead_s: float) -> Facts:
    return Facts(len(tasks), len(speeds), 100.0, 50.0, overhead_s, tuple(speeds.tolist()), (7, 11))


def played(bridge: WorkerPool, play: JobMessage) -> JobAnswer:
    return bridge.wait(bridge.submit(play))


def ours(name: str, tasks: np.ndarray, speeds: np.ndarray, overhead_s: float = 0.0, **more: Any) -> JobMessage:
    """With a sequence of chunks where there is one, else with the reference's technique to ask."""
    facts = facts_of(tasks, speeds, overhead_s)
    who: dict[str, Any] = (
        {"technique": make(name, facts)} if name in ASKING else {"chunks": chunk_sequence(name, facts)}
    )
    return JobMessage(tasks=tasks, speeds=speeds, overhead_s=overhead_s, **who, **more)


def by_hand(name: str, tasks: np.ndarray, speeds: np.ndarray, overhead_s: float = 0.0, **more: Any) -> list[Event]:
    technique = make(name, facts_of(tasks, speeds, overhead_s))
    return play_by_hand(tasks.tolist(), speeds.tolist(), technique, overhead_s, **more)


def require_same(found: JobAnswer, expected: list[Event]) -> None:
    """Task by task: chunk, core, start and end."""
    seen = found.events[np.argsort(found.events[:, 0])]
    np.testing.assert_array_equal(seen[:, :3], [event[:3] for event in expected])
    np.testing.assert_allclose(seen[:, 3:], [event[3:] for event in expected], rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", sorted(TECHNIQUES))
@pytest.mark.parametrize(("tasks", "cores", "overhead_s"), [(67, 5, 0.0), (40, 8, 3.0), (3, 6, 0.5)])
def test_the_reference_and_simgrid_agree(
    bridge: WorkerPool, name: str, tasks: int, cores: int, overhead_s: float
) -> None:
    lengths, speeds = loop(tasks, tasks, cores)
    expected = by_hand(name, lengths, speeds, overhead_s)
    found = played(bridge, ours(name, lengths, speeds, overhead_s))
    assert found.duration_s == pytest.approx(max(event.end for event in expected), abs=1e-9)
    assert found.chunks == expected[-1].chunk + 1
    assert found.busy_s == pytest.approx(sum(event.end - event.start for event in expected), abs=1e-6)


@pytest.mark.parametrize("name", ["static", "ss", "gss", "fac", "wf", "awf-c"])
def test_task_by_task(bridge: WorkerPool, name: str) -> None:
    lengths, speeds = loop(3, 50, 6)
    require_same(played(bridge, ours(name, lengths, speeds, 0.25, events=True)), by_hand(name, lengths, speeds, 0.25))


@pytest.mark.parametrize("name", ["ss", "gss", "wf"])
def test_requests_at_one_instant_are_served_in_the_order_of_cores(bridge: WorkerPool, name: str) -> None:
    """Equal tasks on cores twice and four times as fast: many ties, all exact."""
    lengths, speeds = np.full(61, 8.0), np.array([1.0, 4.0, 2.0, 1.0, 2.0, 4.0, 1.0])
    require_same(played(bridge, ours(name, lengths, speeds, events=True)), by_hand(name, lengths, speeds))


def test_all_techniques_are_equal_without_variation(bridge: WorkerPool) -> None:
    lengths, speeds = np.full(8, 100.0), np.ones(8)
    durations = {played(bridge, ours(name, lengths, speeds)).duration_s for name in ("static", "ss", "gss", "fac")}
    assert durations == {100.0}


def test_slow_for_a_while(bridge: WorkerPool) -> None:
    """Core 0 at a quarter of its speed from 10 to 50 s, core 2 from before the start until 30 s at half of it."""
    slow = {0: (10.0, 50.0, 0.25), 2: (0.0, 30.0, 0.5)}
    lengths, speeds = loop(5, 40, 3)

    def end_of(core: int, start: float, length: float) -> float:
        begin, until, factor = slow.get(core, (math.inf, math.inf, 1.0))
        work, now = length / speeds[core], start
        for edge, pace in ((begin, 1.0), (until, factor)):
            if now < edge:
                done = min(work, (edge - now) * pace)
                work, now = work - done, now + done / pace
        return now + work

    windows = [(0, 10.0, 50.0, 0.25), (2, -20.0, 30.0, 0.5)]
    found = played(bridge, ours("gss", lengths, speeds, slowdowns=windows, events=True))
    require_same(found, by_hand("gss", lengths, speeds, end_of=end_of))


# --- messages -----------------------------------------------------------------------------------------------


def test_a_lone_core_elsewhere_waits_two_hops_for_every_answer(bridge: WorkerPool) -> None:
    """Core 0 shares the master's node and pays nothing. Core 1 has a task of 10 s, then hears that nothing is left."""
    found = played(bridge, JobMessage(tasks=np.array([30.0, 10.0]), speeds=np.ones(2), chunks=[1], network=LINE))
    assert found.core_end_s == pytest.approx([30.0, 10.0 + 4 * HOP_S], abs=1e-12)
    assert found.busy_s == pytest.approx(40.0, abs=1e-9)


def test_the_master_answers_one_at_a_time(bridge: WorkerPool) -> None:
    """Three cores elsewhere ask at once: their requests arrive together, and each answer keeps the master for a hop."""
    found = played(bridge, JobMessage(tasks=np.full(4, 10.0), speeds=np.ones(4), chunks=[1], network=LINE))
    starts_s = HOP_S * np.array([2, 3, 4])
    assert found.core_end_s[0] == pytest.approx(10.0, abs=1e-12)
    assert found.core_end_s[1:] == pytest.approx(starts_s + 10.0 + 2 * HOP_S, abs=1e-12)


def test_the_master_takes_its_time(bridge: WorkerPool) -> None:
    slow = {**LINE, "service_s": 0.5}
    found = played(bridge, JobMessage(tasks=np.full(2, 10.0), speeds=np.ones(2), chunks=[1], network=slow))
    assert found.core_end_s == pytest.approx([10.5 + 0.5, 10.5 + 0.5 + HOP_S + 0.5 + HOP_S], abs=1e-5)


def test_cores_of_one_node_need_no_line(bridge: WorkerPool) -> None:
    lengths, speeds = loop(8, 30, 4)
    inside = played(bridge, ours("ss", lengths, speeds, network=LINE, nodes=np.array([5, 5, 5, 5])))
    assert inside.duration_s == pytest.approx(played(bridge, ours("ss", lengths, speeds)).duration_s, abs=1e-9)


def test_adaptive_techniques_ask_over_the_network_too(bridge: WorkerPool) -> None:
    lengths, speeds = loop(9, 60, 4)
    found = played(bridge, ours("awf-c", lengths, speeds, network=LINE, nodes=np.array([0, 1, 2, 2]), events=True))
    assert sorted(found.events[:, 0]) == list(range(60))
    alone = max(event.end for event in by_hand("awf-c", lengths, speeds))
    assert alone < found.duration_s < alone + 1.0


# --- the level ----------------------------------------------------------------------------------------------


def test_a_duration_does_not_depend_on_workers_or_order() -> None:
    plays = {row: ours("fac", *loop(row, 20 + row, 4), 0.1) for row in range(12)}
    answers = []
    for workers, order in ((1, range(12)), (3, range(11, -1, -1))):
        with WorkerPool(simgrid_command(), workers) as several:
            level = WorkerLevel(several, lambda row, *_: plays[row], [(row, 1.0, 4) for row in range(12)])
            found = {row: level.play(row, 1.0, 1e6 * row, np.arange(4), math.inf)[0] for row in order}
            answers.append(found)
    assert answers[0] == answers[1]


def test_the_level_says_what_happened_inside(bridge: WorkerPool) -> None:
    lengths, speeds = np.array([10.0, 20.0, 30.0]), np.ones(2)
    level = WorkerLevel(bridge, lambda *_: ours("ss", lengths, speeds, 1.0))
    duration_s, tasks, chunks, busy_s, overhead_s, idle_from_s = level.play(0, 30.0, 0.0, np.arange(2), math.inf)
    assert (duration_s, tasks, chunks, overhead_s) == (42.0, 3, 3, 3.0)
    assert busy_s == pytest.approx(60.0)
    assert idle_from_s.tolist() == [42.0, 21.0]


def test_a_job_without_tasks_takes_no_time() -> None:
    level = WorkerLevel(WorkerPool(["never started"]), lambda *_: JobMessage(tasks=np.zeros(0), speeds=np.ones(3)))
    assert level.play(0, 0.0, 5.0, np.arange(3), math.inf)[:5] == (0.0, 0, 0, 0.0, 0.0)


# --- a simulation -------------------------------------------------------------------------------------------


def small_log(jobs: int = 40) -> tt.Workload:
    random = np.random.default_rng(4)
    return tt.Workload.from_columns(
        job=np.arange(1, jobs + 1),
        submit_s=np.cumsum(random.exponential(60, jobs)).round(),
        run_s=random.integers(0, 900, jobs).astype(float),
        processors=random.integers(1, 12, jobs),
    )


@pytest.mark.parametrize(
    "options",
    [
        {"technique": "static", "variation": 0.25},
        {"technique": "gss", "variation": 0.25, "tasks_per_core": 5, "overhead_s": 2.0, "release": "idle"},
        {"technique": "fac", "distribution": "gamma", "variation": 1.0, "tasks_per_core": 4, "speeds": "8*1+8*0.5"},
        {"technique": "awf-c", "distribution": "exponential", "tasks_per_core": 6, "speeds": (1.0, 2.0, 0.7)},
        {"technique": "rand", "variation": 0.1, "tasks_per_core": 3},
        {
            "technique": "ss",
            "variation": 0.5,
            "slowdowns": [{"cores": "0-7", "from_s": 100, "to_s": 1500, "factor": 0.25}],
        },
    ],
    ids=lambda options: options["technique"],
)
@pytest.mark.parametrize("overrun", ["extend", "kill"])
def test_the_same_schedule_on_both_levels(options: dict[str, Any], overrun: str) -> None:
    simgrid_command()
    log, machine = small_log(), tt.Machine(processors=16, speed=2.0)
    estimates = tt.Estimates.perfect() if overrun == "kill" else tt.Estimates.requested()
    rules: dict[str, Any] = {"overrun": overrun, "estimates": estimates, "seed": 5}
    native, simgrid = (
        tt.simulate(log, machine, tt.Easy(), applications=level(**options), **rules) for level in (tt.Loop, tt.SimGrid)
    )
    for column in ("start_s", "end_s"):
        np.testing.assert_allclose(simgrid.columns[column], native.columns[column], rtol=0, atol=1e-6)
    np.testing.assert_array_equal(simgrid.columns["status"], native.columns["status"])
    assert [each.rule for each in tt.check(simgrid)] == [each.rule for each in tt.check(native)]


def test_messages_make_jobs_longer_on_a_cluster() -> None:
    simgrid_command()
    log = small_log(15)
    nodes = tt.Cluster(groups=[{"name": "g", "nodes": 4, "core": 4}])
    loop: dict[str, Any] = {"technique": "ss", "variation": 0.5, "tasks_per_core": 8}
    slow: dict[str, Any] = {"latency_ns": 5e8, "network": "mesh"}  # half a second
    native, simgrid = (
        tt.simulate(log, nodes, tt.FCFS(), applications=level)
        for level in (tt.Loop(**loop), tt.SimGrid(**loop, **slow))
    )
    longer_s = simgrid.columns["run_s"] - native.columns["run_s"]
    wide = native.columns["processors"] > 4
    assert (longer_s[wide & (native.columns["run_s"] > 0)] > 1.0).all()


def all_tasks(run: tt.Result) -> dict[str, np.ndarray]:
    blocks = list(run.tasks())
    return {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}


@pytest.mark.parametrize("overrun", ["extend", "kill"])
def test_tasks_played_again_by_simgrid(overrun: str) -> None:
    """Those of the native level, core by core; jobs that are killed end in the middle of a task."""
    simgrid_command()
    log = small_log()
    loop: dict[str, Any] = {"technique": "fac", "variation": 0.5, "tasks_per_core": 3, "overhead_s": 1.0}
    rules: dict[str, Any] = {"overrun": overrun, "estimates": tt.Estimates.perfect()}
    native, simgrid = (
        all_tasks(tt.simulate(log, tt.Machine(processors=16), tt.FCFS(), applications=level, **rules))
        for level in (tt.Loop(**loop), tt.SimGrid(**loop))
    )
    for name in ("job", "row", "task", "chunk", "core"):
        np.testing.assert_array_equal(simgrid[name], native[name])
    for name in ("start_s", "end_s"):
        np.testing.assert_allclose(simgrid[name], native[name], rtol=0, atol=1e-6)


@pytest.mark.parametrize("fate", ["kill", "lose", "requeue", "checkpoint"])
def test_what_happened_inside_jobs_that_did_not_finish(fate: str) -> None:
    """From SimGrid's events the same as the native level counts; and so are the tasks."""
    simgrid_command()
    loop: dict[str, Any] = {
        "technique": "fac",
        "variation": 0.5,
        "tasks_per_core": 3,
        "overhead_s": 1.0,
        "speeds": (1.0, 0.5),
    }
    nodes = tt.Cluster(groups=[{"name": "n", "nodes": 4, "core": 4}])
    rules: dict[str, Any] = {"overrun": "kill", "estimates": tt.Estimates.perfect()}
    if fate != "kill":
        saved: dict[str, Any] = {"checkpoint_h": 0.03, "restart_s": 5.0} if fate == "checkpoint" else {}
        table = [{"nodes": f"n-{k % 4}", "from_s": 300.0 + 400 * k, "to_s": 450.0 + 400 * k} for k in range(6)]
        rules = {"plugins": [tt.Failures(table=table, jobs=fate, **saved)]}
    native, simgrid = (
        tt.simulate(small_log(20), nodes, tt.FCFS(), applications=level(**loop), **rules)
        for level in (tt.Loop, tt.SimGrid)
    )
    assert len(native.attempts) > 2 or fate == "kill"
    for name in ("busy_s", "overhead_s", "tasks", "chunks"):
        found, expected = (run.report_columns["inside"][name] for run in (simgrid, native))
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5, err_msg=name)
    mine, theirs = all_tasks(simgrid), all_tasks(native)
    np.testing.assert_array_equal(mine["core"], theirs["core"])
    np.testing.assert_allclose(mine["end_s"], theirs["end_s"], rtol=0, atol=1e-5)


def test_tasks_with_messages_end_before_their_jobs() -> None:
    """By the two messages of half a second after the last task, unless that was on the master's node."""
    simgrid_command()
    level = tt.SimGrid(technique="ss", variation=0.5, network="mesh", latency_ns=5e8, cores_per_node=2)
    run = tt.simulate(small_log(6), tt.Machine(processors=16), tt.FCFS(), applications=level)
    found = all_tasks(run)
    last = np.full(6, -np.inf)
    np.maximum.at(last, found["row"], found["end_s"])
    later_s = run.columns["end_s"] - last
    assert later_s.min() >= -1e-6
    assert 1.0 < later_s.max() < 4.0
