"""Alternative readings of a paper as text, and ratios."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from thinktime_reproduce.reproduction import Findings

SHOWN = 4

Values = Callable[[Findings], Mapping[str, float | None]]  # simulates other readings: name → value


def tried(log: str, row: str, paper: float, values: Values, digits: int = 2) -> Callable[[Findings], str]:
    """Return the text that a missed claim prints; empty without the log."""

    def words(findings: Findings) -> str:
        return other_readings(row, values(findings), paper, digits) if log in findings.logs else ""

    return words


def other_readings(row: str, values: Mapping[str, float | None], paper: float, digits: int = 2) -> str:
    """Return the range of the values of other readings, and the readings closest to the paper's value."""
    known = {name: value for name, value in values.items() if value is not None}
    if not known:
        return f"{row}: nothing else that was tried gives a value"
    near = sorted(known, key=lambda name: abs(known[name] - paper))[:SHOWN]
    least, most = min(known.values()), max(known.values())
    return f"{row}: {len(known)} others simulated, {least:,.{digits}f} to {most:,.{digits}f}; nearest: " + ", ".join(
        f"{known[name]:,.{digits}f} ({name})" for name in near
    )


def over(first: float, second: float) -> float:
    """Return the ratio; NaN if the second is 0, for which no claim holds."""
    return first / second if second else math.nan
