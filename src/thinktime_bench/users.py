"""The cost of reacting users: SessionReplay against rigid users, on the same log with the same scheduler.

Measured is the engine alone, with jobs in memory; then once more with the sessions and their graph, which are made
from the workload. CPU time of this process, the best of several repetitions; the two take turns, so that whatever else
the machine does meets both.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.platforms import Machine
from thinktime.schedulers import Scheduler
from thinktime.schedulers.easy import Easy
from thinktime.schedulers.fcfs import FCFS
from thinktime.simulation.requests import requests_of
from thinktime.simulation.settings import Settings
from thinktime.users import UserModel
from thinktime.users.rigid import Rigid
from thinktime.users.session_replay import SessionReplay
from thinktime_bench.engine import workload_of
from thinktime_bench.logs import find_logs
from thinktime_bench.measurement import Case, Measurement

if TYPE_CHECKING:
    from thinktime.workload import Workload

GOAL, GOAL_WITH_GRAPH = 2.0, 3.0  # times the rigid run
SCHEDULERS: tuple[Scheduler, ...] = (FCFS(), Easy())
LOGS = ("KTH-SP2", "CTC-SP2", "HPC2N", "CEA-Curie", "default")
REPEATS, QUICK_REPEATS = 12, 3


def cases(folder: Path | None, quick: bool) -> Iterator[Case]:
    for name, path in find_logs(folder, quick).items():
        for scheduler in SCHEDULERS if name.startswith(LOGS) else ():
            run = partial(_measure_users_on_log, path, scheduler, QUICK_REPEATS if quick else REPEATS)
            yield Case("users", f"{name}, {scheduler.name}", run)


def _measure_users_on_log(path: Path | None, scheduler: Scheduler, repeats: int) -> list[Measurement]:
    return measure(workload_of(path), scheduler, repeats)


def measure(workload: Workload, scheduler: Scheduler, repeats: int) -> list[Measurement]:
    contestants = [_Contestant(workload, scheduler, users) for users in (Rigid(), SessionReplay())]
    for _ in range(repeats):
        for each in contestants:
            each.run()
    rigid, reacting = (each.costs() for each in contestants)
    run_s, both_s = reacting["run_s"], reacting["run_s"] + reacting["plan_s"]
    details = {**reacting, "rigid_run_s": rigid["run_s"], "workload": workload.name, "scheduler": scheduler.name}
    name = f"{workload.name}, {scheduler.name}, session-replay"
    figures = [(name, run_s, GOAL), (f"{name} with its graph", both_s, GOAL_WITH_GRAPH)]
    return [
        Measurement("users", what, seconds / rigid["run_s"], "x rigid", goal, repeats, details=details)
        for what, seconds, goal in figures
    ]


class _Contestant:
    """One user model on a workload: CPU seconds of its plan and of the run, and the result."""

    def __init__(self, workload: Workload, scheduler: Scheduler, users: UserModel) -> None:
        machine = Machine(processors=workload.machine_processors or 1)
        self.workload, self.settings = workload, Settings(machine=machine, scheduler=scheduler, users=users)
        self.requests = requests_of(workload, self.settings)
        self.plans_s: list[float] = []
        self.runs_s: list[float] = []

    def run(self) -> None:
        began_s = time.process_time()
        plan = self.settings.users.plan(self.workload, 0)
        planned_s = time.process_time()
        self.engine = self.settings.engine(timeline=False, keep_jobs=True, plan=plan)
        self.requests.load(self.engine)
        self.engine.close()
        self.engine.run(np.inf, 2**63)
        self.plans_s.append(planned_s - began_s)
        self.runs_s.append(time.process_time() - planned_s)

    def costs(self) -> dict[str, Any]:
        """Return the best of all runs."""
        late_s = self.engine.jobs()["submit_s"] - self.requests.submit_s
        return {
            "plan_s": min(self.plans_s),
            "run_s": max(min(self.runs_s), 1e-9),
            "jobs": len(self.workload),
            "events": int(self.engine.statistics()["events"]),
            "mean_lateness_s": float(late_s.mean()) if len(late_s) else 0.0,
        }
