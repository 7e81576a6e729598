"""Simulation in constant memory: jobs come from the log in blocks, and leave for the run directory as they end.

What is held: the blocks being read, the jobs that wait or run, and a block of results. The schedule is the one
that `simulate` finds; jobs.parquet lists the jobs in the order of their ends.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics import REJECTED, Summary
from thinktime.platforms import Cluster, Machine
from thinktime.platforms.cluster_parts import LIMITS
from thinktime.platforms.node_pools import pool_sizes
from thinktime.platforms.node_requests import request_names
from thinktime.platforms.request_files import RequestTable
from thinktime.result import StreamedRun
from thinktime.schedulers import Scheduler
from thinktime.simulation.application_level import application_of
from thinktime.simulation.outcome import judge, statistics_of
from thinktime.simulation.requests import Requests, cluster_with_requests, requests_of
from thinktime.simulation.settings import Settings
from thinktime.simulation.simulation import SECONDS, hash_jobs, job_columns, refusals, with_others
from thinktime.workload import SwfStream, Workload

#: Columns that the engine carries along with a job, to be written when it ends.
CARRIED = ("job", "user", "submit_s", "wait_s", "run_s", "processors")
#: Finished jobs are written in row groups of about this size.
ROW_GROUP = 16_384


def simulate_stream(
    log: SwfStream,
    machine: Machine | Cluster,
    scheduler: Scheduler,
    directory: str | Path,
    *,
    overwrite: bool = False,
    timeline: bool = True,
    progress: Callable[[int], None] | None = None,
    window: dict[str, Any] | None = None,
    strict: bool = False,
    requests: str | Path | None = None,
    **rules: Any,
) -> Summary:
    """Simulate a log of any length into a run directory. `progress` hears how many jobs have been read. `requests` is
    a file with amounts of a cluster's resources and pools by job; the table is held in memory, the jobs are not. With
    `strict`, raise StrictError and write nothing if a job did not complete."""
    settings = Settings.of(machine, scheduler, rules)
    _require_rigid(settings)
    on_nodes = OnNodes(settings, requests)
    application = application_of(settings, None)
    engine = settings.engine(timeline=timeline, keep_jobs=False, pools=on_nodes.pools, application=application)
    spec = {"workload": {"name": log.name, "streamed": True}, **settings.to_dict()}
    options = {"overwrite": overwrite, "more": on_nodes.names, "inside": application is not None, **(window or {})}
    with StreamedRun(directory, machine.processors, spec, **options) as run:
        read, engine_s, content, remarks = 0, 0.0, hashlib.sha256(), Counter[str]()
        for block in log:
            jobs = Workload(columns=block, name=log.name, header=log.header)
            read += _load(engine, jobs, settings, content, on_nodes, remarks)
            engine_s += _run(engine)
            _hand_out(engine, run, timeline, ROW_GROUP, on_nodes)
            if progress is not None:
                progress(read)
        engine.close()
        engine_s += _run(engine)
        _hand_out(engine, run, timeline, 0, on_nodes)
        account = log.account
        spec["workload"] |= {k: account[k] for k in ("sha256", "filter", "processors", "remove") if k in account}
        spec["workload"] |= {"jobs": read, "jobs_sha256": content.hexdigest()}
        statistics = statistics_of(engine, engine_s) | {"stopped": False, **on_nodes.rejected(), **remarks}
        judge(run.cautions(account, statistics), strict)
        return run.finish(account, statistics)


def _require_rigid(settings: Settings) -> None:
    if settings.reacting:
        raise InputError(
            f"users are {settings.users!r}, who need the whole log in memory, which a streamed simulation avoids:"
            " take rigid users, or simulate without streaming"
        )
    if settings.plugins:
        raise InputError(
            f"plugin {settings.plugins[0].name} needs all jobs in memory, which a streamed simulation avoids:"
            " leave the plugins out, or simulate without streaming"
        )
    if settings.applications.early:
        raise InputError(
            "applications give cores back early, core by core, of which a streamed simulation keeps no account:"
            " choose release='end', or simulate without streaming"
        )
    if columns := settings.scheduler.columns():
        raise InputError(
            f"the scheduler {settings.scheduler!r} looks at the log's {' and '.join(sorted(columns))},"
            " which a streamed simulation does not hold: leave it out, or simulate without streaming"
        )


class OnNodes:
    """What streamed jobs on a cluster ask for: names of their further columns, and why jobs were refused so far."""

    def __init__(self, settings: Settings, requests: str | Path | None = None) -> None:
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
        """Those of a block, by the numbers of its jobs."""
        return self._table.of(jobs) if self._table else {}

    def columns(self, requests: Requests, settings: Settings) -> list[np.ndarray]:
        """To be carried along with the jobs; refusals are counted."""
        if requests.nodes is None or settings.cluster is None:
            return []
        self._counts.update(requests.nodes.refusals())
        return list(requests.nodes.columns(settings.cluster).values())

    def refuse(self, rejected: np.ndarray, processors: np.ndarray) -> None:
        """Count the jobs of a block that were rejected."""
        self.rejections += int(np.count_nonzero(rejected))
        if not self.names:
            self._counts.update(refusals(rejected, processors, self._settings).get("rejected", {}))

    def rejected(self) -> dict[str, Any]:
        if self.names:
            return {"rejected": with_others(self._counts, self.rejections, self._scheduler)}
        return {"rejected": dict(self._counts)} if self._counts else {}


def _request_table(requests: Any, settings: Settings) -> RequestTable | None:
    if requests is None:
        return None
    if not isinstance(requests, str | Path):
        raise InputError(
            "requests are arrays of all jobs, which a streamed simulation meets block by block: give the name of a"
            " .csv or .parquet file with a column job, or simulate without streaming"
        )
    return RequestTable(requests, cluster_with_requests(requests, settings))


def _require_no_limits_by_user(cluster: Cluster) -> None:
    for queue in cluster.queues:
        for limit, (_, by_user) in LIMITS.items():
            if by_user and getattr(queue, limit) is not None:
                raise InputError(
                    f"queue {queue.name!r} has {limit}, for which all users must be known, and a streamed simulation"
                    " knows them one by one: leave the limit out, or simulate without streaming"
                )


def _run(engine: Any) -> float:
    """As far as the jobs given so far allow; returns the seconds it took."""
    begin = time.perf_counter()
    while not engine.run_for(np.inf, SECONDS):
        pass  # a chance for an interruption
    return time.perf_counter() - begin


def _load(
    engine: Any, jobs: Workload, settings: Settings, content: Any, on_nodes: OnNodes, remarks: Counter[str]
) -> int:
    requests = requests_of(jobs, settings, on_nodes.amounts(jobs))
    remarks.update(requests.remarks())
    hash_jobs(content, jobs, requests.arrays())
    carried = [*(jobs[name] for name in CARRIED), *on_nodes.columns(requests, settings)]
    requests.load(engine, [np.ascontiguousarray(column) for column in carried])
    return len(jobs)


def _hand_out(engine: Any, run: StreamedRun, timeline: bool, at_least: int, on_nodes: OnNodes) -> None:
    if engine.finished_jobs < at_least:
        return
    finished = engine.take_finished()
    if len(finished["row"]):
        recorded = {name: finished[k] for k, name in enumerate(CARRIED)}
        on_nodes.refuse(finished["status"] == REJECTED, recorded["processors"])
        requested = {name: finished[k] for k, name in enumerate(on_nodes.names, len(CARRIED))}
        if placed := finished.get("placements"):
            run.add_placements(placed)
        if inside := finished.get("inside"):
            run.add_insides({"job": recorded["job"], **inside}, finished["cores"])
        run.add({**job_columns(recorded, finished), **requested})
    if timeline:
        run.add_timeline(engine.take_timeline(all=at_least == 0))
