"""Numbers and durations (3600, 90m, 12h, 7d) as people write them and as they read them."""

from __future__ import annotations

import math
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


#: from so many seconds on → (seconds of the unit, its name)
_STEPS = ((2 * 86400.0, 86400.0, "d"), (2 * 3600.0, 3600.0, "h"), (120.0, 60.0, "min"), (0.0, 1.0, "s"))


def words(value: float | None) -> str:
    """`2.3 h`: what a number of seconds is in the unit one thinks in."""
    if value is None or not math.isfinite(value):
        return "–"
    unit, name = next((unit, name) for least, unit, name in _STEPS if abs(value) >= least)
    return f"{_short(value / unit)} {name}"


def _short(number: float) -> str:
    """Whole numbers whole, others with one decimal or two digits that matter."""
    if number == round(number) or abs(number) >= 100:
        return f"{number:,.0f}"
    return f"{number:.1f}" if abs(number) >= 1 else f"{number:.2g}"


def pools(long_term_weeks: str, edge_weeks: str) -> dict[str, float | str]:
    """Options of resampling that say which users are in which pool."""
    edge = edge_weeks if edge_weeks.isidentifier() else decimal("--edge-weeks", edge_weeks)
    return {"long_term_weeks": decimal("--long-term-weeks", long_term_weeks), "edge_weeks": edge}
