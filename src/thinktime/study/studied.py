"""A study that was carried out, in Python: its table, its conclusions, its runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from thinktime.errors import InputError
from thinktime.result import Result
from thinktime.study.conclusions import Conclusions, conclusions
from thinktime.study.outcomes import frame
from thinktime.study.runner import Counts
from thinktime.study.store import Store, of_study
from thinktime.study.study import Study, matches

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Studied:
    """`done = study.run("store"); done.table; print(done.compare()); done.result(scheduler="easy")`."""

    study: Study
    store: Store
    counts: Counts  # of this time

    @property
    def table(self) -> pl.DataFrame:
        """One row a run."""
        return frame(of_study(self.store, self.study))

    def compare(self, *metrics: str, pooled: bool = False) -> Conclusions:
        """Every configuration against the baseline, log by log, by the study's metrics unless others are named.

        With `pooled` the logs are averaged.
        """
        return conclusions(self.study, self.store, metrics or self.study.metrics, pooled=pooled)

    def result(self, **cell: Any) -> Result:
        """The one run that the names describe; only if the study keeps its jobs."""
        found = [task for task in self.study.tasks() if matches(cell, task.cell)]
        if len(found) != 1:
            raise InputError(f"{len(found)} runs are {cell}: name the dimensions until one is left")
        place = self.store.run_directory(found[0].run)
        if not place.is_dir():
            raise InputError(f"the jobs of {cell} were not kept: run the study with keep='jobs'")
        return Result.load(place, trust=self.study.trusted)
