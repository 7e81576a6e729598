"""Workloads from arrays: what names a job or a user is a whole number."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from thinktime.errors import InputError
from thinktime.result import write
from thinktime.workload import Workload, read

WHOLE = "give whole numbers, NaN for a missing one"


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({"user": [1, np.inf]}, f"row 1 of the column user has inf: {WHOLE}"),
        ({"user": [1.5, 2.5]}, f"row 0 of the column user has 1.5, the first of 2 such values: {WHOLE}"),
        ({"job": [1, 2.25]}, f"row 1 of the column job has 2.25: {WHOLE}"),
        ({"user": [1, 1e300]}, f"row 1 of the column user has 1e+300: {WHOLE}"),
        ({"job": ["ann", "bob"]}, "the column job holds other things than numbers: give one number per job"),
    ],
)
def test_names_are_whole_numbers(columns: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError) as mistake:
        Workload.from_columns(submit_s=[0, 1], **columns)
    assert str(mistake.value) == sentence


def test_missing_names_and_parts_of_seconds_are_allowed() -> None:
    workload = Workload.from_columns(submit_s=[0.5, 1.5], user=[np.nan, 7])
    assert workload.users.tolist() == [7]
    assert workload.frame["user"].to_list() == [None, 7]


@pytest.mark.parametrize("column", ["user", "group", "executable", "queue", "partition"])
def test_names_become_numbers_with_labels(column: str) -> None:
    given: dict[str, Any] = {column: ["bob", None, "ann", "bob"]}
    log = Workload.from_columns(submit_s=[3, 2, 1, 0], run_s=[1] * 4, processors=[1] * 4, **given)
    assert log[column].tolist()[:2] + log[column].tolist()[3:] == [1, 2, 1]
    assert log.texts(column).tolist() == ["bob", "ann", None, "bob"]
    assert log.attributes == ()


def test_names_survive_in_files_and_mixed_types_are_refused(tmp_path: Path) -> None:
    columns: dict[str, Any] = {"submit_s": [0, 1], "run_s": [5, 5], "processors": [1, 2]}
    log = Workload.from_columns(**columns, user=np.array(["ann", "bob"]))
    write(log, tmp_path / "log.csv")
    assert read(tmp_path / "log.csv").texts("user").tolist() == ["ann", "bob"]
    with pytest.raises(InputError, match="the column user holds values of two types, text and whole"):
        Workload.from_columns(**columns | {"user": ["ann", 5]})
