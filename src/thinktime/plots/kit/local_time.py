"""Local time of a run or a workload, where it is known.

A log has the instant of its time 0 and its time zone in the header; a run keeps both in its account. A generated
workload states that it counts from a Monday 00:00. All others have no known clock, and figures say so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.support.time_units import MONDAY_S
from thinktime.traces.time_zone import CALENDAR_S, TimeZone

#: times of the workload → seconds of local time since a Monday 00:00
Clock = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Calendar:
    """The dates of a workload's times."""

    unix_start_s: float  # of time 0
    zone: TimeZone  # UTC where the log does not name one

    def local_s(self, time_s: np.ndarray) -> np.ndarray:
        """Seconds since 1970-01-01 00:00 on the machine's clock."""
        return self.zone.local_s(self.unix_start_s + np.asarray(time_s, dtype=np.float64))

    def time_s(self, local_s: float) -> float:
        """The workload's time at which the machine's clock shows `local_s`."""
        guess = local_s - self.zone.offset_at(local_s)
        return local_s - self.zone.offset_at(guess) - self.unix_start_s

    def covers(self, first_s: float, last_s: float) -> bool:
        """Whether both ends have a date."""
        ends = (self.unix_start_s + first_s, self.unix_start_s + last_s)
        return CALENDAR_S[0] <= ends[0] and ends[1] <= CALENDAR_S[1]


def calendar_of(subject: Any) -> Calendar | None:
    """The calendar of a workload or a result; None where the start is unknown."""
    header = getattr(subject, "header", None)
    if header is not None:
        return _calendar(subject.unix_start_s, header.time_zone())
    account = getattr(subject, "account", None) or {}
    start_s = account.get("unix_start_s")
    if not isinstance(start_s, int | float) or not np.isfinite(start_s):
        return None
    workload = getattr(subject, "spec", {}).get("workload")
    shift_s = float(workload.get("time_shift_s", 0.0)) if isinstance(workload, Mapping) else 0.0
    return _calendar(start_s + shift_s, _zone_named(str(account.get("time_zone") or "")))


def _calendar(start_s: float | None, zone: TimeZone | None) -> Calendar | None:
    return None if start_s is None else Calendar(float(start_s), zone or TimeZone("none", "UTC"))


def _zone_named(name: str) -> TimeZone | None:
    """`Europe/Stockholm`, or a fixed offset as `TimeZone` prints it: `UTC+1 h`."""
    if name.startswith("UTC") and name.endswith(" h"):
        return TimeZone("account", "", round(3600 * float(name[3:-2])))
    return TimeZone.named(name, "account") if name else None


def clock_of(subject: Any) -> Clock | None:
    """The weekly clock of a workload or a result; None where the start or the zone is unknown."""
    source = subject.spec.get("workload") if hasattr(subject, "spec") else getattr(subject, "source", None)
    if isinstance(source, Mapping) and _from_monday(source):
        return unchanged
    calendar = calendar_of(subject)
    if calendar is None or calendar.zone.because == "none":
        return None
    return lambda time_s: calendar.local_s(time_s) - MONDAY_S


def unchanged(time_s: np.ndarray) -> np.ndarray:
    return time_s


def _from_monday(source: Mapping[str, Any]) -> bool:
    return bool(source.get("clock") == "local" and source.get("starts") == "Monday 00:00")


def local_week_s(workload: Any) -> np.ndarray | None:
    """Submit times in seconds of local time since a Monday 00:00, or None where the clock is not known."""
    if _from_monday(workload.source):
        return workload["submit_s"]
    try:
        return workload.local_s("submit_s") - MONDAY_S
    except (InputError, AttributeError):  # no start, no zone, or not a log
        return None
