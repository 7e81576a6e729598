"""Small workloads whose jobs are loops, and how the reference plays them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

import thinktime as tt
from reference import Job
from reference.applications import Facts, make, play
from reference.applications.tasks import draw_tasks
from thinktime.applications import technique_of
from thinktime.support.random_streams import name_hash


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


def played(loop: tt.Loop, row: int, job: Job, seed: int) -> list[float]:
    lengths = lengths_of(loop, row, job.processors, job.run, seed)
    if not lengths:
        return [0.0] * job.processors
    referee = technique_for(loop, row, len(lengths), job.processors, job.run, (), seed)
    idle = [0.0] * job.processors
    for event in play(lengths, (1.0,) * job.processors, referee, loop.overhead_s):
        idle[event.core] = event.end
    return idle
