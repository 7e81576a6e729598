"""The checks say in plain words what is wrong with a policy, and nothing about one that is right."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import thinktime as tt
from tests.schedulers.own_policies import EasyInPython, SkipInPython
from thinktime.spec import REGISTRY
from thinktime.testing.policies import small_cluster


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    """Other tests go through the registry."""
    known = {kind: dict(REGISTRY[kind]) for kind in ("scheduler", "allocator")}
    yield
    for kind, names in known.items():
        REGISTRY[kind].clear()
        REGISTRY[kind].update(names)


def scheduler(answer: Any, **members: Any) -> tt.OwnScheduler:
    def schedule(self: Any, now_s: float, queue: Any, running: Any, machine: Any) -> Any:
        return answer(now_s, queue, running, machine)

    return type("Mine", (tt.OwnScheduler,), {"schedule": schedule, **members})()


def fcfs(now_s: float, queue: Any, running: Any, machine: Any) -> Any:
    return queue.row[np.cumsum(queue.processors) <= machine.free]


BUILT_IN = [tt.FCFS(), tt.Easy(), tt.Conservative(), tt.SJF(), tt.Reject(), tt.Priority(key="-wait / estimate")]


@pytest.mark.parametrize("policy", [*BUILT_IN, EasyInPython(), scheduler(fcfs)], ids=repr)
def test_what_is_right_passes(policy: Any) -> None:
    tt.testing.check_scheduler(policy)


def test_what_starves_may_be_meant() -> None:
    tt.testing.check_scheduler(SkipInPython(), may_starve=True)
    with pytest.raises(AssertionError, match=r"SkipInPython\(\) lets \d+ jobs of one processor, all later, pass"):
        tt.testing.check_scheduler(SkipInPython())


def test_on_a_cluster() -> None:
    tt.testing.check_scheduler(tt.Easy(), small_cluster())
    with pytest.raises(AssertionError, match="for which the nodes have no room"):
        tt.testing.check_scheduler(scheduler(lambda now, queue, *_: queue.row), small_cluster())


_calls = itertools.count()


def sometimes(now_s: float, queue: Any, running: Any, machine: Any) -> Any:
    return fcfs(now_s, queue, running, machine) if next(_calls) % 7 or not len(running) else ()


def writes(now_s: float, queue: Any, running: Any, machine: Any) -> Any:
    answer = fcfs(now_s, queue, running, machine)
    array = queue.estimate_s
    array.base.flags.writeable = True
    array.flags.writeable = True
    array += 1
    return answer


def patient(now_s: float, queue: Any, running: Any, machine: Any) -> Any:
    return fcfs(now_s, queue, running, machine) if len(queue) > 2 else ()


def sleeps(now_s: float, queue: Any, running: Any, machine: Any) -> Any:
    time.sleep(0.002)
    return fcfs(now_s, queue, running, machine)


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        (lambda now, queue, *_: [*queue.row, queue.row[0]], "twice"),
        (lambda now, queue, *_: queue.row, "needs more than the"),
        (lambda *_: [99], "started the job in row 99, which does not wait"),
        (lambda *_: None, "answered with None"),
        (lambda *_: (), "waiting forever (180 such jobs), though at the end nothing runs"),
        (patient, "waiting forever"),
        (sometimes, "decides differently in a second run"),
        (writes, "it writes into queue.estimate_s, which is the engine's: work on a copy"),
        (lambda *_: 1 / 0, "s with ZeroDivisionError"),
    ],
)
def test_what_is_wrong_is_said(policy: Any, sentence: str) -> None:
    with pytest.raises(AssertionError) as error:
        tt.testing.check_scheduler(scheduler(policy))
    assert sentence in str(error.value)
    assert str(error.value).startswith("Mine() with")


def test_slow_ones_are_told() -> None:
    with pytest.raises(AssertionError, match=r"takes \d+\.\d ms per pass"):
        tt.testing.check_scheduler(scheduler(sleeps), slowest_ms=1.0)
    tt.testing.check_scheduler(tt.FCFS(), slowest_ms=None)


def test_peeking_at_run_times_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A policy that has got hold of the workload by itself."""
    from thinktime.testing import policies

    made = policies._long_jobs
    known: dict[str, np.ndarray] = {}

    def remembered(factor: float) -> tt.Workload:
        known["run_s"] = made(factor)["run_s"]
        return made(factor)

    def peeks(now_s: float, queue: Any, running: Any, machine: Any) -> Any:
        rows = queue.row
        if "run_s" in known and len(known["run_s"]) > rows.max():
            rows = rows[known["run_s"][rows] < 10_000] if len(running) else rows
        return rows[np.cumsum(queue.processors[np.isin(queue.row, rows)]) <= machine.free]

    monkeypatch.setattr(policies, "_long_jobs", remembered)
    with pytest.raises(AssertionError, match="it depends on real run times"):
        tt.testing.check_scheduler(scheduler(peeks), slowest_ms=None)


def allocator(answer: Any, adds_up: bool = True) -> tt.OwnAllocator:
    def place(self: Any, job: Any, units: int, nodes: Any) -> Any:
        return answer(job, units, nodes)

    return type("Mine", (tt.OwnAllocator,), {"place": place, "adds_up": adds_up})()


def overwrites(job: Any, units: int, nodes: Any) -> Any:
    nodes.units.flags.writeable = True
    nodes.units[:] = 0
    return nodes.node


@pytest.mark.parametrize("name", ["FirstFit", "BestFit", "WorstFit", "Contiguous", "Random"])
def test_built_in_allocators_pass(name: str) -> None:
    tt.testing.check_allocator(getattr(tt, name)())


def test_an_allocator_in_python_passes() -> None:
    tt.testing.check_allocator(allocator(lambda job, units, nodes: nodes.node[::-1]))


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        (allocator(lambda *_: [99]), "chose node 99, without room"),
        (allocator(lambda *_: None), "found no nodes for the job in row"),
        (allocator(lambda *_: None, adds_up=False), "waiting forever"),
        (allocator(lambda job, units, nodes: (nodes.node, nodes.units)), "units of the job in row"),
        (allocator(lambda job, units, nodes: np.roll(nodes.node, next(_calls))), "to the same question"),
        (allocator(overwrites), "it writes into nodes.units, which is the engine's"),
    ],
)
def test_what_is_wrong_with_an_allocator_is_said(policy: Any, sentence: str) -> None:
    with pytest.raises(AssertionError) as error:
        tt.testing.check_allocator(policy)
    assert sentence in str(error.value)
    assert str(error.value).startswith("Mine() under FCFS()")


for _kind, _base in (("scheduler", tt.OwnScheduler), ("allocator", tt.OwnAllocator)):  # other tests go through these
    for _name in [name for name, cls in REGISTRY[_kind].items() if issubclass(cls, _base)]:
        del REGISTRY[_kind][_name]


def test_policies_that_read_attributes() -> None:
    class RedFirst(tt.OwnScheduler, columns=("colour", "gpus")):
        def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> Any:
            order = np.argsort(queue.colour != "red", kind="stable")
            fits = np.cumsum(queue.processors[order]) <= machine.free
            return queue.row[order[: int(fits.argmin()) if not fits.all() else len(fits)]]

    class ByColour(tt.OwnAllocator, columns=("colour",)):
        def place(self, job: Any, units: int, nodes: Any) -> Any:
            return nodes.node[::-1] if job.colour == "red" else nodes.node

    attributes: dict[str, Any] = {"colour": ["red", "blue", None], "gpus": [0, 1]}
    tt.testing.check_scheduler(RedFirst(), attributes=attributes)
    tt.testing.check_scheduler(tt.Easy(order=tt.key["colour"] == "red"), attributes=attributes, may_starve=True)
    tt.testing.check_allocator(ByColour(), attributes=attributes)
    with pytest.raises(AssertionError, match="reads the attribute 'colour', which difficult does not have"):
        tt.testing.check_scheduler(RedFirst())
