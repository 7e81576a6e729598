"""The busiest window of a workload: the interval of a given length with the most submissions.

A window is half-open and begins at an arrival, [from, from + length): any other window holds no more than the one that
begins at its own first arrival. Of equal windows the earliest counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from thinktime.errors import InputError
from thinktime.spec import one_of
from thinktime.support.shown import short_html, short_repr
from thinktime.support.time_units import HOUR_S
from thinktime.workload.workload import Workload

By: TypeAlias = Literal["arrivals", "work"]
BY: tuple[By, ...] = get_args(By)  # jobs, or processor-seconds (processors × run time)


@dataclass(frozen=True)
class Peak:
    """A window, its number of jobs and work, and its jobs as a workload with their times in the log."""

    from_s: float
    until_s: float
    jobs: int
    work_s: float  # processor-seconds; an unknown run time counts as 0
    by: str
    workload: Workload

    def __repr__(self) -> str:
        return short_repr(self)

    def _repr_html_(self) -> str:
        return short_html(self)


def peak(workload: Workload, *, hours: float | None = None, seconds: float | None = None, by: By = "arrivals") -> Peak:
    """Return the busiest window of a length.

    Parameters
    ----------
    workload : Workload
        The jobs.
    hours, seconds : float
        Length of the window: give one of the two.
    by : {"arrivals", "work"}
        What to maximise: `"arrivals"` (jobs, default) or `"work"` (processor-seconds).

    Returns
    -------
    Peak
        The window, its jobs and work, and `workload`: the jobs of the window with their times in the log.

    Examples
    --------
    >>> import thinktime as tt
    >>> tt.peak(tt.default_workload(jobs=200), hours=1).jobs
    58
    """
    length_s, submit_s = _window_length_s(hours, seconds), workload["submit_s"]
    one_of("by", by, BY)
    if not len(workload):
        raise InputError(f"{workload.name} has no jobs, so no peak: read it with another filter")
    work_s = np.nan_to_num(workload["processors"] * workload["run_s"])
    begins, ends = np.arange(len(workload)), np.searchsorted(submit_s, submit_s + length_s, side="left")
    before_s = np.concatenate([[0.0], np.cumsum(work_s)])  # work of all jobs before a row
    most = int(np.argmax(ends - begins if by == "arrivals" else before_s[ends] - before_s[begins]))
    rows = slice(most, int(ends[most]))
    window = (float(submit_s[most]), float(submit_s[most] + length_s))
    return Peak(
        *window, rows.stop - rows.start, float(work_s[rows].sum()), by, _cut_to_window(workload, rows, window, by)
    )


def _window_length_s(hours: float | None, seconds: float | None) -> float:
    if (hours is None) == (seconds is None):
        raise InputError("give the length of the window once: hours=24 or seconds=3600")
    length_s: Any = seconds if hours is None else hours * HOUR_S
    if not (math.isfinite(length_s) and length_s > 0):
        raise InputError(f"the length of the window must be positive (got {length_s:g} s): give hours=24, for example")
    return float(length_s)


def _cut_to_window(workload: Workload, rows: slice, window: tuple[float, float], by: str) -> Workload:
    """Return the jobs of the window; `source` records the cut."""
    columns = {name: values[rows] for name, values in workload.columns.items()}
    source = {**workload.source, "window_s": list(window), "window_because": f"most {by}"}
    return replace(workload, columns=columns, source=source)
