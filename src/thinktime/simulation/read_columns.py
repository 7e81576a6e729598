"""The columns of the workload that policies read, as the engine gets them: one number per job."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from thinktime.errors import InputError
from thinktime.spec import suggestion
from thinktime.traces.attributes import WORDS
from thinktime.traces.column_uses import ColumnUse

if TYPE_CHECKING:
    from thinktime.allocators import Allocator
    from thinktime.schedulers import Scheduler
    from thinktime.traces.attributes import ColumnType
    from thinktime.workload import Workload

    Policies = Iterable[Scheduler | Allocator]


def column_words(policies: Policies) -> list[str]:
    """Return the names of the columns in the engine, in the order of `read_columns`."""
    return sorted({use.word for policy in policies for use in policy.columns()})


def read_columns(workload: Workload, policies: Policies) -> list[np.ndarray]:
    """Return the columns that policies read; raise InputError for one that the workload does not have."""
    values = {use.word: _values(use, workload, policy) for policy in policies for use in sorted(policy.columns())}
    return [values[word] for word in sorted(values)]


def meanings(workload: Workload, policies: Policies) -> Mapping[str, np.ndarray]:
    """Return column → what its numbers stand for, where a policy in Python sees texts or truth values; 0 is missing."""
    names = {use.column for policy in policies if policy.reads_texts for use in policy.columns()}
    return {name: _meaning(kind) for name, kind in workload.types.items() if name in names and _has_meaning(kind)}


def _values(use: ColumnUse, workload: Workload, policy: Scheduler | Allocator) -> np.ndarray:
    _require_column(use.column, workload, policy)
    values, kind = workload[use.column], workload.type_of(use.column)
    if use.comparison:
        return _compared(use, values, kind)
    if kind.kind == "text" and not policy.reads_texts:
        raise InputError(
            f"the key of {policy.kind} {policy.name} computes with {use.column}, which holds texts: compare it,"
            f' as in column({use.column}) == "{(*kind.labels, "text")[0]}"'
        )
    return np.ascontiguousarray(values)


def _compared(use: ColumnUse, values: np.ndarray, kind: ColumnType) -> np.ndarray:
    """Return 1 where the job has the text, else 0, for ==; the opposite for !=. A missing value has no text."""
    if kind.kind != "text" and not kind.labels and not np.isnan(values).all():  # texts may come in later blocks
        raise InputError(
            f"a key compares {use.column} with {use.text!r}, but it holds {WORDS[kind.kind]}: compare it with a number"
        )
    code = kind.labels.index(use.text) + 1.0 if use.text in kind.labels else np.nan
    return (values == code if use.comparison == "==" else values != code).astype(np.float64)


def _require_column(column: str, workload: Workload, policy: Scheduler | Allocator) -> None:
    if column in workload.columns:
        return
    known = workload.attributes
    has = f"its attributes are {', '.join(known)}" if known else "it has no attributes"
    raise InputError(
        f"{policy.kind} {policy.name} reads the attribute {column!r}{suggestion(column, known)}, which {workload.name}"
        f" does not have: {has}"
    )


def _has_meaning(kind: ColumnType) -> bool:
    return kind.kind in ("text", "truth")


def _meaning(kind: ColumnType) -> np.ndarray:
    return np.array([None, *kind.labels], dtype=object) if kind.kind == "text" else np.array([False, True])
