"""Numbers and durations as people read them."""

from __future__ import annotations

import math


def missing(value: float | None) -> bool:
    return value is None or math.isnan(value)


def number(value: float | None) -> str:
    """Thousands separated; four digits that matter where there are decimals."""
    if value is None or math.isnan(value):
        return "–"
    return f"{value:,.0f}" if abs(value) >= 1000 or value == round(value) else f"{value:,.4g}"


def rate(count: int, what: str, seconds: float) -> str:
    """Millions a second."""
    return f"{count / seconds / 1e6:.3g} M {what}/s" if seconds > 0 else "too fast to tell"


#: from so many seconds on → (seconds of the unit, its name)
_STEPS = ((2 * 86400.0, 86400.0, "d"), (2 * 3600.0, 3600.0, "h"), (120.0, 60.0, "min"), (0.0, 1.0, "s"))


def duration(value: float | None) -> str:
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
