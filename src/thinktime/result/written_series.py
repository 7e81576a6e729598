"""Columns of a workload as series for files: whole numbers where all are whole, names and texts as texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from thinktime.traces.attributes import LARGEST_WHOLE, ColumnType
from thinktime.traces.column_names import STANDARD, WHOLE

if TYPE_CHECKING:
    import polars as pl


def written_series(name: str, values: np.ndarray, types: Mapping[str, ColumnType], exact: bool = False) -> pl.Series:
    """Return a column with nulls for missing values.

    Numbers that are all whole are written as such, which is shorter; with `exact` only those of whole columns.
    """
    import polars as pl

    known = types.get(name)
    if known is not None and name in STANDARD:  # the names of users, queues, …
        return _with_all_labels(known, values).series(name, values)
    if known is not None:
        return known.series(name, values)
    series = pl.Series(name, values).fill_nan(None)
    if name in WHOLE if exact else _all_whole(values):
        return series.cast(pl.Int64, strict=False)
    return series


def _with_all_labels(known: ColumnType, values: np.ndarray) -> ColumnType:
    """Return the type of names; a number without a name is its own name."""
    most = int(np.fmax.reduce(values, initial=0.0))
    return ColumnType("text", (*known.labels, *(str(code) for code in range(len(known.labels) + 1, most + 1))))


def _all_whole(values: np.ndarray) -> bool:
    known = values[~np.isnan(values)]
    return bool(np.all((np.abs(known) <= LARGEST_WHOLE) & (known == np.floor(known))))
