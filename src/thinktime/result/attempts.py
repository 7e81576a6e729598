"""Aborted runs, by a failure, a plugin or a scheduler in Python. A lost or killed job ended with such a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics.count_cautions import Context
from thinktime.metrics.machine import utilisation
from thinktime.result.placements import PLACEMENT_COLUMNS, empty_placements, nodes_texts
from thinktime.support.equality import ByContent

if TYPE_CHECKING:
    import polars as pl

    from thinktime.platforms import Cluster

#: One row per aborted run: row of the job, times, size, its fate, seconds of work that were saved. `lost` is the number
#: of the fate in OUTCOMES.
ATTEMPT_COLUMNS = ("row", "start_s", "end_s", "processors", "lost", "saved_s")
OUTCOMES = ("requeued", "lost", "killed")  # killed: by the scheduler
LOST, KILLED = 1, 2


@dataclass(frozen=True, eq=False, repr=False)
class Attempts(ByContent):
    """Columns of aborted runs. `spans` are nodes, as in placements; their `row` is the number of the attempt."""

    columns: Mapping[str, np.ndarray]
    spans: Mapping[str, np.ndarray]

    @classmethod
    def none(cls) -> Attempts:
        kinds = {name: np.float64 if name.endswith("_s") else np.int64 for name in ATTEMPT_COLUMNS}
        return cls({name: np.empty(0, kind) for name, kind in kinds.items()}, empty_placements())

    def __len__(self) -> int:
        return len(self.columns["row"])

    def requeued(self) -> Attempts:
        """Return the attempts after which the job waited again, without lost jobs."""
        kept = np.flatnonzero(self.columns["lost"] == 0)
        number = np.full(len(self), -1)
        number[kept] = np.arange(len(kept))
        mine = number[self.spans["row"]] >= 0
        spans = {name: values[mine] for name, values in self.spans.items()}
        spans["row"] = number[spans["row"]]
        return Attempts({name: values[kept] for name, values in self.columns.items()}, spans)

    def by_job(self, values: np.ndarray, jobs: int) -> np.ndarray:
        """Return the sum of a column over the attempts of each job."""
        return np.bincount(self.columns["row"], values, minlength=jobs)

    def utilisation(self, processors: int, t1: float, t2: float) -> float:
        """Return the share of the machine's capacity that the attempts used."""
        of = self.columns
        return utilisation(of["start_s"], of["end_s"], of["processors"], processors, t1, t2)

    def frame(self, job: np.ndarray, cluster: Cluster | None) -> pl.DataFrame:
        """Return a data frame: `job, start_s, end_s, processors, outcome` (of OUTCOMES), `saved_s`, `nodes`."""
        import polars as pl

        of = self.columns
        frame = pl.DataFrame(
            {
                "job": pl.Series(job[of["row"]]).fill_nan(None).cast(pl.Int64),
                "start_s": of["start_s"],
                "end_s": of["end_s"],
                "processors": of["processors"],
                "outcome": pl.Series(np.array(OUTCOMES)[np.clip(of["lost"], 0, KILLED)], dtype=pl.String),
                "saved_s": of["saved_s"],
            }
        )
        return frame if cluster is None else frame.with_columns(nodes_texts(self.spans, len(self), cluster))

    # --- files ----------------------------------------------------------------------------------------------

    def tables(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        import polars as pl

        columns = {name: self.columns[name] for name in ATTEMPT_COLUMNS}
        return pl.DataFrame(columns), pl.DataFrame({name: self.spans[name] for name in PLACEMENT_COLUMNS})

    @classmethod
    def of_tables(cls, attempts: pl.DataFrame, spans: pl.DataFrame) -> Attempts:
        return cls(_arrays(attempts, ATTEMPT_COLUMNS), _arrays(spans, PLACEMENT_COLUMNS))


def with_attempts(context: Context, made: Attempts, jobs: int) -> Context:
    """Return the context with the lost and killed jobs and the number of requeued runs."""
    if not len(made):
        return context
    lost, ended = (made.by_job(made.columns["lost"] == fate, jobs) > 0 for fate in (LOST, KILLED))
    return replace(context, lost=lost, ended=ended, requeued=int(np.count_nonzero(made.columns["lost"] == 0)))


def _arrays(frame: pl.DataFrame, names: tuple[str, ...]) -> dict[str, np.ndarray]:
    import polars as pl

    missing = [name for name in names if name not in frame.columns]
    if missing:
        raise InputError(f"the attempts lack {', '.join(missing)}")
    if any(frame[name].null_count() or not frame[name].dtype.is_numeric() for name in names):
        raise InputError("the attempts have cells that are not numbers")
    kinds = {name: pl.Float64 if name.endswith("_s") else pl.Int64 for name in names}
    return {name: frame[name].cast(kind).to_numpy() for name, kind in kinds.items()}
