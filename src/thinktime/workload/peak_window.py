"""The most intensive window of a workload: the stretch of a given length in which most was submitted.

A window is half-open and begins at an arrival, [from, from + length): any other window holds no more than the one that
begins at its own first arrival. Of equal windows the earliest counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.spec import one_of
from thinktime.workload.workload import Workload

BY = ("arrivals", "work")  # jobs, or processor-seconds (processors × run time)


@dataclass(frozen=True)
class Peak:
    """The window, what was submitted in it, and its jobs as a workload with the log's own times."""

    from_s: float
    until_s: float
    jobs: int
    work_s: float  # processor-seconds; an unknown run time counts as 0
    by: str
    workload: Workload

    def __repr__(self) -> str:
        window = f"from_s={self.from_s:g}, until_s={self.until_s:g}"
        return f"Peak({window}, jobs={self.jobs}, work_s={self.work_s:g}, by={self.by!r})"


def peak(workload: Workload, *, hours: float | None = None, seconds: float | None = None, by: str = "arrivals") -> Peak:
    """The window of `hours` or `seconds` in which most jobs, or with `by="work"` most processor-seconds, arrived."""
    length_s, submit_s = _length(hours, seconds), workload["submit_s"]
    one_of("by", by, BY)
    if not len(workload):
        raise InputError(f"{workload.name} has no jobs, so it has no peak: read it with another filter")
    work_s = np.nan_to_num(workload["processors"] * workload["run_s"])
    begins, ends = np.arange(len(workload)), np.searchsorted(submit_s, submit_s + length_s, side="left")
    before_s = np.concatenate([[0.0], np.cumsum(work_s)])  # work of all jobs before a row
    most = int(np.argmax(ends - begins if by == "arrivals" else before_s[ends] - before_s[begins]))
    rows = slice(most, int(ends[most]))
    window = (float(submit_s[most]), float(submit_s[most] + length_s))
    return Peak(*window, rows.stop - rows.start, float(work_s[rows].sum()), by, _cut(workload, rows, window, by))


def _length(hours: float | None, seconds: float | None) -> float:
    if (hours is None) == (seconds is None):
        raise InputError("a peak has one length: give hours=24, or seconds=3600")
    length_s: Any = seconds if hours is None else hours * 3600.0
    if not (math.isfinite(length_s) and length_s > 0):
        raise InputError(f"the length of the window is {length_s:g} s: give a positive one, as in hours=24")
    return float(length_s)


def _cut(workload: Workload, rows: slice, window: tuple[float, float], by: str) -> Workload:
    """The jobs of the window, which say where they are from."""
    columns = {name: values[rows] for name, values in workload.columns.items()}
    source = {**workload.source, "window_s": list(window), "window_because": f"most {by}"}
    return replace(workload, columns=columns, source=source)
