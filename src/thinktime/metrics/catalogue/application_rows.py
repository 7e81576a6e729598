"""Metrics of runs with an application model, and of runs in which jobs were aborted."""

from __future__ import annotations

import operator

import numpy as np

from thinktime.metrics.application_level import SHARES, ApplicationSums
from thinktime.metrics.metric import ATTEMPTS, SHARE, Blocks, Columns, KnownTables, Metric, RunKind, rate_of_events

WITH_TASKS = RunKind("application model", lambda run: run.application is not None, application=True)
WITH_CORE_SECONDS = RunKind(
    "application model and timeline",
    lambda run: run.application is not None and run.application.total_s > 0,
    application=True,
)


def _sums(run: KnownTables) -> ApplicationSums:
    assert run.application is not None  # checked by RunKind.has
    return run.application


def _share_row(part: str, label: str, better: int) -> Metric:
    return Metric(
        name=f"{part}_share",
        label=label,
        formula="core-seconds of this kind / core-seconds of the machine",
        group="core_seconds",
        runs=WITH_CORE_SECONDS,
        value=lambda run: _sums(run).share(part),
        streamed=lambda sums: _sums(sums).share(part),
        bounds=SHARE,
        better=better,
    )


APPLICATION_ROWS = (
    Metric(
        name="tasks",
        label="tasks inside jobs",
        unit="tasks",
        formula="tasks of all jobs",
        group="core_seconds",
        runs=WITH_TASKS,
        value=lambda run: _sums(run).tasks,
        streamed=lambda sums: _sums(sums).tasks,
        better=0,
    ),
    Metric(
        name="chunks",
        label="chunks that cores asked for",
        unit="chunks",
        formula="chunks of all jobs",
        group="core_seconds",
        runs=WITH_TASKS,
        value=lambda run: _sums(run).chunks,
        streamed=lambda sums: _sums(sums).chunks,
        better=0,
    ),
    *(_share_row(part, label, better) for part, (label, better) in SHARES.items()),
)


WITH_ABORTS = RunKind(
    "plugin failures, or aborted jobs",
    lambda run: "failures" in run.tables or len(run.attempts["row"]) > 0,
    "failures",
    any_plugin_aborts=True,
)


def _lost(of: Columns) -> np.ndarray:
    return np.asarray(of["lost"]).astype(bool)


def _wasted_s(of: Columns) -> np.ndarray:
    """Processor-seconds of aborted runs, without what a checkpoint saved."""
    return np.asarray(of["processors"] * (of["end_s"] - of["start_s"] - of["saved_s"]))


ABORT_ROWS = (
    Metric(
        name="aborted_runs",
        label="aborted runs",
        unit="runs",
        formula="runs of jobs that were aborted",
        group="aborts",
        runs=WITH_ABORTS,
        value=lambda run: len(run.attempts["row"]),
        blocks=Blocks(ATTEMPTS, operator.add),
        rate=lambda run, t1, t2: rate_of_events(run.attempts["end_s"], 1.0, t1, t2),
    ),
    Metric(
        name="restarts",
        label="aborted runs that went back to the queue",
        unit="runs",
        formula="aborted runs after which the job waited again",
        group="aborts",
        runs=WITH_ABORTS,
        value=lambda run: int(np.count_nonzero(~_lost(run.attempts))),
        blocks=Blocks(ATTEMPTS, operator.add),
        rate=lambda run, t1, t2: rate_of_events(run.attempts["end_s"], ~_lost(run.attempts), t1, t2),
    ),
    Metric(
        name="jobs_lost",
        label="jobs lost",
        unit="jobs",
        formula="jobs that ended with an aborted run",
        group="aborts",
        runs=WITH_ABORTS,
        value=lambda run: int(np.count_nonzero(_lost(run.attempts))),
        blocks=Blocks(ATTEMPTS, operator.add),
        rate=lambda run, t1, t2: rate_of_events(run.attempts["end_s"], _lost(run.attempts), t1, t2),
    ),
    Metric(
        name="wasted_processor_s",
        label="work that was lost",
        unit="processor s",
        formula="Σ r · (end − start − saved) over aborted runs",
        group="aborts",
        runs=WITH_ABORTS,
        value=lambda run: float(_wasted_s(run.attempts).sum()),
        blocks=Blocks(ATTEMPTS, operator.add),
        rate=lambda run, t1, t2: rate_of_events(run.attempts["end_s"], _wasted_s(run.attempts), t1, t2),
    ),
)
