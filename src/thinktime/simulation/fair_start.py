"""Fair start times: when would a job have started if no job had overtaken it?

Two published definitions. Both use a separate simulation, so that schedulers can be compared with each other:

`conservative`: the start under conservative backfilling in the order of arrival, where every estimate is the
run time (CONS_P: Leung, Sabin and Sadayappan, "Parallel job scheduling policies to improve fairness: a case
study", 2010). One simulation; the same for every scheduler.

`no-later-arrivals`: the start of the job under the given scheduler if no job had arrived after it (Sabin,
Kochhar and Sadayappan, "Job fairness in non-preemptive job scheduling", ICPP 2004). Each job needs a simulation
of the jobs up to it. Events before an instant do not depend on later arrivals, so (1) a job that started before the
next one arrived had its fair start, and (2) when all earlier jobs have ended at an arrival, later simulations begin
there. Both cuts are exact.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from thinktime.allocators import Allocator
from thinktime.errors import InputError
from thinktime.schedulers.conservative import Conservative
from thinktime.simulation.arguments import MachineLike, SchedulerLike, WorkloadLike, as_machine, workload_or_generated
from thinktime.simulation.requests import Requests, requests_of
from thinktime.simulation.settings import Admission, Overrun, Oversized, SameInstant, Settings
from thinktime.simulation.simulation import SECONDS
from thinktime.spec import one_of
from thinktime.workload import Estimates

METHODS = ("conservative", "no-later-arrivals")


def fair_starts(
    workload: WorkloadLike,
    machine: MachineLike = None,
    scheduler: SchedulerLike | None = None,
    *,
    method: str = "conservative",
    estimates: Estimates | str = "requested",
    overrun: Overrun = "extend",
    oversized: Oversized = "reject",
    same_instant: SameInstant = "batch",
    allocator: Allocator | str | None = None,
    admission: Admission | None = None,
    seed: int = 0,
) -> np.ndarray:
    """Return the fair start of every job, for `Result.fairness`.

    Users are rigid, and jobs run as long as recorded: fair starts are not defined for users who react.

    Parameters
    ----------
    workload : Workload, str or path
        The jobs, or the name or path of a log.
    machine : Machine, Cluster, int, str or path, optional
        The platform, as in `simulate` (default: the log's machine).
    scheduler : Scheduler or str, optional
        For `method="no-later-arrivals"` only.
    method : str
        `"conservative"` (default): the start under conservative backfilling with perfect estimates.
        `"no-later-arrivals"`: the start under `scheduler` if no job had arrived later; one simulation per delayed job.
    estimates : Estimates or str
        As in `simulate`; `"conservative"` always uses perfect ones.
    overrun, oversized, same_instant, allocator, admission, seed
        As in `simulate`.

    Returns
    -------
    numpy.ndarray
        Seconds, in the workload's order; NaN for a job that never starts.

    Examples
    --------
    >>> import thinktime as tt
    >>> log = tt.default_workload(jobs=200)
    >>> fair = tt.fair_starts(log, 128)
    >>> tt.simulate(log, 128, "easy").fairness(fair)["fair_start_miss_share"]
    0.125
    """
    one_of("method", method, METHODS)
    if (scheduler is None) != (method == "conservative"):
        takes = "takes no scheduler, leave it out" if scheduler is not None else "needs the scheduler, name it"
        raise InputError(f"the fair start {method!r} {takes}")
    if scheduler is None:
        scheduler, estimates = Conservative(), Estimates.perfect()
    workload = workload_or_generated(workload)
    rules = {
        "estimates": estimates,
        "overrun": overrun,
        "oversized": oversized,
        "same_instant": same_instant,
        "allocator": allocator,
        "admission": admission,
        "seed": seed,
    }
    settings = Settings.of(as_machine(machine, workload), scheduler, rules)
    requests = requests_of(workload, settings)
    jobs = _engine(settings, requests, slice(None))(np.inf)
    return jobs["start_s"] if method == "conservative" else _without_later(settings, requests, jobs)


def _engine(settings: Settings, requests: Requests, rows: slice) -> Callable[[float], dict[str, np.ndarray]]:
    """Return a function that simulates these rows up to an instant and returns the columns of the jobs."""
    engine = settings.engine(timeline=False, keep_jobs=True, pools=requests.pools)
    requests.rows(rows).load(engine)
    engine.close()

    def jobs(until: float) -> dict[str, np.ndarray]:
        while not engine.run_for(until, SECONDS):
            pass
        return engine.jobs()

    return jobs


def _without_later(settings: Settings, requests: Requests, jobs: dict[str, np.ndarray]) -> np.ndarray:
    starts, fair = jobs["start_s"], jobs["start_s"].copy()
    first = _first_of_busy_period(requests.submit_s, jobs["end_s"])
    for row in _doubtful(requests.submit_s, starts):
        fair[row] = _last_start(settings, requests, slice(first[row], row + 1), starts[row])
    return fair


def _doubtful(submit_s: np.ndarray, starts: np.ndarray) -> list[int]:
    """Return the jobs that were waiting, or started, when the next one arrived."""
    later = np.append(submit_s[1:], np.inf)
    return np.flatnonzero(later <= starts).tolist()


def _first_of_busy_period(submit_s: np.ndarray, end_s: np.ndarray) -> np.ndarray:
    """[row]: the latest row up to it at whose arrival every earlier job had ended or was rejected."""
    latest = np.maximum.accumulate(np.nan_to_num(end_s, nan=-np.inf))
    begins = np.append(True, latest[:-1] < submit_s[1:])[: len(submit_s)]
    return np.maximum.accumulate(np.where(begins, np.arange(len(submit_s)), 0))


def _last_start(settings: Settings, requests: Requests, rows: slice, guess_s: float) -> float:
    """Return the start of the last of these rows. First try its start with all jobs: it is rarely later."""
    jobs = _engine(settings, requests, rows)
    start = float(jobs(guess_s)["start_s"][-1])
    return float(jobs(np.inf)["start_s"][-1]) if np.isnan(start) else start
