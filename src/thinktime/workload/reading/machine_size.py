"""The size of the recorded machine: given, from the header, or a lower bound from the jobs."""

from __future__ import annotations

import numpy as np

from thinktime.traces import Header
from thinktime.workload.reading.job_columns import Jobs
from thinktime.workload.reading.partial_executions import is_burst
from thinktime.workload.workload import LARGEST_ALLOCATION, LARGEST_USE


def machine_size(header: Header, jobs: Jobs | None, argument: int | None) -> tuple[int | None, str]:
    """Return the processors of the machine and the source: argument, MaxProcs, MaxNodes or what was used at least."""
    if argument is not None:
        return argument, "argument"
    if (said := header.machine_size()) is not None:
        return said
    return (None, "not known") if jobs is None else _at_least(jobs)


def _at_least(jobs: Jobs) -> tuple[int | None, str]:
    """Return the most processors in use at once, where waits are known, else those of the largest job."""
    sizes = jobs["allocated_processors"]
    largest = np.fmax.reduce(sizes, initial=0.0)
    start = jobs["submit_s"] + jobs["wait_s"]
    used = 0.0 if is_burst(jobs).any() else largest_use(start, start + jobs["run_s"], sizes)
    if used > 0 and used >= largest:
        return int(used), LARGEST_USE
    return (int(largest), LARGEST_ALLOCATION) if largest > 0 else (None, "not known")


def largest_use(start: np.ndarray, end: np.ndarray, processors: np.ndarray) -> float:
    """Return the largest number of processors in use at once; ends come before starts of the same instant."""
    known = ~np.isnan(processors) & (end > start)
    if not known.any():
        return 0.0
    times = np.concatenate([end[known], start[known]])
    change = np.concatenate([-processors[known], processors[known]])
    order = np.lexsort((change, times))
    return float(np.max(np.cumsum(change[order])))
