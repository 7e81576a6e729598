"""Simulation in constant memory: jobs come from the log in blocks, and leave for the run directory as they end.

What is held: the blocks being read, the jobs that wait or run, and a block of results. The schedule is the one
that `simulate` finds; jobs.parquet lists the jobs in the order of their ends.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics import Summary
from thinktime.platforms import Machine
from thinktime.result import StreamedRun
from thinktime.schedulers import Scheduler
from thinktime.simulation.requests import requests_of
from thinktime.simulation.settings import Settings
from thinktime.simulation.simulation import SECONDS, hash_jobs, job_columns
from thinktime.simulation.statistics import statistics_of
from thinktime.workload import SwfStream, Workload

#: Columns that the engine carries along with a job, to be written when it ends.
CARRIED = ("job", "user", "submit_s", "wait_s", "run_s", "processors")
#: Finished jobs are written in row groups of about this size.
ROW_GROUP = 16_384


def simulate_stream(
    log: SwfStream,
    machine: Machine,
    scheduler: Scheduler,
    directory: str | Path,
    *,
    overwrite: bool = False,
    timeline: bool = True,
    progress: Callable[[int], None] | None = None,
    window: dict[str, Any] | None = None,
    **rules: Any,
) -> Summary:
    """Simulate a log of any length into a run directory. `progress` hears how many jobs have been read."""
    settings = Settings.of(machine, scheduler, rules)
    _require_rigid(settings)
    engine = settings.engine(timeline=timeline, keep_jobs=False)
    spec = {"workload": {"name": log.name, "streamed": True}, **settings.to_dict()}
    with StreamedRun(directory, machine.processors, spec, overwrite=overwrite, **(window or {})) as run:
        read, engine_s, content = 0, 0.0, hashlib.sha256()
        for block in log:
            read += _load(engine, block, settings, content)
            engine_s += _run(engine)
            _hand_out(engine, run, timeline, ROW_GROUP)
            if progress is not None:
                progress(read)
        engine.close()
        engine_s += _run(engine)
        _hand_out(engine, run, timeline, 0)
        account = log.account
        spec["workload"] |= {k: account[k] for k in ("sha256", "filter", "processors", "remove") if k in account}
        spec["workload"] |= {"jobs": read, "jobs_sha256": content.hexdigest()}
        return run.finish(account, statistics_of(engine, engine_s) | {"stopped": False})


def _require_rigid(settings: Settings) -> None:
    if settings.reacting:
        raise InputError(
            f"users are {settings.users!r}, who need the whole log in memory, which a streamed simulation avoids:"
            " take rigid users, or simulate without streaming"
        )
    if columns := settings.scheduler.columns():
        raise InputError(
            f"the scheduler {settings.scheduler!r} looks at the log's {' and '.join(sorted(columns))},"
            " which a streamed simulation does not hold: leave it out, or simulate without streaming"
        )


def _run(engine: Any) -> float:
    """As far as the jobs given so far allow; returns the seconds it took."""
    begin = time.perf_counter()
    while not engine.run_for(np.inf, SECONDS):
        pass  # a chance for an interruption
    return time.perf_counter() - begin


def _load(engine: Any, block: dict[str, np.ndarray], settings: Settings, content: Any) -> int:
    jobs = Workload(columns=block)
    requests = requests_of(jobs, settings)
    hash_jobs(content, jobs, requests)
    engine.load(*requests, labels=[np.ascontiguousarray(jobs[name]) for name in CARRIED])
    return len(jobs)


def _hand_out(engine: Any, run: StreamedRun, timeline: bool, at_least: int) -> None:
    if engine.finished_jobs < at_least:
        return
    finished = engine.take_finished()
    if len(finished["row"]):
        recorded = {name: finished[k] for k, name in enumerate(CARRIED)}
        run.add(job_columns(recorded, finished))
    if timeline:
        run.add_timeline(engine.take_timeline(all=at_least == 0))
