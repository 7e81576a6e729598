"""Loaded runs whose tables do not fit together: one sentence with the table, the rule and the value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import thinktime as tt
from tests.cli.commands import thinktime
from tests.result.forged import forge, forge_table


@pytest.fixture
def run(tmp_path: Path) -> Path:
    cluster = tt.Cluster(groups=[{"name": "a", "nodes": 32, "core": 4}])
    tt.simulate(tt.default_workload(jobs=10), cluster, tt.Easy()).save(tmp_path / "run")
    return tmp_path / "run"


@pytest.mark.parametrize(
    ("column", "value", "rule"),
    [
        ("first", -1, "first of placements must be between 0 and 31 (got -1"),
        ("first", 2**63 - 1, "first of placements must be between 0 and 31"),
        ("nodes", 0, "nodes of placements must be between 1 and 32"),
        ("nodes", 33, "nodes of placements must be between 1 and 32"),
        ("units", 2**31, "units of placements must be between 1 and 2147483647"),
        ("row", 10, "row of placements must be between 0 and 9 (got 10"),
    ],
)
@pytest.mark.parametrize("command", [("check",), ("trace", "--out", "a.csv")])
def test_nodes_that_are_not_there(run: Path, column: str, value: int, rule: str, command: tuple[str, ...]) -> None:
    """A first node of -1 once ended `trace` with a segmentation fault."""
    first = pl.int_range(pl.len()) == 0
    change = pl.when(first).then(pl.lit(value)).otherwise(pl.col(column)).alias(column)
    forge_table(run, "placements.parquet", lambda frame: frame.with_columns(change))
    told = thinktime(run.parent, command[0], "run", *command[1:])
    assert (told.code, rule in told.err) == (2, True), told.err


def test_more_cores_on_a_node_than_it_has(run: Path) -> None:
    """All nodes are there, but two jobs have the same one: `check` finds it, and `trace` says it."""
    change = (pl.col("row") * 0).alias("first"), (pl.col("nodes") * 0 + 1).alias("nodes")
    forge_table(run, "placements.parquet", lambda frame: frame.with_columns(*change, units=pl.lit(4, pl.Int64)))
    assert thinktime(run.parent, "check", "run").code == 1
    told = thinktime(run.parent, "trace", "run", "--out", "a.csv")
    assert (told.code, "on a node" in told.err) == (2, True), told.err


@pytest.mark.parametrize("processors", [0, -1, 2**31])
def test_a_machine_that_cannot_be(run: Path, processors: int) -> None:
    forge(run, lambda content: content.update(processors=processors))
    told = thinktime(run.parent, "inspect", "run", "--at", "1d")
    assert (told.code, "processors must be between" in told.err) == (2, True), told.err


@pytest.mark.parametrize(
    "change",
    [{"jobs": "loop"}, {"kept": -1}, {"dropped": {"no user": 0.5}}, {"repaired": [1]}, {"implausible": [{"job": 1}]}],
)
def test_an_account_without_counts(run: Path, change: dict[str, Any]) -> None:
    forge(run, lambda content: content["account"].update(change))
    told = thinktime(run.parent, "check", "run")
    assert (told.code, "in the account of run.json is" in told.err) == (2, True), told.err
