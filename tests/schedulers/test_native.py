"""Compiled functions as keys: they sort as the expression that says the same; anything else is refused."""

from __future__ import annotations

import ctypes
import json
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from reference import Job
from tests.effort import examples
from tests.engine.workloads import jobs, rules, run_engine
from thinktime.errors import InputError
from thinktime.schedulers.native import ARGUMENTS, SIGNATURE, signature_of
from thinktime.spec import from_dict

k = tt.key
FIVE = ctypes.CFUNCTYPE(ctypes.c_double, *[ctypes.c_double] * 5)


@numba.cfunc(SIGNATURE)
def weighted(now_s: float, submit_s: float, estimate_s: float, processors: float, user: float) -> float:
    return -(now_s - submit_s) * 2.0 + estimate_s / processors


@numba.cfunc(SIGNATURE)
def widest(now_s: float, submit_s: float, estimate_s: float, processors: float, user: float) -> float:
    return -processors


@numba.cfunc(SIGNATURE)
def patient(now_s: float, submit_s: float, estimate_s: float, processors: float, user: float) -> float:
    return now_s - submit_s >= 3.0 * user


@numba.cfunc(SIGNATURE)
def no_number(now_s: float, submit_s: float, estimate_s: float, processors: float, user: float) -> float:
    return np.nan


SAME = {
    "easy": (
        tt.Easy(order=tt.native(weighted), backfill_order=tt.native(widest, dynamic=False)),
        tt.Easy(order=-k.wait * 2 + k.estimate / k.processors, backfill_order=-k.processors),
    ),
    "priority": (
        tt.Priority(key=tt.native(widest), eligible=tt.native(patient)),
        tt.Priority(key="largest", eligible=k.wait >= 3 * k.user),
    ),
    "static": (tt.Priority(key=tt.native(widest, dynamic=False), skip=True), tt.Priority(key="largest", skip=True)),
    "nan": (tt.Priority(key=tt.native(no_number)), tt.FCFS()),
}


@pytest.mark.parametrize("name", SAME)
@examples(150)
@given(jobs(), st.integers(2, 8), rules())
def test_a_function_sorts_as_the_expression_that_says_the_same(
    name: str, workload: list[Job], processors: int, rules: dict[str, Any]
) -> None:
    workload = sorted(workload, key=lambda job: job.submit)
    compiled, composed = (run_engine(workload, processors, scheduler, **rules) for scheduler in SAME[name])
    assert np.array_equal(compiled.columns["start_s"], composed.columns["start_s"], equal_nan=True)


@numba.cfunc(signature_of([*ARGUMENTS, "gpus", "urgent", "weight"]))
def by_attributes(
    now_s: float,
    submit_s: float,
    estimate_s: float,
    processors: float,
    user: float,
    gpus: float,
    urgent: float,
    w: float,
) -> float:
    return gpus * 100.0 - urgent * 10.0 + w


@numba.cfunc(signature_of([*ARGUMENTS, "gpus"]))
def by_gpus(now_s: float, submit_s: float, estimate_s: float, processors: float, user: float, gpus: float) -> float:
    return -gpus


def test_functions_get_columns(tmp_path: Path) -> None:
    usual: dict[str, Any] = {"submit_s": [0.0] * 4, "run_s": [5.0] * 4, "processors": [1.0] * 4}
    own = {"gpus": [1, 0, 2, None], "urgent": [True, False, True, True], "weight": [0.5, 0.0, 0.0, 1.0]}
    log = tt.Workload.from_columns(**usual, attributes={**own, "colour": ["a", "b", "c", "d"]})
    for key, expression in (
        (tt.native(by_gpus, columns="gpus", dynamic=False), -k["gpus"]),
        (
            tt.native(by_attributes, columns=("gpus", "urgent", "weight")),
            k["gpus"] * 100 - k["urgent"] * 10 + k["weight"],
        ),
    ):
        run, expected = (tt.simulate(log, 1, tt.Priority(key=each)) for each in (key, expression))
        assert run.columns["start_s"].tolist() == expected.columns["start_s"].tolist()
        tt.simulate_stream([{**usual, **own}], 1, tt.Priority(key=key), tmp_path / key.name)
        streamed = tt.Result.load(tmp_path / key.name).jobs.sort("job")
        assert streamed["start_s"].to_list() == run.columns["start_s"].tolist()
    assert repr(tt.native(by_gpus, columns="gpus")) == "native(by_gpus, columns=('gpus',))"
    with pytest.raises(InputError, match="computes with colour, which holds texts"):
        tt.simulate(log, 1, tt.Priority(key=tt.native(by_gpus, columns="colour")))
    with pytest.raises(InputError, match=r"of now_s, submit_s, estimate_s, processors, user$"):
        tt.native(by_gpus)
    with pytest.raises(InputError, match="give at most 3"):
        tt.native(by_gpus, columns=("a", "b", "c", "d"))


def test_a_pointer_of_ctypes() -> None:
    pointer = FIVE(lambda now, submit, estimate, processors, user: -user)
    log = tt.Workload.from_columns(submit_s=[0, 0, 0], run_s=[1, 1, 1], processors=[1, 1, 1], user=[1, 3, 2])
    run = tt.simulate(log, tt.Machine(processors=1), tt.Priority(key=tt.native(pointer)))
    assert run.columns["start_s"].tolist() == [2, 0, 1]


def test_they_print_and_are_distinguished() -> None:
    spec = tt.Priority(key=tt.native(widest, dynamic=False))
    assert repr(spec) == "Priority(key=native(widest, dynamic=False))"
    assert spec == tt.Priority(key=tt.native(widest, dynamic=False)) != tt.Priority(key=tt.native(widest))
    assert hash(spec) == hash(tt.Priority(key=tt.native(widest, dynamic=False)))
    said = json.loads(json.dumps(spec.to_dict()))["key"]
    assert said.startswith("native(widest, dynamic=False) ")
    assert len(said.split()[-1]) == 16  # of the source's hash
    assert tt.Priority(key=tt.native(weighted)).to_dict() != tt.Priority(key=tt.native(no_number)).to_dict()


def test_what_run_json_says_reads_back_in_the_process_that_said_it() -> None:
    said = tt.Priority(key=tt.native(widest), eligible=tt.native(patient)).to_dict()
    assert from_dict("scheduler", said) == tt.Priority(key=tt.native(widest), eligible=tt.native(patient))
    with pytest.raises(InputError, match="compiled function of another process: make the spec in Python"):
        from_dict("scheduler", {**said, "key": "native(widest) 0123456789abcdef"})


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (lambda *_: 0.0, "<lambda> has no address: compile it with @numba.cfunc"),
        (3, "function has no address"),
        (numba.cfunc("float64(float64)")(lambda x: x), r"has the signature float64(float64): it must be float64("),
        (numba.cfunc("int64(float64, float64, float64, float64, float64)")(lambda a, b, c, d, e: 1), "int64(float64"),
        (ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 3), "has the signature c_int(): it must be"),
        (ctypes.CDLL(None).abs, "has the signature c_int(not declared): it must be"),
    ],
)
def test_sentences(function: Any, sentence: str) -> None:
    with pytest.raises(InputError) as error:
        tt.native(function)
    assert sentence in str(error.value)


def test_a_function_that_is_not_deterministic_is_reported() -> None:
    """A key must not depend on anything but its arguments: the queue would lose who is in it."""
    calls = iter(range(10**6))
    pointer = FIVE(lambda *_: float(next(calls) * 7919 % 101))
    scheduler = tt.Easy(order="arrival", backfill_order=tt.native(pointer, dynamic=False))
    log = tt.Workload.from_columns(
        submit_s=np.arange(60), run_s=[50] * 60, processors=[1, 3] * 30, requested_time_s=[100] * 60
    )
    with pytest.raises(RuntimeError, match="key changed within an instant"):
        tt.simulate(log, tt.Machine(processors=4), scheduler)
