"""Weeks of 604,800 s from the local Monday 00:00 before the first submission, or from time 0 if that is unknown.

Users are moved by whole weeks, which keeps weekday and time of day. Daylight saving is ignored.
"""

from __future__ import annotations

import numpy as np

from thinktime.support.time_units import MONDAY_S, WEEK_S
from thinktime.workload.workload import Workload


def origin_s(workload: Workload) -> float:
    """Return the start of week 0 in workload time; at most 0 for a log whose first submission is at 0."""
    since_monday = _since_monday_s(workload)
    first = float(np.fmin.reduce(workload["submit_s"]))
    return float(np.floor((first + since_monday) / WEEK_S)) * WEEK_S - since_monday


def weeks_of(submit_s: np.ndarray, origin: float) -> np.ndarray:
    """Return int64: the week of each time."""
    return np.floor((submit_s - origin) / WEEK_S).astype(np.int64)


def _since_monday_s(workload: Workload) -> float:
    """Return the local time of workload time 0, in seconds since a Monday 00:00; 0 if unknown."""
    if _from_monday(workload):
        return 0.0
    local = _zone_start(workload)
    return 0.0 if local is None else (local - MONDAY_S) % WEEK_S


def _from_monday(workload: Workload) -> bool:
    return bool(workload.source.get("clock") == "local" and workload.source.get("starts") == "Monday 00:00")


def _zone_start(workload: Workload) -> float | None:
    """Return workload time 0 on the machine's clock, in seconds since 1970."""
    zone = workload.header.time_zone() if workload.header else None
    start = workload.unix_start_s
    return None if zone is None or start is None else start + zone.offset_at(start)
