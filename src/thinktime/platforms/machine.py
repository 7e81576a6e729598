"""A counted machine: identical processors of one speed."""

from __future__ import annotations

import math
import operator

from thinktime.errors import InputError
from thinktime.spec import Spec, is_number

#: The engine counts processors in 32 bits; the largest number is its mark for a job that has left the queue.
MOST_PROCESSORS = 2**31 - 2


class Machine(Spec, kind="platform", name="machine"):
    """A pool of `processors` alike; `speed` 2.0 halves every run time. Estimates are not scaled."""

    processors: int
    speed: float = 1.0

    def __post_init__(self) -> None:
        if not _whole(self.processors) or not 1 <= operator.index(self.processors) <= MOST_PROCESSORS:
            raise InputError(
                f"a machine of {self.processors!r} processors cannot be:"
                f" choose a whole number from 1 to {MOST_PROCESSORS}"
            )
        if not is_number(self.speed) or not math.isfinite(self.speed) or self.speed <= 0:
            raise InputError(f"speed is {self.speed!r}: choose a number above 0, 1.0 for the recorded machine")
        object.__setattr__(self, "processors", operator.index(self.processors))
        object.__setattr__(self, "speed", float(self.speed))

    def scaled(self, *, speed: float = 1.0, processors: float = 1.0) -> Machine:
        """This machine with its speed and its number of processors multiplied."""
        for what, factor in (("speed", speed), ("processors", processors)):
            if not is_number(factor) or not math.isfinite(factor) or factor <= 0:
                raise InputError(f"{what} cannot be scaled by {factor!r}: choose a number above 0")
        # 0.29 of 100 processors are 29, although 0.29 * 100 is a little less.
        return Machine(processors=math.floor(self.processors * processors + 1e-9), speed=self.speed * speed)


def _whole(value: object) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool)
