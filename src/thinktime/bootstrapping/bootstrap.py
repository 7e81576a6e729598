"""Bootstrap: intervals for the metrics of a simulated log, from simulations of many resamples of the log.

Zakay and Feitelson 2014, section 5.3 and figures 8 and 9. Every scheduler is simulated on the same resamples, so
differences between schedulers are paired.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.allocators import Allocator
from thinktime.applications import Application
from thinktime.bootstrapping import tables
from thinktime.bootstrapping.resample_intervals import Values
from thinktime.bootstrapping.run_trials import Progress, run_trials
from thinktime.bootstrapping.trials import MEASURES, Experiment, SchedulersLike, require_number
from thinktime.drawing import draw
from thinktime.errors import InputError
from thinktime.metrics import Cautions
from thinktime.plugins import Plugin
from thinktime.simulation.arguments import MachineLike, WorkloadLike
from thinktime.simulation.settings import Admission, Overrun, Oversized, SameInstant
from thinktime.spec import one_of, suggestion
from thinktime.statistics import Interval
from thinktime.statistics.bootstrap import METHODS
from thinktime.statistics.interval import check_share
from thinktime.users import UserModel
from thinktime.workload import Estimates

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

KIND = "bootstrap"
GROUPS = 100  # of users, for the jackknife


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """The outcome of a bootstrap.

    `table` has one row per resample and scheduler, `original` the values of the log itself, by scheduler.
    """

    columns: Mapping[str, np.ndarray] = field(repr=False)
    left_out: Mapping[str, np.ndarray] = field(repr=False)  # the same columns of the log without each group of users
    original: Mapping[str, Mapping[str, Any]]
    about: Mapping[str, Any] = field(repr=False)  # log, seed, weeks, load, schedulers with their rules, measures

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
    def cautions(self) -> dict[str, Cautions]:
        """Scheduler → the cautions about the jobs of its runs."""
        return tables.cautions(self.columns, self.about)

    @property
    def schedulers(self) -> list[str]:
        return list(self.original)

    @property
    def measures(self) -> list[str]:
        """The measures with intervals, and the number of jobs."""
        return ["jobs", *(name for name in self.about["measures"] if name != "jobs")]

    @property
    def resamples(self) -> int:
        return len(self.columns["resample"]) // max(len(self.original), 1)

    @cached_property
    def table(self) -> pl.DataFrame:
        """resample, load, seed, scheduler, jobs, the measures, saturated; `tt.resample` makes one again by its seed."""
        return tables.frame(dict(self.columns))

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
            name: float(np.mean(self.columns["saturated"][self._rows(self.columns, name)])) for name in self.schedulers
        }

    def save(self, folder: str | PathLike[str]) -> Path:
        """Write `table.parquet`, `left_out.parquet` and `bootstrap.json`, each whole or not at all.

        Parameters
        ----------
        folder : str or path
            Where the files are written.
        """
        content = {tables.TABLE_FILE: dict(self.columns), tables.LEFT_OUT_FILE: dict(self.left_out)}
        about = {"kind": KIND, "original": self.original, "about": self.about, "tables": list(content)}
        return tables.write(Path(folder), about, content)

    @classmethod
    def load(cls, folder: str | PathLike[str]) -> Bootstrap:
        """Return the bootstrap that `save` wrote.

        Parameters
        ----------
        folder : str or path
            The folder of the files.
        """
        said, content = tables.read(Path(folder), KIND)
        return cls(content[tables.TABLE_FILE], content[tables.LEFT_OUT_FILE], said["original"], said["about"])

    def _rows(self, columns: Mapping[str, np.ndarray], scheduler: str) -> np.ndarray:
        return np.asarray(columns["scheduler"] == scheduler)

    def _values(self, measure: str, scheduler: str | None) -> Values:
        name = self._checked(measure, scheduler)
        original = self.original[name][measure]
        drawn, left_out = (
            columns[measure][self._rows(columns, name)].astype(np.float64) for columns in (self.columns, self.left_out)
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


def _difference_row(of: Values, measure: str, level: float) -> dict[str, Any]:
    row = of.row(level)
    n = max(len(of.drawn), 1)
    note = row.pop("note")
    shares = {"a_below_b": np.count_nonzero(of.drawn < 0) / n, "equal": np.count_nonzero(of.drawn == 0) / n}
    return {**row, **shares, "verdict": of.verdict(measure, level), "note": note}


def bootstrap(
    log: WorkloadLike,
    machine: MachineLike = None,
    schedulers: SchedulersLike = "easy",
    *,
    resamples: int = 1000,
    seed: int = 0,
    measures: Sequence[str] = MEASURES,
    load: float = 1.0,
    weeks: int | None = None,
    resample: Mapping[str, Any] | None = None,
    jackknife: int = GROUPS,
    folder: str | PathLike[str] | None = None,
    threads: int | None = None,
    users: UserModel | str = "rigid",
    applications: Application | str = "fixed",
    estimates: Estimates | str = "requested",
    overrun: Overrun = "extend",
    oversized: Oversized = "reject",
    same_instant: SameInstant = "batch",
    allocator: Allocator | str | None = None,
    admission: Admission | None = None,
    plugins: Plugin | str | Sequence[Plugin | str] = (),
    progress: Progress | None = None,
) -> Bootstrap:
    """Simulate many resamples of a log under each scheduler: intervals for its metrics, and paired differences.

    Parameters
    ----------
    log : Workload, str or path
        The log; or its name or path, or a generator.
    machine : Machine, Cluster, int, str or path, optional
        The platform, as in `simulate`. Default: the machine of the log.
    schedulers : Scheduler, str, or a sequence or mapping of them
        What to simulate: `"easy"`, `[tt.Easy(), "fcfs"]` or `{"name": spec}`. All meet the same resamples.
    resamples : int
        Number of resamples (default 1000).
    seed : int
        Seed of all random draws (default 0).
    measures : sequence of str
        Names of the metrics to keep; see `tt.metrics.CATALOGUE`.
    load, weeks : float, int
        Load factor and length of the resamples, as in `tt.resample`.
    resample : mapping, optional
        Further options of `tt.resample`.
    jackknife : int
        Number of groups of users that are left out for BCa intervals; 0 for none. At a load other than 1 there is no
        jackknife, because the log does not have that load.
    folder : str or path, optional
        Keep each outcome here at once. After an interruption the same call continues; with more resamples it adds to
        those that are there.
    threads : int, optional
        Number of threads (default: one per core).
    users, applications, estimates, overrun, oversized, same_instant, allocator, admission, plugins
        As in `simulate`.
    progress : callable, optional
        Called with the number of trials that are done, and with the number of all trials.

    Returns
    -------
    Bootstrap
        The table of resamples; `intervals()`, `differences()`, `plot()`, `save(folder)`.

    Examples
    --------
    >>> import thinktime as tt
    >>> found = tt.bootstrap(tt.default_workload(weeks=6), 128, ["easy", "fcfs"], resamples=3, jackknife=0)
    >>> found
    <Bootstrap of default: 3 resamples, easy, fcfs>
    >>> found.table.shape[0]
    6
    """
    require_number("resamples", resamples, 1)
    require_number("jackknife", jackknife, 0)
    rules = {
        "users": users,
        "applications": applications,
        "estimates": estimates,
        "overrun": overrun,
        "oversized": oversized,
        "same_instant": same_instant,
        "allocator": allocator,
        "admission": admission,
        "plugins": plugins,
    }
    options = {"weeks": weeks, **(resample or {})}
    of = Experiment(
        log, machine, schedulers, measures=measures, seed=seed, rules=rules, options=options, loads=[float(load)]
    )
    drawn = list(of.resamples(resamples, float(load)))
    left_out = list(of.left_out(jackknife if load == 1 else 0))  # only at the load of the log
    outcomes = run_trials(
        of, [of.original(), *drawn, *left_out], kind=KIND, folder=folder, threads=threads, progress=progress
    )
    found = Bootstrap(
        columns=tables.columns_of(of, drawn, outcomes),
        left_out=tables.columns_of(of, left_out, outcomes),
        original=tables.original_of(of, outcomes),
        about={**of.about(), "load": float(load), "resamples": resamples, "groups": len(left_out)},
    )
    if folder is not None:
        found.save(folder)
    return found
