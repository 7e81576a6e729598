"""Local time of submissions, where the workload says which clock its times follow.

A generated workload counts from a Monday 00:00 by its own statement. A log has the instant of its time 0 and
its zone in the header, and the workload converts. Anything else has no known clock, and figures say so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from thinktime.errors import InputError

MONDAY_S = 4 * 86400.0  # 1970-01-05 00:00 was the first Monday after second 0


#: Times of the workload → seconds of local time since a Monday 00:00
Clock = Callable[[np.ndarray], np.ndarray]


def clock_of_result(result: Any) -> Clock | None:
    """A run of a generated workload says in its spec that time 0 is a Monday 00:00."""
    source = result.spec.get("workload")
    return same if isinstance(source, Mapping) and _from_monday(source) else None


def clock_of_workload(workload: Any) -> Clock | None:
    """By the workload's own statement or its header; None where neither says enough."""
    if _from_monday(workload.source):
        return same
    zone = workload.header.time_zone() if workload.header else None
    start = workload.unix_start_s
    if zone is None or start is None:
        return None
    return lambda time_s: zone.local_s(start + time_s) - MONDAY_S


def same(time_s: np.ndarray) -> np.ndarray:
    return time_s


def _from_monday(source: Any) -> bool:
    return bool(source.get("clock") == "local" and source.get("starts") == "Monday 00:00")


def local_week_s(workload: Any) -> np.ndarray | None:
    """Submit times in seconds of local time since a Monday 00:00, or None where the clock is not known."""
    if _from_monday(workload.source):
        return workload["submit_s"]
    try:
        return workload.local_s("submit_s") - MONDAY_S
    except (InputError, AttributeError):  # the header lacks the start or the zone; or it is no log at all
        return None
