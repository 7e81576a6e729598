"""What it costs that users react: SessionReplay against rigid users, on the same log under the same scheduler.

Measured is the engine alone, with jobs in memory; then once more with the sessions and their graph, which are made
from the workload. CPU time of this process, the best of several repetitions.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.bench.engine import workload_of
from thinktime.bench.logs import find_logs
from thinktime.bench.measurement import Case, Measurement
from thinktime.platforms import Machine
from thinktime.schedulers import FCFS, Easy, Scheduler
from thinktime.simulation.requests import requests_of
from thinktime.simulation.settings import Settings
from thinktime.users import Rigid, SessionReplay, UserModel

if TYPE_CHECKING:
    from thinktime.workload import Workload

GOAL, GOAL_WITH_GRAPH = 2.0, 3.0  # times the rigid run
SCHEDULERS: tuple[Scheduler, ...] = (FCFS(), Easy())
LOGS = ("KTH-SP2", "CTC-SP2", "HPC2N", "CEA-Curie", "default")
REPEATS, QUICK_REPEATS = 12, 3


def cases(folder: Path | None, quick: bool) -> Iterator[Case]:
    for name, path in find_logs(folder, quick).items():
        for scheduler in SCHEDULERS if name.startswith(LOGS) else ():
            run = partial(_measure_log, path, scheduler, QUICK_REPEATS if quick else REPEATS)
            yield Case("users", f"{name}, {scheduler.name}", run)


def _measure_log(path: Path | None, scheduler: Scheduler, repeats: int) -> list[Measurement]:
    return measure(workload_of(path), scheduler, repeats)


def measure(workload: Workload, scheduler: Scheduler, repeats: int) -> list[Measurement]:
    rigid, reacting = (_cost(workload, scheduler, users, repeats) for users in (Rigid(), SessionReplay()))
    run_s, both_s = reacting["run_s"], reacting["run_s"] + reacting["plan_s"]
    details = {**reacting, "rigid_run_s": rigid["run_s"], "workload": workload.name, "scheduler": scheduler.name}
    name = f"{workload.name}, {scheduler.name}, session-replay"
    figures = [(name, run_s, GOAL), (f"{name} with its graph", both_s, GOAL_WITH_GRAPH)]
    return [
        Measurement("users", what, seconds / rigid["run_s"], "x rigid", goal, repeats, details=details)
        for what, seconds, goal in figures
    ]


def _cost(workload: Workload, scheduler: Scheduler, users: UserModel, repeats: int) -> dict[str, Any]:
    """The best CPU seconds of making the plan and of running it, and what was computed."""
    machine = Machine(processors=workload.machine_processors or 1)
    settings = Settings(machine=machine, scheduler=scheduler, users=users)
    requests, plans, runs = requests_of(workload, settings), [], []
    for _ in range(repeats):
        marks = [time.process_time()]
        plan = users.plan(workload, 0)
        marks.append(time.process_time())
        engine = settings.engine(timeline=False, keep_jobs=True, plan=plan)
        requests.load(engine)
        engine.close()
        engine.run(np.inf, 2**63)
        marks.append(time.process_time())
        plans.append(marks[1] - marks[0])
        runs.append(marks[2] - marks[1])
    late_s = engine.jobs()["submit_s"] - requests.submit_s
    return {
        "plan_s": min(plans),
        "run_s": max(min(runs), 1e-9),
        "jobs": len(workload),
        "events": int(engine.statistics()["events"]),
        "mean_lateness_s": float(late_s.mean()) if len(late_s) else 0.0,
    }
