"""Workloads from arrays: what names a job or a user is a whole number."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from thinktime.errors import InputError
from thinktime.workload import Workload

WHOLE = "give whole numbers, NaN for a missing one"


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({"user": [1, np.inf]}, f"row 1 of the column user has inf: {WHOLE}"),
        ({"user": [1.5, 2.5]}, f"row 0 of the column user has 1.5, the first of 2 such values: {WHOLE}"),
        ({"job": [1, 2.25]}, f"row 1 of the column job has 2.25: {WHOLE}"),
        ({"user": [1, 1e300]}, f"row 1 of the column user has 1e+300: {WHOLE}"),
        ({"user": ["ann", "bob"]}, "the column user holds other things than numbers: give one number per job"),
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
