"""The cost of plugins: runs on Seth with idle and with busy plugins, against runs without plugins.

A run without plugins asks one pointer at a start and at an end whether there are any, which no run can leave out; what
a plugin costs that is there and has nothing to say bounds it from above. Measured is the engine alone, in CPU time of
this process, the best of several repetitions; the contestants take turns, so that whatever else the machine does meets
all of them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from thinktime.platforms import Cluster
from thinktime.plugins import Plugin
from thinktime.plugins.calendar import Maintenance
from thinktime.plugins.failures import Failures
from thinktime.plugins.power import Power
from thinktime.schedulers import Scheduler
from thinktime.schedulers.easy import Easy
from thinktime.schedulers.fcfs import FCFS
from thinktime.simulation.plugins import SimulationPlugins
from thinktime.simulation.requests import requests_of
from thinktime.simulation.settings import Settings
from thinktime.workload import Workload
from thinktime_bench.engine import ENOUGH_S, workload_of
from thinktime_bench.logs import find_logs
from thinktime_bench.measurement import Case, Measurement

IDLE_GOAL = 1.05  # times a run without plugins
REPEATS, QUICK_REPEATS = 9, 2
HOUR_S, DAY_S = 3600.0, 86400.0
MONTH_DAYS = 30


def cases(folder: Path | None, quick: bool) -> Iterator[Case]:
    path = next((path for name, path in find_logs(folder, False).items() if name.startswith("HPC2N")), None)
    for scheduler in (FCFS(), Easy()):
        run = partial(_measure_plugins_on_log, path, scheduler, QUICK_REPEATS if quick else REPEATS)
        yield Case("plugins", f"seth, {scheduler.name}", run)


def _measure_plugins_on_log(path: Path | None, scheduler: Scheduler, repeats: int) -> list[Measurement]:
    return measure(workload_of(path), scheduler, repeats)


def contestants(workload: Workload) -> dict[str, tuple[tuple[Plugin, ...], float | None]]:
    """Return name → the plugins of a run and the goal, relative to a run without plugins."""
    submit_s = workload["submit_s"]
    begin_s, past_s = float(submit_s[0]), float(submit_s[-1] + np.sum(workload["run_s"]))  # after the last end
    never = {"from_s": past_s, "to_s": past_s + HOUR_S}
    monthly = {"from_s": begin_s + DAY_S, "to_s": begin_s + DAY_S + 8 * HOUR_S, "every_days": MONTH_DAYS}
    hourly = {hour: 28_000 if hour % 2 else 23_000 for hour in range(24)}
    return {
        "no plugins": ((), None),
        "a maintenance after all jobs": ((Maintenance(windows=[never]),), IDLE_GOAL),
        "a failure after all jobs": ((Failures(table=[{"nodes": "all", **never}]),), None),
        "a maintenance every month": ((Maintenance(windows=[monthly]),), None),
        "a power cap that changes by the hour": ((Power(cap_w=hourly),), None),
    }


def measure(workload: Workload, scheduler: Scheduler, repeats: int) -> list[Measurement]:
    runs = {name: (_Run(workload, scheduler, plugins), goal) for name, (plugins, goal) in contestants(workload).items()}
    for _ in range(repeats):
        for run, _ in runs.values():
            if run.spent_s < ENOUGH_S:
                run.once()
    (without, _), *_ = runs.values()
    found = []
    for name, (run, goal) in runs.items():
        details = {
            "cpu_s": run.best_s,
            "jobs": len(workload),
            "mean_wait_s": run.mean_wait_s,
            "workload": workload.name,
        }
        times = run.best_s / without.best_s
        found.append(
            Measurement(
                "plugins", f"seth, {scheduler.name}, {name}", times, "x none", goal, run.repeats, details=details
            )
        )
    return found[1:]


class _Run:
    """A run with some plugins, repeated."""

    def __init__(self, workload: Workload, scheduler: Scheduler, plugins: tuple[Plugin, ...]) -> None:
        self.settings = Settings(machine=Cluster.named("seth"), scheduler=scheduler, plugins=plugins)
        self.workload, self.mean_wait_s = workload, float("nan")
        self.best_s, self.spent_s, self.repeats = float("inf"), 0.0, 0

    def once(self) -> None:
        requests = requests_of(self.workload, self.settings)
        additional = SimulationPlugins(self.settings) if self.settings.plugins else None
        requests = additional.take(self.workload, requests, {}) if additional else requests
        engine = self.settings.engine(timeline=False, keep_jobs=True, pools=requests.pools)
        requests.load(engine)
        engine.close()
        if additional:
            additional.begin(engine)
            additional.load(engine)
        began_s = time.process_time()
        engine.run(np.inf, 2**63 - 1)
        seconds = time.process_time() - began_s
        self.best_s, self.spent_s, self.repeats = min(self.best_s, seconds), self.spent_s + seconds, self.repeats + 1
        jobs = engine.jobs()
        self.mean_wait_s = float(np.nanmean(jobs["start_s"] - jobs["submit_s"]))
