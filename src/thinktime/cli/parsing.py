"""Numbers and durations (3600, 90m, 12h, 7d) as people write them and as they read them."""

from __future__ import annotations

import re

from thinktime.errors import InputError

#: unit → seconds; a bare number is seconds
UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}
_PART = re.compile(r"(\d+\.?\d*|\.\d+)\s*([a-z]*)\s*")
EXAMPLES = "3600, 90m, 12h or 7d"


def seconds(option: str, text: str) -> float:
    """The seconds of `90m`, `1d12h` or `5400`."""
    rest, total, parts = text.strip().lower(), 0.0, 0
    while match := _PART.match(rest):
        if match[2] not in UNITS:
            break
        total += float(match[1]) * UNITS[match[2]]
        rest, parts = rest[match.end() :], parts + 1
    if rest or not parts:
        raise InputError(f"{option} is {text!r}, which is no duration: write seconds or units, as in {EXAMPLES}")
    return total


def whole(option: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InputError(f"{option} is {text!r}: give a whole number") from None


def decimal(option: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{option} is {text!r}: give a number, as in 1 or 0.5") from None


def window(option: str, text: str) -> tuple[float | None, float | None]:
    """`7d:30d`, `7d:` or `:30d`, in the time of the workload."""
    begin, colon, end = text.partition(":")
    if not colon or ":" in end:
        raise InputError(f"{option} is {text!r}: write BEGIN:END, as in 7d:30d, 7d: or :30d")
    return (seconds(option, begin) if begin.strip() else None, seconds(option, end) if end.strip() else None)


def pools(long_term_weeks: str, edge_weeks: str) -> dict[str, float | str]:
    """Options of resampling that say which users are in which pool."""
    edge = edge_weeks if edge_weeks.isidentifier() else decimal("--edge-weeks", edge_weeks)
    return {"long_term_weeks": decimal("--long-term-weeks", long_term_weeks), "edge_weeks": edge}
