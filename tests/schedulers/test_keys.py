"""Composed keys: they print as themselves, mean what they say, and give the engine's numbers to the last bit."""

from __future__ import annotations

import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from reference import Job
from reference.formula import value
from reference.job import Task
from reference.orders import key as key_of
from tests.effort import examples
from tests.engine.agreement import assert_agreement
from tests.engine.workloads import expressions, jobs, rules, run_engine
from thinktime import _engine
from thinktime.errors import InputError
from thinktime.schedulers.key_text import read_key
from thinktime.schedulers.keys import KEYS, Key, postfix, published_values
from thinktime.schedulers.orders import ORDERS
from thinktime.spec import parse
from thinktime.traces.column_uses import COLUMNS

k = tt.key

#: The orders that have a formula, spelt out.
SPELT = {
    "estimate": k.estimate + 0,
    "longest": -k.estimate,
    "deadline": k.submit + 3 * k.estimate,
    "smallest": k.processors,
    "largest": -k.processors,
    "smallest-area": k.processors * k.estimate,
    "largest-area": -k.area,
    "wait": -k.wait,
    "expansion": k.where(k.estimate == 0, -1e300, -((k.wait + k.estimate) / k.estimate)),
    "wfp3": -(k.wait / k.estimate * (k.wait / k.estimate) * (k.wait / k.estimate) * k.processors),
    "unicef": -(k.wait / (k.log2(k.processors) * k.estimate)),
    "f1": k.log10(k.estimate) * k.processors + 870 * k.log10(k.submit),
    "f2": k.sqrt(k.estimate) * k.processors + 25600 * k.log10(k.submit),
    "f3": k.estimate * k.processors + 6860000 * k.log10(k.submit),
    "f4": k.estimate * k.sqrt(k.processors) + 530000 * k.log10(k.submit),
}


def test_every_order_is_spelt() -> None:
    assert {*SPELT, "arrival"} == set(ORDERS)


@pytest.mark.parametrize("name", SPELT)
@examples(60)
@given(jobs(), st.integers(2, 8), rules())
def test_an_expression_is_the_order_that_it_spells(
    name: str, workload: list[Job], processors: int, rules: dict[str, Any]
) -> None:
    workload = sorted(workload, key=lambda job: job.submit)
    named, composed = (
        run_engine(workload, processors, tt.Easy(order=order, deadline_factor=3), **rules)
        for order in (name, SPELT[name])
    )
    assert named.columns["start_s"].tolist() == pytest.approx(composed.columns["start_s"].tolist(), nan_ok=True, abs=0)


@examples(500)
@given(expressions())
def test_the_text_reads_back_as_itself(expression: Key) -> None:
    again = read_key(repr(expression))
    assert repr(again) == repr(expression)
    assert postfix(again) == postfix(expression)
    assert repr(pickle.loads(pickle.dumps(expression))) == repr(expression)


@examples(400)
@given(jobs(most=12), st.integers(2, 8), expressions(), expressions(), rules())
def test_any_expression_agrees_with_the_reference(
    workload: list[Job], processors: int, order: Key, backfill: Key, rules: dict[str, Any]
) -> None:
    assert_agreement(workload, processors, tt.Easy(order=order, backfill_order=backfill), **rules)
    assert_agreement(workload, processors, tt.Priority(key=order, eligible=backfill), **rules)


TIME = st.one_of(st.integers(-5, 10**7).map(float), st.floats(0, 1e9))


@examples(1000)
@given(expressions(), TIME, TIME, st.integers(1, 10**6), TIME, st.sampled_from([0.5, 1.0, 3.0]))
def test_the_engines_numbers_are_the_references_to_the_last_bit(
    expression: Key, submit: float, estimate: float, processors: int, now: float, factor: float
) -> None:
    task = Task(0, submit, processors, estimate, 1.0, estimate, False, user=2)
    order = f"= {postfix(expression)}"
    arrays = (np.array([float(each)]) for each in (submit, estimate, processors, 2))
    (found,) = _engine.order_keys(order, factor, *arrays, now)  # type: ignore[call-arg, arg-type]
    assert (found, math.copysign(1, found)) == (
        expected := key_of(order, task, now, factor),
        math.copysign(1, expected),
    )


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (k.wait / k.estimate * 2 - k.log10(k.processors), "wait / estimate * 2 - log10(processors)"),
        (-(k.wait**2), "-wait ** 2"),
        ((-k.wait) ** 2, "(-wait) ** 2"),
        (2 ** (k.wait - 1), "2 ** (wait - 1)"),
        ((-2.0) ** k.wait, "(-2) ** wait"),
        (k.now - (k.submit - 3), "now - (submit - 3)"),
        (k.area / (k.wait * 0.1), "area / (wait * 0.1)"),
        (k.where(k.queue == 1, 0, abs(k.user)), "where(queue == 1, 0, abs(user))"),
        (k.minimum(k.wait, 60, k.estimate), "min(min(wait, 60), estimate)"),
        (k.maximum(1e20, k.exp(-k.wait)), "max(1e+20, exp(-wait))"),
        ((k.wait > 60) * (k.processors <= 4), "(wait > 60) * (processors <= 4)"),
        (k.floor(k.wait / 60), "floor(wait / 60)"),
    ],
)
def test_prints_as_one_would_type_it(expression: Key, text: str) -> None:
    assert repr(expression) == text
    assert repr(read_key(text)) == text


def test_a_spec_holds_the_text() -> None:
    spec = tt.Priority(key=k.wait / k.estimate)
    assert repr(spec) == "Priority(key='wait / estimate')"
    assert spec == tt.Priority(key="wait/estimate") == parse("scheduler", "priority:key=wait/estimate")
    assert spec.to_dict()["key"] == "wait / estimate"
    assert parse("scheduler", "easy:order=where(wait>=60, 0, min(estimate,9)),recompute=false") == tt.Easy(
        order=k.where(k.wait >= 60, 0, k.minimum(k.estimate, 9)), recompute=False
    )


def test_a_bare_key_is_not_the_order_of_the_same_name() -> None:
    """The order `wait` is by −wait; the key `wait` grows with the wait."""
    assert repr(tt.Priority(key=k.wait)) == "Priority(key='(wait)')"
    assert tt.Priority(key=k.wait) == tt.Priority(key="(wait)") == parse("scheduler", "priority:key=(wait)")
    assert tt.Priority(key=k.wait) != tt.Priority(key="wait")
    assert tt.Priority(key=k.estimate) == tt.Priority(key="sjf")
    assert tt.Priority(key=k.area) == tt.Priority(key="saf")


def test_columns_of_the_log() -> None:
    log = tt.Workload.from_columns(
        submit_s=[0, 1, 2, 3], run_s=[9, 9, 9, 9], processors=[2, 2, 2, 2], user=[1, 1, 7, 5], queue=[0, 3, 1, 2]
    )
    machine = tt.Machine(processors=2)
    by_queue = tt.simulate(log, machine, tt.Priority(key=k.queue))
    assert np.argsort(by_queue.columns["start_s"]).tolist() == [0, 2, 3, 1]
    only = tt.simulate(log, machine, tt.Priority(key="fcfs", eligible=k.user >= 5))
    assert only.columns["start_s"].tolist() == pytest.approx([np.nan, np.nan, 2, 11], nan_ok=True)


def test_a_condition_that_comes_to_hold_is_asked_again() -> None:
    log = tt.Workload.from_columns(submit_s=[0], run_s=[5], processors=[1])
    run = tt.simulate(log, tt.Machine(processors=1), tt.Priority(key="fcfs", eligible=k.wait > 100))
    assert run.columns["start_s"].tolist() == [180]  # after 60 s and 120 s more
    assert tt.check(run) == []


def test_many_passes_in_vain_do_not_tire_it() -> None:
    submit = [*range(0, 300, 3)]
    log = tt.Workload.from_columns(submit_s=submit, run_s=[5] * 100, processors=[1] * 100)
    run = tt.simulate(log, tt.Machine(processors=100), tt.Priority(key="fcfs", eligible=k.now > 1000))
    assert np.unique(run.columns["start_s"]).tolist() == [297 + 60 * 15]


def test_not_a_number_counts_as_zero() -> None:
    log = tt.Workload.from_columns(submit_s=[0, 0, 0, 0], run_s=[9] * 4, processors=[1] * 4, queue=[math.nan, -1, 1, 0])
    run = tt.simulate(log, tt.Machine(processors=1), tt.Priority(key=k.queue))
    assert run.columns["start_s"].tolist() == [9, 0, 27, 18]


def test_a_stream_has_columns(tmp_path: Any) -> None:
    users = [1, 9, 5, 2]
    log = tt.Workload.from_columns(
        submit_s=[0, 1, 2, 3], run_s=[5] * 4, processors=[1] * 4, allocated_processors=[1] * 4, user=users
    )
    tt.write_swf(log, tmp_path / "a.swf")
    stream = tt.stream_swf(tmp_path / "a.swf")
    tt.simulate_stream(stream, tt.Machine(processors=1), tt.Priority(key=-k.user), tmp_path / "run")
    run = tt.Result.load(tmp_path / "run")
    assert run.columns["user"][np.argsort(run.columns["start_s"])].tolist() == [1, 9, 5, 2]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("colour == 'red'", "no key is called 'colour'; an attribute of the log is column(colour)"),
        ("wiat + 1", "no key is called 'wiat' (did you mean 'wait'?)"),
        ("wait +", "it is not an expression"),
        ("log(wait)", "no function is called 'log' (did you mean 'log2'?)"),
        ("log2(wait, 2)", "log2 takes 1 argument (got 2)"),
        ("where(wait)", "where takes 3 arguments (got 1)"),
        ("0 < wait < 9", "is not arithmetic"),
        ("wait and 1", "is not arithmetic"),
        ("__import__('os')", "is not a number"),
        ("wait.real", "is not arithmetic"),
        ("'wait'", "is not a number"),
        ("1 + True", "True is not a number"),
        ("1j", "finite numbers"),
        ("1e999", "finite numbers"),
        ("(" * 500 + "wait" + ")" * 500, "it is not an expression"),
        ("wait + " * 400 + "1", "too long"),
        ("wait-(" * 70 + "1" + ")" * 70, "nested more than 64 deep"),
    ],
)
def test_sentences(text: str, sentence: str) -> None:
    with pytest.raises(InputError) as error:
        tt.Priority(key=text)
    assert sentence in str(error.value)
    assert "key of priority" in str(error.value)


def test_expressions_are_data() -> None:
    with pytest.raises(InputError, match="has no truth value"):
        bool(k.wait > 3)
    with pytest.raises(AttributeError, match="did you mean 'wait'"):
        k.wiat  # noqa: B018
    with pytest.raises(AttributeError, match="does not change"):
        k.wait.op = "now"
    with pytest.raises(InputError, match="finite numbers"):
        k.wait + "3"
    with pytest.raises(InputError, match="finite numbers"):
        k.wait * math.inf
    functions = ["log2", "log10", "sqrt", "exp", "floor", "minimum", "maximum", "where", "value"]
    assert dir(k) == sorted([*KEYS, *COLUMNS, *published_values(), *functions])


def test_the_reference_computes_what_c_computes() -> None:
    known = {"wait": 0.0}
    assert value("1 wait /", known) == math.inf
    assert value("-1 wait /", known) == -math.inf
    assert math.isnan(value("wait wait /", known))
    assert value("1e200 2 **", known) == math.inf
    assert value("-1e200 3 **", known) == -math.inf
    assert value("0 -1 **", known) == math.inf
    assert math.isnan(value("-8 0.5 **", known))
    assert value("1000 exp", known) == math.inf


def test_easy_skips_jobs_that_are_not_eligible() -> None:
    """The wide job comes first but may not be considered before 100 s: it has no reservation, so the long
    one starts at once, which EASY would not have allowed. When its time comes it waits for the long one to end."""
    log = tt.Workload.from_columns(
        submit_s=[0, 1, 2, 3], run_s=[50, 10, 200, 5], processors=[2, 4, 2, 1], requested_time_s=[50, 10, 200, 5]
    )
    machine = tt.Machine(processors=4)
    wide_later = (k.processors < 4) + (k.now >= 100)
    assert tt.simulate(log, machine, tt.Easy()).columns["start_s"].tolist() == [0, 50, 60, 3]
    assert tt.simulate(log, machine, tt.Easy(eligible=wide_later)).columns["start_s"].tolist() == [0, 202, 2, 50]


def test_easy_asks_again_when_nothing_else_is_left() -> None:
    log = tt.Workload.from_columns(submit_s=[0], run_s=[10], processors=[1])
    run = tt.simulate(log, tt.Machine(processors=100), tt.Easy(eligible=k.now > 1000))
    assert run.columns["start_s"].tolist() == [60.0 * (2**5 - 1)]
    never = tt.simulate(log, tt.Machine(processors=100), tt.Easy(eligible=k.now < 0))
    assert never.jobs["status"].to_list() == ["unfinished"]
    assert tt.check(run) == []
    assert [each.rule for each in tt.check(never)] == ["no job lost"]


def test_eligible_streamed_is_eligible_whole(tmp_path: Path) -> None:
    log = tt.default_workload(jobs=600)
    tt.write_swf(log, tmp_path / "log.swf")
    machine, scheduler = tt.Machine(processors=128), tt.Easy(eligible=k.wait + 60 > 3600 * (k.processors > 32))
    whole = tt.simulate(tt.read_swf(tmp_path / "log.swf"), machine, scheduler)
    tt.simulate_stream(tt.stream_swf(tmp_path / "log.swf", block_bytes=2048), machine, scheduler, tmp_path / "run")
    streamed = tt.Result.load(tmp_path / "run")
    assert (
        streamed.columns["start_s"][np.argsort(streamed.columns["job"])].tolist() == whole.columns["start_s"].tolist()
    )
    assert whole.columns["start_s"].tolist() != tt.simulate(log, machine, tt.Easy()).columns["start_s"].tolist()


def test_eligible_does_not_go_with_compat() -> None:
    with pytest.raises(InputError, match="compat fixes every other option"):
        tt.Easy(compat="accasim-1.0", eligible="wait > 3")
