"""Allocators written in Python: they place as the engine's do, see what they may, and are held to the rules."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from reference import Job
from reference.nodes import Cluster
from tests.effort import examples
from tests.engine.nodes import engine_of, on_nodes, placements_of
from tests.engine.workloads import jobs
from thinktime.errors import InputError
from thinktime.spec import REGISTRY, from_dict


class FirstInPython(tt.OwnAllocator, name="first-in-python"):
    def place(self, job: Any, units: int, nodes: Any) -> Any:
        return nodes.node


class BestInPython(tt.OwnAllocator, name="best-in-python"):
    def place(self, job: Any, units: int, nodes: Any) -> Any:
        return nodes.node[np.argsort(nodes.free.sum(axis=1), kind="stable")]


class ContiguousInPython(tt.OwnAllocator, name="contiguous-in-python"):
    adds_up: ClassVar[bool] = False

    def place(self, job: Any, units: int, nodes: Any) -> Any:
        breaks = np.flatnonzero(np.diff(nodes.node) > 1) + 1
        for run in np.split(np.arange(len(nodes.node)), breaks):
            if nodes.units[run].sum() >= units:
                before = np.cumsum(nodes.units[run]) - nodes.units[run]
                needed = run[before < units]
                return nodes.node[needed], np.minimum(nodes.units[run], units - before)[before < units]
        return None


OURS = {"first-fit": FirstInPython(), "best-fit": BestInPython(), "contiguous": ContiguousInPython()}


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    yield
    forget()


def forget() -> None:
    for name in [name for name, cls in REGISTRY["allocator"].items() if issubclass(cls, tt.OwnAllocator)]:
        del REGISTRY["allocator"][name]


@pytest.mark.parametrize("name", OURS)
@examples(150)
@given(st.data(), jobs(most=12, machine=5))
def test_they_place_as_the_engines_do(name: str, data: st.DataObject, workload: list[Job]) -> None:
    node = st.tuples(st.integers(0, 4), st.integers(0, 4)).map(list)
    capacity = data.draw(st.lists(node, min_size=1, max_size=5))
    cluster = Cluster(capacity, [], {"name": name}, 2)
    workload = sorted(data.draw(on_nodes(cluster, workload)), key=lambda job: job.submit)
    scheduler = data.draw(st.sampled_from([tt.FCFS(skip=True), tt.Easy(), tt.Conservative(), tt.Easy(order="wfp3")]))
    found = []
    for ours in (None, OURS[name]):
        engine = engine_of(workload, cluster, scheduler, platform=ours.live_options(0) if ours else {})
        engine.run(np.inf, 10**9)
        found.append((engine.jobs()["start_s"].tolist(), placements_of(engine, len(workload))))
    assert repr(found[0]) == repr(found[1])


def small() -> tuple[tt.Workload, tt.Cluster]:
    cluster = tt.Cluster(groups=[{"name": "a", "nodes": 3, "core": 2, "mem": 8}])
    return tt.Workload.from_columns(submit_s=[0, 0, 1], run_s=[5, 5, 5], processors=[1, 4, 2]), cluster


def policy(answer: Any, adds_up: bool = True) -> tt.OwnAllocator:
    def place(self: Any, job: Any, units: int, nodes: Any) -> Any:
        return answer(job, units, nodes)

    return type("Mine", (tt.OwnAllocator,), {"place": place, "adds_up": adds_up})()


def test_with_simulate() -> None:
    seen: list[Any] = []

    def look(job: Any, units: int, nodes: Any) -> Any:
        seen.append((job.row, job.unit.tolist(), units, nodes.node.tolist(), nodes.units.tolist(), nodes.free.tolist()))
        assert not any(array.flags.writeable for array in (*nodes, job.unit))
        return nodes.node[::-1]

    log, cluster = small()
    run = tt.simulate(log, cluster, tt.FCFS(), allocator=policy(look))
    assert seen[0] == (0, [1, 0], 1, [0, 1, 2], [1, 1, 1], [[2, 8], [2, 8], [2, 8]])
    assert seen[1][3:5] == ([0, 1, 2], [2, 2, 1])
    assert run.columns["start_s"].tolist() == [0, 0, 5]
    assert run.spec["allocator"]["name"] == "mine"
    assert tt.check(run) == []


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (
            lambda *_: None,
            "allocator mine found no nodes for the job in row 0 at 0 s: answer with nodes",
        ),
        (lambda *_: [7], "chose node 7, without room, for the job in row 0 at 0 s: choose from nodes.node"),
        (lambda *_: [0, 0], "chose a node twice for the job in row 0"),
        (lambda *_: [], "answered with [] for the job in row 0"),
        (lambda *_: 1, "answered with 1 for the job in row 0"),
        (lambda *_: [0.5], "give whole numbers"),
        (lambda job, units, nodes: [0] if job.row else [1], "chose nodes for 2 of the 4 units of the job in row 1"),
        (lambda *_: ([0], [2]), "put 2 units on node 0, where 1 fit, of the job in row 0"),
        (lambda *_: ([0, 1], [1, 1]), "placed 2 of the 1 units of the job in row 0"),
        (lambda *_: ([0], [0]), "put 0 units on node 0"),
        (lambda *_: ([0, 1], [1]), "different lengths"),
        (lambda *_: dict[str, int]()["x"], "allocator mine failed at 0 s with KeyError: 'x'"),
    ],
)
def test_wrong_answers_are_error_messages(answer: Any, sentence: str) -> None:
    log, cluster = small()
    with pytest.raises(InputError) as error:
        tt.simulate(log, cluster, tt.FCFS(), allocator=policy(answer))
    assert sentence in str(error.value)


def test_they_are_specs() -> None:
    REGISTRY["allocator"]["best-in-python"] = BestInPython
    data = json.loads(json.dumps(BestInPython().to_dict()))
    assert data["name"] == "best-in-python"
    assert from_dict("allocator", data) == BestInPython()
    with pytest.raises(InputError, match="another source"):
        from_dict("allocator", {**data, "source": "0"})
    with pytest.raises(InputError, match="reserved for the built-in BestFit"):

        class BestFit(tt.OwnAllocator):
            pass


forget()  # what this file has defined: other tests go through the registry
