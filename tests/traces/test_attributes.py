"""Attributes: further columns of a workload, their types, and how they are given."""

import pickle
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl
import pytest

import thinktime as tt
from thinktime.metrics.status import STATUS_NAMES
from thinktime.result.columns import JOB_COLUMNS
from thinktime.schedulers.keys import FUNCTIONS, KEYS
from thinktime.traces.column_names import RESERVED
from thinktime.workload import STANDARD, ColumnType, TypedColumns, typed_columns

GIVEN = {
    "colour": ["red", None, "blue"],
    "gpus": [1, 2, 0],
    "weight": [1, 2.5, None],
    "urgent": [True, None, False],
    "unknown": [None, None, None],
}


def workload(**more):
    columns: dict[str, Any] = {"submit_s": [3, 1, 2], "run_s": [1, 1, 1], "processors": [1, 1, 1]}
    return tt.Workload.from_columns(**columns, attributes={**GIVEN, **more})


def test_types_follow_from_the_values():
    kinds = {name: each.kind for name, each in workload().types.items()}
    assert kinds == {"colour": "text", "gpus": "whole", "weight": "number", "urgent": "truth", "unknown": "number"}
    assert workload().attributes == tuple(GIVEN)


def test_jobs_are_sorted_with_their_attributes():
    log = workload()
    assert log.texts("colour").tolist() == [None, "blue", "red"]
    assert log["gpus"].tolist() == [2, 0, 1]
    assert log["colour"].dtype == np.float64
    assert np.isnan(log["colour"][0])


def test_the_frame_has_typed_columns():
    frame = workload().frame.select(*GIVEN)
    assert frame.dtypes == [pl.String, pl.Int64, pl.Float64, pl.Boolean, pl.Float64]
    assert frame["colour"].to_list() == [None, "blue", "red"]
    assert frame["urgent"].to_list() == [None, False, True]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (np.array([1, 2, 3], np.int16), "whole"),
        (np.array([1.0, 2.0, np.nan]), "number"),
        (np.array(["a", "b", "a"]), "text"),
        (np.array([True, False, True]), "truth"),
        (pl.Series(["x", "y", None], dtype=pl.Categorical), "text"),
        (pl.Series([1, None, 3]), "whole"),
        (pl.Series([None, None, None]), "number"),
        ([Decimal("1.5"), None, 2], "number"),
        ((np.float32(1), np.int64(2), float("nan")), "number"),
        (range(3), "whole"),
    ],
)
def test_arrays_and_series_are_understood(values, kind):
    columns, types = typed_columns({"c": values})
    assert types["c"].kind == kind
    assert (columns["c"].dtype, len(columns["c"])) == (np.float64, 3)


def test_pandas_series_are_understood():
    import pandas as pd

    given = {
        "a": pd.Series(["x", None, "y"]),
        "b": pd.Series([1, None, 3], dtype="Int64"),
        "c": pd.Series(["x", "y", "x"], dtype="category"),
        "d": pd.Series([1, 2, 3]),
    }
    columns, types = typed_columns(given)
    assert {name: each.kind for name, each in types.items()} == {"a": "text", "b": "whole", "c": "text", "d": "whole"}
    assert np.isnan(columns["b"][1])


@pytest.mark.parametrize(
    ("name", "values", "says"),
    [
        ("user", [1, 2, 3], "a reserved name"),
        ("class", [1, 2, 3], "a reserved name"),
        ("unit_gpu", [1, 2, 3], "a reserved name"),
        ("my colour", [1, 2, 3], "use letters, digits and _"),
        ("c", ["a", 1, 2], "text and whole"),
        ("c", [True, 1, 2], "truth and whole"),
        ("c", [2**60, 1, 2], "above 2\\^53"),
        ("c", [b"a", None, None], "give texts, numbers or truth values"),
        ("c", ["a\udcff", None, None], "not Unicode: decode it as latin-1"),
        ("c", "abc", "give a list"),
        ("c", [1, 2], "differ in length"),
        ("c", np.zeros((3, 2)), "2 dimensions"),
        ("c", np.zeros(3, "M8[s]"), "datetime64"),
    ],
)
def test_wrong_attributes_are_named(name, values, says):
    with pytest.raises(tt.InputError, match=says):
        workload(**{name: values})


def test_every_name_with_a_meaning_is_reserved():
    assert {*STANDARD, *KEYS, *JOB_COLUMNS, "value", "column"} <= RESERVED
    assert not RESERVED & {*FUNCTIONS, *STATUS_NAMES}  # these never stand where a column does


def test_blocks_append_labels_and_widen_types():
    columns = TypedColumns()
    assert columns.add({"c": ["b", "a"], "n": [1, 2], "late": [None, None]})["c"].tolist() == [1, 2]
    assert columns.add({"c": ["z", "b"], "n": [0.5, None], "late": ["x", None]})["c"].tolist() == [3, 1]
    assert columns.types["c"] == ColumnType("text", ("b", "a", "z"))
    assert (columns.types["n"].kind, columns.types["late"].kind) == ("number", "text")
    assert np.isnan(columns.add({"c": [None, None]})["c"]).all()
    with pytest.raises(tt.InputError, match="two types, text and whole"):
        columns.add({"c": [1, 2]})


def test_standard_columns_can_have_names():
    columns = TypedColumns()
    users = columns.named("user", ["ann", "bob", "ann", None])
    log = tt.Workload.from_columns(submit_s=[0, 1, 2, 3], user=users)
    log = replace(log, types=columns.types)
    assert log.texts("user").tolist() == ["ann", "bob", "ann", None]
    assert log.frame["user"].to_list() == [1, 2, 1, None]
    assert log.attributes == ()


def test_a_column_without_texts_is_an_error():
    with pytest.raises(tt.InputError, match="texts are in colour"):
        workload().texts("gpus")


def test_copies_keep_the_attributes():
    log = workload()
    assert pickle.loads(pickle.dumps(log)) == log
    assert replace(log, name="other").types == log.types
    assert log.select(np.array([2])).texts("colour").tolist() == ["red"]


def test_equality_compares_texts_and_not_codes():
    log = workload()
    codes = np.array([np.nan, 1.0, 2.0])
    types = {**log.types, "colour": ColumnType("text", ("blue", "red", "green"))}
    assert replace(log, columns={**log.columns, "colour": codes}, types=types) == log
    assert replace(log, types=types) != log
    assert hash(log) == hash(pickle.loads(pickle.dumps(log)))


def test_a_column_without_type_holds_numbers():
    log = workload()
    assert tt.Workload(columns={**log.columns, "more": np.ones(3)}).types["more"] == ColumnType("number")


def test_attributes_are_added_and_replaced():
    log = workload().with_attributes({"shade": ["dark", None, "light"], "gpus": ["a", "b", "c"]})
    assert log.texts("shade").tolist() == ["dark", None, "light"]  # in the order of the workload
    assert log.types["gpus"].kind == "text"
    assert log.attributes == (*GIVEN, "shade")
    with pytest.raises(tt.InputError, match="the attribute shade has 2 values for 3 jobs"):
        log.with_attributes({"shade": [1, 2]})
    with pytest.raises(tt.InputError, match="a reserved name"):
        log.with_attributes({"user": [1, 2, 3]})
