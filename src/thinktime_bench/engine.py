"""The engine alone, from jobs in memory to start times, without timeline and files.

Time is the CPU time of this process, the best of several repetitions, to reduce the effect of other programs.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.platforms import Machine
from thinktime.schedulers import Scheduler
from thinktime.schedulers.conservative import Conservative
from thinktime.schedulers.easy import Easy
from thinktime.schedulers.fcfs import FCFS
from thinktime.simulation.requests import Requests, requests_of
from thinktime.simulation.settings import Settings
from thinktime_bench.logs import find_logs
from thinktime_bench.measurement import Case, Measurement

if TYPE_CHECKING:
    from thinktime.workload import Workload

SCHEDULERS: tuple[Scheduler, ...] = (FCFS(), Easy(), Conservative())
GOAL_LOGS = ("KTH-SP2", "CTC-SP2", "HPC2N", "CEA-Curie")
#: Scheduler → (beginning of a log's name → goal in M jobs/s). On RICC up to 10,000 jobs wait, each with a slot.
GOALS: dict[str, dict[str, float]] = {
    "fcfs": dict.fromkeys(GOAL_LOGS, 10.0),
    "easy": dict.fromkeys(GOAL_LOGS, 3.0),
    "conservative": {"HPC2N": 0.15, "RICC": 0.02},
}

ENOUGH_S = 3.0  # CPU time after which a measurement stops
MOST_REPEATS = 50  # maximum number of repetitions
PATIENCE_S = 40.0  # CPU time after which a run is given up
ROUNDS = 20_000  # rounds of the event loop between two readings of the clock


def cases(folder: Path | None, quick: bool) -> Iterator[Case]:
    """Every log that is present (or the default workload) under every scheduler."""
    for name, path in find_logs(folder, quick).items():
        for scheduler in SCHEDULERS:
            run = partial(_measure_engine_on_log, path, scheduler, 3 if quick else MOST_REPEATS)
            yield Case("engine", f"{name}, {scheduler.name}", run)


def _measure_engine_on_log(path: Path | None, scheduler: Scheduler, most_repeats: int) -> list[Measurement]:
    return [measure(workload_of(path), scheduler, most_repeats)]


@cache
def workload_of(path: Path | None) -> Workload:
    from thinktime.generate import default_workload
    from thinktime.workload import read_swf

    return default_workload() if path is None else read_swf(path)


def measure(workload: Workload, scheduler: Scheduler, most_repeats: int = MOST_REPEATS) -> Measurement:
    """Return the best of up to `most_repeats` runs; fewer if they take long."""
    settings = Settings(machine=Machine(processors=workload.machine_processors or 1), scheduler=scheduler)
    return measure_requests(
        "engine",
        workload.name,
        settings,
        requests_of(workload, settings),
        _goal(workload.name, scheduler),
        most_repeats,
    )


def measure_requests(
    part: str, workload: str, settings: Settings, requests: Requests, goal: float | None, most_repeats: int
) -> Measurement:
    times: list[float] = []
    while not times or (len(times) < most_repeats and sum(times) < ENOUGH_S):
        engine, seconds = run_engine(settings, requests)
        times.append(seconds)
    jobs, events, best = engine.jobs(), int(engine.statistics()["events"]), max(min(times), 1e-9)
    ended = int(np.count_nonzero(~np.isnan(jobs["end_s"])))
    return Measurement(
        part=part,
        name=f"{workload}, {settings.scheduler.name}",
        value=ended / best / 1e6,
        unit="M jobs/s",
        goal=goal,
        repeats=len(times),
        finished=not np.isfinite(engine.next),
        details={
            "workload": workload,
            "scheduler": settings.scheduler.name,
            "processors": settings.machine.processors,
            "jobs": ended,  # all of them, unless the run was given up
            "events": events,
            "mean_wait_s": _mean_wait(jobs),
            "cpu_s": best,
            "ns_per_event": 1e9 * best / max(events, 1),
        },
    )


def _goal(workload: str, scheduler: Scheduler) -> float | None:
    goals = GOALS.get(scheduler.name, {})
    return next((goal for log, goal in goals.items() if workload.startswith(log)), None)


def run_engine(settings: Settings, requests: Requests) -> tuple[Any, float]:
    """Return an engine that has run, and the CPU seconds from loading the jobs to the last event."""
    engine = settings.engine(timeline=False, keep_jobs=True)
    begin = time.process_time()
    requests.load(engine)
    engine.close()
    while engine.run(np.inf, ROUNDS) == ROUNDS and time.process_time() - begin < PATIENCE_S:
        pass
    return engine, time.process_time() - begin


def _mean_wait(jobs: dict[str, np.ndarray]) -> float:
    wait = jobs["start_s"] - jobs["submit_s"]
    return float(np.nanmean(wait)) if np.any(~np.isnan(wait)) else float("nan")
