"""Jobs while they are read: float64 columns of equal length, NaN for missing; the tally; the processor policies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np

from thinktime.errors import InputError
from thinktime.spec import one_of
from thinktime.traces.column_names import COLUMNS
from thinktime.traces.reader import Block, rows_of

#: Column → float64 array: COLUMNS, `line`, attributes, and `processors` once the policy has chosen.
Jobs = dict[str, np.ndarray]


@dataclass
class Tally:
    """Counts of job lines that were dropped, repaired or merged, by reason."""

    dropped: dict[str, int] = field(default_factory=dict)
    repaired: dict[str, int] = field(default_factory=dict)
    repaired_jobs: int = 0  # each job once, even if changed for several reasons
    merged: int = 0

    def drop(self, reason: str, count: int) -> None:
        self._add(self.dropped, reason, count)

    def repair(self, reason: str, count: int) -> None:
        self._add(self.repaired, reason, count)

    @staticmethod
    def _add(counts: dict[str, int], reason: str, count: int) -> None:
        if count:
            counts[reason] = counts.get(reason, 0) + count


class Completion:
    """Completes the blocks of a source to all columns of a workload: NaN where a column is missing.

    `job` and `line` count the records if the source has none. A source with `processors` but without the requested
    or allocated ones has them from there. −1 means missing, as in SWF, except for submit times.
    """

    def __init__(self) -> None:
        self._records = 0  # of earlier blocks

    def complete(self, block: Block) -> Jobs:
        for name in ("submit_s", "run_s"):
            if name not in block:
                raise InputError(f"the log has no column {name} (in seconds): name one column so")
        rows = rows_of(block)
        count = np.arange(self._records + 1, self._records + rows + 1, dtype=np.float64)
        self._records += rows
        size, missing = block.get("processors"), np.full(rows, np.nan)
        usual = {"job": count, "line": count, "allocated_processors": size, "requested_processors": size}
        jobs = {name: block.get(name, usual.get(name)) for name in (*COLUMNS, "line")}
        known = {name: missing if values is None else values for name, values in jobs.items()}
        return {**known, **{name: values for name, values in block.items() if name not in known}}


def select(jobs: Jobs, rows: np.ndarray) -> Jobs:
    return {name: values[rows] for name, values in jobs.items()}


def keep(jobs: Jobs, mask: np.ndarray, reason: str, tally: Tally) -> Jobs:
    """Return the jobs of the mask, and count the others under a reason."""
    lost = int(mask.size - np.count_nonzero(mask))
    tally.drop(reason, lost)
    return select(jobs, mask) if lost else jobs


def _first_positive(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    chosen = np.where(first > 0, first, second)
    return np.where(chosen > 0, chosen, np.nan)


def _largest(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    chosen = np.fmax(first, second)
    return np.where(chosen > 0, chosen, np.nan)


ProcessorField: TypeAlias = Literal["requested", "allocated", "max"]

#: Name → (requested, allocated) → processors; missing where neither field is positive.
PROCESSORS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "requested": _first_positive,  # field 8 if positive, else field 5
    "allocated": lambda requested, allocated: _first_positive(allocated, requested),
    "max": _largest,
}


def fitting_policy(jobs: Mapping[str, np.ndarray]) -> str | None:
    """Return the first policy that chooses `processors` as it is; None if there is none."""
    sizes = jobs["processors"]
    for policy, choose in PROCESSORS.items():
        chosen = np.ceil(choose(jobs["requested_processors"], jobs["allocated_processors"]))
        if np.array_equal(chosen, sizes, equal_nan=True):
            return policy
    return None


def choose_processors(jobs: Jobs, policy: str) -> np.ndarray:
    one_of("processors", policy, PROCESSORS)
    return PROCESSORS[policy](jobs["requested_processors"], jobs["allocated_processors"])


def whole_processors(jobs: Jobs, tally: Tally) -> Jobs:
    """Round processors up to whole numbers; the two fields of the log stay as they are."""
    chosen = jobs["processors"]
    whole = np.ceil(chosen)
    tally.repair("processors rounded up to a whole number", int(np.count_nonzero(chosen < whole)))
    return {**jobs, "processors": whole}
