"""`simulate`: run a simulation to the end and return its result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Thread

from thinktime.allocators import Allocator
from thinktime.applications import Application
from thinktime.plugins import Plugin
from thinktime.result import Result
from thinktime.simulation.arguments import MachineLike, SchedulerLike, WorkloadLike
from thinktime.simulation.outcome import judge
from thinktime.simulation.settings import Admission, Overrun, Oversized, SameInstant
from thinktime.simulation.simulation import RequestsLike, Simulation
from thinktime.users import UserModel
from thinktime.workload import Estimates

#: From this many jobs on, `simulate` hashes them in a thread while the engine runs.
HASHED_APART = 20_000


def simulate(
    workload: WorkloadLike,
    machine: MachineLike = None,
    scheduler: SchedulerLike = "easy",
    *,
    users: UserModel | str = "rigid",
    applications: Application | str = "fixed",
    estimates: Estimates | str = "requested",
    overrun: Overrun = "extend",
    oversized: Oversized = "reject",
    same_instant: SameInstant = "batch",
    allocator: Allocator | str | None = None,
    admission: Admission | None = None,
    plugins: Plugin | str | Sequence[Plugin | str] = (),
    requests: RequestsLike = None,
    seed: int = 0,
    timeline: bool = True,
    decisions: bool = False,
    progress: Callable[[float], None] | None = None,
    strict: bool = False,
) -> Result:
    """Simulate a workload on a machine to the end.

    Wherever a spec is taken (`tt.Easy(order="sjf")`), the text of the command line works too (`"easy:order=sjf"`).

    Parameters
    ----------
    workload : Workload, str or path
        The jobs; or the name or path of a log (`"KTH-SP2-1996-2.1-cln"`), read with the defaults of `tt.read`;
        or a generator (`"lublin:jobs=900"`).
    machine : Machine, Cluster, int, str or path, optional
        The platform: a number of processors, `tt.Machine(processors=100, speed=2)`, a cluster, or the name
        (`"seth"`) or file of one. Default: the size of the machine in the log's header.
    scheduler : Scheduler or str
        When jobs start (default `"easy"`). `thinktime run --help` lists all schedulers.
    users : UserModel or str
        When jobs are submitted: `"rigid"` (at the recorded times, default), or a model that reacts to the simulated
        ends, such as `"session-replay:threshold_min=60"`.
    applications : Application or str
        What happens inside a job: `"fixed"` (the recorded run time, default) or `"loop:technique=gss"`.
    estimates : Estimates or str
        The run times that the scheduler knows: `"requested"` (default), `"at_least:2"` or `"perfect"`.
    overrun : {"extend", "extend-blind", "kill"}
        A job that runs longer than its estimate continues (`"extend"`, default), continues without the scheduler
        knowing until when (`"extend-blind"`), or is killed (`"kill"`).
    oversized : {"reject", "clip", "error"}
        A job larger than the machine is rejected (`"reject"`, default), cut to the machine's size (`"clip"`), or
        raises InputError (`"error"`).
    same_instant : {"batch", "each-submit-first", "each-end-first"}
        Events of one instant: one scheduling pass after all of them (`"batch"`, default), or one per event
        (`"each-submit-first"`, `"each-end-first"`).
    allocator : Allocator or str, optional
        Where jobs run on a cluster, such as `"best-fit"` (default: first fit).
    admission : {"request", "total", "none"}, optional
        Which jobs a cluster rejects on submission: those that do not fit on the empty cluster (`"request"`, default),
        those larger than its totals (`"total"`), or none (`"none"`).
    plugins : Plugin, str or sequence of them
        Additional models of a cluster, such as `["power", tt.Failures(mtbf_h=1000)]`.
    requests : mapping, str or path, optional
        Amounts of a cluster's resources by name, one per job: `{"gpu": [1, 0, 2]}`; the name of a column of the
        workload, `{"gpu": "gpus"}`, as text `"gpu=gpus"`; or a .csv or .parquet file with a column `job`.
    seed : int
        Seed of all random draws (default 0).
    timeline : bool
        Record the state after each instant, for `Result.timeline` and the metrics of the queue (default True).
    decisions : bool
        Record the duration of each scheduling pass; by default only of a regular sample of them.
    progress : callable, optional
        Called with the simulated clock about ten times per second.
    strict : bool
        Raise StrictError if a job did not complete: unfinished, never submitted, rejected, killed or lost.

    Returns
    -------
    Result
        The jobs with their times, the timeline, the metrics (`summary()`), exports and figures.

    Raises
    ------
    InputError
        If an argument is not understood, or if the workload has a job that cannot be simulated.
    StrictError
        With `strict`, if a job did not complete.

    Warns
    -----
    OutcomeWarning
        If jobs never ended or were never submitted.

    Examples
    --------
    >>> import thinktime as tt
    >>> log = tt.default_workload(jobs=200)
    >>> run = tt.simulate(log, 128, "easy:order=sjf")
    >>> run
    <Result ...: 200 jobs on 128 processors>
    >>> round(run.summary()["wait_mean_s"])
    217
    """
    simulation = Simulation(
        workload,
        machine,
        scheduler,
        users=users,
        applications=applications,
        estimates=estimates,
        overrun=overrun,
        oversized=oversized,
        same_instant=same_instant,
        allocator=allocator,
        admission=admission,
        plugins=plugins,
        requests=requests,
        seed=seed,
        timeline=timeline,
        decisions=decisions,
    )
    hashing = Thread(target=lambda: simulation._hashed_jobs)
    if len(simulation.workload) >= HASHED_APART:
        hashing.start()
    simulation.run(progress=progress)
    if hashing.ident is not None:
        hashing.join()
    result = simulation.result()
    judge(result.cautions, strict, result)
    return result
