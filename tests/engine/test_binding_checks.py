"""Arrays that break a rule are an InputError where they enter the engine."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from thinktime import _engine
from thinktime.errors import InputError

INF, NAN = float("inf"), float("nan")


def whole(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64)


def numbers(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float64)


def place_cores(**changes: Any) -> Any:
    usual = {"row": whole(0, 1), "node": whole(0, 1), "cores": whole(2, 2), "on_node": whole(4, 4)}
    times = {"start_s": numbers(0, 0), "end_s": numbers(5, 5)}
    return _engine.place_cores(**{**usual, **times, **changes})


@pytest.mark.parametrize(
    "changes",
    [
        {"node": whole(-1, 1)},
        {"node": whole(0, 2)},
        {"node": whole(0)},
        {"row": whole(0, 2)},
        {"row": whole(-1, 0)},
        {"cores": whole(5, 2)},
        {"cores": whole(-2, 2)},
        {"cores": whole(2**32, 2)},
        {"node": whole(0, 0), "cores": whole(3, 3)},
        {"on_node": whole(-1, 4)},
        {"on_node": whole(2**31, 4)},
        {"start_s": numbers(NAN, 0)},
        {"end_s": numbers(5)},
    ],
)
def test_cores_of_a_finished_schedule(changes: dict[str, Any]) -> None:
    assert place_cores()["first"].tolist() == [0, 4]
    with pytest.raises(InputError):
        place_cores(**changes)


def show(**changes: Any) -> Any:
    jobs = {"row": whole(0), "processors": whole(2), "each_s": numbers(10), "core": whole(0, 1)}
    usual = {**jobs, "start_s": numbers(0), "limit_s": numbers(INF)}
    return _engine.Loops({"name": "loop", "technique": "static"}).show(**{**usual, **changes})


@pytest.mark.parametrize(
    "changes",
    [
        {"processors": whole(-1)},
        {"processors": whole(0)},
        {"processors": whole(3)},
        {"processors": whole(2**40)},
        {"each_s": numbers(INF)},
        {"each_s": numbers(NAN)},
        {"each_s": numbers(-1)},
        {"each_s": numbers()},
        {"start_s": numbers(NAN)},
        {"limit_s": numbers(NAN)},
        {"limit_s": numbers()},
        {"row": whole(-1)},
        {"core": whole(0, -1)},
        {"core": whole(0, 2**40)},
    ],
)
def test_tasks_played_again(changes: dict[str, Any]) -> None:
    assert len(show()["task"]) == 2
    with pytest.raises(InputError):
        show(**changes)


@pytest.mark.parametrize(
    "plan",
    [
        {"given": True, "task_s": numbers(1), "task_start": whole()},
        {"given": True, "task_s": numbers(-1), "task_start": whole(0, 1)},
        {"given": True, "task_s": numbers(1), "task_start": whole(0, 2)},
        {"unequal": True, "speeds": numbers(0)},
        {"unequal": True, "speeds": numbers(NAN)},
        {"tasks_per_core": 0.0},
        {"tasks_per_core": 1e18},
        {"variation": -1.0},
        {
            "slowed": True,
            "slow_from_s": numbers(0),
            "slow_until_s": numbers(1),
            "slow_factor": numbers(1),
            "slow_first": whole(),
        },
    ],
)
def test_plans_of_loops(plan: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        _engine.Loops({"name": "loop", "technique": "static", **plan})


def promises(**changes: Any) -> Any:
    times = {"submit": numbers(0, 0), "start": numbers(0, 0), "end": numbers(5, 5)}
    nodes = {"row": whole(0, 1), "first": whole(0, 1), "nodes": whole(1, 1), "units": whole(1, 1)}
    usual = {**times, "expected_end": numbers(5, 5), "processors": whole(1, 1), "capacity": whole(4, 4), **nodes}
    kind = {"resources": 1, "unit": whole(1, 1), "neighbours": False}
    return _engine.easy_promises_on_nodes(**{**usual, **kind, **changes})


@pytest.mark.parametrize(
    "changes",
    [
        {"first": whole(-1, 1)},
        {"first": whole(2, 1)},
        {"first": whole(2**63 - 1, 1)},
        {"nodes": whole(2**63 - 1, 1)},
        {"nodes": whole(0, 1)},
        {"nodes": whole(1)},
        {"units": whole(1)},
        {"units": whole(2**40, 1)},
        {"row": whole(0, 2)},
        {"resources": 0},
        {"unit": whole(2**62, 1)},
        {"capacity": whole(-1, 4)},
        {"processors": whole(0, 1)},
        {"processors": whole(2**40, 1)},
        {"start": numbers(NAN, 0)},
        {"end": numbers(5)},
    ],
)
def test_promises_on_nodes(changes: dict[str, Any]) -> None:
    assert len(promises()) == 2
    with pytest.raises(InputError):
        promises(**changes)


@pytest.mark.parametrize("bad", [{"processors": np.array([0], np.int32)}, {"end": numbers(NAN)}, {"machine": -1}])
def test_promises_of_a_counted_machine(bad: dict[str, Any]) -> None:
    times = {"submit": numbers(0), "start": numbers(0), "end": numbers(5), "expected_end": numbers(5)}
    with pytest.raises(InputError):
        _engine.easy_promises(**{**times, "processors": np.array([1], np.int32), "machine": 4, **bad})


def run() -> Any:
    rules: dict[str, Any] = {"same_instant": _engine.SameInstant.batch, "overrun": _engine.Overrun.extend, "speed": 1.0}
    kept: dict[str, Any] = {"keep_timeline": True, "keep_jobs": True}
    return _engine.Run(processors=4, scheduler="fcfs", options={}, **rules, **kept)


@pytest.mark.parametrize(
    "job", [(NAN, 1, 1, 1), (0, -1, 1, 1), (0, INF, 1, 1), (0, NAN, 1, 1), (0, 1, NAN, 1), (0, 1, -1, 1), (0, 1, 1, 0)]
)
def test_jobs_of_a_simulation(job: tuple[float, float, float, int]) -> None:
    *times, processors = job
    with pytest.raises(InputError):
        run().load(*map(numbers, times), np.array([processors], np.int32))


def test_a_calendar_needs_nodes() -> None:
    one = {"first": whole(0), "nodes": whole(1), "start": numbers(0), "end": numbers(1), "owner": whole(0)}
    with pytest.raises(InputError, match="cluster"):
        run().add_closures(**one)
    with pytest.raises(InputError, match="cluster"):
        run().set_owners(row=whole(0), owner=whole(1))


def test_spellings_inside_their_text() -> None:
    fields, line = [numbers(1)] * 18, numbers(1)
    bad = (whole(1), np.array([0], np.uint8), whole(9), b"12")
    with pytest.raises(InputError, match="spelling"):
        _engine.swf_format(fields, line, *bad)


def test_an_address_that_was_not_given_is_not_called() -> None:
    """An address in a text is one of this process only if `tt.native` was given the function."""
    with pytest.raises(InputError, match=r"tt\.native"):
        _engine.order_keys("@ 4096 dynamic", 1.0, numbers(0), numbers(1), numbers(1), numbers(1), 0.0)
