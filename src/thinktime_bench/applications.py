"""Tasks inside jobs: the cost of the paper's largest run by the number of tasks, and of a chunk by cores.

The engine alone, jobs in memory, FCFS; CPU time, the best of several repetitions. Tasks and chunks say what was
computed.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.applications.loop import Loop
from thinktime.platforms import Machine
from thinktime.schedulers.fcfs import FCFS
from thinktime.simulation.application_level import application_of
from thinktime.simulation.requests import requests_of
from thinktime.simulation.settings import Settings
from thinktime_bench.measurement import Case, Measurement

if TYPE_CHECKING:
    from thinktime.workload import Workload

JOBS, PROCESSORS, VARIATION = 16_000, 256, 0.25  # the largest run of the paper's Fig. 6, which took 261 s
GOAL_S = 1.0
TASKS_PER_CORE = (1, 4, 24)  # the last: more than ten million tasks
CORES = (10, 1_000, 100_000)
TASKS = 1_000_000  # of the job that is measured on more and more cores
REPEATS, QUICK_REPEATS = 5, 2


def cases(folder: Path | None, quick: bool) -> Iterator[Case]:
    repeats = QUICK_REPEATS if quick else REPEATS
    yield Case("applications", "16,000 jobs", partial(_tasks, repeats))
    yield Case("applications", "a chunk", partial(_chunks, repeats))


def _tasks(repeats: int) -> list[Measurement]:
    """The same jobs with more and more tasks: seconds, and nanoseconds per task."""
    jobs = _first_default_jobs(JOBS, PROCESSORS)
    found = []
    for per_core in TASKS_PER_CORE:
        seconds, inside = _best_engine_run(
            jobs, Loop(technique="static", variation=VARIATION, tasks_per_core=per_core), repeats
        )
        details = {"jobs": JOBS, **inside, "ns_a_task": 1e9 * seconds / inside["tasks"]}
        name = f"{JOBS:,} jobs, {inside['tasks'] / 1e6:.1f} M tasks, fcfs, static"
        found.append(
            Measurement("applications", name, seconds, "s", GOAL_S if per_core == 1 else None, repeats, details=details)
        )
    return found


def _chunks(repeats: int) -> list[Measurement]:
    """Self-scheduling with one task per chunk: the cost of a chunk by the number of cores."""
    found = []
    for cores in CORES:
        loop = Loop(technique="ss", variation=0.5, tasks_per_core=TASKS // cores)
        seconds, inside = _best_engine_run(_one(cores), loop, repeats)
        cost = 1e9 * seconds / inside["chunks"]
        name = f"a chunk of ss, {cores:,} cores"
        found.append(Measurement("applications", name, cost, "ns", None, repeats, details=inside))
    return found


def _best_engine_run(workload: Workload, loop: Loop, repeats: int) -> tuple[float, dict[str, Any]]:
    processors = int(workload["processors"].max()) if len(workload) == 1 else PROCESSORS
    settings = Settings(machine=Machine(processors=processors), scheduler=FCFS(), applications=loop)
    requests = requests_of(workload, settings)
    seconds = []
    for _ in range(repeats):
        began_s = time.process_time()
        engine = settings.engine(timeline=False, keep_jobs=True, application=application_of(settings, workload))
        requests.load(engine)
        engine.close()
        engine.run(np.inf, 2**63)
        seconds.append(time.process_time() - began_s)
    inside = engine.inside()["inside"]
    return min(seconds), {name: int(inside[name].sum()) for name in ("tasks", "chunks")}


def _first_default_jobs(count: int, processors: int) -> Workload:
    """Return the first jobs of the default workload that fit on the machine."""
    from thinktime.generate import default_workload

    return default_workload(jobs=count, processors=processors)


def _one(cores: int) -> Workload:
    from thinktime.workload import Workload

    return Workload.from_columns(submit_s=[0.0], run_s=[1000.0], processors=[float(cores)])
