"""A workload: jobs in memory, after a named filter; what is simulated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import polars as pl

#: The columns of a workload in SWF's order. Times in seconds, memory in KB per processor.
COLUMNS = (
    "job",
    "submit_s",
    "wait_s",
    "run_s",
    "allocated_processors",
    "cpu_s",
    "used_memory_kb",
    "requested_processors",
    "requested_time_s",
    "requested_memory_kb",
    "status",
    "user",
    "group",
    "executable",
    "queue",
    "partition",
    "preceding_job",
    "think_time_s",
)

#: Columns that hold whole numbers: Int64 in the data frame. The others are Float64.
WHOLE = frozenset(COLUMNS) - {c for c in COLUMNS if c.endswith("_s")}


@dataclass(frozen=True)
class Workload:
    """Struct of arrays, sorted by submit time (ties keep the log's order).

    `columns` maps every name of COLUMNS, and `processors` (what the processor policy chose) and `line`
    (1-based line in the source, NaN where there is none), to a float64 array; a missing value is NaN.
    """

    columns: Mapping[str, np.ndarray]
    name: str = "workload"
    header: Any = None  # traces.Header, an ordered multi-map; None for a generated workload
    account: Mapping[str, Any] = field(default_factory=dict)  # what the reader or generator did; JSON-able
    source: Mapping[str, Any] = field(default_factory=dict)  # path name, sha256, filter, processor policy; or seed

    def __len__(self) -> int:
        return len(self.columns["submit_s"])

    def __getitem__(self, column: str) -> np.ndarray:
        return self.columns[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def select(self, rows: np.ndarray) -> Workload:
        """The same workload with some rows: a mask or indices."""
        return replace(self, columns={name: values[rows] for name, values in self.columns.items()})

    @property
    def frame(self) -> pl.DataFrame:
        """The workload as a polars data frame; missing values are nulls."""
        import polars as pl

        series = [pl.Series(name, values).fill_nan(None) for name, values in self.columns.items()]
        whole = [name for name in self.columns if name in WHOLE or name in ("processors", "line")]
        return pl.DataFrame(series).with_columns(pl.col(whole).cast(pl.Int64))
