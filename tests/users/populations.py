"""Random small workloads of a few users, with recorded waits, for the tests of user models."""

from __future__ import annotations

import dataclasses
from typing import Any

from hypothesis import strategies as st

import reference
from reference import Job
from reference.users import Users, make_users
from tests.engine.workloads import described, run_engine
from thinktime.metrics.status import STATUS_NAMES
from thinktime.result import Result, check
from thinktime.schedulers import Scheduler
from thinktime.support.random_streams import stream
from thinktime.users import UserModel


def population(most: int = 25, machine: int = 8) -> st.SearchStrategy[list[Job]]:
    """Few instants, so that many events share one; sessions overlap, follow at once, or stand apart."""
    job = st.builds(
        Job,
        submit=st.integers(0, 60),
        run=st.integers(0, 9),
        processors=st.integers(1, machine + 1),
        estimate=st.integers(0, 14),
        user=st.integers(1, 3),
        wait=st.integers(0, 8),
    )
    exact = st.builds(lambda job, more: dataclasses.replace(job, estimate=job.run + more), job, st.integers(0, 1))
    return st.lists(st.one_of(job, exact), max_size=most).map(lambda jobs: sorted(jobs, key=lambda job: job.submit))


def of_reference(users: UserModel, seed: int = 0) -> Users:
    """The same model as the reference has it, with the same random numbers."""
    return make_users(users.options() | {"name": users.name}, lambda user: stream(seed, "users", users.name, user))


def assert_agreement(
    jobs: list[Job], processors: int, scheduler: Scheduler, users: UserModel, theirs: Users, **rules: Any
) -> Result:
    """Engine and reference submit, start and end every job at the same instant; the result passes the checks."""
    seed = rules.pop("seed", 0)
    expected = reference.simulate(jobs, processors, described(scheduler), users=theirs, **rules)
    result = run_engine(jobs, processors, scheduler, users=users, seed=seed, **rules)
    names = ("submit_s", "start_s", "end_s", "status")
    for row, (submit, start, end, status) in enumerate(zip(*(result.columns[n] for n in names), strict=True)):
        told = (submit, _none(start), _none(end), STATUS_NAMES[status])
        outcome = expected[row]
        assert told == (outcome.submit, outcome.start, outcome.end, outcome.status), f"row {row}: {jobs[row]}"
    assert check(result) == []
    return result


def _none(time: float) -> float | None:
    return None if time != time else time
