"""Read the values of options: numbers, durations (3600, 90m, 12h, 7d), windows (7d:30d), specs (easy:order=sjf).

Each function takes the name of the option, for its error, and the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from thinktime.errors import InputError
from thinktime.support.time_units import DAY_S, HOUR_S, MINUTE_S, WEEK_S

if TYPE_CHECKING:
    from thinktime.workload import LoadScaling

#: unit → seconds; a bare number is seconds
UNITS = {"": 1.0, "s": 1.0, "m": MINUTE_S, "min": MINUTE_S, "h": HOUR_S, "d": DAY_S, "w": WEEK_S}
_PART = re.compile(r"(\d+\.?\d*|\.\d+)\s*([a-z]*)\s*")
EXAMPLES = "3600, 90m, 12h or 7d"


def seconds(option: str, text: str) -> float:
    """Return the seconds in `90m`, `1d12h` or `5400`."""
    rest, total, parts = text.strip().lower(), 0.0, 0
    while match := _PART.match(rest):
        if match[2] not in UNITS:
            break
        total += float(match[1]) * UNITS[match[2]]
        rest, parts = rest[match.end() :], parts + 1
    if rest or not parts:
        raise InputError(f"{option} must be a duration such as {EXAMPLES} (got {text!r})")
    return total


def whole(option: str, text: str) -> int:
    """Return a whole number."""
    try:
        return int(text)
    except ValueError:
        raise InputError(f"{option} must be a whole number (got {text!r})") from None


def decimal(option: str, text: str) -> float:
    """Return a number."""
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{option} must be a number such as 1 or 0.5 (got {text!r})") from None


def decimal_or_name(option: str, text: str) -> float | str:
    """Return a number, or a name as it is."""
    return text if text.isidentifier() else decimal(option, text)


def window(option: str, text: str) -> tuple[float | None, float | None]:
    """Return the ends of `7d:30d`, `7d:` or `:30d` in seconds of the workload's time."""
    begin, colon, end = text.partition(":")
    if not colon or ":" in end:
        raise InputError(f"{option} must be BEGIN:END, for example 7d:30d, 7d: or :30d (got {text!r})")
    return (seconds(option, begin) if begin.strip() else None, seconds(option, end) if end.strip() else None)


def load_scaling(option: str, text: str) -> LoadScaling:
    """Return the scaling `1.2:arrivals`."""
    from thinktime.workload.load_scaling import LoadScaling

    try:
        return LoadScaling.of(text)
    except InputError as error:
        raise InputError(f"{option}: {error}") from None


def typed_spec(kind: str) -> Callable[[str, str], Any]:
    """Return a function that reads specs of a kind, and imports the module that the user has typed (module:Class)."""

    def read(option: str, text: str) -> Any:
        from thinktime import trust

        with trust.typed():
            return spec(kind)(option, text)

    return read


def spec(kind: str) -> Callable[[str, str], Any]:
    """Return a function that reads specs of a kind."""

    def read(option: str, text: str) -> Any:
        from thinktime.spec import as_spec

        return as_spec(kind, text)

    return read
