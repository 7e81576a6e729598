"""What the outcomes of bootstraps and load sweeps share: one row per simulation, cautions, and files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from thinktime.bootstrapping import tables
from thinktime.metrics import Cautions
from thinktime.support.json_types import JsonTable

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Outcome:
    """Simulations of resamples of one log, under one or several schedulers."""

    kind: ClassVar[str]  # in the files
    files: ClassVar[Mapping[str, str]] = {"columns": tables.TABLE_FILE}  # field → file

    columns: Mapping[str, np.ndarray]
    original: Mapping[str, JsonTable]  # scheduler → the values of the log itself
    about: JsonTable = field(repr=False)  # log, seed, weeks, load, schedulers with their rules, measures

    @property
    def cautions(self) -> dict[str, Cautions]:
        """Scheduler → the cautions about the jobs of its runs."""
        return tables.cautions(self.columns, self.about)

    @property
    def schedulers(self) -> list[str]:
        return list(self.original)

    @cached_property
    def table(self) -> pl.DataFrame:
        """resample, load, seed, scheduler, jobs, the measures, saturated; `tt.resample` makes one again by its seed."""
        return tables.frame(dict(self.columns))

    def save(self, folder: str | PathLike[str]) -> Path:
        """Write the tables as Parquet files, and `bootstrap.json`, each whole or not at all.

        Parameters
        ----------
        folder : str or path
            Where the files are written.
        """
        content = {file: dict(getattr(self, name)) for name, file in self.files.items()}
        about = {"kind": self.kind, "original": self.original, "about": self.about, "tables": list(content)}
        return tables.write(Path(folder), about, content)

    @classmethod
    def load(cls, folder: str | PathLike[str]) -> Self:
        """Return the outcome that `save` wrote.

        Parameters
        ----------
        folder : str or path
            The folder of the files.
        """
        said, content = tables.read(Path(folder), cls.kind)
        loaded = {name: content[file] for name, file in cls.files.items()}
        return cls(**loaded, original=said["original"], about=said["about"])


def rows_of(columns: Mapping[str, np.ndarray], scheduler: str) -> np.ndarray:
    """Return which rows are simulations under this scheduler."""
    return np.asarray(columns["scheduler"] == scheduler)
