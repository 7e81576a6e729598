"""Numbers and durations as people read them."""

from __future__ import annotations

import math

from thinktime.support.time_units import DAY_S, HOUR_S, MINUTE_S


def missing(value: float | None) -> bool:
    return value is None or math.isnan(value)


def number(value: float | None) -> str:
    """Return `12,345` or `0.1234`: separated thousands, four significant digits."""
    if value is None or math.isnan(value):
        return "–"
    return f"{value:,.0f}" if abs(value) >= 1000 or value == round(value) else f"{value:,.4g}"


def rate(count: int, what: str, seconds: float) -> str:
    """Return millions per second."""
    return f"{count / seconds / 1e6:.3g} M {what}/s" if seconds > 0 else "too fast to measure"


#: (minimum in seconds, seconds of the unit, name of the unit)
_STEPS = ((2 * DAY_S, DAY_S, "d"), (2 * HOUR_S, HOUR_S, "h"), (2 * MINUTE_S, MINUTE_S, "min"), (0.0, 1.0, "s"))


def duration(value: float | None) -> str:
    """Return seconds in a convenient unit, for example `2.3 h`."""
    if value is None or not math.isfinite(value):
        return "–"
    unit, name = next((unit, name) for least, unit, name in _STEPS if abs(value) >= least)
    return f"{_short_number(value / unit)} {name}"


def _short_number(number: float) -> str:
    """Return whole numbers without decimals, others with one decimal or two significant digits."""
    if number == round(number) or abs(number) >= 100:
        return f"{number:,.0f}"
    return f"{number:.1f}" if abs(number) >= 1 else f"{number:.2g}"
