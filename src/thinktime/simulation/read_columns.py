"""The columns of the workload that policies read, as the engine gets them: one number per job."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from thinktime.errors import InputError
from thinktime.schedulers.column_uses import ColumnUse
from thinktime.spec import suggestion

if TYPE_CHECKING:
    from thinktime.schedulers import Scheduler
    from thinktime.traces.attributes import ColumnType
    from thinktime.workload import Workload


def column_words(scheduler: Scheduler) -> list[str]:
    """Return the names of the columns in the engine, in the order of `read_columns`."""
    return [use.word for use in _in_order(scheduler)]


def read_columns(workload: Workload, scheduler: Scheduler) -> list[np.ndarray]:
    """Return the columns that a scheduler reads; raise InputError for one that the workload does not have."""
    return [_values(use, workload, scheduler) for use in _in_order(scheduler)]


def meanings(workload: Workload, scheduler: Scheduler) -> dict[str, np.ndarray]:
    """Return column → what its numbers stand for, where a scheduler in Python sees texts or truth values."""
    if not scheduler.reads_texts:
        return {}
    names = [use.column for use in _in_order(scheduler) if _has_meaning(workload.types.get(use.column))]
    return {name: _meaning(workload.type_of(name)) for name in names}


def _in_order(scheduler: Scheduler) -> list[ColumnUse]:
    return sorted(scheduler.columns())


def _values(use: ColumnUse, workload: Workload, scheduler: Scheduler) -> np.ndarray:
    _require_column(use.column, workload, scheduler)
    values, kind = workload[use.column], workload.type_of(use.column)
    if use.comparison:
        return _compared(use, values, kind)
    if scheduler.reads_texts:
        return np.nan_to_num(values) if _has_meaning(kind) else np.ascontiguousarray(values)
    if kind.kind == "text":
        raise InputError(
            f"the key of scheduler {scheduler.name} computes with {use.column}, which holds texts: compare it,"
            f' as in column({use.column}) == "{(*kind.labels, "text")[0]}"'
        )
    return np.ascontiguousarray(values)


def _compared(use: ColumnUse, values: np.ndarray, kind: ColumnType) -> np.ndarray:
    """Return 1 where the job has the text, else 0, for ==; the opposite for !=. A missing value has no text."""
    if kind.kind != "text" and not kind.labels:
        raise InputError(
            f"a key compares {use.column} with {use.text!r}, but it holds {_WORDS[kind.kind]}: compare it with a number"
        )
    code = kind.labels.index(use.text) + 1.0 if use.text in kind.labels else np.nan
    return (values == code if use.comparison == "==" else values != code).astype(np.float64)


def _require_column(column: str, workload: Workload, scheduler: Scheduler) -> None:
    if column in workload.columns:
        return
    known = workload.attributes
    has = f"its attributes are {', '.join(known)}" if known else "it has no attributes"
    raise InputError(
        f"scheduler {scheduler.name} reads the attribute {column!r}{suggestion(column, known)}, which {workload.name}"
        f" does not have: {has}"
    )


def _has_meaning(kind: ColumnType | None) -> bool:
    return kind is not None and kind.kind in ("text", "truth")


def _meaning(kind: ColumnType) -> np.ndarray:
    return np.array([None, *kind.labels], dtype=object) if kind.kind == "text" else np.array([False, True])


_WORDS = {"number": "numbers", "whole": "whole numbers", "truth": "truth values", "text": "texts"}
