"""Loops inside jobs: tasks and their playing against the reference, and two levels against the reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from reference import Job
from reference.applications import Facts, make, play
from reference.applications.tasks import draw_tasks
from reference.applications.two_levels import simulate_two_levels
from tests.engine.workloads import examples, workload_of
from thinktime import _engine
from thinktime.applications import Beneath, technique_of
from thinktime.spec import REGISTRY
from thinktime.streams import name_hash

TECHNIQUES = sorted(REGISTRY["technique"])
LAWS = [("normal", 0.25), ("normal", 2.0), ("gamma", 0.4), ("gamma", 1.7), ("exponential", None), ("normal", 0.0)]


def beneath(seed: int = 0, cores: int = 64) -> Beneath:
    return Beneath(workload=None, speed=1.0, cores=cores, seed=seed)


def lengths_of(loop: tt.Loop, row: int, processors: int, each: float, seed: int) -> list[float]:
    key = (seed, name_hash("tasks") + row)
    return draw_tasks(processors, each, loop.tasks_per_core, loop.distribution, loop.variation, key)


def technique_for(
    loop: tt.Loop, row: int, tasks: int, cores: int, each: float, speeds: tuple[float, ...], seed: int
) -> Any:
    mean = each / loop.tasks_per_core
    key = (seed, (name_hash("technique") + row) % 2**64)
    spec = technique_of(loop.technique)
    return make(
        spec.name, Facts(tasks, cores, mean, loop.variation * mean, loop.overhead_s, speeds, key), **spec.options()
    )


@pytest.mark.parametrize(("law", "variation"), LAWS)
@pytest.mark.parametrize("per_core", [1, 7])
def test_tasks_are_those_of_the_reference_to_the_last_bit(law: str, variation: float | None, per_core: int) -> None:
    loop = tt.Loop(distribution=law, variation=variation, tasks_per_core=per_core)
    engine = _engine.Loops(loop.plan(beneath(seed=5)))
    for row, processors, each in [(0, 1, 10.0), (1, 16, 3600.0), (77, 3, 0.5), (2**31, 40, 1e6), (4, 5, 0.0)]:
        assert engine.tasks(row, processors, each).tolist() == lengths_of(loop, row, processors, each, 5)


@pytest.mark.parametrize(
    ("law", "variation"), [each for each in LAWS if each != ("normal", 2.0)]
)  # that one is cut at 0
def test_lengths_have_the_mean_and_the_deviation_of_their_law(law: str, variation: float | None) -> None:
    loop = tt.Loop(distribution=law, variation=variation, tasks_per_core=1000)
    lengths = _engine.Loops(loop.plan(beneath())).tasks(3, 200, 1000.0)
    assert abs(lengths.mean() - 1.0) < 5 * loop.variation / np.sqrt(len(lengths)) + 1e-12
    assert lengths.std() == pytest.approx(loop.variation, rel=0.02, abs=1e-12)
    assert lengths.sum() - lengths[-1] < 200_000 <= lengths.sum() + 1e-6


@examples(60)
@given(
    technique=st.sampled_from(TECHNIQUES),
    law=st.sampled_from(LAWS),
    per_core=st.integers(1, 9),
    processors=st.integers(1, 20),
    overhead=st.sampled_from([0.0, 0.5]),
    speeds=st.sampled_from([(), (1.0, 0.5), (2.0, 1.0, 0.25)]),
    slow=st.booleans(),
    seed=st.integers(0, 1000),
)
def test_a_loop_is_played_as_the_reference_plays_it(
    technique: str,
    law: tuple[str, float | None],
    per_core: int,
    processors: int,
    overhead: float,
    speeds: tuple[float, ...],
    slow: bool,
    seed: int,
) -> None:
    slowdowns = [{"cores": "2-4", "from_s": 40.0, "to_s": 90.0, "factor": 0.25}] if slow else []
    loop = tt.Loop(
        technique=technique, distribution=law[0], variation=law[1], tasks_per_core=per_core, overhead_s=overhead,
        speeds=speeds, slowdowns=slowdowns,
    )  # fmt: skip
    start, each = 30.0, 20.0
    shown = _engine.Loops(loop.plan(beneath(seed))).show(
        row=np.array([9]), processors=np.array([processors]), each_s=np.array([each]), start_s=np.array([start]),
        limit_s=np.array([np.inf]), core=np.arange(processors),
    )  # fmt: skip
    lengths = lengths_of(loop, 9, processors, each, seed)
    of_cores = tuple(speeds[core % len(speeds)] if speeds else 1.0 for core in range(processors))
    known = of_cores if speeds or slow else ()
    referee = technique_for(loop, 9, len(lengths), processors, each, known, seed)
    end_of = (lambda core, begun, length: slowed(core, start, begun, length, of_cores[core])) if slow else None
    expected = play(lengths, of_cores, referee, overhead, end_of=end_of)
    assert shown["task"].tolist() == [event.task for event in expected]
    assert shown["chunk"].tolist() == [event.chunk for event in expected]
    assert shown["core"].tolist() == [event.core for event in expected]
    np.testing.assert_allclose(shown["end_s"], [start + event.end for event in expected], rtol=1e-12)


def slowed(core: int, start: float, begun: float, length: float, speed: float) -> float:
    """Cores 2 to 4 are four times as slow from 40 to 90 s of simulation time: in steps, from one change to the next."""
    at, left = begun, length
    for until, factor in [(40.0 - start, 1.0), (90.0 - start, 0.25), (np.inf, 1.0)]:
        pace = speed * (factor if 2 <= core <= 4 else 1.0)
        if at >= until:
            continue
        if left <= (until - at) * pace:
            return at + left / pace
        left -= (until - at) * pace
        at = until
    raise AssertionError


@st.composite
def small_workloads(draw: st.DrawFn) -> list[Job]:
    times = sorted(draw(st.lists(st.integers(0, 60), min_size=1, max_size=25)))
    runs = st.sampled_from([0.0, 1.0, 5.0, 12.0, 40.0])
    sizes = st.integers(1, 8)
    return [
        Job(submit=float(at), run=draw(runs), processors=draw(sizes), estimate=float(draw(st.integers(1, 50))))
        for at in times
    ]


SCHEDULERS = [
    (tt.FCFS(), {"name": "fcfs"}),
    (tt.SJF(skip=True), {"name": "sjf", "skip": True}),
    (tt.Easy(), {"name": "easy"}),
    (tt.Easy(extra_nodes=False), {"name": "easy", "extra_nodes": False}),
    (tt.Easy(backfill_order="sjf"), {"name": "easy", "backfill_order": "estimate"}),
    (tt.Conservative(), {"name": "conservative"}),
]


@pytest.mark.parametrize(("scheduler", "known"), SCHEDULERS, ids=lambda value: str(value))
@pytest.mark.parametrize("release", ["end", "idle"])
@pytest.mark.parametrize("overrun", ["extend", "extend-blind", "kill"])
@examples(40)
@given(jobs=small_workloads(), technique=st.sampled_from(["static", "ss", "fac", "af"]), seed=st.integers(0, 99))
def test_two_levels_agree_with_the_reference(
    scheduler: Any, known: dict[str, Any], release: str, overrun: str, jobs: list[Job], technique: str, seed: int
) -> None:
    loop = tt.Loop(technique=technique, variation=0.3, tasks_per_core=2, overhead_s=0.25, release=release)
    idle_from = [played(loop, row, job, seed) for row, job in enumerate(jobs)]
    expected = simulate_two_levels(jobs, idle_from, 10, known, overrun, early=release == "idle")
    machine = tt.Machine(processors=10)
    result = tt.simulate(workload_of(jobs), machine, scheduler, applications=loop, overrun=overrun, seed=seed)
    np.testing.assert_allclose(result.columns["start_s"], [each.start for each in expected], rtol=1e-12)
    np.testing.assert_allclose(result.columns["end_s"], [each.end for each in expected], rtol=1e-12)
    assert result.jobs["status"].to_list() == [each.status for each in expected]
    assert tt.check(result) == []


def played(loop: tt.Loop, row: int, job: Job, seed: int) -> list[float]:
    lengths = lengths_of(loop, row, job.processors, job.run, seed)
    if not lengths:
        return [0.0] * job.processors
    referee = technique_for(loop, row, len(lengths), job.processors, job.run, (), seed)
    idle = [0.0] * job.processors
    for event in play(lengths, (1.0,) * job.processors, referee, loop.overhead_s):
        idle[event.core] = event.end
    return idle


@pytest.mark.parametrize("technique", TECHNIQUES)
def test_without_variation_every_technique_gives_the_recorded_run_times(technique: str) -> None:
    jobs = [Job(submit=float(k), run=7.0 * k, processors=1 + k % 9, estimate=100.0) for k in range(40)]
    fixed = tt.simulate(workload_of(jobs), tt.Machine(processors=12), tt.Easy())
    loop = tt.simulate(
        workload_of(jobs), tt.Machine(processors=12), tt.Easy(), applications=tt.Loop(technique=technique)
    )
    assert np.array_equal(fixed.columns["end_s"], loop.columns["end_s"])
