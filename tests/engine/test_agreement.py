"""The engine and the reference agree job by job, for every registered scheduler, option and rule."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import Job
from tests.effort import examples, seeds
from tests.engine.agreement import assert_agreement
from tests.engine.workloads import jobs, rules, run_engine, schedulers
from thinktime.platforms.machine import ESTIMATES
from thinktime.result import check
from thinktime.schedulers import ORDERS, Scheduler
from thinktime.schedulers.conservative import Conservative
from thinktime.schedulers.easy import Easy
from thinktime.schedulers.priority import Priority
from thinktime.spec import REGISTRY


@examples(2000)
@given(jobs(), st.integers(1, 8), schedulers(), rules(), st.sampled_from(ESTIMATES))
def test_every_policy_and_rule(
    workload: list[Job], processors: int, scheduler: Scheduler, rules: dict[str, Any], estimates: str
) -> None:
    assert_agreement(workload, processors, scheduler, **rules, estimates=estimates)


@examples(300)
@given(jobs(most=60, machine=4), st.integers(3, 5), st.sampled_from(sorted(REGISTRY["scheduler"])), rules())
def test_longer_queues(workload: list[Job], processors: int, name: str, rules: dict[str, Any]) -> None:
    assert_agreement(workload, processors, REGISTRY["scheduler"][name](), **rules)  # type: ignore[arg-type]


@pytest.mark.parametrize("same_instant", ["batch", "each-submit-first", "each-end-first"])
@pytest.mark.parametrize(
    "scheduler",
    [
        Easy(),
        Easy(order="sjf", backfill_order="largest-area"),
        Easy(extra_nodes=False, recompute=False),
        Easy(order="wfp3"),
        Easy(count_ties=False),
        Easy(compat="accasim-1.0"),
        Priority(key="f3", skip=True),
        Conservative(),
    ],
    ids=repr,
)
def test_queues_of_many_blocks(scheduler: Scheduler, same_instant: str) -> None:
    """Hundreds wait, so that blocks split, empty and are passed over."""
    random = np.random.default_rng(5)
    workload = [
        Job(
            submit=int(random.integers(0, 900)),
            run=int(random.integers(0, 60)),
            processors=int(2 ** random.integers(0, 5)),
            estimate=int(random.integers(1, 90)),
        )
        for _ in range(600)
    ]
    assert_agreement(workload, 32, scheduler, same_instant=same_instant, overrun="extend")


@examples(300)
@given(jobs(), st.integers(1, 8), schedulers(), rules())
def test_every_result_passes_the_checks(
    workload: list[Job], processors: int, scheduler: Scheduler, rules: dict[str, Any]
) -> None:
    assert check(run_engine(workload, processors, scheduler, **rules)) == []


ORDER = st.sampled_from(sorted(ORDERS))


@examples(1500)
@given(jobs(), st.integers(2, 8), ORDER, ORDER, st.booleans(), rules())
def test_easy_in_any_two_orders(
    workload: list[Job], processors: int, order: str, backfill: str, recompute: bool, rules: dict[str, Any]
) -> None:
    assert_agreement(workload, processors, Easy(order=order, backfill_order=backfill, recompute=recompute), **rules)


@examples(500)
@given(jobs(machine=3), st.integers(2, 4), st.booleans(), rules())
def test_conservative_with_jobs_of_no_length(
    workload: list[Job], processors: int, compress: bool, rules: dict[str, Any]
) -> None:
    none = [Job(submit=job.submit, run=0, processors=job.processors, estimate=0) for job in workload[::2]]
    assert_agreement(workload + none, processors, Conservative(compress=compress), **rules)


@pytest.mark.parametrize("seed", seeds(20))
def test_conservative_with_many_jobs_alike(seed: int) -> None:
    """A search that fails for one job is not repeated for the jobs like it, while the plan gains no room for them."""
    random = np.random.default_rng(seed)
    kinds = [(int(n), float(e)) for n, e in zip(random.integers(1, 7, 5), random.integers(1, 400, 5) / 7, strict=True)]
    workload = []
    for _ in range(40):
        processors, estimate = kinds[random.integers(len(kinds))]
        submit = float(random.integers(0, 300)) + 0.1
        for share in random.uniform(0.1, 1.0, random.integers(1, 14)):
            workload.append(Job(submit=submit, run=estimate * share, processors=processors, estimate=estimate))
    assert_agreement(workload, 9, Conservative(), same_instant="batch", overrun="extend")


@pytest.mark.parametrize("scheduler", [Easy(), Easy(order="sjf"), Easy(backfill_order="expansion")], ids=repr)
def test_more_than_a_thousand_of_one_size_wait(scheduler: Scheduler) -> None:
    """So many that blocks form groups, and that emptied blocks are squeezed out as the queue drains."""
    random = np.random.default_rng(6)
    serial = [
        Job(submit=int(t), run=int(r), processors=1, estimate=int(r + e))
        for t, r, e in random.integers(1, 60, (1300, 3))
    ]
    wide = [Job(submit=int(t), run=40, processors=4, estimate=60) for t in random.integers(0, 900, 40)]
    assert_agreement(serial + wide, 4, scheduler)
