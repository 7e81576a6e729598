"""Measurements of eleliemy2017: the duration of simulations (Fig. 6), and other readings of the paper's workload.

The paper counts about 1,700 jobs and 88,441 s in its figure of FCFS and GSS. No day of the log is that, so several
readings are tried, each with the work of a job as its cores times its run time, and as its run time alone.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from thinktime.applications.loop import Loop
from thinktime.metrics import makespan
from thinktime.result import Result
from thinktime.schedulers.fcfs import FCFS
from thinktime.simulation import simulate
from thinktime.workload import Workload, peak
from thinktime_reproduce.eleliemy2017.runs import CURIE, HOSTS, HOURS, MOST, read

JOBS = range(1000, 16001, 1000)
REPEATED = 3  # times; the fastest counts
PAPER_JOBS, PAPER_TIME_S = 1_700, 88_441
PARTITIONS = {4: "large", 8: "hybrid", 10: "standard"}
#: Peak of a simulated core against that of a core of Curie's thin nodes: 3 TFLOP/s / 64, and 2.7 GHz × 8.
FASTER = 46.875 / 21.6
DAY_S = 86400.0


def measure(logs: Mapping[str, Path], peers: Mapping[str, Path]) -> dict[str, Any]:
    """`wall`: jobs, tasks and seconds of simulating; `readings`: jobs and T_par by reading."""
    workload = read(logs[CURIE])
    return {"wall": list(_wall(workload)), "readings": list(_measure_readings(workload))}


def simulated(workload: Workload, technique: str, speed: float = 1.0) -> Result:
    loop, hosts = Loop(technique=technique, variation=MOST), HOSTS.replace(speed=speed)
    return simulate(workload, hosts, FCFS(), applications=loop, oversized="clip", seed=1)


# --- Figure 6 -----------------------------------------------------------------------------------------------


def _wall(workload: Workload) -> Iterator[dict[str, float]]:
    """FCFS-STATIC on ever more jobs, from the begin of the most intensive day on."""
    first = int(np.searchsorted(workload["submit_s"], peak(workload, hours=HOURS).from_s))
    for jobs in [jobs for jobs in JOBS if first + jobs <= len(workload)]:
        part = workload.select(np.arange(first, first + jobs))
        seconds, tasks = zip(*(_timed(part) for _ in range(REPEATED)), strict=True)
        wall_s, cpu_s = np.min(seconds, axis=0)
        yield {"jobs": jobs, "tasks": tasks[0], "wall_s": float(wall_s), "cpu_s": float(cpu_s)}


def _timed(workload: Workload) -> tuple[tuple[float, float], int]:
    """Wall clock and CPU seconds of a simulation, and its tasks."""
    wall, cpu = time.perf_counter(), time.thread_time()
    result = simulated(workload, "static")
    seconds = time.perf_counter() - wall, time.thread_time() - cpu
    return seconds, int(result.report_columns["inside"]["tasks"].sum())


# --- what the paper's jobs might be -------------------------------------------------------------------------


def _measure_readings(workload: Workload) -> Iterator[dict[str, Any]]:
    for name, jobs, speed in _subsets(workload):
        times_s = [_time_s(each, speed) for each in (jobs, _alone(jobs))]
        found = {"reading": name, "jobs": len(jobs)}
        yield {**found, "t_par_s": times_s[0], "t_par_alone_s": times_s[1]}


def _subsets(workload: Workload) -> Iterator[tuple[str, Workload, float]]:
    """Name, jobs, and speed of the cores."""
    busiest = peak(workload, hours=HOURS).workload
    yield "most arrivals in 24 h", busiest, 1.0
    yield "the same, cores faster than Curie's", busiest, FASTER
    yield f"the same, its first {PAPER_JOBS:,} jobs", busiest.select(np.arange(min(PAPER_JOBS, len(busiest)))), 1.0
    yield "most work in 24 h", peak(workload, hours=HOURS, by="work").workload, 1.0
    yield "day of the log with most arrivals", _busiest(workload, workload["submit_s"] // DAY_S), 1.0
    if workload.unix_start_s is not None:
        yield "calendar day with most arrivals", _busiest(workload, workload.local_s() // DAY_S), 1.0
    fitting = workload.select(np.flatnonzero(workload["processors"] <= HOSTS.processors))
    yield f"most arrivals of jobs of at most {HOSTS.processors} cores", peak(fitting, hours=HOURS).workload, 1.0
    for number, name in PARTITIONS.items():
        chosen = workload.select(np.flatnonzero(workload["partition"] == number))
        if len(chosen):
            yield f"most arrivals in partition {number} ({name})", peak(chosen, hours=HOURS).workload, 1.0


def _busiest(workload: Workload, day: np.ndarray) -> Workload:
    days, counts = np.unique(day, return_counts=True)
    return workload.select(np.flatnonzero(day == days[np.argmax(counts)]))


def _alone(workload: Workload) -> Workload:
    """A job's work is its run time on one core, which its cores share."""
    cores = np.minimum(workload["processors"], HOSTS.processors)
    return replace(workload, columns={**workload.columns, "run_s": workload["run_s"] / cores})


def _time_s(workload: Workload, speed: float) -> float:
    of = simulated(workload, "gss", speed).columns
    return makespan(of["submit_s"], of["end_s"])
