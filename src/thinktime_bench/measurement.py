"""What a benchmark gives: a figure with its goal, and the counts that say what was computed.

A rate says how fast; jobs, events and a mean wait or a hash say that it was still the same work.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


def higher_is_better(unit: str) -> bool:
    """Whether the unit is a rate (…/s) or a gain (times); of times, memory and costs less is better."""
    return unit.endswith(("/s", "times"))


@dataclass(frozen=True)
class Measurement:
    """One figure. The goal is a minimum for rates (unit …/s) and gains (times), else a maximum."""

    part: str  # which benchmark: engine, queue, users, scanner, command, stream
    name: str
    value: float
    unit: str  # M jobs/s, MB/s, s, MB, ms a run, times (a gain), or x (a cost, in times) something
    goal: float | None = None  # in the same unit
    repeats: int = 1  # of which the best counts
    finished: bool = True  # False: given up, the value is of the part that was done
    details: dict[str, Any] = field(default_factory=dict)  # counts, checksums, breakdowns

    @property
    def ratio(self) -> float | None:
        """How much better than its goal the figure is: 1 and more is met."""
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
    """A benchmark that is to be run; it may take its time and give several figures."""

    part: str
    name: str
    run: Callable[[], list[Measurement]]
