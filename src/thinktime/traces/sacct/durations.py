"""Durations and time limits as Slurm writes them, in seconds; NaN where there is none."""

from __future__ import annotations

import math
import re

_DAYS = re.compile(
    r"(?P<days>\d{1,7})-(?P<hours>\d{1,7})(?::(?P<minutes>\d{1,7})(?::(?P<seconds>\d{1,7}(?:\.\d+)?))?)?"
)
_CLOCK = re.compile(r"(?:(?P<hours>\d{1,9}):)?(?P<minutes>\d{1,9}):(?P<seconds>\d{1,9}(?:\.\d+)?)")
_PLAIN = re.compile(r"\d{1,18}(?:\.\d+)?")
#: Texts of a duration that does not exist. UNLIMITED and Partition_Limit are limits that are not known.
WORDS = frozenset({"", "unlimited", "partition_limit", "invalid", "unknown", "none", "n/a", "not_set", "infinite"})
_NO_VALUE = 4294967290.0  # 0xfffffffa: INFINITE, NO_VAL and their neighbours are not numbers


def duration_s(text: str, plain_unit_s: float = 1.0) -> float | None:
    """Return the seconds of `[D-]HH:MM:SS[.f]`, `MM:SS[.f]` or a plain number of units.

    NaN for a word such as UNLIMITED; None if the text is not a duration.
    """
    text = text.strip()
    if (days := _DAYS.fullmatch(text)) is not None:
        parts = (days[name] or "0" for name in ("hours", "minutes", "seconds"))
        return int(days["days"]) * 86400.0 + _clock_s(*parts)
    if (clock := _CLOCK.fullmatch(text)) is not None:
        return _clock_s(clock["hours"] or "0", clock["minutes"], clock["seconds"])
    if _PLAIN.fullmatch(text):
        return float(text) * plain_unit_s if float(text) < _NO_VALUE else math.nan
    return math.nan if text.lower() in WORDS else None


def limit_s(text: str) -> float | None:
    """Return a time limit: a plain number is minutes, as TimelimitRaw and `--time` have it."""
    return duration_s(text, plain_unit_s=60.0)


def _clock_s(hours: str, minutes: str, seconds: str) -> float:
    return int(hours) * 3600.0 + int(minutes) * 60.0 + float(seconds)
