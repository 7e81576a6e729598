"""Keys with attributes: they read back, agree with the reference, and name what is wrong."""

from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from reference import Job
from tests.effort import examples
from tests.engine.agreement import assert_agreement
from tests.engine.workloads import expressions, jobs, rules
from thinktime.errors import InputError
from thinktime.schedulers.key_text import read_key
from thinktime.schedulers.keys import Key, column_uses, postfix
from thinktime.spec import parse
from thinktime.traces.column_uses import ColumnUse

k = tt.key
COLOURS = ("red", "blue", 'a "b", c', "", "é)")


def workload(**attributes: Any) -> tt.Workload:
    given = {"colour": ["red", "blue", None, "red"], "gpus": [0, 2, 1, None], "urgent": [None, False, True, True]}
    return tt.Workload.from_columns(
        submit_s=[0, 0, 0, 0], run_s=[10] * 4, processors=[1] * 4, attributes={**given, **attributes}
    )


def order(key: Any, log: tt.Workload | None = None) -> list[int]:
    """The rows by start."""
    run = tt.simulate(log or workload(), 1, tt.Priority(key=key))
    return np.argsort(run.columns["start_s"], kind="stable").tolist()


def test_texts_are_compared() -> None:
    assert order(k["colour"] != "red") == [0, 3, 1, 2]
    assert order(k["colour"] == "red") == [1, 2, 0, 3]
    assert order("red" == k["colour"]) == [1, 2, 0, 3]  # noqa: SIM300
    assert order(k["colour"] == "unknown") == [0, 1, 2, 3]


def test_numbers_and_truth_values_are_computed_with() -> None:
    assert order(-k["gpus"]) == [1, 2, 0, 3]  # a missing number makes the key 0
    assert order(k.where(k["urgent"] == 1, 0, 1)) == [2, 3, 0, 1]
    assert order(-k["gpus"] * (k["colour"] != "blue")) == [2, 0, 1, 3]


def test_names_of_users_are_compared() -> None:
    log = dataclasses.replace(
        tt.Workload.from_columns(submit_s=[0, 0], run_s=[1, 1], processors=[1, 1], user=[1, 2]),
        types={"user": tt.ColumnType("whole", ("ann", "bob"))},
    )
    assert order(k.user != "bob", log) == [1, 0]


def test_columns_of_the_log_that_are_known_at_submission() -> None:
    log = dataclasses.replace(workload())
    log = dataclasses.replace(log, columns={**log.columns, "requested_memory_kb": np.array([3.0, 1, 2, 0])})
    assert order(k["requested_memory_kb"], log) == [3, 1, 2, 0]
    assert repr(k["user"]) == "user"
    with pytest.raises(InputError, match="column 'run_s' in a key is not known when a job is submitted"):
        k["run_s"]


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (k["colour"] == "red", 'column(colour) == "red"'),
        (k.where(k["colour"] != "a b", 0, k["gpus"]), 'where(column(colour) != "a b", 0, column(gpus))'),
        (k["min"] + k["inf"], "column(min) + column(inf)"),
        (k.user == 'say "x", (y', 'user == "say \\"x\\", (y"'),
    ],
)
def test_the_text_reads_back(expression: Key, text: str) -> None:
    assert repr(expression) == text
    assert repr(read_key(text)) == text
    assert repr(pickle.loads(pickle.dumps(expression))) == text
    spec = tt.Easy(order=expression, recompute=False)
    assert parse("scheduler", spec.text()) == spec


def test_a_spec_on_the_command_line() -> None:
    found = parse("scheduler", 'priority:key=where(column(colour)=="red",0,1),skip=true')
    assert found == tt.Priority(key=k.where(k["colour"] == "red", 0, 1), skip=True)
    assert parse("scheduler", "priority:key=column(colour)=='red'") == tt.Priority(key=k["colour"] == "red")


def test_the_program_and_its_columns() -> None:
    expression = (k["colour"] == "red") + k["gpus"] * k.user
    assert postfix(expression) == "@colour==726564 @gpus user * +"
    assert column_uses(expression) == {ColumnUse("colour", "==", "red"), ColumnUse("gpus"), ColumnUse("user")}


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("column(colur)", r"reads the attribute 'colur' \(did you mean 'colour'\?\).*its attributes are colour, gpus"),
        ("column(colour) + 1", "computes with colour, which holds texts: compare it"),
        ('column(gpus) == "red"', "compares gpus with 'red', but it holds whole numbers"),
        ('column(colour) < "red"', "compared with == and != only"),
        ('column(colour) + "red"', "'red' is not a number"),
        ('wait == "red"', "'red' in a key is a text: compare it with an attribute"),
        ("column(colour, gpus)", "column takes the name of one attribute"),
        ("column('colour')", "column takes the name of one attribute"),
        ("column(wait_s)", "is not known when a job is submitted"),
    ],
)
def test_mistakes_are_named(key: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        order(key)


def test_a_workload_without_attributes_says_so() -> None:
    log = tt.Workload.from_columns(submit_s=[0], run_s=[1], processors=[1])
    with pytest.raises(InputError, match="which workload does not have: it has no attributes"):
        order(k["colour"] == "red", log)


def test_texts_in_python_are_compared_with_attributes_only() -> None:
    with pytest.raises(InputError, match="is a text"):
        k.wait == "red"  # noqa: B015
    with pytest.raises(InputError, match="compose keys from finite numbers"):
        k["colour"] + "red"


def attributed(workload: list[Job], draw: Any) -> list[Job]:
    colours, gpus = st.sampled_from([None, *COLOURS]), st.sampled_from([None, 0, 1, 2.5, -3])
    values = [{"colour": draw(colours), "gpus": draw(gpus), "urgent": draw(st.booleans())} for _ in workload]
    if not any(isinstance(each["colour"], str) for each in values):
        values[0]["colour"] = "red"  # otherwise the column holds no texts
    return [dataclasses.replace(job, attributes=each) for job, each in zip(workload, values, strict=True)]


@st.composite
def attribute_keys(draw: st.DrawFn) -> Key:
    compared = st.builds(
        lambda text, same: k["colour"] == text if same else k["colour"] != text,
        st.sampled_from([*COLOURS, "green"]),
        st.booleans(),
    )
    leaf = st.one_of(compared, st.sampled_from([k["gpus"], k["urgent"], k.user]))
    operation = st.sampled_from([lambda a, b: a + b, lambda a, b: a * b, k.minimum, lambda a, b: k.where(a, b, 1)])
    return draw(operation)(draw(leaf), draw(st.one_of(leaf, expressions())))


@examples(300)
@given(jobs(most=12).filter(bool), st.integers(2, 8), attribute_keys(), attribute_keys(), rules(), st.data())
def test_keys_with_attributes_agree_with_the_reference(
    drawn: list[Job], processors: int, key: Key, other: Key, rules: dict[str, Any], data: st.DataObject
) -> None:
    workload = attributed(drawn, data.draw)
    assert_agreement(workload, processors, tt.Easy(order=key, backfill_order=other), **rules)
    assert_agreement(workload, processors, tt.Priority(key=key, eligible=other), **rules)


def test_fair_starts_read_columns() -> None:
    log = workload()
    fair = tt.fair_starts(log, 1, tt.Priority(key=k["colour"] != "red"), method="no-later-arrivals")
    assert len(fair) == 4
