"""Local time of submissions, where the workload says which clock its times follow.

A generated workload counts from a Monday 00:00 by its own statement. A log has the epoch second of its time 0
and its zone in the header. Anything else has no known clock, and figures say so.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import numpy as np

HOUR_S = 3600.0
MONDAY_S = 4 * 86400.0  # 1970-01-05 00:00 was the first Monday of the epoch


def local_week_s(workload: Any) -> np.ndarray | None:
    """Submit times in seconds of local time since a Monday 00:00, or None where the clock is not known."""
    submit_s = workload["submit_s"]
    if workload.source.get("clock") == "local" and workload.source.get("starts") == "Monday 00:00":
        return submit_s
    start, zone = _number(workload.header, "UnixStartTime"), _text(workload.header, "TimeZoneString")
    if start is None or start <= 0 or zone is None:
        return None
    offset_s = _offsets(submit_s + start, zone)
    return None if offset_s is None else submit_s + start + offset_s - MONDAY_S


def _offsets(epoch_s: np.ndarray, zone: str) -> np.ndarray | None:
    """Local minus universal time; looked up once for each hour that has a submission."""
    from zoneinfo import ZoneInfo

    try:
        place = ZoneInfo(zone)
    except (KeyError, ValueError, OSError):
        return None
    hours, row = np.unique(np.floor(epoch_s / HOUR_S), return_inverse=True)
    offsets = [_offset(place, float(hour) * HOUR_S) for hour in hours]
    return np.array(offsets)[row]


def _offset(place: Any, epoch_s: float) -> float:
    offset = datetime.fromtimestamp(epoch_s, UTC).astimezone(place).utcoffset()
    return offset.total_seconds() if offset else 0.0


def _text(header: Any, field: str) -> str | None:
    """The first value of a header field as text; a header is a mapping or multi-map, or there is none."""
    value = header.get(field) if header is not None else None
    if isinstance(value, list | tuple):
        value = value[0] if value else None
    return None if value is None or not str(value).strip() else str(value).strip()


def _number(header: Any, field: str) -> float | None:
    found = re.match(r"-?\d+", _text(header, field) or "")
    return float(found.group()) if found else None
