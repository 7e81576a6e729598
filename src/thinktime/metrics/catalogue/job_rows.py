"""Metrics of jobs: counts, waits, responses and slowdowns."""

from __future__ import annotations

from functools import partial

import numpy as np

from thinktime.metrics import jobs
from thinktime.metrics.metric import DEVIATION, FROM_ONE, MAXIMUM, MEDIAN, P95, Columns, Metric
from thinktime.metrics.status import STATUS_NAMES


def wait(of: Columns, tau_s: float) -> np.ndarray:
    return jobs.wait(of["submit_s"], of["start_s"])


def response(of: Columns, tau_s: float) -> np.ndarray:
    return jobs.response(of["submit_s"], of["end_s"])


def slowdown(of: Columns, tau_s: float) -> np.ndarray:
    return jobs.slowdown(response(of, tau_s), of["run_s"])


def bounded_slowdown(of: Columns, tau_s: float) -> np.ndarray:
    return jobs.bounded_slowdown(response(of, tau_s), of["run_s"], tau_s)


def per_processor_bounded_slowdown(of: Columns, tau_s: float) -> np.ndarray:
    return jobs.per_processor_bounded_slowdown(response(of, tau_s), of["run_s"], of["processors"], tau_s)


_of_waits = partial(Metric, unit="s", group="wait", per_job=wait, formula="s − a")
_of_slowdowns = partial(
    Metric, group="slowdown", per_job=slowdown, formula="(f − a) / d; for d = 0 the wait in seconds, at least 1"
)
_of_bounded = partial(
    Metric, group="slowdown", per_job=bounded_slowdown, formula="max(1, (f − a) / max(d, τ))", bounds=FROM_ONE
)

JOB_ROWS = (
    _of_waits(name="wait_mean_s", label="wait, mean", main=True, default=True),
    _of_waits(name="wait_median_s", label="wait, median", reduce=MEDIAN, main=True),
    _of_waits(name="wait_p95_s", label="wait, 95th percentile", reduce=P95, main=True),
    _of_waits(name="wait_max_s", label="wait, maximum", reduce=MAXIMUM, main=True),
    _of_waits(name="wait_std_s", label="wait, standard deviation", reduce=DEVIATION),
    Metric(
        name="response_mean_s",
        label="response, mean",
        unit="s",
        formula="f − a",
        group="response",
        per_job=response,
        main=True,
    ),
    _of_slowdowns(name="slowdown_mean", label="slowdown, mean", main=True),
    _of_slowdowns(name="slowdown_median", label="slowdown, median", reduce=MEDIAN),
    _of_bounded(name="bounded_slowdown_mean", label="bounded slowdown, mean", main=True, default=True),
    _of_bounded(name="bounded_slowdown_median", label="bounded slowdown, median", reduce=MEDIAN, main=True),
    _of_bounded(name="bounded_slowdown_p95", label="bounded slowdown, 95th percentile", reduce=P95, main=True),
    _of_bounded(name="bounded_slowdown_max", label="bounded slowdown, maximum", reduce=MAXIMUM),
    Metric(
        name="per_processor_bounded_slowdown_mean",
        label="per-processor bounded slowdown, mean",
        formula="max(1, (f − a) / (r · max(d, τ)))",
        group="slowdown",
        per_job=per_processor_bounded_slowdown,
        bounds=FROM_ONE,
    ),
)


def _with_status(code: int, name: str, better: int) -> Metric:
    return Metric(
        name=name,
        label=f"{name}, of those submitted in the window",
        unit="jobs",
        formula="jobs submitted in the window with this status",
        group="jobs",
        value=lambda run: int(np.count_nonzero(run.others["status"][run.submitted] == code)),
        streamed=lambda sums: sums.states[name],
        better=better,
    )


COUNT_ROWS = (
    Metric(
        name="jobs",
        label="jobs in the run",
        unit="jobs",
        formula="all jobs of the run",
        group="jobs",
        value=lambda run: len(run.columns["submit_s"]),
        streamed=lambda sums: sums.jobs,
        better=0,
    ),
    Metric(
        name="jobs_counted",
        label="jobs counted",
        unit="jobs",
        formula="jobs submitted in the window that ended and are not excluded",
        group="jobs",
        value=lambda run: int(np.count_nonzero(run.kept)),
        streamed=lambda sums: sums.counted,
        better=0,
    ),
    *(_with_status(code, name, 1 if name == "completed" else -1) for code, name in enumerate(STATUS_NAMES)),
)
