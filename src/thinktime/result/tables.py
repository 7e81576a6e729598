"""The data frames of a result: jobs, timeline, placements, aborted runs, reports of plugins, scheduling passes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from thinktime.errors import InputError
from thinktime.result.arrays import ResultArrays
from thinktime.result.columns import decisions_frame, jobs_frame, report_frame, timeline_frame
from thinktime.result.placements import nodes_texts, placements_frame
from thinktime.support.json_types import JsonTable

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


class ResultTables(ResultArrays):
    """The tables of a result as polars data frames; missing values are null."""

    @cached_property
    def jobs(self) -> pl.DataFrame:
        """One row per job; the status is a word, and on a cluster `nodes` is a text such as `g0-[0-3,7]`."""
        frame = jobs_frame(self.columns, self.types)
        if self.cluster is None or not self.has_nodes:
            return frame
        return frame.with_columns(nodes_texts(self.placement_columns, len(self), self.cluster))

    @cached_property
    def timeline(self) -> pl.DataFrame:
        """One row per instant with an event: the state after it, which holds until the next row."""
        return timeline_frame(self.timeline_columns)

    @cached_property
    def placements(self) -> pl.DataFrame:
        """On a cluster: `job`, `node` and `units`, one row per node of a job; empty where no nodes are known."""
        import polars as pl

        if self.cluster is None:
            return pl.DataFrame(schema={"job": pl.Int64, "node": pl.String, "units": pl.Int64})
        return placements_frame(self.placement_columns, self.columns["job"], self.cluster)

    @cached_property
    def attempts(self) -> pl.DataFrame:
        """Aborted runs in their order: `job, start_s, end_s, processors, outcome, saved_s, nodes`."""
        return self.attempts_made.frame(self.columns["job"], self.cluster)

    @cached_property
    def reports(self) -> dict[str, pl.DataFrame]:
        """Tables of the plugins by name; `node` is a position in the cluster's configuration."""
        frames = {name: report_frame(columns) for name, columns in self.report_columns.items()}
        if "inside" in frames and "variant" in frames["inside"].columns:
            frames["inside"] = with_models(frames["inside"], self.spec["applications"])
        return frames

    @cached_property
    def decisions(self) -> pl.DataFrame:
        """One row per timed scheduling pass, with its duration and the memory of the process.

        Every pass with `decisions=True`; otherwise a regular sample of them, at most 16,384 rows.
        """
        return decisions_frame(self.decisions_columns)

    def to_pandas(self) -> pd.DataFrame:
        """Return `jobs` as a pandas data frame.

        Raises
        ------
        InputError
            If pandas is not installed.

        Examples
        --------
        >>> import thinktime as tt
        >>> tt.simulate(tt.default_workload(jobs=20)).to_pandas().shape  # doctest: +SKIP
        (20, 13)
        """
        try:
            import pandas as pd
        except ImportError:
            raise InputError("to_pandas needs pandas: run `pip install pandas`, or use run.jobs (polars)") from None

        frame = self.jobs
        return pd.DataFrame({name: frame[name].to_numpy() for name in frame.columns})

    def tasks(
        self, window: tuple[float | None, float | None] | None = None, jobs: Iterable[int] | None = None
    ) -> Iterator[dict[str, np.ndarray]]:
        """Yield the tasks of the jobs in blocks of columns.

        The columns are `job, row, run_start_s, task, chunk, core, start_s, end_s`. A job without an application model
        is one task on each of its cores; with one, its aborted runs are included.

        Parameters
        ----------
        window : (float or None, float or None), optional
            Begin and end in seconds; None leaves a side open.
        jobs : iterable of int, optional
            Numbers of jobs (default: all).
        """
        from thinktime.result.tasks import tasks

        return tasks(self, window, jobs)

    def core_names(self) -> list[tuple[str, int, int]]:
        """Return the hosts of the platform in the order of their cores: name, first core, number of cores."""
        from thinktime.result.tasks import core_names

        return core_names(self)


def with_models(inside: pl.DataFrame, applications: JsonTable) -> pl.DataFrame:
    """Return the table with the model of every job as text, instead of its number."""
    import polars as pl

    from thinktime.applications.per_job import texts_of_models

    texts = pl.Series("application", texts_of_models(applications), dtype=pl.String)
    numbers = inside["variant"].clip(0, len(texts) - 1)
    return inside.drop("variant").with_columns(texts.gather(numbers))
