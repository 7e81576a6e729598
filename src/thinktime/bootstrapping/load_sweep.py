"""Load sweep: metrics of schedulers as users are added. Zakay and Feitelson 2014, section 6.3 and figure 12.

At every load factor the log is resampled with that multiple of its users, replicas far apart, and simulated. Saturated
runs are counted and left out of means and intervals, because their metrics depend on the simulated time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from thinktime.allocators import Allocator
from thinktime.applications import Application
from thinktime.bootstrapping import tables
from thinktime.bootstrapping.outcome import Outcome, rows_of
from thinktime.bootstrapping.run_trials import Progress, run_trials
from thinktime.bootstrapping.trials import MEASURES, Experiment, SchedulersLike, require_number
from thinktime.drawing import draw
from thinktime.errors import InputError
from thinktime.plugins import Plugin
from thinktime.simulation.arguments import MachineLike, WorkloadLike
from thinktime.simulation.settings import Admission, Overrun, Oversized, SameInstant
from thinktime.statistics.interval import check_share, normal_quantile
from thinktime.support.json_types import JsonDict, JsonTable
from thinktime.users import UserModel
from thinktime.workload import Estimates

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

LOADS = tuple(round(0.8 + 0.1 * k, 1) for k in range(8))  # 0.8 to 1.5, as in the paper


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class LoadSweep(Outcome):
    """The outcome of a load sweep.

    `table` has one row per load, resample and scheduler, `summary()` one per load and scheduler.
    """

    kind = "load sweep"

    def __repr__(self) -> str:
        loads = ", ".join(f"{load:g}" for load in self.loads)
        return f"<LoadSweep of {self.about['log']['name']}: loads {loads}, {', '.join(self.schedulers)}>"

    def _repr_html_(self) -> str:
        return tables.intervals_html(repr(self).strip("<>"), self.summary(), self.cautions)

    def plot(self, measures: Sequence[str] | None = None, *, level: float = 0.95) -> Figure:
        """Draw the measures by utilisation and by load, and how many runs did not saturate.

        Parameters
        ----------
        measures : sequence of str, optional
            Names of metrics (default: all of the sweep).
        level : float
            Confidence level (default 0.95).
        """
        return draw("load_sweep", self, measures=measures, level=level)

    @property
    def loads(self) -> list[float]:
        return list(self.about["loads"])

    @property
    def measures(self) -> list[str]:
        return list(self.about["measures"])

    def rows(self, scheduler: str, load: float | None = None, stable: bool | None = None) -> np.ndarray:
        """Return a mask of runs.

        Parameters
        ----------
        scheduler : str
            Name of a scheduler.
        load : float, optional
            A load of the sweep (default: all).
        stable : bool, optional
            Only runs that did not saturate (True) or did (False).
        """
        found = rows_of(self.columns, scheduler)
        if load is not None:
            found = found & (self.columns["load"] == load)
        return found if stable is None else found & (self.columns["saturated"] != stable)

    def summary(self, level: float = 0.95) -> pl.DataFrame:
        """Return one row per scheduler and load: runs, the share of unsaturated ones, and their measures.

        The share has Wilson's interval. Each measure has its mean over unsaturated runs, and the values between which
        the share `level` of these runs lies (`_low`, `_high`).

        Parameters
        ----------
        level : float
            Confidence level (default 0.95).
        """
        import polars as pl

        check_share("level", level)
        return pl.DataFrame([self._row(name, load, level) for name in self.schedulers for load in self.loads])

    def _row(self, scheduler: str, load: float, level: float) -> JsonDict:
        runs, stable = self.rows(scheduler, load), self.rows(scheduler, load, stable=True)
        low, high = wilson(int(stable.sum()), int(runs.sum()), level)
        row = {"scheduler": scheduler, "load": load, "runs": int(runs.sum()), "unsaturated": stable.sum() / runs.sum()}
        row |= {"unsaturated_low": low, "unsaturated_high": high}
        for measure in self.measures:
            row |= _mean_and_quantiles(measure, self.columns[measure][stable], level)
        return row


def _mean_and_quantiles(measure: str, values: np.ndarray, level: float) -> dict[str, float]:
    known = values[~np.isnan(values)]
    shares = [(1 - level) / 2, (1 + level) / 2]
    low, high = np.quantile(known, shares).tolist() if len(known) else (math.nan, math.nan)
    return {measure: float(np.mean(known)) if len(known) else math.nan, f"{measure}_low": low, f"{measure}_high": high}


def wilson(hits: int, runs: int, level: float = 0.95) -> tuple[float, float]:
    """Return Wilson's interval of a share, which stays within [0, 1] and has a width if all or none hit. JASA 1927."""
    z = normal_quantile(0.5 + level / 2)
    share, width = hits / runs, 1 + z * z / runs
    middle = (share + z * z / (2 * runs)) / width
    half = z / width * math.sqrt(share * (1 - share) / runs + z * z / (4 * runs * runs))
    return max(middle - half, 0.0), min(middle + half, 1.0)


def load_sweep(
    log: WorkloadLike,
    machine: MachineLike = None,
    schedulers: SchedulersLike = "easy",
    loads: Sequence[float] = LOADS,
    *,
    resamples: int = 10,
    seed: int = 0,
    measures: Sequence[str] = MEASURES,
    weeks: int | None = None,
    resample: JsonTable | None = None,
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
) -> LoadSweep:
    """Simulate resamples of a log with more and more users, under each scheduler.

    Resample k has the same seed at every load, and every scheduler meets the same resamples.

    Parameters
    ----------
    log, machine, schedulers
        As in `bootstrap`.
    loads : sequence of float
        Load factors, which multiply the number of users (default 0.8 to 1.5).
    resamples : int
        Resamples per load (default 10).
    seed, measures, weeks, resample, folder, threads, progress
        As in `bootstrap`.
    users, applications, estimates, overrun, oversized, same_instant, allocator, admission, plugins
        As in `simulate`.

    Returns
    -------
    LoadSweep
        The table of runs; `summary()` by load, `plot()`, `save(folder)`.

    Examples
    --------
    >>> import thinktime as tt
    >>> found = tt.load_sweep(tt.default_workload(weeks=6), 128, "easy", [0.8, 1.2], resamples=2)
    >>> found
    <LoadSweep of default: loads 0.8, 1.2, easy>
    """
    require_number("resamples", resamples, 1)
    factors = checked_loads(loads)
    wanted = tuple(dict.fromkeys([*([measures] if isinstance(measures, str) else measures), "utilisation"]))
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
    of = Experiment(log, machine, schedulers, measures=wanted, seed=seed, rules=rules, options=options, loads=factors)
    drawn = [trial for load in factors for trial in of.resamples(resamples, load)]
    outcomes = run_trials(
        of, [of.original(), *drawn], kind=LoadSweep.kind, folder=folder, threads=threads, progress=progress
    )
    found = LoadSweep(
        columns=tables.columns_of(of, drawn, outcomes),
        original=tables.original_of(of, outcomes),
        about={**of.about(), "loads": factors, "resamples": resamples},
    )
    if folder is not None:
        found.save(folder)
    return found


def checked_loads(loads: Sequence[float]) -> list[float]:
    """Return the load factors in ascending order; raise InputError for duplicates."""
    try:
        factors = sorted(float(load) for load in loads)
    except (TypeError, ValueError):
        factors = []
    if not factors or len(set(factors)) < len(factors):
        raise InputError(f"loads must be one or more different factors, such as [0.8, 1.0, 1.2] (got {loads!r})")
    return factors
