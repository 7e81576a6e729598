"""The schedule that the log recorded, as a result: to compare with simulated ones."""

from __future__ import annotations

import numpy as np

from thinktime import __version__
from thinktime.errors import InputError
from thinktime.metrics import COMPLETED, UNFINISHED
from thinktime.result import Result
from thinktime.simulation.arguments import MachineLike, WorkloadLike, as_machine, workload_or_generated
from thinktime.simulation.job_columns import hashed_columns, job_columns, workload_spec
from thinktime.traces.content_hash import ContentHash
from thinktime.workload import Estimates, Workload


def recorded(workload: WorkloadLike, machine: MachineLike = None) -> Result:
    """Return the schedule that the log recorded, as a result to compare simulations with.

    Parameters
    ----------
    workload : Workload, str or path
        The jobs, or the name or path of a log.
    machine : Machine, Cluster, int, str or path, optional
        The machine, for utilisation (default: the log's).

    Returns
    -------
    Result
        A job without a recorded wait is unfinished.

    Raises
    ------
    InputError
        If no job has a recorded wait.

    Examples
    --------
    >>> import thinktime as tt
    >>> log = tt.Workload.from_columns(submit_s=[0, 5], wait_s=[0, 10], run_s=[10, 10], processors=[2, 2])
    >>> tt.recorded(log, 2).summary()["wait_mean_s"]
    5.0
    """
    workload = workload_or_generated(workload)
    machine = as_machine(machine, workload)
    simulated = _recorded_times(workload)
    columns = job_columns(workload.columns, simulated)
    content = ContentHash()
    content.add(hashed_columns(workload, simulated), workload.types)
    return Result(
        columns={**columns, **{name: workload[name] for name in workload.attributes}},
        types={name: workload.types[name] for name in workload.attributes},
        processors=machine.processors,
        spec={
            "workload": workload_spec(workload, content),
            "machine": machine.to_dict(),
            "scheduler": {"name": "recorded"},
            "version": __version__,
        },
        timeline_columns=_timeline(columns),
        account=workload.account,
        statistics={"stopped": bool((simulated["status"] == UNFINISHED).any())},
    )


def _recorded_times(workload: Workload) -> dict[str, np.ndarray]:
    """Return the recorded schedule as the engine returns a simulated one."""
    start, end = workload.recorded_start_s, workload.recorded_end_s
    known = ~np.isnan(end)
    if not known.any():
        raise InputError(
            f"{workload.name} has no recorded waits and so no recorded schedule: simulate it with tt.simulate"
        )
    return {
        "submit_s": workload["submit_s"],
        "start_s": np.where(known, start, np.nan),
        "end_s": end,
        "processors": workload["processors"],
        "run_s": workload["run_s"],
        "estimate_s": Estimates.requested().of(workload),
        "status": np.where(known, COMPLETED, UNFINISHED).astype(np.uint8),
    }


def _timeline(jobs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the jobs and processors that waited and ran after each instant with an event."""
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
    """Return the number of jobs, and of their processors, with `when` up to each of the times."""
    order = np.argsort(when)[: np.count_nonzero(~np.isnan(when))]
    jobs = np.searchsorted(when[order], times, side="right")
    total = np.concatenate([[0], np.cumsum(processors[order])]).astype(np.int64)
    return jobs.astype(np.int64), total[jobs]
