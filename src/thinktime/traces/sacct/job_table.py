"""A table of jobs while they are read: numbers in absolute time, and texts that are still texts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

#: Numbers that count or settle jobs, and are no columns of a workload.
HELPERS = ("size_is_nodes", "differs_s", "resized")


@dataclass(eq=False)
class JobTable:
    """Jobs of one block. `numbers` has times since 1970 (`submit`, `eligible`, `start`); `texts` are nullable."""

    numbers: dict[str, np.ndarray]
    texts: dict[str, pl.Series]

    def __len__(self) -> int:
        return len(self.numbers["line"])

    def filter(self, mask: np.ndarray) -> JobTable:
        if mask.all():
            return self
        rows = pl.Series(mask)
        return JobTable(
            {name: values[mask] for name, values in self.numbers.items()},
            {name: values.filter(rows) for name, values in self.texts.items()},
        )
