"""SimGrid as the application level: the schedules of the reference, core by core, and what its network adds.

Runs wherever SimGrid's worker can start; where THINKTIME_TESTS_REQUIRE or CI says so, it must.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from reference.applications.play import Event
from reference.applications.play import play as play_by_hand
from reference.applications.technique import Facts
from reference.applications.techniques import TECHNIQUES, chunk_sequence, make
from tests.applications.workers import simgrid_command
from thinktime.applications.bridge import Bridge
from thinktime.applications.plays import Play, Played
from thinktime.applications.worker_level import WorkerLevel

#: whose chunks depend on who asks
ASKING = {"wf", "awf-b", "awf-c", "awf-d", "awf-e", "af", "static-balanced"}
LINE = {"bandwidth_bytes_s": 6.25e9, "latency_s": 5e-7, "message_bytes": 64}  # the paper's 50 Gb/s and 500 ns
HOP_S = 5e-7 + 64 / 6.25e9


@pytest.fixture(scope="module")
def bridge() -> Iterator[Bridge]:
    with Bridge(simgrid_command(), workers=2, timeout_s=120) as opened:
        yield opened


def loop(seed: int, tasks: int, cores: int, *, equal: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Lengths and speeds."""
    random = np.random.default_rng(seed)
    return random.gamma(4, 25, tasks), np.ones(cores) if equal else random.uniform(0.5, 2, cores)


def facts_of(tasks: np.ndarray, speeds: np.ndarray, overhead_s: float) -> Facts:
    return Facts(len(tasks), len(speeds), 100.0, 50.0, overhead_s, tuple(speeds.tolist()), (7, 11))


def played(bridge: Bridge, play: Play) -> Played:
    bridge.submit(1, play)
    return bridge.wait(1)


def ours(name: str, tasks: np.ndarray, speeds: np.ndarray, overhead_s: float = 0.0, **more: Any) -> Play:
    """With a sequence of chunks where there is one, else with the reference's technique to ask."""
    facts = facts_of(tasks, speeds, overhead_s)
    who: dict[str, Any] = (
        {"technique": make(name, facts)} if name in ASKING else {"chunks": chunk_sequence(name, facts)}
    )
    return Play(tasks=tasks, speeds=speeds, overhead_s=overhead_s, **who, **more)


def by_hand(name: str, tasks: np.ndarray, speeds: np.ndarray, overhead_s: float = 0.0, **more: Any) -> list[Event]:
    technique = make(name, facts_of(tasks, speeds, overhead_s))
    return play_by_hand(tasks.tolist(), speeds.tolist(), technique, overhead_s, **more)


def require_same(found: Played, expected: list[Event]) -> None:
    """Task by task: chunk, core, start and end."""
    seen = found.events[np.argsort(found.events[:, 0])]
    np.testing.assert_array_equal(seen[:, :3], [event[:3] for event in expected])
    np.testing.assert_allclose(seen[:, 3:], [event[3:] for event in expected], rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", sorted(TECHNIQUES))
@pytest.mark.parametrize(("tasks", "cores", "overhead_s"), [(67, 5, 0.0), (40, 8, 3.0), (3, 6, 0.5)])
def test_the_reference_and_simgrid_agree(bridge: Bridge, name: str, tasks: int, cores: int, overhead_s: float) -> None:
    lengths, speeds = loop(tasks, tasks, cores)
    expected = by_hand(name, lengths, speeds, overhead_s)
    found = played(bridge, ours(name, lengths, speeds, overhead_s))
    assert found.duration_s == pytest.approx(max(event.end for event in expected), abs=1e-9)
    assert found.chunks == expected[-1].chunk + 1
    assert found.busy_s == pytest.approx(sum(event.end - event.start for event in expected), abs=1e-6)


@pytest.mark.parametrize("name", ["static", "ss", "gss", "fac", "wf", "awf-c"])
def test_task_by_task(bridge: Bridge, name: str) -> None:
    lengths, speeds = loop(3, 50, 6)
    require_same(played(bridge, ours(name, lengths, speeds, 0.25, events=True)), by_hand(name, lengths, speeds, 0.25))


@pytest.mark.parametrize("name", ["ss", "gss", "wf"])
def test_whoever_asks_at_one_instant_is_served_by_core(bridge: Bridge, name: str) -> None:
    """Equal tasks on cores twice and four times as fast: many ties, all exact."""
    lengths, speeds = np.full(61, 8.0), np.array([1.0, 4.0, 2.0, 1.0, 2.0, 4.0, 1.0])
    require_same(played(bridge, ours(name, lengths, speeds, events=True)), by_hand(name, lengths, speeds))


def test_all_techniques_are_equal_without_variation(bridge: Bridge) -> None:
    lengths, speeds = np.full(8, 100.0), np.ones(8)
    durations = {played(bridge, ours(name, lengths, speeds)).duration_s for name in ("static", "ss", "gss", "fac")}
    assert durations == {100.0}


def test_slow_for_a_while(bridge: Bridge) -> None:
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


def test_a_lone_core_elsewhere_waits_two_hops_for_every_answer(bridge: Bridge) -> None:
    """Core 0 shares the master's node and pays nothing. Core 1 has a task of 10 s, then hears that nothing is left."""
    found = played(bridge, Play(tasks=np.array([30.0, 10.0]), speeds=np.ones(2), chunks=[1], network=LINE))
    assert found.core_end_s == pytest.approx([30.0, 10.0 + 4 * HOP_S], abs=1e-12)
    assert found.busy_s == pytest.approx(40.0, abs=1e-9)


def test_the_master_answers_one_at_a_time(bridge: Bridge) -> None:
    """Three cores elsewhere ask at once: their requests arrive together, and each answer keeps the master for a hop."""
    found = played(bridge, Play(tasks=np.full(4, 10.0), speeds=np.ones(4), chunks=[1], network=LINE))
    starts_s = HOP_S * np.array([2, 3, 4])
    assert found.core_end_s[0] == pytest.approx(10.0, abs=1e-12)
    assert found.core_end_s[1:] == pytest.approx(starts_s + 10.0 + 2 * HOP_S, abs=1e-12)


def test_the_master_takes_its_time(bridge: Bridge) -> None:
    slow = {**LINE, "service_s": 0.5}
    found = played(bridge, Play(tasks=np.full(2, 10.0), speeds=np.ones(2), chunks=[1], network=slow))
    assert found.core_end_s == pytest.approx([10.5 + 0.5, 10.5 + 0.5 + HOP_S + 0.5 + HOP_S], abs=1e-5)


def test_cores_of_one_node_need_no_line(bridge: Bridge) -> None:
    lengths, speeds = loop(8, 30, 4)
    inside = played(bridge, ours("ss", lengths, speeds, network=LINE, nodes=np.array([5, 5, 5, 5])))
    assert inside.duration_s == pytest.approx(played(bridge, ours("ss", lengths, speeds)).duration_s, abs=1e-9)


def test_adaptive_techniques_ask_over_the_network_too(bridge: Bridge) -> None:
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
        with Bridge(simgrid_command(), workers) as several:
            level = WorkerLevel(several, lambda row, start_s, cores: plays[row], [(row, 4) for row in range(12)])
            answers.append({row: level.duration(row, 1e6 * row, np.arange(4)) for row in order})
    assert answers[0] == answers[1]


def test_the_level_says_what_happened_inside(bridge: Bridge) -> None:
    lengths, speeds = np.array([10.0, 20.0, 30.0]), np.ones(2)
    level = WorkerLevel(bridge, lambda row, start_s, cores: ours("ss", lengths, speeds, 1.0))
    duration_s, tasks, chunks, busy_s, overhead_s, idle_from_s = level.play(0, 0.0, np.arange(2), math.inf)
    assert (duration_s, tasks, chunks, overhead_s) == (42.0, 3, 3, 3.0)
    assert busy_s == pytest.approx(60.0)
    assert idle_from_s.tolist() == [42.0, 21.0]


def test_a_job_without_tasks_takes_no_time() -> None:
    level = WorkerLevel(Bridge(["never started"]), lambda *_: Play(tasks=np.zeros(0), speeds=np.ones(3)))
    assert level.play(0, 5.0, np.arange(3), math.inf)[:5] == (0.0, 0, 0, 0.0, 0.0)
