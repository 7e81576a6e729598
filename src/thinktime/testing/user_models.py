"""Does a user model do what every simulation needs? Under every scheduler and rule, with jobs rejected and killed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from thinktime.platforms import Machine
from thinktime.result import Result, check
from thinktime.schedulers import Scheduler
from thinktime.schedulers.conservative import Conservative
from thinktime.schedulers.easy import Easy
from thinktime.schedulers.fcfs import FCFS
from thinktime.schedulers.reject import Reject
from thinktime.simulation import Simulation
from thinktime.simulation.settings import OVERRUN, SAME_INSTANT
from thinktime.users import UserModel
from thinktime.workload import Workload

SCHEDULERS: tuple[Scheduler, ...] = (FCFS(), Easy(), Conservative(), Reject())
PROCESSORS = 8
SHOWN = 5  # rows named of those that are never submitted


def check_user_model(users: UserModel, workload: Workload | None = None, processors: int = PROCESSORS) -> None:
    """AssertionError with one sentence if the model loses a job, breaks an invariant, or decides differently twice.

    The workload, if none is given, has users who overlap, jobs at one instant, without length, too large for the
    machine and longer than their estimates; its clock begins on a Monday at 00:00.
    """
    jobs = difficult_workload() if workload is None else workload
    machine = Machine(processors=processors)
    for scheduler, rules in _combinations():
        runs = (Simulation(jobs, machine, scheduler, users=users, seed=1, **rules) for _ in range(2))
        first, again = (run.run().result() for run in runs)
        where = f"{users!r} under {scheduler!r} with {rules}"
        _require_nobody_lost(first, where)
        broken = check(first)
        assert not broken, f"{where}: {broken[0]}"
        assert first == again, (
            f"{where} decides differently when asked again: draw from the seed, keep state in start()"
        )


def _combinations() -> Iterator[tuple[Scheduler, dict[str, Any]]]:
    for scheduler in SCHEDULERS:
        for same_instant in SAME_INSTANT:
            for overrun in OVERRUN:
                yield scheduler, {"same_instant": same_instant, "overrun": overrun}


def _require_nobody_lost(result: Result, where: str) -> None:
    never = np.flatnonzero(np.isnan(result.columns["submit_s"]))
    some = ", ".join(map(str, never[:SHOWN].tolist())) + (", …" if never.size > SHOWN else "")
    assert not never.size, (
        f"{where} never submits {never.size} of {len(result)} jobs (rows {some}):"
        " announce every row once, in begin or upon the end of another"
    )


def difficult_workload(jobs: int = 200) -> Workload:
    """Four users, few instants, and a clock for users who keep hours."""
    random = np.random.default_rng(8)
    run = random.integers(0, 60, jobs)
    made = Workload.from_columns(
        name="difficult",
        submit_s=np.sort(random.integers(0, 2000, jobs)),
        wait_s=random.integers(0, 30, jobs),
        run_s=run,
        processors=random.integers(1, PROCESSORS + 2, jobs),
        requested_time_s=np.maximum(run + random.integers(-20, 40, jobs), 1),
        user=random.integers(1, 5, jobs),
    )
    return replace(made, source={"clock": "local", "starts": "Monday 00:00"})
