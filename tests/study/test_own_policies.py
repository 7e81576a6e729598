"""Policies of one's own in studies: composed ones as text, those in Python and compiled ones in this very process."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numba
import pytest

import thinktime as tt
from tests.schedulers.own_policies import SkipInPython, forget
from thinktime.schedulers.native import SIGNATURE
from thinktime.spec import REGISTRY
from thinktime.study.executors.processes import Processes, only_here

WORKLOADS = [{"generator": "default", "jobs": 300}]


@numba.cfunc(SIGNATURE)
def widest(now_s: float, submit_s: float, estimate_s: float, processors: float, user: float) -> float:
    return -processors


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    REGISTRY["scheduler"][SkipInPython.name] = SkipInPython
    yield
    forget()


def outcomes(*schedulers: Any) -> dict[str, dict[str, Any]]:
    """By the scheduler's name, from worker processes."""
    study = tt.Study.of(name="own", workloads=WORKLOADS, platforms=["machine:processors=32"], schedulers=[*schedulers])
    return {found["cell"]["scheduler"]: found for found in Processes(1)(study.tasks())}


def test_composed_keys_are_text() -> None:
    named, spelt = outcomes("priority:key=largest", "priority:key=-processors").values()
    assert named["error"] is None is spelt["error"]
    assert named["summary"] == spelt["summary"]
    assert named["run"] != spelt["run"]


def test_what_other_processes_do_not_know_is_run_here() -> None:
    policies = [SkipInPython(), tt.FCFS(skip=True), tt.Priority(key=tt.native(widest)), tt.Priority(key="largest")]
    ours, engines, compiled, named = outcomes(*policies).values()
    assert [each["error"] for each in (ours, engines, compiled, named)] == [None] * 4
    assert ours["summary"] == engines["summary"]
    assert compiled["summary"] == named["summary"]


def test_where_a_task_can_run() -> None:
    study = tt.Study.of(
        name="own",
        workloads=WORKLOADS,
        schedulers=[SkipInPython(), tt.Easy(), tt.Priority(key=tt.native(widest)), tt.Priority(key="-wait")],
    )
    assert [only_here(task) for task in study.tasks()] == [True, False, True, False]


forget()  # other tests go through the registry
