"""Simulation in constant memory: jobs are read in blocks and written to the run directory as they end.

In memory are the block being read, the jobs that wait or run, and a block of results. The schedule is the same as
that of `simulate`; jobs.parquet lists the jobs in the order of their ends.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.allocators import Allocator
from thinktime.applications import Application
from thinktime.errors import InputError
from thinktime.metrics import REJECTED, Summary
from thinktime.metrics.jobs import TAU_S
from thinktime.metrics.window import Window
from thinktime.platforms import Cluster
from thinktime.platforms.cluster_parts import LIMITS
from thinktime.platforms.node_pools import pool_sizes
from thinktime.platforms.node_requests import request_names
from thinktime.platforms.request_files import RequestTable
from thinktime.plugins import Plugin
from thinktime.result import StreamedRun
from thinktime.result.summary_options import summary_options
from thinktime.simulation.application_level import application_of
from thinktime.simulation.arguments import MachineLike, SchedulerLike, as_machine
from thinktime.simulation.job_columns import columns_read, hashed_columns, job_columns, refusals, with_others
from thinktime.simulation.outcome import judge, statistics_of
from thinktime.simulation.requests import Requests, cluster_with_requests, requests_of
from thinktime.simulation.settings import Admission, Overrun, Oversized, SameInstant, Settings
from thinktime.simulation.simulation import SECONDS
from thinktime.support.json_types import JsonDict
from thinktime.traces.attributes import ColumnType
from thinktime.traces.content_hash import ContentHash
from thinktime.users import UserModel
from thinktime.workload import Estimates, LogStream, Workload
from thinktime.workload.reading.stream import as_stream

if TYPE_CHECKING:
    from thinktime._engine import Run

#: Columns that the engine carries along with a job, to be written when it ends.
CARRIED = ("job", "user", "submit_s", "wait_s", "run_s", "processors")
#: What the account of the reader says about how the log was read, for the spec of the run.
READING = ("sha256", "filter", "processors", "remove")
#: Finished jobs are written in row groups of about this size.
ROW_GROUP = 16_384


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
    requests: str | PathLike[str] | None = None,
    seed: int = 0,
    timeline: bool = True,
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
        The log: `tt.stream(…)`, or its name or path. A block of columns is a mapping of names to lists or arrays with
        `submit_s`, `run_s` and `processors`; blocks are taken as they are, in submit order.
    machine : Machine, Cluster, int, str, path or None
        The platform, as in `simulate`; None for the size of the machine in the log's header.
    scheduler : Scheduler or str
        When jobs start, such as `"easy"`.
    directory : str or path
        Where the run is written: `jobs.parquet` (in the order of ends), `timeline.parquet` and `run.json`. It appears
        when the run is complete. `tt.Result.load` reads it.
    users : UserModel or str
        Only `"rigid"`: other models need all jobs in memory.
    applications, estimates, overrun, oversized, same_instant, allocator, admission, seed, timeline
        As in `simulate`.
    plugins : sequence
        Only empty: plugins need all jobs in memory.
    requests : str or path, optional
        A .csv or .parquet file with a column `job` and amounts of the cluster's resources; held in memory.
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
        The metrics that do not need all jobs at once; quantiles are missing.

    Examples
    --------
    >>> import thinktime as tt
    >>> tt.write_swf(tt.default_workload(jobs=200), "log.swf.gz")
    >>> summary = tt.simulate_stream("log.swf.gz", None, "easy", "run")
    >>> summary["jobs"]
    200
    """
    log = as_stream(log)
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
    _require_rigid(settings)
    metrics = summary_options(window=window, exclude=exclude, exclude_users=exclude_users, tau_s=tau_s)
    on_nodes = StreamedRequests(settings, requests)
    application = application_of(settings, None)
    engine = settings.engine(timeline=timeline, keep_jobs=False, pools=on_nodes.pools, application=application)
    spec = {"workload": {"name": log.name, "streamed": True}, **settings.to_dict()}
    options = {"overwrite": overwrite, "more": on_nodes.names, "inside": application is not None, **metrics}
    with StreamedRun(Path(directory), settings.machine.processors, spec, **options) as run:
        streaming = Streaming(settings, engine, run, on_nodes, timeline)
        for block in log:
            streaming.add(Workload(columns=block, name=log.name, header=log.header, types=log.types))
            if progress is not None:
                progress(streaming.read)
        streaming.end()
        spec["workload"] |= {name: log.account[name] for name in READING if name in log.account}
        spec["workload"] |= {"jobs": streaming.read, "jobs_sha256": streaming.content.hexdigest()}
        statistics = streaming.statistics()
        judge(run.cautions(log.account, statistics), strict)
        return run.finish(log.account, statistics)


def _require_rigid(settings: Settings) -> None:
    if settings.reacting:
        raise InputError(
            f"users are {settings.users!r}, which need the whole log in memory: use rigid users, or simulate"
            " without streaming"
        )
    if settings.plugins:
        raise InputError(
            f"plugin {settings.plugins[0].name} needs all jobs in memory: remove the plugins, or simulate"
            " without streaming"
        )
    if settings.applications.early:
        raise InputError(
            "applications release cores early, which a streamed simulation does not record: choose release='end',"
            " or simulate without streaming"
        )


class StreamedRequests:
    """Requests of streamed jobs on a cluster: names of additional columns, and reasons of rejections so far."""

    def __init__(self, settings: Settings, requests: str | PathLike[str] | None = None) -> None:
        self._scheduler, self._counts = settings.scheduler.name, Counter[str]()
        self._settings = settings
        self.rejections = 0
        self.names: tuple[str, ...] = ()
        self.pools: np.ndarray | tuple[()] = ()
        if settings.cluster:
            _require_no_limits_by_user(settings.cluster)
            self.names, self.pools = request_names(settings.cluster), pool_sizes(settings.cluster)
        self._table = _request_table(requests, settings)

    def amounts(self, jobs: Workload) -> dict[str, np.ndarray]:
        """Return the amounts of a block by the numbers of its jobs."""
        return self._table.of(jobs) if self._table else {}

    def columns(self, requests: Requests, settings: Settings) -> list[np.ndarray]:
        """Return the columns that the engine carries with the jobs, and count refusals."""
        if requests.nodes is None or settings.cluster is None:
            return []
        self._counts.update(requests.nodes.refusals())
        return list(requests.nodes.columns(settings.cluster).values())

    def refuse(self, rejected: np.ndarray, processors: np.ndarray) -> None:
        """Count the jobs of a block that were rejected."""
        self.rejections += int(np.count_nonzero(rejected))
        if not self.names:
            self._counts.update(refusals(rejected, processors, self._settings).get("rejected", {}))

    def rejected(self) -> JsonDict:
        if self.names:
            return {"rejected": with_others(self._counts, self.rejections, self._scheduler)}
        return {"rejected": dict(self._counts)} if self._counts else {}


def _request_table(requests: object, settings: Settings) -> RequestTable | None:
    if requests is None:
        return None
    if not isinstance(requests, str | PathLike):
        raise InputError(
            "requests must be a .csv or .parquet file with a column job: arrays of all jobs need a simulation"
            " without streaming"
        )
    return RequestTable(Path(requests), cluster_with_requests(requests, settings))


def _require_no_limits_by_user(cluster: Cluster) -> None:
    for queue in cluster.queues:
        for limit, (_, by_user) in LIMITS.items():
            if by_user and getattr(queue, limit) is not None:
                raise InputError(
                    f"queue {queue.name!r} has {limit}, which needs all users in memory: remove the limit, or simulate"
                    " without streaming"
                )


class Streaming:
    """A streamed simulation: blocks of jobs go into the engine, finished jobs into the run directory."""

    def __init__(
        self, settings: Settings, engine: Run, run: StreamedRun, on_nodes: StreamedRequests, timeline: bool
    ) -> None:
        self._settings, self._engine, self._run = settings, engine, run
        self._on_nodes, self._timeline = on_nodes, timeline
        self._engine_s, self._remarks = 0.0, Counter[str]()
        self._attributes: dict[str, ColumnType] = {}  # as far as the log was read
        self.read, self.content = 0, ContentHash()  # jobs read so far, and their hash

    def add(self, jobs: Workload) -> None:
        """Load a block of jobs, simulate as far as they allow, and write finished jobs if there are enough."""
        requests = requests_of(jobs, self._settings, self._on_nodes.amounts(jobs))
        self._remarks.update(requests.remarks())
        simulated = requests.by_job(self._settings.cluster)
        self.content.add(hashed_columns(jobs, simulated, columns_read(self._settings)), jobs.types)
        own = self._attributes_of(jobs)
        carried = [*(jobs[name] for name in CARRIED), *self._on_nodes.columns(requests, self._settings), *own]
        requests.load(self._engine, [np.ascontiguousarray(column) for column in carried])
        self.read += len(jobs)
        self._simulate()
        if self._engine.finished_jobs >= ROW_GROUP:
            self._write(all_rows=False)

    def _attributes_of(self, jobs: Workload) -> list[np.ndarray]:
        """Return the attributes of a block, and remember their types; all blocks have the same attributes."""
        self._attributes = {name: jobs.types[name] for name in jobs.attributes}
        return [jobs[name] for name in self._attributes]

    def end(self) -> None:
        """Simulate to the end and write the rest."""
        self._engine.close()
        self._simulate()
        self._write(all_rows=True)

    def statistics(self) -> JsonDict:
        counters = statistics_of(self._engine, self._engine_s)
        return counters | {"stopped": False, **self._on_nodes.rejected(), **self._remarks}

    def _simulate(self) -> None:
        begin = time.perf_counter()
        while not self._engine.run_for(np.inf, SECONDS):
            pass  # Python can handle an interruption here
        self._engine_s += time.perf_counter() - begin

    def _write(self, all_rows: bool) -> None:
        finished = self._engine.take_finished()  # carried columns by number, others by name
        if len(finished["row"]):
            recorded = {name: finished[k] for k, name in enumerate(CARRIED)}
            requested = {name: finished[k] for k, name in enumerate(self._on_nodes.names, len(CARRIED))}
            self._on_nodes.refuse(finished["status"] == REJECTED, recorded["processors"])
            if placed := finished.get("placements"):
                self._run.add_placements(placed)
            if inside := finished.get("inside"):
                self._run.add_insides({"job": recorded["job"], **inside}, finished["cores"])
            first = len(CARRIED) + len(self._on_nodes.names)
            own = {name: finished[k] for k, name in enumerate(self._attributes, first)}
            self._run.add({**job_columns(recorded, finished), **requested, **own}, self._attributes)
        if self._timeline:
            self._run.add_timeline(self._engine.take_timeline(all=all_rows))
