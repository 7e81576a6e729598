"""Comparing objects that hold arrays gives True or False."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import pkgutil
import re
from typing import Any

import numpy as np
import pytest

import thinktime as tt
from tests.traces.lines import HEADER, job, write
from thinktime.support.equality import same


@pytest.fixture
def pair(tmp_path) -> tuple[Any, Any]:
    text = HEADER + "".join(job(k + 1, 100 * k, f12=k % 3 + 1) for k in range(60))
    return tuple(tt.read_swf(write(tmp_path, text)) for _ in range(2))  # type: ignore[return-value]


def test_workloads(pair: tuple[Any, Any]) -> None:
    one, other = pair
    assert one == one
    assert one == other
    assert (one != other) is False
    assert hash(one) == hash(other)
    assert {one: 1}[other] == 1
    assert one != one.select(np.arange(10))
    assert one != dataclasses.replace(one, name="another")
    assert one != dataclasses.replace(one, columns={**one.columns, "run_s": one["run_s"] + 1})
    assert one != 3
    assert one != None  # noqa: E711
    assert one in [3, None, other]


def test_what_is_made_of_a_workload(pair: tuple[Any, Any]) -> None:
    one, other = pair
    machine, easy = tt.Machine(processors=8), tt.Easy()
    made = [
        lambda of: tt.describe(of),
        lambda of: tt.sessions(of) if hasattr(tt, "sessions") else of,
        lambda of: tt.simulate(of, machine, easy),
        lambda of: tt.simulate(of, machine, easy).summary(),
        lambda of: tt.Simulation(of, machine, easy).state,
        lambda of: of.header,
    ]
    for make in made:
        assert make(one) == make(other)
        assert make(one) != 3
        hash(make(one))


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (np.array([1.0, np.nan]), np.array([1.0, np.nan]), True),
        (np.array([1.0]), np.array([1.0, 2.0]), False),
        (np.array([1.0]), 1.0, False),
        (np.array(["a"]), np.array(["a"]), True),
        ({"a": np.arange(3)}, {"a": np.arange(3)}, True),
        ({"a": 1}, {"b": 1}, False),
        ([np.arange(3), float("nan")], [np.arange(3), float("nan")], True),
        ([1], [1, 2], False),
    ],
)
def test_values(one: Any, other: Any, equal: bool) -> None:
    assert same(one, other) is equal


def test_no_dataclass_with_arrays_has_an_equality_that_raises() -> None:
    """The generated one compares tuples of fields, and an array in them is neither true nor false."""
    for module in pkgutil.walk_packages(tt.__path__, "thinktime."):
        if module.name.endswith(("__main__", "simgrid_worker")):
            continue
        for name, of in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            if dataclasses.is_dataclass(of) and of.__module__ == module.name:
                arrays = any(
                    re.search(r"ndarray", re.sub(r"Callable.*", "", str(each.type))) for each in dataclasses.fields(of)
                )
                assert not (arrays and of.__dataclass_params__.eq), f"{module.name}.{name}"  # type: ignore[attr-defined]
