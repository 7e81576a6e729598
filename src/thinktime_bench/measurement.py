"""The result of a benchmark: a value with its goal, and counts that identify the work.

Jobs, events and a mean wait or a hash show that a faster run did the same work.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


def higher_is_better(unit: str) -> bool:
    """Return whether the unit is a rate (…/s) or a gain (times); for times, memory and costs lower is better."""
    return unit.endswith(("/s", "times"))


@dataclass(frozen=True)
class Measurement:
    """One value. The goal is a minimum for rates (unit …/s) and gains (times), else a maximum."""

    part: str  # a name of PARTS
    name: str
    value: float
    unit: str  # M jobs/s, MB/s, s, MB, ms per run, times (a gain) or x (a cost, as a ratio)
    goal: float | None = None  # in the same unit
    repeats: int = 1  # the best counts
    finished: bool = True  # False: given up; the value is that of the finished part
    details: dict[str, Any] = field(default_factory=dict)  # counts, checksums, breakdowns

    @property
    def ratio(self) -> float | None:
        """Return how much better the value is than its goal; 1 or more meets it."""
        if self.goal is None or not self.value > 0:
            return None
        return self.value / self.goal if higher_is_better(self.unit) else self.goal / self.value

    @property
    def met(self) -> bool | None:
        return None if self.ratio is None else self.ratio >= 1

    def to_dict(self) -> dict[str, Any]:
        names = ("part", "name", "value", "unit", "goal", "repeats", "finished")
        own = {name: getattr(self, name) for name in names}
        return {**own, "ratio": self.ratio, "met": self.met, **self.details}


@dataclass(frozen=True)
class Case:
    """A benchmark that can be run; it returns one or more measurements."""

    part: str
    name: str
    run: Callable[[], list[Measurement]]
