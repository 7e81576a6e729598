"""Times as sacct writes them: ISO without an offset (the clock where sacct ran), with one, or seconds since 1970."""

from __future__ import annotations

import datetime
import math
import re
from typing import NamedTuple

_ISO = re.compile(
    r"(?P<date>\d{4}-\d\d-\d\d)[T ](?P<clock>\d\d:\d\d(?::\d\d)?)(?:[.,]\d{1,9})?"
    r"\s?(?P<offset>Z|UTC|[+-]\d\d(?::?\d\d)?)?"
)
_EPOCH = re.compile(r"\d{1,11}(?:\.\d{1,9})?")
#: Texts of a time that does not exist (yet).
MISSING = frozenset({"", "unknown", "none", "n/a", "invalid", "not set", "null", "(null)"})
#: 1990 to 2100: other numbers are Slurm's words for unset (0, 4294967294) or not times.
FIRST_S, LAST_S = 631152000.0, 4102444800.0
_1970 = datetime.datetime(1970, 1, 1)
#: What to do about times that are not understood.
ADVICE = "run sacct again with SLURM_TIME_FORMAT=%s, or without SLURM_TIME_FORMAT"


class Time(NamedTuple):
    """Seconds since 1970: of UTC, or of the clock where sacct ran (`local`). NaN for a missing time."""

    seconds: float
    local: bool = False


def parse_time(text: str) -> Time | None:
    """Return the time; None if the text is not one, such as `Tomorr 12:00` or `05/30-10:11:12`."""
    text = text.strip()
    if text.lower() in MISSING:
        return Time(math.nan)
    if _EPOCH.fullmatch(text):
        return Time(_known(float(text)))
    match = _ISO.fullmatch(text)
    if match is None:
        return None
    try:
        moment = datetime.datetime.fromisoformat(f"{match['date']}T{match['clock']}")
    except ValueError:
        return None
    seconds = (moment - _1970).total_seconds()
    if match["offset"] is None:
        return Time(_known(seconds), True)
    offset_s = _offset_s(match["offset"])
    return None if offset_s is None else Time(_known(seconds - offset_s))


def _known(seconds: float) -> float:
    return seconds if FIRST_S <= seconds <= LAST_S else math.nan


def _offset_s(text: str) -> float | None:
    """Return the seconds of `Z`, `+01`, `+0100` or `+01:00`."""
    if text in ("Z", "UTC"):
        return 0.0
    digits = text[1:].replace(":", "")
    hours, minutes = int(digits[:2]), int(digits[2:] or "0")
    if hours > 26 or minutes > 59:
        return None
    return (-1.0 if text[0] == "-" else 1.0) * (hours * 3600.0 + minutes * 60.0)
