"""A schedule as the `_jobs.csv` of Batsim 3 and 4, which evalys reads."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from thinktime.metrics import jobs
from thinktime.metrics.status import COMPLETED, STATUS_NAMES
from thinktime.result.directory.staging import staged_file
from thinktime.result.exports.processor_numbers import interval_text, place_run

if TYPE_CHECKING:
    import polars as pl

    from thinktime.result.result import Result

COLUMNS = (
    "job_id",
    "workload_name",
    "profile",
    "submission_time",
    "requested_number_of_resources",
    "requested_time",
    "success",
    "final_state",
    "starting_time",
    "execution_time",
    "finish_time",
    "waiting_time",
    "turnaround_time",
    "stretch",  # turnaround / execution; by AccaSim's rule for a job that ran for no time
    "allocated_resources",  # processors from 0, as `0-3 5`: assigned here; on a cluster, those of the nodes
    "consumed_energy",
    "metadata",
)

#: our status → Batsim's word; an unfinished job that had started is RUNNING
FINAL_STATES = ("COMPLETED_SUCCESSFULLY", "COMPLETED_WALLTIME_REACHED", "REJECTED", "SUBMITTED")


def write_batsim(result: Result, path: str | Path) -> None:
    """Write one line per job in the workload's order; missing values are empty."""
    with staged_file(path) as temporary:
        batsim_frame(result).write_csv(temporary)


def batsim_frame(result: Result) -> pl.DataFrame:
    """Return the columns of the file."""
    import polars as pl

    of = result.columns
    ended = ~np.isnan(of["end_s"])
    response = jobs.response(of["submit_s"], of["end_s"])
    times = {
        "submission_time": of["submit_s"],
        "requested_time": of["estimate_s"],
        "starting_time": of["start_s"],
        "execution_time": np.where(ended, of["run_s"], np.nan),
        "finish_time": of["end_s"],
        "waiting_time": jobs.wait(of["submit_s"], of["start_s"]),
        "turnaround_time": response,
        "stretch": jobs.slowdown(response, of["run_s"]),
    }
    series = {name: pl.Series(name, values).fill_nan(None) for name, values in times.items()}
    series |= _columns_without_times(result)
    return pl.DataFrame([series[name] for name in COLUMNS])


def _columns_without_times(result: Result) -> dict[str, pl.Series]:
    """Return the columns other than times."""
    import polars as pl

    of, count = result.columns, len(result)
    resources = [interval_text(intervals) for intervals in place_run(result)]
    words = {
        "job_id": result.jobs["job"],
        "workload_name": pl.Series([_workload_name(result)]).new_from_index(0, count),
        "profile": result.jobs["job"],
        "requested_number_of_resources": result.jobs["processors"],
        "success": pl.Series((of["status"] == COMPLETED).astype(np.int64)),
        "final_state": _final_states(result),
        "allocated_resources": pl.Series(resources, dtype=pl.String),
        "consumed_energy": pl.repeat(None, count, dtype=pl.Float64, eager=True),
        "metadata": pl.repeat("", count, dtype=pl.String, eager=True),
    }
    return {name: values.alias(name) for name, values in words.items()}


def _final_states(result: Result) -> pl.Series:
    import polars as pl

    running = (result.columns["status"] == STATUS_NAMES.index("unfinished")) & ~np.isnan(result.columns["start_s"])
    codes = np.where(running, len(FINAL_STATES), result.columns["status"]).astype(np.uint32)
    return pl.Series([*FINAL_STATES, "RUNNING"]).gather(codes)


def _workload_name(result: Result) -> str:
    """Return the name of a policy in the spec."""
    workload = result.spec.get("workload")
    name = workload.get("name") if isinstance(workload, dict) else workload
    return str(name) if name else "workload"
