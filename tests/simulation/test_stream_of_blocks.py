"""`simulate_stream` on any iterable of blocks: the same run as in memory, and clear errors for what is not one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import thinktime as tt

BLOCK = {"submit_s": [0, 5], "run_s": [10, 10], "processors": [2, 4]}


def blocks(workload: tt.Workload, rows: int) -> Iterator[dict[str, np.ndarray]]:
    for begin in range(0, len(workload), rows):
        yield {name: values[begin : begin + rows] for name, values in workload.columns.items()}


@pytest.mark.parametrize("rows", [1, 7, 1000])
def test_blocks_give_the_schedule_of_the_workload(tmp_path: Path, rows: int) -> None:
    workload = tt.default_workload(jobs=100)
    whole = tt.simulate(workload, 64, "easy")
    tt.simulate_stream(blocks(workload, rows), 64, "easy", tmp_path / "run")
    streamed = tt.Result.load(tmp_path / "run")
    columns = ["job", "start_s", "end_s"]
    assert streamed.jobs.select(columns).sort("job").equals(whole.jobs.select(columns).sort("job"))


@pytest.mark.parametrize(
    "given", [[BLOCK], (BLOCK,), iter([BLOCK]), [pl.DataFrame(BLOCK)], [{k: tuple(v) for k, v in BLOCK.items()}]]
)
def test_lists_tuples_iterators_and_data_frames(tmp_path: Path, given: Any) -> None:
    assert tt.simulate_stream(given, 4, "easy", tmp_path / "run")["jobs"] == 2


MISTAKES: dict[str, tuple[Any, str]] = {
    "a number": (7, r"log must be tt.stream\(…\), the name or path of a log, or an iterable of blocks"),
    "None": (None, "log must be tt.stream"),
    "one block": (BLOCK, r"log is a mapping of columns: give an iterable of such blocks, for example \[block\]"),
    "a workload": (tt.default_workload(jobs=5), "log is a Workload, whose jobs are in memory: use tt.simulate"),
    "numbers": ([1, 2], "blocks: a block is 1: give a mapping of column names to lists or arrays"),
    "nothing": ([], "blocks: no job was found"),
    "a column is missing": ([{"submit_s": [0], "processors": [1]}], r"blocks has no column run_s \(in seconds\)"),
    "no size": ([{"submit_s": [0], "run_s": [1]}], "blocks has no column processors"),
    "lengths": ([{**BLOCK, "run_s": [1]}], r"columns differ in length \(submit_s 2, run_s 1, processors 2\)"),
    "text": ([{**BLOCK, "run_s": ["a", "b"]}], "the column run_s holds texts: give numbers of seconds"),
    "infinite": ([{**BLOCK, "run_s": [1, np.inf]}], "job record 2 has inf in the column run_s: give finite numbers"),
    "half a user": ([{**BLOCK, "user": [1, 1.5]}], "job record 2 has 1.5 in the column user: give whole numbers"),
    "order": ([BLOCK, BLOCK], "line 3 of blocks was submitted at 0 s.*sort the blocks, or use tt.simulate"),
    "vanished": (
        [{**BLOCK, "gpus": [1, 2]}, BLOCK],
        "the column gpus is missing from the block after 2 jobs: give all blocks the same columns",
    ),
    "appeared": ([BLOCK, {**BLOCK, "gpus": [1, 2]}], "the column gpus appears in the block after 2 jobs"),
    "another type": (
        [{**BLOCK, "colour": ["red", None]}, {**BLOCK, "colour": [1, 2]}],
        "the column colour holds values of two types, text and whole",
    ),
    "names, then numbers": (
        [{**BLOCK, "user": ["ann", "bob"]}, {**BLOCK, "user": [1, 2]}],
        "the column user holds names, then numbers: give one type",
    ),
    "a scalar": ([{**BLOCK, "run_s": 3}], "the column run_s is 3: give a list or an array"),
    "a reserved name": ([{**BLOCK, "start_s": [1, 2]}], "an attribute is called 'start_s', a reserved name"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes_are_named_and_nothing_is_written(tmp_path: Path, case: str) -> None:
    given, message = MISTAKES[case]
    with pytest.raises(tt.InputError, match=message):
        tt.simulate_stream(given, 4, "easy", tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "rules",
    [
        {"scheduler": 'priority:key=column(colour) == "red"'},
        {"scheduler": "easy", "applications": "per-job:default=(loop:technique=ss),by=colour,groups=(red=fac)"},
    ],
)
def test_an_attribute_whose_texts_come_in_later_blocks(tmp_path: Path, rules: dict[str, Any]) -> None:
    colours = [None, None, "red", None, "blue", "red"]
    columns: dict[str, Any] = {"submit_s": [0, 5, 9, 14, 18, 23], "run_s": [10] * 6, "processors": [2, 4] * 3}
    log = tt.Workload.from_columns(**columns, attributes={"colour": colours})
    given = [{name: values[k : k + 2] for name, values in {**columns, "colour": colours}.items()} for k in (0, 2, 4)]
    tt.simulate_stream(given, 4, directory=tmp_path / "run", **rules)
    assert tt.Result.load(tmp_path / "run").digest == tt.simulate(log, 4, **rules).digest
