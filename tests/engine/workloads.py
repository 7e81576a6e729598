"""Random small workloads and schedulers for the tests that compare the engine with the reference."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st

from reference import Job
from thinktime.platforms import Machine
from thinktime.result import Result
from thinktime.schedulers.keys import COMPARISONS, FUNCTIONS, KEYS, Key, number
from thinktime.schedulers.orders import ORDERS
from thinktime.schedulers.scheduler import CONDITIONS, ORDER_OPTIONS, Scheduler
from thinktime.simulation import simulate
from thinktime.spec import REGISTRY
from thinktime.workload import Estimates, Workload


def workload_of(jobs: list[Job]) -> Workload:
    """A workload with the reference's jobs, in arrival order."""
    return Workload.from_columns(
        submit_s=[job.submit for job in jobs],
        run_s=[job.run for job in jobs],
        processors=[job.processors for job in jobs],
        requested_time_s=[job.estimate for job in jobs],
        user=[job.user for job in jobs],
        wait_s=[job.wait for job in jobs],
        attributes={name: [job.attributes[name] for job in jobs] for name in (jobs[0].attributes if jobs else ())},
    )


class AsWritten(Estimates):
    """The requested time as it stands, also where it is 0."""

    scaled: bool = False

    def in_log(self, workload: Workload, speed: float) -> np.ndarray:
        return workload["requested_time_s"]

    def to_dict(self) -> dict[str, Any]:
        return {"name": "as-written"}


def run_engine(
    jobs: list[Job],
    processors: int,
    scheduler: Scheduler,
    speed: float = 1.0,
    estimates: str = "recorded",
    **rules: Any,
) -> Result:
    machine = Machine(processors=processors, speed=speed, estimates=estimates)
    return simulate(workload_of(jobs), machine, scheduler, estimates=AsWritten(), **rules)


def described(scheduler: Scheduler) -> dict[str, Any]:
    """The scheduler as the reference wants it."""
    options = scheduler.engine_options()
    compat = getattr(scheduler, "compat", None)
    if compat:
        options = {"compat": compat}
    return {"name": scheduler.name, **options}


@st.composite
def schedulers(draw: st.DrawFn, named: bool = False) -> Scheduler:
    """Any registered scheduler with any options: every flag, every order; if `named`, only orders with a name.

    A composed key may depend on anything: on the size of a job, on the time of day.
    """
    cls = REGISTRY["scheduler"][draw(st.sampled_from(sorted(REGISTRY["scheduler"])))]
    options = {f.name: draw(_option(f.name, f.default, named)) for f in dataclasses.fields(cls)}  # type: ignore[arg-type]
    if options.pop("compat", None):
        return cls(compat="accasim-1.0")  # type: ignore[call-arg, return-value]
    return cls(**options)  # type: ignore[return-value]


def _option(name: str, default: Any, named: bool) -> st.SearchStrategy[Any]:
    if name == "compat":
        return st.sampled_from([None] * 7 + ["accasim-1.0"])
    if name in CONDITIONS:
        return (
            st.none()
            if named
            else st.one_of(st.none(), st.sampled_from(["wait >= 3", "now > 20 - user", "processors < 4 + wait"]))
        )
    if name in ORDER_OPTIONS:
        orders = st.sampled_from(sorted(ORDERS)) if named else st.one_of(st.sampled_from(sorted(ORDERS)), composed())
        return st.one_of(st.none(), orders) if default is None else st.one_of(st.just("arrival"), orders)
    if isinstance(default, bool):
        return st.booleans()
    return st.integers(1, 6) if isinstance(default, int) else st.sampled_from([0.5, 1.0, 3.0])


def composed() -> st.SearchStrategy[str]:
    """Any expression, as its text: hardly one of them sensible."""
    return expressions().map(repr)


@st.composite
def expressions(draw: st.DrawFn) -> Key:
    return draw(_expressions())


@cache
def _expressions() -> st.SearchStrategy[Key]:
    numbers = st.one_of(st.integers(-9, 9), st.floats(-1e6, 1e6), st.sampled_from([1e300, 1e-300, 0.1]))
    leaves = st.one_of(st.sampled_from([*KEYS, "user"]).map(Key), numbers.map(number))
    return st.recursive(leaves, _operations, max_leaves=8)


def _operations(inner: st.SearchStrategy[Key]) -> st.SearchStrategy[Key]:
    two = st.sampled_from(["+", "-", "*", "/", "**", "min", "max", *COMPARISONS])
    one = st.sampled_from([name for name, takes in FUNCTIONS.items() if takes == 1])
    return st.one_of(
        inner.map(lambda x: -x),
        st.builds(Key, one, inner),
        st.builds(Key, two, inner, inner),
        st.builds(Key, st.just("where"), inner, inner, inner),
    )


def jobs(most: int = 25, machine: int = 8) -> st.SearchStrategy[list[Job]]:
    """Few instants, so that many events share one; estimates too long, too short, exact and zero."""
    run = st.integers(0, 9)
    job = st.builds(
        Job,
        submit=st.integers(0, 25),
        run=run,
        processors=st.integers(1, machine + 1),
        estimate=st.integers(0, 14),
    )
    exact = st.builds(lambda job, more: dataclasses.replace(job, estimate=job.run + more), job, st.integers(0, 1))
    return st.lists(st.one_of(job, exact), max_size=most)


def rules() -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "overrun": st.sampled_from(["extend", "extend-blind", "kill"]),
            "same_instant": st.sampled_from(["batch", "each-submit-first", "each-end-first"]),
            "oversized": st.sampled_from(["reject", "clip"]),
            "speed": st.sampled_from([0.5, 1.0, 2.0, 3.0]),
        }
    )
