"""Simulation in constant memory: jobs are read in blocks and written to the run directory as they end.

In memory are the block being read, the jobs that wait or run, and a block of results. The schedule is the same as
that of `simulate`; jobs.parquet lists the jobs in the order of their ends.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from thinktime.allocators import Allocator
from thinktime.applications import Application
from thinktime.applications.per_job import PerJob
from thinktime.errors import InputError
from thinktime.metrics import REJECTED, Summary
from thinktime.metrics.jobs import TAU_S
from thinktime.metrics.window import Window
from thinktime.plugins import OwnPlugin, Plugin
from thinktime.plugins.context import StreamState
from thinktime.result import StreamedRun
from thinktime.result.summary_options import summary_options
from thinktime.schedulers import OwnScheduler
from thinktime.simulation.application_level import application_of, inside_tables
from thinktime.simulation.arguments import MachineLike, SchedulerLike, as_machine, stream_or_generated
from thinktime.simulation.job_columns import clock_spec, hash_jobs, job_columns
from thinktime.simulation.outcome import judge, statistics_of
from thinktime.simulation.plugins import SimulationPlugins, attempts_of
from thinktime.simulation.requests import Requests, requests_of
from thinktime.simulation.scheduler_actions import reasons_of, streamed_actions
from thinktime.simulation.settings import Admission, Overrun, Oversized, SameInstant, Settings
from thinktime.simulation.simulation import SECONDS
from thinktime.simulation.stream_plugins import LiveJobs
from thinktime.simulation.stream_requests import StreamedRequests, StreamedRequestsLike
from thinktime.support.json_types import JsonDict
from thinktime.traces import Header
from thinktime.traces.attributes import ColumnType
from thinktime.traces.content_hash import ContentHash
from thinktime.users import UserModel
from thinktime.workload import Estimates, LogStream, Workload
from thinktime.workload.user_sessions.groups import UNKNOWN_USER, known_end_s

if TYPE_CHECKING:
    from thinktime._engine import Run

#: Columns that the engine carries along with a job, to be written when it ends.
CARRIED = ("job", "user", "submit_s", "wait_s", "run_s", "processors")
#: Finished jobs are written in row groups of about this size.
ROW_GROUP = 16_384
NOTHING = np.empty(0)
#: The most jobs that are held because reacting users have not submitted them.
READ_AHEAD = 1_000_000


def simulate_stream(
    log: LogStream | str | PathLike[str] | Iterable[Mapping[str, Any]],
    machine: MachineLike,
    scheduler: SchedulerLike,
    directory: str | PathLike[str],
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
    requests: StreamedRequestsLike = None,
    seed: int = 0,
    timeline: bool = True,
    decisions: bool = False,
    read_ahead: int = READ_AHEAD,
    window: Window | None = None,
    exclude: Sequence[str] = ("rejected",),
    exclude_users: Sequence[float] = (),
    tau_s: float = TAU_S,
    overwrite: bool = False,
    progress: Callable[[int], None] | None = None,
    strict: bool = False,
) -> Summary:
    """Simulate a log of any length into a run directory, in constant memory.

    Parameters
    ----------
    log : LogStream, str, path or iterable of blocks
        The log: `tt.stream(…)`, its name or path, or a generator such as `lublin:jobs=900`. A block of columns is a
        mapping of names to lists or arrays with `submit_s`, `run_s` and `processors`; blocks are taken as they are, in
        submit order.
    machine : Machine, Cluster, int, str, path or None
        The platform, as in `simulate`; None for the size of the machine in the log's header.
    scheduler : Scheduler or str
        When jobs start, such as `"easy"`.
    directory : str or path
        Where the run is written: `jobs.parquet` (in the order of ends), `timeline.parquet` and `run.json`. It appears
        when the run is complete. `tt.Result.load` reads it.
    users : UserModel or str
        `"rigid"`, or users who react: `"session-replay"` and `"adjusted"` with recorded think times. Other models need
        the whole log.
    applications, estimates, overrun, oversized, same_instant, allocator, admission, seed, timeline, decisions
        As in `simulate`.
    plugins : Plugin, str or sequence of them
        As in `simulate`. Own plugins see the jobs that wait or run.
    requests : mapping, str or path, optional
        As in `simulate`; held in memory.
    read_ahead : int
        With users who react: the most jobs that may be held because they are read and not submitted (default
        1,000,000). More are held the further the simulated times are from the recorded ones.
    window : (float or None, float or None), optional
        Begin and end in seconds of the jobs that the metrics count.
    exclude : sequence of str
        Statuses that the metrics leave out (default: rejected).
    exclude_users : sequence of float
        Users whose jobs the metrics leave out.
    tau_s : float
        Bound of the bounded slowdown (default 10).
    overwrite : bool
        Replace a run that is in the directory (default False).
    progress : callable, optional
        Called with the number of jobs read so far.
    strict : bool
        Raise StrictError and write nothing if a job did not complete (default False).

    Returns
    -------
    Summary
        The metrics, as in `simulate`. Quantiles are missing if jobs have more than 250,000 different values.

    Examples
    --------
    >>> import thinktime as tt
    >>> tt.write_swf(tt.default_workload(jobs=200), "log.swf.gz")
    >>> summary = tt.simulate_stream("log.swf.gz", None, "easy", "run")
    >>> summary["jobs"]
    200
    """
    log = stream_or_generated(log)
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
        "seed": seed,
    }
    settings = Settings.of(as_machine(machine, log), scheduler, rules)
    plan = _plan_of_users(settings)
    if isinstance(read_ahead, bool) or not isinstance(read_ahead, int) or read_ahead < 1:
        raise InputError(f"read_ahead must be a whole number of jobs, at least 1 (got {read_ahead!r})")
    metrics = summary_options(window=window, exclude=exclude, exclude_users=exclude_users, tau_s=tau_s)
    on_nodes = StreamedRequests(settings, requests)
    spec = {"workload": {"name": log.name, "streamed": True}, **settings.to_dict()}
    delays, own = any(plugin.acts for plugin in settings.plugins), isinstance(settings.scheduler, OwnScheduler)
    more = (*(("overhead_s",) if delays or own else ()), *on_nodes.names)
    options = {
        "of_aborted": "overhead_s" if own and not delays else "",
        "overwrite": overwrite,
        "more": more,
        "inside": settings.applications.inside,
        **metrics,
    }
    options["variants"] = isinstance(settings.applications, PerJob)
    with StreamedRun(Path(directory), settings.machine.processors, spec, **options) as run:
        streaming = Streaming(settings, plan, run, on_nodes, Kept(timeline, decisions, read_ahead))
        for block in log:
            streaming.add(Workload(columns=block, name=log.name, header=log.header, types=log.types))
            if progress is not None:
                progress(streaming.read)
        nothing = Workload.from_columns(submit_s=[], run_s=[], processors=[], name=log.name)
        streaming.end(replace(nothing, header=log.header))
        spec |= streaming.clock
        spec["workload"] |= log.source
        spec["workload"] |= {"jobs": streaming.read, "jobs_sha256": streaming.content.hexdigest()}
        statistics = streaming.statistics()
        judge(run.cautions(log.account, statistics), strict)
        return run.finish(log.account, statistics)


def _plan_of_users(settings: Settings) -> JsonDict:
    """Return the plan of reacting users; empty for rigid ones. Raise InputError if they need the whole log."""
    return {"streamed": True, **settings.users.streamed()} if settings.reacting else {}


class Kept(NamedTuple):
    """What a run records besides its jobs."""

    timeline: bool
    decisions: bool  # of every pass
    read_ahead: int  # the most jobs that were read and not submitted


class Streaming:
    """A streamed simulation: blocks of jobs go into the engine, finished jobs into the run directory."""

    def __init__(
        self, settings: Settings, plan: JsonDict, run: StreamedRun, on_nodes: StreamedRequests, kept: Kept
    ) -> None:
        self._settings, self._plan, self._run, self._on_nodes, self._kept = settings, plan, run, on_nodes, kept
        self._engine: Run | None = None  # needs the pools of the first block
        self._plugins: SimulationPlugins | None = None
        self._carried: tuple[str, ...] = CARRIED
        self._engine_s, self._remarks = 0.0, Counter[str]()
        self._attributes: dict[str, ColumnType] = {}  # as far as the log was read
        self.read, self.content = 0, ContentHash()  # jobs read so far, and their hash
        self.most_waiting = 0  # jobs that were read and not submitted
        self.clock: JsonDict = {}  # of the first job, for the spec
        self._absent: list[str] | None = None  # errors: what applications name and no block had so far

    def add(self, jobs: Workload) -> None:
        """Load a block of jobs, simulate as far as they allow, and write finished jobs if there are enough."""
        engine = self._load(jobs)
        absent = self._settings.applications.absent_in(jobs)
        self._absent = absent if self._absent is None else [error for error in self._absent if error in absent]
        self.read += len(jobs)
        self._simulate(engine)
        self._require_window(engine)
        if engine.finished_jobs >= ROW_GROUP:
            self._write(engine, last=False)

    def _load(self, jobs: Workload) -> Run:
        amounts, inputs = self._on_nodes.of(jobs)
        requests = requests_of(jobs, self._settings, amounts)
        self._remarks.update(requests.remarks())
        if self._engine is None and (self._settings.plugins or inputs):
            self._plugins = SimulationPlugins(self._settings, StreamState(self._job_numbers))
        if self._plugins:
            requests = self._plugins.take(jobs, requests, inputs)
        hash_jobs(self.content, jobs, {**requests.by_job(self._settings.cluster), **inputs}, self._settings)
        if first := self._engine is None:
            self.clock = clock_spec(jobs, self._settings)
        engine = self._engine = self._engine or self._first_engine(jobs, requests)
        self._attributes = {name: jobs.types[name] for name in jobs.attributes}
        carried = [*(jobs[name] for name in self._carried), *self._on_nodes.columns(requests)]
        requests.load(engine, [np.ascontiguousarray(column) for column in carried])
        if self._plan:
            self._read_users(engine, jobs)
        if self._plugins:
            if first:
                self._plugins.begin(engine, self._live_jobs(engine, jobs))  # type: ignore[arg-type]
            self._plugins.load(engine)
        return engine

    def _live_jobs(self, engine: Run, jobs: Workload) -> LiveJobs:
        header = jobs.header or Header()
        return LiveJobs(engine, self._carried, jobs.name, header, lambda: self._attributes)

    def _read_users(self, engine: Run, jobs: Workload) -> None:
        user = np.where(np.isnan(jobs["user"]), UNKNOWN_USER, jobs["user"])
        engine.read_users(*(np.ascontiguousarray(each) for each in (jobs["submit_s"], known_end_s(jobs), user)))

    def _require_window(self, engine: Run) -> None:
        """Raise InputError if users are so far from the log that too many jobs wait in memory."""
        self.most_waiting = max(self.most_waiting, engine.waiting_to_submit)
        if self.most_waiting > self._kept.read_ahead:
            raise InputError(
                f"{self.most_waiting:,} jobs were read that users have not submitted, at {engine.now:.15g} s: the"
                f" simulation is far ahead of the log or behind it; raise read_ahead ({self._kept.read_ahead:,}), or"
                " simulate without streaming"
            )

    def _first_engine(self, jobs: Workload, requests: Requests) -> Run:
        own = any(isinstance(plugin, OwnPlugin) for plugin in self._settings.plugins)
        more = jobs.columns if own else jobs.attributes
        self._carried = (*CARRIED, *(name for name in more if name not in CARRIED))
        return self._settings.engine(
            timeline=self._kept.timeline,
            keep_jobs=False,
            decisions=self._kept.decisions,
            plan=self._plan,
            pools=requests.pools,
            application=application_of(self._settings, None),
        )

    def _job_numbers(self, slots: np.ndarray) -> np.ndarray:
        assert self._engine is not None
        return self._engine.carried(CARRIED.index("job"), slots.astype(np.int64))

    def end(self, empty: Workload) -> None:
        """Simulate to the end and write the rest; `empty` stands for a stream without blocks."""
        engine = self._engine or self._load(empty)
        if self._absent:
            raise InputError(self._absent[0])
        self._on_nodes.end()
        engine.close()
        self._simulate(engine)
        self._write(engine, last=True)

    def statistics(self) -> JsonDict:
        assert self._engine is not None
        counters = statistics_of(self._engine, self._engine_s)
        reasons = reasons_of(self._engine)
        refused = self._on_nodes.rejected(reasons.get("rejected", {}))
        window = {"most_jobs_read_ahead": self.most_waiting} if self._plan else {}
        return counters | {"stopped": False, **window, **reasons, **refused, **self._remarks}

    def _simulate(self, engine: Run) -> None:
        begin = time.perf_counter()
        while not engine.run_for(np.inf, SECONDS):
            pass  # Python can handle an interruption here
        self._engine_s += time.perf_counter() - begin

    def _write(self, engine: Run, last: bool) -> None:
        finished = engine.take_finished(last=last)  # carried columns by number, others by name
        recorded = {name: finished.get(k, NOTHING) for k, name in enumerate(self._carried)}
        requested = {name: finished.get(k, NOTHING) for k, name in enumerate(self._on_nodes.names, len(self._carried))}
        self._on_nodes.refuse(finished["status"] == REJECTED, recorded["processors"])
        self._run.add(
            {
                **job_columns(recorded, finished, finished.get("session")),
                **requested,
                **{name: recorded[name] for name in self._attributes},
            },
            types=self._attributes,
            placements=finished.get("placements"),
            attempts=attempts_of(finished["attempts"]) if "attempts" in finished else None,
            tables={
                **(self._plugins.tables(finished.get("reports", ()), last=last) if self._plugins else {}),
                **inside_tables(finished, recorded["job"]),
                **streamed_actions(finished.get("actions"), recorded["job"]),
            },
            reasons=tuple(engine.action_reasons()),
        )
        if self._kept.timeline:
            self._run.add_timeline(engine.take_timeline(all=last))
        if self._kept.decisions or last:
            self._run.add_decisions(engine.take_decisions())
