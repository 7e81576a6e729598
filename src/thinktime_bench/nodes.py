"""Clusters of nodes: the engine alone on Seth, and the cost of a placement on growing machines.

Seth (120 nodes, cores and memory) runs the HPC2N log, or the default workload where that log is not at hand. The curve
keeps the jobs and the load, and multiplies the nodes (three resources each) and the rate of arrivals: if a placement
costs what it places, the time of a job stays nearly the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from thinktime.allocators import Allocator
from thinktime.allocators.best_fit import BestFit
from thinktime.allocators.contiguous import Contiguous
from thinktime.allocators.first_fit import FirstFit
from thinktime.allocators.random import Random
from thinktime.allocators.worst_fit import WorstFit
from thinktime.platforms import Cluster
from thinktime.schedulers import Scheduler
from thinktime.schedulers.easy import Easy
from thinktime.schedulers.fcfs import FCFS
from thinktime.simulation.requests import requests_of
from thinktime.simulation.settings import Settings
from thinktime.workload import Workload
from thinktime_bench.engine import measure_requests, workload_of
from thinktime_bench.logs import find_logs
from thinktime_bench.measurement import Case, Measurement

GOALS = {("fcfs", "first-fit"): 1.0, ("easy", "first-fit"): 0.3}  # M jobs/s on Seth
#: Largest cost of a job on 100,000 nodes relative to 100 nodes; the end queue alone grows with the running jobs.
CURVE_GOAL = 10.0
NODES = (100, 1_000, 10_000, 100_000)
ALLOCATORS: tuple[Allocator, ...] = (FirstFit(), BestFit(), WorstFit(), Contiguous(), Random())
JOBS, QUICK_JOBS = 200_000, 20_000
LOAD = 0.7  # of the cores
SEED = 11
REPEATS, QUICK_REPEATS = 9, 2


def cases(folder: Path | None, quick: bool) -> Iterator[Case]:
    repeats = QUICK_REPEATS if quick else REPEATS
    path = next((path for name, path in find_logs(folder, False).items() if name.startswith("HPC2N")), None)
    for scheduler in (FCFS(), Easy()):
        for allocator in ALLOCATORS[:2]:
            run = partial(_on_seth, path, scheduler, allocator, repeats)
            yield Case("nodes", f"seth, {scheduler.name}, {allocator.name}", run)
    for allocator in ALLOCATORS[:2] if quick else ALLOCATORS:
        yield Case(
            "nodes", f"growing, {allocator.name}", partial(curve, allocator, QUICK_JOBS if quick else JOBS, repeats)
        )


def _on_seth(path: Path | None, scheduler: Scheduler, allocator: Allocator, repeats: int) -> list[Measurement]:
    found = _measure(workload_of(path), Cluster.named("seth"), scheduler, allocator, repeats)
    goal = GOALS.get((scheduler.name, allocator.name))
    return [replace(found, name=f"seth, {found.name}, {allocator.name}", goal=goal)]


def curve(allocator: Allocator, jobs: int, repeats: int, sizes: tuple[int, ...] = NODES) -> list[Measurement]:
    """Return the cost of a job on growing clusters, relative to the smallest."""
    found: list[Measurement] = []
    for nodes in sizes:
        cluster = Cluster(groups=[{"name": "n", "nodes": nodes, "core": 8, "mem": 64, "gpu": 2}])
        one = _measure(drawn(jobs, nodes), cluster, FCFS(skip=True), allocator, repeats)
        name = f"{allocator.name}, {nodes:,} nodes, a job"
        us = one.details["cpu_s"] / max(one.details["jobs"], 1) * 1e6
        first = found[0].value if found else us
        goal = CURVE_GOAL * first if nodes == NODES[-1] else None
        details = {**one.details, "times_the_smallest": us / first}
        found.append(Measurement("nodes", name, us, "us", goal, one.repeats, one.finished, details))
    return found


def drawn(jobs: int, nodes: int) -> Workload:
    """Return jobs of 1 to 32 processors and some minutes that fill this number of nodes."""
    random = np.random.default_rng(SEED)
    processors = 2.0 ** random.integers(0, 6, jobs)
    run = np.ceil(random.lognormal(6.0, 1.0, jobs))
    submit = np.cumsum(processors * run) / (8 * nodes * LOAD)
    memory = random.integers(1, 9, jobs).astype(np.float64)
    return Workload.from_columns(
        submit_s=submit, run_s=run, processors=processors, requested_time_s=run, requested_memory_kb=memory
    )


def _measure(
    workload: Workload, cluster: Cluster, scheduler: Scheduler, allocator: Allocator, repeats: int
) -> Measurement:
    settings = Settings(machine=cluster, scheduler=scheduler, allocator=allocator)
    return measure_requests("nodes", workload.name, settings, requests_of(workload, settings), None, repeats)
