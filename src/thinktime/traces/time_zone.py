"""The clock at the machine: from seconds since 1970 (UTC) to local seconds in the zone of the log."""

from __future__ import annotations

import datetime
import zoneinfo
from dataclasses import dataclass

import numpy as np

_DAY_S = 86400
_YEAR_S = 31556952
#: 1870 to 2170. Times outside have the offset of the nearer end, so that one absurd time does no harm.
CALENDAR_S = (-100 * _YEAR_S, 200 * _YEAR_S)


@dataclass(frozen=True)
class TimeZone:
    """A time zone and its source; `name` is a zoneinfo name, or empty for a fixed offset."""

    because: str  # "TimeZoneString", "TimeZone" or "argument"
    name: str = ""
    offset_s: int = 0  # of a fixed zone

    @classmethod
    def named(cls, name: str, because: str = "argument") -> TimeZone | None:
        """Return the zone of a zoneinfo name; None if it does not exist."""
        try:
            zoneinfo.ZoneInfo(name)
        except (KeyError, ValueError, OSError):
            return None
        return cls(because, name)

    def __str__(self) -> str:
        return self.name or f"UTC{self.offset_s / 3600:+g} h"

    def offset_at(self, unix_s: float) -> float:
        """Return the seconds to add to UTC at an instant."""
        if not self.name:
            return float(self.offset_s)
        moment = self._moment(unix_s)
        shift = moment.utcoffset()
        return shift.total_seconds() if shift is not None else 0.0

    def abbreviation_at(self, unix_s: float) -> str:
        """Return CET, CEST, …; an empty text for a fixed offset."""
        if not self.name:
            return ""
        return self._moment(unix_s).tzname() or ""

    def _moment(self, unix_s: float) -> datetime.datetime:
        """Return the instant, or the nearer end of the calendar."""
        inside = min(max(unix_s, CALENDAR_S[0]), CALENDAR_S[1])
        return datetime.datetime.fromtimestamp(inside, zoneinfo.ZoneInfo(self.name))

    def local_s(self, unix_s: np.ndarray) -> np.ndarray:
        """Return seconds since 1970-01-01 00:00 on the clock at the machine; NaN stays NaN."""
        if not self.name:
            return unix_s + self.offset_s
        known = unix_s[np.isfinite(unix_s)]
        if known.size == 0:
            return unix_s.copy()
        first, last = np.clip([known.min(), known.max()], *CALENDAR_S)
        changes, offsets = self._offsets(float(first), float(last))
        return unix_s + offsets[np.searchsorted(changes, unix_s, side="right").clip(max=len(changes))]

    def _offsets(self, first: float, last: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the instants in [first, last] at which the offset changes, and the offsets before and after."""
        days = [*np.arange(first, last, _DAY_S), last]
        sampled = [self.offset_at(day) for day in days]
        steps = [k for k in range(1, len(days)) if sampled[k] != sampled[k - 1]]
        changes = np.array([self._change(days[k - 1], days[k]) for k in steps])
        return changes, np.array([sampled[0], *(sampled[k] for k in steps)])

    def _change(self, before: float, after: float) -> float:
        """Return the whole second at which the offset of `after` begins."""
        low, high = int(np.floor(before)), int(np.ceil(after))
        later = self.offset_at(high)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.offset_at(middle) == later else (middle, high)
        return float(high)
