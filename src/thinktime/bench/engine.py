"""The engine alone: jobs that are in memory already go in, starts come out; no timeline, no files.

Time is CPU time of this process, the best of several repetitions, so that a busy machine disturbs little.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.platforms import Machine
from thinktime.schedulers import FCFS, Conservative, Easy, Scheduler
from thinktime.simulation.requests import Requests, requests_of
from thinktime.simulation.settings import Settings

if TYPE_CHECKING:
    from thinktime.workload import Workload

#: Beginnings of the names of the logs that are measured, if they are there.
LOGS = ("KTH-SP2-1996-2.1-cln", "CTC-SP2", "HPC2N", "CEA-Curie", "RICC")
QUICK_LOGS = LOGS[:1]
SCHEDULERS: tuple[Scheduler, ...] = (FCFS(), Easy(), Conservative())
#: Jobs a second that are to be reached on the log of this beginning.
GOAL_LOG = "HPC2N"
GOALS = {"fcfs": 10e6, "easy": 3e6, "conservative": 0.15e6}

ENOUGH_S = 2.0  # of CPU time for one measurement …
MOST_REPEATS = 7  # … and never more repetitions than this
PATIENCE_S = 60.0  # of CPU time, after which a run is given up
ROUNDS = 20_000  # between two looks at the clock


@dataclass(frozen=True)
class Measurement:
    """One workload under one scheduler."""

    workload: str
    scheduler: str
    processors: int
    jobs: int  # that have ended: all of them, unless the run was given up
    events: int
    mean_wait_s: float
    cpu_s: float  # the best repetition
    repeats: int
    goal_jobs_per_s: float | None
    finished: bool  # False: given up after PATIENCE_S

    @property
    def jobs_per_s(self) -> float:
        return self.jobs / self.cpu_s if self.cpu_s > 0 else float("inf")

    @property
    def ns_per_event(self) -> float:
        return 1e9 * self.cpu_s / self.events if self.events else 0.0

    @property
    def met(self) -> bool | None:
        return None if self.goal_jobs_per_s is None else self.jobs_per_s >= self.goal_jobs_per_s

    def to_dict(self) -> dict[str, Any]:
        rates = {"jobs_per_s": self.jobs_per_s, "ns_per_event": self.ns_per_event, "met": self.met}
        return {**asdict(self), **rates}


def main(
    logs: str | Path | None = None, *, quick: bool = False, hear: Callable[[Measurement], None] | None = None
) -> list[Measurement]:
    """Measure every log in the folder (or the default workload) under every scheduler."""
    found = []
    for workload in workloads(logs, quick):
        for scheduler in SCHEDULERS:
            found.append(measure(workload, scheduler, 1 if quick else MOST_REPEATS))
            if hear is not None:
                hear(found[-1])
    return found


def workloads(folder: str | Path | None, quick: bool) -> Iterator[Workload]:
    """The logs that are there, one at a time; where there is none, the default workload."""
    from thinktime.generate import default_workload
    from thinktime.traces.catalogue import logs_folder
    from thinktime.workload import read_swf

    place = Path(folder) if folder is not None else logs_folder()
    names = QUICK_LOGS if quick else LOGS
    paths = [path for name in names for path in sorted(place.glob(f"{name}*.swf*"))[:1]]
    for path in paths:
        yield read_swf(path)
    if not paths:
        yield default_workload()


def measure(workload: Workload, scheduler: Scheduler, most_repeats: int = MOST_REPEATS) -> Measurement:
    """The best of up to `most_repeats` runs; fewer if they take long."""
    settings = Settings(machine=Machine(processors=workload.machine_processors or 1), scheduler=scheduler)
    requests = requests_of(workload, settings)
    times: list[float] = []
    while not times or (len(times) < most_repeats and sum(times) < ENOUGH_S):
        engine, seconds = _run(settings, requests)
        times.append(seconds)
    goal = GOALS.get(scheduler.name) if workload.name.startswith(GOAL_LOG) else None
    jobs = engine.jobs()
    return Measurement(
        workload=workload.name,
        scheduler=scheduler.name,
        processors=settings.machine.processors,
        jobs=int(np.count_nonzero(~np.isnan(jobs["end_s"]))),
        events=int(engine.statistics()["events"]),
        mean_wait_s=_mean_wait(jobs),
        cpu_s=min(times),
        repeats=len(times),
        goal_jobs_per_s=goal,
        finished=not np.isfinite(engine.next),
    )


def _run(settings: Settings, requests: Requests) -> tuple[Any, float]:
    """An engine that has run, and the CPU seconds from loading the jobs to the last event."""
    engine = settings.engine(timeline=False, keep_jobs=True)
    begin = time.process_time()
    engine.load(*requests)
    engine.close()
    while engine.run(np.inf, ROUNDS) == ROUNDS and time.process_time() - begin < PATIENCE_S:
        pass
    return engine, time.process_time() - begin


def _mean_wait(jobs: dict[str, np.ndarray]) -> float:
    wait = jobs["start_s"] - jobs["submit_s"]
    return float(np.nanmean(wait)) if np.any(~np.isnan(wait)) else float("nan")
