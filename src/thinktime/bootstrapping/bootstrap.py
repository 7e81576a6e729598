"""Bootstrap: intervals for the metrics of a simulated log, from simulations of many resamples of the log.

Zakay and Feitelson 2014, section 5.3 and figures 8 and 9. Every scheduler is simulated on the same resamples, so
differences between schedulers are paired.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike

from thinktime.allocators import Allocator
from thinktime.applications import Application
from thinktime.bootstrapping import tables
from thinktime.bootstrapping.bootstrapped import Bootstrap
from thinktime.bootstrapping.run_trials import Progress, run_trials
from thinktime.bootstrapping.trials import MEASURES, Experiment, SchedulersLike, require_number
from thinktime.plugins import Plugin
from thinktime.simulation.arguments import MachineLike, WorkloadLike
from thinktime.simulation.settings import Admission, Overrun, Oversized, SameInstant
from thinktime.support.json_types import JsonTable
from thinktime.users import UserModel
from thinktime.workload import Estimates

GROUPS = 100  # of users, for the jackknife


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
    resample: JsonTable | None = None,
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
        of, [of.original(), *drawn, *left_out], kind=Bootstrap.kind, folder=folder, threads=threads, progress=progress
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
