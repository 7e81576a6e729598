"""Metrics of plugins in constant memory: values of parts of their tables, combined."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from thinktime.metrics.catalogue import CATALOGUE
from thinktime.metrics.metric import ATTEMPTS, Metric
from thinktime.metrics.run_data import NO_ATTEMPTS, Columns, RunData

NO_COLUMNS: Columns = {}


class TableSums:
    """The values so far of the metrics that have `blocks`."""

    def __init__(self, processors: int) -> None:
        self._processors = processors
        self._values: dict[str, float] = {}
        self._again: dict[str, Columns] = {}  # rows that the next part begins with

    def add(self, tables: Mapping[str, Columns], attempts: Columns, span_s: tuple[float, float]) -> None:
        """Add parts of tables and of the aborted runs; `span_s` is the first submission and the last end so far."""
        given = {**tables, **({ATTEMPTS: attempts} if len(attempts["row"]) else {})}
        for row in CATALOGUE.values():
            if row.blocks is not None and row.blocks.table in given:
                self._add(row, given[row.blocks.table], span_s)

    def _add(self, row: Metric, part: Columns, span_s: tuple[float, float]) -> None:
        assert row.blocks is not None
        part = _joined(self._again.pop(row.name, None), part)
        if row.blocks.again is not None:
            again = row.blocks.again(part, span_s[1])
            self._again[row.name] = {name: values[again] for name, values in part.items()}
            part = {name: values[~again] for name, values in part.items()}
        value = self._value_of(row, part, span_s)
        before = self._values.get(row.name)
        self._values[row.name] = value if before is None else row.blocks.combine(before, value)

    def _value_of(self, row: Metric, part: Columns, span_s: tuple[float, float]) -> float:
        assert row.blocks is not None
        assert row.value is not None
        aborted = row.blocks.table == ATTEMPTS
        run = RunData(
            NO_COLUMNS,
            NO_COLUMNS,
            self._processors,
            tables={} if aborted else {row.blocks.table: part},
            attempts=part if aborted else NO_ATTEMPTS,
            span_s=span_s,
        )
        return row.value(run)

    def end(self, span_s: tuple[float, float]) -> None:
        """Count what was left because the last end was not known."""
        for name, part in self._again.items():
            row = CATALOGUE[name]
            assert row.blocks is not None
            self._values[name] = row.blocks.combine(self._values[name], self._value_of(row, part, span_s))
        self._again = {}

    def value(self, row: Metric) -> float:
        """Return the value; 0 for a table without rows."""
        if row.name in self._values:
            return self._values[row.name]
        return 0 if row.blocks is not None and row.blocks.table == ATTEMPTS else math.nan


def _joined(first: Columns | None, then: Columns) -> Columns:
    if first is None:
        return then
    return {name: np.concatenate([first[name], values]) for name, values in then.items()}
