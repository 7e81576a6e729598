"""A simulation in blocks of jobs must equal the simulation in memory: jobs, timeline, tables, summary and digest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import thinktime as tt

#: Relative difference of sums that are added in another order.
ROUNDING = 1e-9


def blocks(workload: tt.Workload, rows: int) -> Iterator[dict[str, np.ndarray]]:
    for begin in range(0, len(workload), rows):
        yield {name: values[begin : begin + rows] for name, values in workload.columns.items()}


def assert_streamed_alike(
    workload: tt.Workload, machine: Any, scheduler: Any, rows: int, **rules: Any
) -> tuple[tt.Result, tt.Result]:
    """Simulate in memory and in blocks of `rows` jobs; return both results if they are equal."""
    whole = tt.simulate(workload, machine, scheduler, **rules)
    with TemporaryDirectory() as folder:
        summary = tt.simulate_stream(blocks(workload, rows), machine, scheduler, Path(folder) / "run", **rules)
        streamed = tt.Result.load(Path(folder) / "run")
    assert_same(whole, streamed)
    assert_close(summary.values, whole.summary().values)
    return whole, streamed


def assert_same(whole: tt.Result, streamed: tt.Result) -> None:
    assert streamed.digest == whole.digest
    assert_same_table("jobs", whole.columns, streamed.columns)
    assert_same_table("timeline", whole.timeline_columns, streamed.timeline_columns)
    assert set(whole.report_columns) == set(streamed.report_columns)
    for name, columns in whole.report_columns.items():
        assert_same_table(name, columns, streamed.report_columns[name])
    order = ["job", "start_s"]
    assert whole.attempts.sort(order).equals(streamed.attempts.sort(order))
    assert str(whole.cautions) == str(streamed.cautions)
    assert set(tt.check(streamed)) == set(tt.check(whole))


def assert_same_table(name: str, whole: Mapping[str, np.ndarray], streamed: Mapping[str, np.ndarray]) -> None:
    """The same rows, in any order; numbers of rows are those of another table."""
    assert set(whole) == set(streamed), name
    here, there = _in_order(whole), _in_order(streamed)
    for column, values in whole.items():
        if column == "row":
            continue
        found = streamed[column][there]
        same = np.array_equal(values[here], found, equal_nan=values.dtype.kind == "f")
        assert same, f"{name}.{column}: {values[here]} in memory, {found} in blocks"


def _in_order(table: Mapping[str, np.ndarray]) -> np.ndarray:
    keys = [np.nan_to_num(table[name], nan=-1) for name in sorted(table) if name != "row" and _is_number(table[name])]
    return np.lexsort(keys) if keys else np.arange(0)


def _is_number(values: np.ndarray) -> bool:
    return values.dtype.kind in "biuf"


def assert_close(streamed: Mapping[str, float | None], whole: Mapping[str, float | None]) -> None:
    """Every value of a streamed summary is that of the run in memory."""
    assert set(streamed) == set(whole)
    for name, value in streamed.items():
        expected = whole[name]
        assert value is not None, name
        assert expected is not None, name
        assert np.isclose(value, expected, rtol=ROUNDING, atol=0, equal_nan=True), (name, value, expected)
