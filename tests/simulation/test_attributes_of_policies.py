"""Attributes in own allocators, plugins and user models, in memory and in streams."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import thinktime as tt

CLUSTER = tt.Cluster(groups=[{"name": "g", "nodes": 4, "core": 2}])
COLUMNS: dict[str, Any] = {"submit_s": [0, 0, 0, 9], "run_s": [10] * 4, "processors": [2] * 4, "user": [1, 2, 3, 4]}
ATTRIBUTES: dict[str, Any] = {
    "colour": ["red", "blue", None, "red"],
    "urgent": [True, False, None, True],
    "gpus": [1, 2, None, 0],
}


def workload() -> tt.Workload:
    return tt.Workload.from_columns(**COLUMNS, attributes=ATTRIBUTES)


def blocks() -> list[dict[str, Any]]:
    given = {**COLUMNS, **ATTRIBUTES}
    return [{name: values[part] for name, values in given.items()} for part in (slice(0, 1), slice(1, 4))]


SEEN: list[Any] = []


class ByColour(tt.OwnAllocator, columns=("colour", "urgent", "gpus", "user")):
    """Red jobs on the last nodes."""

    def place(self, job: Any, units: int, nodes: Any) -> Any:
        SEEN.append((job.row, job.colour, job.urgent, job.gpus, job.user))
        return nodes.node[::-1] if job.colour == "red" else nodes.node


@pytest.mark.parametrize("scheduler", ["easy", "conservative", "priority:key=-column(gpus)"])
def test_an_allocator_reads_attributes(scheduler: str) -> None:
    SEEN.clear()
    run = tt.simulate(workload(), CLUSTER, scheduler, allocator=ByColour())
    first = {row: values for row, *values in SEEN}
    assert first[0] == ["red", True, 1.0, 1.0]
    assert first[2][:2] == [None, False]
    assert np.isnan(first[2][2])
    assert run.jobs["nodes"].to_list()[0] == "g-3"
    assert run.jobs["nodes"].to_list()[3].startswith("g-")


def test_an_allocator_reads_attributes_in_a_stream(tmp_path: Any) -> None:
    run = tt.simulate(workload(), CLUSTER, "easy", allocator=ByColour())
    tt.simulate_stream(blocks(), CLUSTER, "easy", tmp_path / "run", allocator=ByColour())
    streamed = tt.Result.load(tmp_path / "run")
    assert streamed.digest == run.digest
    assert streamed.jobs.sort("job").select("job", "nodes", "colour").equals(run.jobs.select("job", "nodes", "colour"))


def test_an_allocator_says_what_is_wrong() -> None:
    class Unasked(tt.OwnAllocator):
        def place(self, job: Any, units: int, nodes: Any) -> Any:
            return nodes.node if job.colour else None

    with pytest.raises(tt.InputError, match="the job's colour is not available: add it to columns="):
        tt.simulate(workload(), CLUSTER, "easy", allocator=Unasked())
    log = tt.Workload.from_columns(**COLUMNS)
    with pytest.raises(tt.InputError, match="allocator by-colour reads the attribute 'colour'"):
        tt.simulate(log, CLUSTER, "easy", allocator=ByColour())
    with pytest.raises(tt.InputError, match="column 'run_s' in columns of Wrong"):

        class Wrong(tt.OwnAllocator, columns=("run_s",)):
            pass


class RedLater(tt.OwnPlugin):
    """Holds the nodes of red jobs for five seconds before they run."""

    def start(self, context: Any) -> Any:
        class Behaviour:
            colours = context.workload.texts("colour")
            gpus = context.workload["gpus"]

            def delay(self, system: Any, job: int) -> float:
                return 5.0 + self.gpus[job] if self.colours[job] == "red" else 0.0

        return Behaviour()


def test_a_plugin_reads_attributes(tmp_path: Any) -> None:
    run = tt.simulate(workload(), CLUSTER, "fcfs", plugins=[RedLater()])
    assert run.columns["overhead_s"].tolist() == [6, 0, 0, 5]
    tt.simulate_stream(blocks(), CLUSTER, "fcfs", tmp_path / "run", plugins=[RedLater()])
    streamed = tt.Result.load(tmp_path / "run").jobs.sort("job")
    assert streamed["overhead_s"].to_list() == [6, 0, 0, 5]


def test_users_read_attributes() -> None:
    class Behaviour:
        def __init__(self, log: tt.Workload) -> None:
            self.log = log

        def begin(self) -> Any:
            late = self.log.texts("colour") == "red"
            return list(enumerate(np.where(late, 100.0, 0.0)))

        def ended(self, job: int, time_s: float, status: str) -> Any:
            return ()

    class RedUsersSleepIn(tt.OwnUsers):
        def start(self, workload: tt.Workload, seed: int) -> Any:
            return Behaviour(workload)

    run = tt.simulate(workload(), CLUSTER, "fcfs", users=RedUsersSleepIn())
    assert run.columns["submit_s"].tolist() == [100, 0, 0, 100]
