"""Seconds in tasks and in overhead as they came about: of jobs whose runs went otherwise than they were played.

The application level plays a job to its end when it starts. A job that was aborted had another run, and one that still
runs has not got there: of both, all cores that they hold count as in tasks for as long as they are held. Until its
nodes have booted a job has no tasks: that is overhead.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from thinktime.result.given_back import held

if TYPE_CHECKING:
    from thinktime.result.result import Result

Columns = Mapping[str, np.ndarray]


def insides(result: Result) -> Columns:
    """The table `inside` with `busy_s` and `overhead_s` up to where the timeline ends."""
    inside, other = result.report_columns["inside"], _went_otherwise(result)
    no_boots = np.zeros(len(result))
    boot_s = result.columns["processors"] * result.columns.get("overhead_s", no_boots)
    if not other.any():
        return {**inside, "overhead_s": inside["overhead_s"] + boot_s}
    held_s = _held_s(result)
    boot_s = np.where(other, np.minimum(boot_s, held_s), boot_s)
    busy_s = np.where(other, held_s - boot_s, inside["busy_s"])
    return {**inside, "busy_s": busy_s, "overhead_s": np.where(other, 0.0, inside["overhead_s"]) + boot_s}


def _went_otherwise(result: Result) -> np.ndarray:
    other = np.isnan(result.columns["end_s"])
    other[result.attempts_made.columns["row"]] = True
    return other


def _held_s(result: Result) -> np.ndarray:
    """By job: core-seconds in all its runs, up to where the timeline ends."""
    (pieces, row), times = held(result), result.timeline_columns["time_s"]
    until = np.fmin(pieces["end_s"], times[-1] if len(times) else np.inf)
    seconds = np.maximum(0.0, until - pieces["start_s"]) * pieces["processors"]
    return np.bincount(row, np.nan_to_num(seconds), minlength=len(result))
