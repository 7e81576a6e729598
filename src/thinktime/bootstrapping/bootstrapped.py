"""The outcome of a bootstrap: values on the resamples, intervals, and paired differences between schedulers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from thinktime.bootstrapping import tables
from thinktime.bootstrapping.outcome import Outcome, rows_of
from thinktime.bootstrapping.resample_intervals import Values
from thinktime.drawing import draw
from thinktime.errors import InputError
from thinktime.spec import one_of, suggestion
from thinktime.statistics import Interval
from thinktime.statistics.bootstrap import METHODS
from thinktime.statistics.interval import check_share
from thinktime.support.json_types import JsonDict

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Bootstrap(Outcome):
    """The outcome of a bootstrap.

    `table` has one row per resample and scheduler, `original` the values of the log itself, by scheduler.
    """

    kind = "bootstrap"
    files: ClassVar[Mapping[str, str]] = {"columns": tables.TABLE_FILE, "left_out": tables.LEFT_OUT_FILE}

    left_out: Mapping[str, np.ndarray]  # the same columns of the log without each group of users

    def __repr__(self) -> str:
        return f"<Bootstrap of {self.about['log']['name']}: {self.resamples:,} resamples, {', '.join(self.schedulers)}>"

    def _repr_html_(self) -> str:
        return tables.intervals_html(repr(self).strip("<>"), self.intervals(), self.cautions)

    def plot(self, scheduler: str | None = None, *, level: float = 0.95) -> Figure:
        """Draw how each measure is distributed over the resamples, with intervals.

        Parameters
        ----------
        scheduler : str, optional
            Name of a scheduler; needed only if there are several.
        level : float
            Confidence level (default 0.95).
        """
        return draw("resample_histograms", self, scheduler=scheduler, level=level)

    @property
    def measures(self) -> list[str]:
        """The measures with intervals, and the number of jobs."""
        return ["jobs", *(name for name in self.about["measures"] if name != "jobs")]

    @property
    def resamples(self) -> int:
        return len(self.columns["resample"]) // max(len(self.original), 1)

    def values(self, measure: str, scheduler: str | None = None) -> np.ndarray:
        """Return one value per resample; NaN where a resample has none.

        Parameters
        ----------
        measure : str
            Name of a metric, such as `"wait_mean_s"`.
        scheduler : str, optional
            Name of a scheduler; needed only if there are several.
        """
        return self._values(measure, scheduler).drawn

    def interval(
        self, measure: str, scheduler: str | None = None, *, level: float = 0.95, method: str = "bca"
    ) -> Interval:
        """Return the confidence interval of one measure; the estimate is the value of the original log.

        Parameters
        ----------
        measure : str
            Name of a metric, such as `"wait_mean_s"`.
        scheduler : str, optional
            Name of a scheduler; needed only if there are several.
        level : float
            Confidence level (default 0.95).
        method : str
            `"bca"` (default) or `"percentile"`.
        """
        one_of("method", method, METHODS)
        return self.of(measure, scheduler).interval(check_share("level", level), method)

    def intervals(self, level: float = 0.95) -> pl.DataFrame:
        """Return one row per scheduler and measure.

        The columns are the value of the original log, the mean, median and spread of the resamples, the share of
        resamples below the original, percentile and BCa intervals, and a note where an interval needs care.

        Parameters
        ----------
        level : float
            Confidence level (default 0.95).
        """
        import polars as pl

        check_share("level", level)
        rows = [
            {"scheduler": scheduler, "measure": measure, **self.of(measure, scheduler).row(level)}
            for scheduler in self.schedulers
            for measure in self.measures
        ]
        return pl.DataFrame(rows)

    def of(self, measure: str, scheduler: str | None = None) -> Values:
        """Return a measure on the resamples, on the original log, and on the log without each group of users.

        Parameters
        ----------
        measure : str
            Name of a metric, such as `"wait_mean_s"`.
        scheduler : str, optional
            Name of a scheduler; needed only if there are several.
        """
        return self._values(measure, scheduler).known()

    def difference(self, a: str, b: str, measure: str) -> Values:
        """Return the difference a − b of a measure; both schedulers ran on the same resamples.

        Parameters
        ----------
        a, b : str
            Names of two schedulers.
        measure : str
            Name of a metric.
        """
        return self._values(measure, a).minus(self._values(measure, b)).known()

    def differences(self, a: str | None = None, b: str | None = None, level: float = 0.95) -> pl.DataFrame:
        """Return one row per measure for the difference a − b.

        The columns are those of `intervals`, the shares of resamples with a < b and a = b, and the verdict by the
        percentile interval.

        Parameters
        ----------
        a, b : str, optional
            Names of two schedulers (default: every scheduler and the next).
        level : float
            Confidence level (default 0.95).
        """
        import polars as pl

        check_share("level", level)
        if (a is None) != (b is None):
            raise InputError(f"differences need two schedulers, or none (got {a or b!r})")
        rows = [
            {
                "a": first,
                "b": second,
                "measure": measure,
                **_difference_row(self.difference(first, second, measure), measure, level),
            }
            for first, second in ([(a, b)] if a is not None and b is not None else pairwise(self.schedulers))
            for measure in self.measures
            if measure != "jobs"
        ]
        if not rows:
            raise InputError(f"a difference needs two schedulers (only {self.schedulers[0]} was simulated)")
        return pl.DataFrame(rows)

    @property
    def saturated(self) -> dict[str, float]:
        """Scheduler → share of saturated resamples, in which outstanding jobs grow from week to week."""
        return {
            name: float(np.mean(self.columns["saturated"][rows_of(self.columns, name)])) for name in self.schedulers
        }

    def _values(self, measure: str, scheduler: str | None) -> Values:
        name = self._checked(measure, scheduler)
        original = self.original[name][measure]
        drawn, left_out = (
            columns[measure][rows_of(columns, name)].astype(np.float64) for columns in (self.columns, self.left_out)
        )
        return Values(np.nan if original is None else float(original), drawn, left_out)

    def _checked(self, measure: str, scheduler: str | None) -> str:
        if measure not in self.measures:
            near = suggestion(str(measure), self.measures)
            raise InputError(f"{measure!r} was not measured{near}: choose from {', '.join(self.measures)}")
        if scheduler is None and len(self.original) == 1:
            return self.schedulers[0]
        if scheduler is None or scheduler not in self.original:
            near = suggestion(str(scheduler), self.schedulers)
            raise InputError(f"unknown scheduler {scheduler!r}{near}: choose from {', '.join(self.schedulers)}")
        return scheduler


def _difference_row(of: Values, measure: str, level: float) -> JsonDict:
    row = of.row(level)
    n = max(len(of.drawn), 1)
    note = row.pop("note")
    shares = {"a_below_b": np.count_nonzero(of.drawn < 0) / n, "equal": np.count_nonzero(of.drawn == 0) / n}
    return {**row, **shares, "verdict": of.verdict(measure, level), "note": note}
