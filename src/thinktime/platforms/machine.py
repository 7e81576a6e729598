"""A counted machine: identical processors of one speed."""

from __future__ import annotations

import math

from thinktime.errors import InputError
from thinktime.spec import Spec

#: The engine counts processors in 32 bits.
MOST_PROCESSORS = 2**31 - 1


class Machine(Spec, kind="platform", name="machine"):
    """A pool of `processors` alike; `speed` 2.0 halves every run time. Estimates are not scaled."""

    processors: int
    speed: float = 1.0

    def __post_init__(self) -> None:
        if not _whole(self.processors) or not 1 <= self.processors <= MOST_PROCESSORS:
            raise InputError(
                f"a machine of {self.processors!r} processors cannot be: choose a whole number from 1 to {MOST_PROCESSORS}"
            )
        if not isinstance(self.speed, int | float) or not math.isfinite(self.speed) or self.speed <= 0:
            raise InputError(f"speed is {self.speed!r}: choose a number above 0, 1.0 for the recorded machine")

    def scaled(self, *, speed: float = 1.0, processors: float = 1.0) -> Machine:
        """This machine with its speed and its number of processors multiplied."""
        return Machine(processors=math.floor(self.processors * processors), speed=self.speed * speed)


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
