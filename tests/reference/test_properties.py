"""What must hold for every workload, on random small ones, for every policy and every rule."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import Job, Outcome, simulate
from reference.conservative import Conservative
from reference.easy import Easy
from reference.orders import KEYS
from reference.simulation import SAME_INSTANT, Simulation
from tests.effort import examples

MACHINE = 6
SCHEDULERS: list[dict[str, Any]] = [
    {"name": "fcfs"},
    {"name": "sjf", "skip": True},
    {"name": "ljf"},
    {"name": "edf", "deadline_factor": 2.0},
    *({"name": "priority", "key": order} for order in KEYS),
    {"name": "easy"},
    {"name": "easy", "order": "wfp3", "backfill_order": "estimate", "recompute": False},
    {"name": "easy", "extra_nodes": False},
    {"name": "easy", "compat": "accasim-1.0"},
    {"name": "conservative"},
    {"name": "conservative", "compress": False},
]
# Small numbers, so that much happens at one instant; a machine of 6, so that some jobs are too large.
JOBS = st.lists(
    st.builds(
        Job,
        submit=st.integers(0, 12),
        run=st.integers(0, 9),
        processors=st.integers(1, MACHINE + 1),
        estimate=st.integers(0, 12),
    ),
    max_size=9,
)
OVERRUN = st.sampled_from(["extend", "extend-blind", "kill"])
RULE = st.sampled_from(SAME_INSTANT)


def most_processors_in_use(jobs: list[Job], outcomes: list[Outcome]) -> int:
    ran = [(job, outcome) for job, outcome in zip(jobs, outcomes, strict=True) if outcome.start is not None]
    return max(
        (sum(job.processors for job, outcome in ran if outcome.start <= at.start < outcome.end) for _, at in ran),
        default=0,
    )


@pytest.mark.parametrize("scheduler", SCHEDULERS, ids=str)
@examples(40)
@given(jobs=JOBS, rule=RULE, overrun=OVERRUN)
def test_no_job_is_lost_early_cut_or_squeezed_in(scheduler, jobs, rule, overrun):
    outcomes = simulate(jobs, MACHINE, scheduler, rule, overrun)
    assert len(outcomes) == len(jobs)
    assert most_processors_in_use(jobs, outcomes) <= MACHINE
    for job, outcome in zip(jobs, outcomes, strict=True):
        run = min(job.run, job.estimate) if overrun == "kill" else job.run
        cut = overrun == "kill" and job.run > job.estimate
        if job.processors > MACHINE:
            assert (outcome.start, outcome.end, outcome.status) == (None, None, "rejected")
        else:
            assert outcome.start >= outcome.submit == job.submit
            assert (outcome.end - outcome.start, outcome.status) == (run, "killed" if cut else "completed")


@examples(100)
@given(jobs=JOBS, rule=RULE)
def test_no_job_waits_on_a_machine_for_all(jobs, rule):
    for scheduler in SCHEDULERS:
        outcomes = simulate(jobs, (MACHINE + 1) * len(jobs), scheduler, rule)
        assert [outcome.start for outcome in outcomes] == [job.submit for job in jobs]


@examples(100)
@given(jobs=JOBS, rule=RULE)
def test_fcfs_starts_in_order_of_arrival(jobs, rule):
    outcomes = simulate(jobs, MACHINE, {"name": "fcfs"}, rule)
    by_arrival = sorted((o for o in outcomes if o.start is not None), key=lambda outcome: outcome.submit)
    assert [o.start for o in by_arrival] == sorted(o.start for o in by_arrival)


@examples(100)
@given(jobs=JOBS, rule=RULE)
def test_twice_the_time_everywhere_is_twice_the_schedule(jobs, rule):
    slow = [Job(2 * job.submit, 2 * job.run, job.processors, 2 * job.estimate) for job in jobs]
    for scheduler in ({"name": "easy"}, {"name": "conservative"}, {"name": "sjf"}, {"name": "edf"}):
        once = [o.start for o in simulate(jobs, MACHINE, scheduler, rule)]
        twice = [o.start for o in simulate(slow, MACHINE, scheduler, rule)]
        assert twice == [None if start is None else 2 * start for start in once]


def run(policy, jobs, overrun) -> dict[int, float]:
    """Simulate with a policy that takes notes; index of the job -> its start."""
    sim = Simulation(jobs, MACHINE, {"name": "fcfs"}, "batch", overrun, 1.0, "reject", None)
    sim.policy = policy
    while (time := sim.next_time()) is not None:
        sim.now = time
        sim.round()
    return {index: outcome.start for index, outcome in sim.outcomes.items() if outcome.start is not None}


class NotingEasy(Easy):
    def __init__(self) -> None:
        super().__init__()
        self.promises: dict[int, float] = {}

    def promise(self, head, sim):
        super().promise(head, sim)
        self.promises.setdefault(head.index, self.shadow)


class NotingConservative(Conservative):
    def __init__(self, compress) -> None:
        super().__init__(compress)
        self.promises: dict[int, float] = {}

    def submitted(self, task, sim):
        super().submitted(task, sim)
        if task.expected_length > 0:
            self.promises[task.index] = task.slot


@examples(200)
@given(jobs=JOBS, overrun=st.sampled_from(["extend", "kill"]), compress=st.booleans())
def test_no_promise_is_broken(jobs, overrun, compress):
    """EASY keeps its first promise to every head, conservative its promise to everybody."""
    for policy in (NotingEasy(), NotingConservative(compress)):
        start = run(policy, jobs, overrun)
        assert all(start[index] <= promise for index, promise in policy.promises.items())
        if isinstance(policy, NotingConservative) and not compress:
            assert all(start[index] == promise for index, promise in policy.promises.items())
