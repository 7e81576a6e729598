"""Check of own user models, under every scheduler and rule, with rejected and killed jobs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
from thinktime.workload import Workload, typed_columns

SCHEDULERS: tuple[Scheduler, ...] = (FCFS(), Easy(), Conservative(), Reject())
PROCESSORS = 8
SHOWN = 5  # rows in the message


def check_user_model(users: UserModel, workload: Workload | None = None, processors: int = PROCESSORS) -> None:
    """Check a user model; raise AssertionError with the first problem.

    Parameters
    ----------
    users
        An own or a built-in user model.
    workload
        The jobs (default: four users, jobs at one instant, of no length, larger than the machine and longer than their
        estimates; the clock starts on a Monday at 00:00).
    processors
        The size of the machine.

    Raises
    ------
    AssertionError
        The model never submits a job, violates an invariant of `tt.check`, or decides differently in a second run.
    """
    jobs = difficult_workload() if workload is None else workload
    machine = Machine(processors=processors)
    for scheduler, rules in _combinations():
        runs = (Simulation(jobs, machine, scheduler, users=users, seed=1, **rules) for _ in range(2))
        first, again = (run.run().result() for run in runs)
        where = f"{users!r} under {scheduler!r} with {rules}"
        _require_all_submitted(first, where)
        broken = check(first)
        assert not broken, f"{where}: {broken[0]}"
        assert first == again, f"{where} decides differently in a second run: draw from the seed, keep state in start()"


def _combinations() -> Iterator[tuple[Scheduler, dict[str, Any]]]:
    for scheduler in SCHEDULERS:
        for same_instant in SAME_INSTANT:
            for overrun in OVERRUN:
                yield scheduler, {"same_instant": same_instant, "overrun": overrun}


def _require_all_submitted(result: Result, where: str) -> None:
    never = np.flatnonzero(np.isnan(result.columns["submit_s"]))
    some = ", ".join(map(str, never[:SHOWN].tolist())) + (", …" if never.size > SHOWN else "")
    assert not never.size, (
        f"{where} never submits {never.size} of {len(result)} jobs (rows {some}):"
        " announce every row once, in begin or after the end of another job"
    )


def difficult_workload(jobs: int = 200) -> Workload:
    """Return jobs of four users at few instants, with a clock that starts on a Monday."""
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


def with_attributes(jobs: Workload, attributes: Mapping[str, Sequence[Any]] | None) -> Workload:
    """Return the jobs with attributes drawn from the given values, the same in every call."""
    random, given = np.random.default_rng(9), attributes or {}
    drawn = {name: [values[k] for k in random.integers(len(values), size=len(jobs))] for name, values in given.items()}
    columns, types = typed_columns(drawn)
    return replace(jobs, columns={**jobs.columns, **columns}, types={**jobs.types, **types})
