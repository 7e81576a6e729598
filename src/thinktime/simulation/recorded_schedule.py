"""The schedule that the log itself recorded, as a result: to set beside what is simulated."""

from __future__ import annotations

import numpy as np

from thinktime import __version__
from thinktime.errors import InputError
from thinktime.metrics import COMPLETED, UNFINISHED
from thinktime.platforms import Cluster, Machine
from thinktime.result import Result
from thinktime.simulation.simulation import job_columns, workload_spec
from thinktime.workload import Estimates, Workload


def recorded(workload: Workload, machine: Machine | Cluster) -> Result:
    """Every job as it was: submitted, waiting and running at the recorded times. Unknown waits stay unknown."""
    start, end = workload.recorded_start_s, workload.recorded_end_s
    known = ~np.isnan(end)
    if not known.any():
        raise InputError(f"{workload.name} records no waits, so no schedule either: simulate one with tt.simulate")
    simulated = {
        "submit_s": workload["submit_s"],
        "start_s": np.where(known, start, np.nan),
        "end_s": end,
        "processors": workload["processors"],
        "run_s": workload["run_s"],
        "estimate_s": Estimates.requested().of(workload),
        "status": np.where(known, COMPLETED, UNFINISHED).astype(np.uint8),
    }
    columns = job_columns(workload.columns, simulated)
    return Result(
        columns=columns,
        processors=machine.processors,
        spec={
            "workload": workload_spec(workload, list(simulated.values())),
            "machine": machine.to_dict(),
            "scheduler": {"name": "recorded"},
            "version": __version__,
        },
        timeline_columns=_timeline(columns),
        account=workload.account,
        statistics={"stopped": not known.all()},
    )


def _timeline(jobs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """How many jobs and processors waited and ran after each instant at which something happened."""
    times = np.unique(np.concatenate([jobs["submit_s"], jobs["start_s"], jobs["end_s"]]))
    times = times[~np.isnan(times)]
    submitted, started, ended = (_so_far(jobs[c], jobs["processors"], times) for c in ("submit_s", "start_s", "end_s"))
    return {
        "time_s": times,
        "queued_jobs": submitted[0] - started[0],
        "queued_processors": submitted[1] - started[1],
        "running_jobs": started[0] - ended[0],
        "used_processors": started[1] - ended[1],
    }


def _so_far(when: np.ndarray, processors: np.ndarray, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Jobs, and their processors, with `when` up to each of the times."""
    order = np.argsort(when)[: np.count_nonzero(~np.isnan(when))]
    jobs = np.searchsorted(when[order], times, side="right")
    total = np.concatenate([[0], np.cumsum(processors[order])]).astype(np.int64)
    return jobs.astype(np.int64), total[jobs]
