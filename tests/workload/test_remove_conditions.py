"""Archive-style conditions: what they select, and that nothing in them is ever executed."""

from __future__ import annotations

import numpy as np
import pytest

from thinktime.errors import InputError
from thinktime.traces.attributes import ColumnType
from thinktime.traces.column_names import COLUMNS
from thinktime.workload.reading.remove_conditions import ALIASES, check, matches

JOBS = {name: np.full(6, np.nan) for name in (*COLUMNS, "processors")}
JOBS |= {
    "line": np.arange(1.0, 7.0),
    "job": np.arange(1.0, 7.0),
    "user": np.array([1, 1, 2, 2, 3, np.nan]),
    "run_s": np.array([0, 5, 10, 0.5, 20, 30]),
    "requested_time_s": np.array([10, 4, 10, np.nan, 20, 40.0]),
}

SELECTED = {
    "user=1": [1, 2],
    "USER == 2 AND job<=3": [3],
    "user=1 or user=3": [1, 2, 5],
    "not user=1": [3, 4, 5, 6],
    "user=1 or user=2 and job>3": [1, 2, 4],
    "(user=1 or user=2) and job>1": [2, 3, 4],
    "not (user=1 or user=2)": [5, 6],
    "not not job=1": [1],
    "1 < job < 4": [2, 3],
    "run > estimate": [2, 4],
    "run_s=.5 | runtime = 5.0": [2, 4],
    "user=-1": [6],
    "user<>1 & job!=6": [3, 4, 5],
    "requested_time = -1": [4],
    "run>=1e1": [3, 5, 6],
    "job>=2 && job<=3 || job=6": [2, 3, 6],
}


@pytest.mark.parametrize("text", SELECTED)
def test_what_a_condition_selects(text: str) -> None:
    assert (np.flatnonzero(matches(text, JOBS)) + 1).tolist() == SELECTED[text]


@pytest.mark.parametrize(
    "text",
    [
        *("", "user", "user=", "=1", "user=1 and", "(user=1", "user=1)", "user=1 job=2", "usr=1", "user=1;"),
        *(
            "user=-job",
            "user='a'",
            "__import__('os')",
            "job.__class__=1",
            "job=1 if 1 else 0",
            "job=0x10",
            "1",
        ),
        *("(" * 5000 + "job=1" + ")" * 5000, "not " * 5000 + "job=1", "job=lambda", "job=1\0"),
    ],
    ids=lambda text: text[:20],
)
def test_what_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is invalid because"):
        matches(text, JOBS)
    if text not in MAY_BE_ATTRIBUTES:
        with pytest.raises(InputError, match="is invalid because"):
            check(text)


def test_a_misspelt_column_is_suggested() -> None:
    with pytest.raises(InputError, match="did you mean 'user'"):
        matches("usr=1", JOBS)


#: Conditions that may be valid: whether `usr` is an attribute or users have names is known when the log is read.
MAY_BE_ATTRIBUTES = ("usr=1", "user='a'", "job=lambda")

ATTRIBUTES = {
    "colour": np.array([1, 2, np.nan, 1, 1, 2.0]),
    "gpus": np.array([0, 1, np.nan, 3, 0, 2.0]),
    "user": np.array([1, 2, 1, 2, 1, np.nan]),
}
TYPES = {
    "colour": ColumnType("text", ("red", "Blue")),
    "gpus": ColumnType("whole"),
    "user": ColumnType("whole", ("ann", "bob")),
}
ATTRIBUTES_SELECTED = {
    'colour=="red"': [1, 4, 5],
    "colour = 'Blue'": [2, 6],
    "colour != 'red'": [2, 3, 6],
    "gpus>0 and not colour='red'": [2, 6],
    "gpus < 0": [3],
    "user = 'bob' or user=1": [1, 2, 3, 4, 5],
}


@pytest.mark.parametrize("text", ATTRIBUTES_SELECTED)
def test_conditions_on_attributes(text: str) -> None:
    assert check(text) == text
    found = matches(text, {**JOBS, **ATTRIBUTES}, TYPES)
    assert (np.flatnonzero(found) + 1).tolist() == ATTRIBUTES_SELECTED[text]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("colour > 'red'", "texts are compared with = and != only"),
        ("colour = 3", "compares a text with a number"),
        ("gpus = 'red'", "compares a text with a number"),
        ("colur = 'red'", "did you mean 'colour'"),
    ],
)
def test_wrong_conditions_on_attributes(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        matches(text, {**JOBS, **ATTRIBUTES}, TYPES)


def test_aliases_name_columns() -> None:
    assert set(ALIASES.values()) <= {*COLUMNS, "processors", "line"}
