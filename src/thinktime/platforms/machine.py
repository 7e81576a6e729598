"""A counted machine: identical processors of one speed."""

from __future__ import annotations

import math
import operator

from thinktime.errors import InputError
from thinktime.spec import Spec, is_number, one_of

#: The engine counts processors in 32 bits; the largest number marks a job that has left the queue.
MOST_PROCESSORS = 2**31 - 2


#: What a speed does to estimates: nothing, or the same as to run times.
ESTIMATES = ("recorded", "scaled")


class Machine(Spec, kind="platform", name="machine"):
    """A pool of identical processors.

    Parameters
    ----------
    processors
        The number of processors.
    speed
        The speed relative to the recorded machine: 2.0 halves every run time.
    estimates
        `recorded` keeps the estimates at any speed; `scaled` divides them by the speed too.
    """

    processors: int
    speed: float = 1.0
    estimates: str = "recorded"

    def __post_init__(self) -> None:
        if not _is_whole_number(self.processors) or not 1 <= operator.index(self.processors) <= MOST_PROCESSORS:
            raise InputError(f"processors must be a whole number from 1 to {MOST_PROCESSORS} (got {self.processors!r})")
        if not is_number(self.speed) or not math.isfinite(self.speed) or self.speed <= 0:
            raise InputError(f"speed is {self.speed!r}: choose a number above 0, 1.0 for the recorded machine")
        one_of("estimates", self.estimates, ESTIMATES)
        object.__setattr__(self, "processors", operator.index(self.processors))
        object.__setattr__(self, "speed", float(self.speed))

    def canonical(self) -> dict[str, object]:
        return without_recorded(self.options())

    def scaled(self, *, speed: float = 1.0, processors: float = 1.0, estimates: str | None = None) -> Machine:
        """Return this machine with its speed and its number of processors multiplied.

        `estimates="scaled"` divides estimates by the speed too; by default they stay as they are.
        """
        for what, factor in (("speed", speed), ("processors", processors)):
            if not is_number(factor) or not math.isfinite(factor) or factor <= 0:
                raise InputError(f"{what} is {factor!r}: choose a factor above 0")
        # 0.29 of 100 processors are 29, although 0.29 * 100 is a little less.
        size = math.floor(self.processors * processors + 1e-9)
        return Machine(processors=size, speed=self.speed * speed, estimates=estimates or self.estimates)


class AsLog(Spec, kind="platform", name="log"):
    """The recorded machine of the log, with its size and speed multiplied; the default of a study."""

    processors_factor: float = 1.0
    speed: float = 1.0
    estimates: str = "recorded"

    def __post_init__(self) -> None:
        scaled = Machine(processors=2**20, estimates=self.estimates).scaled(
            processors=self.processors_factor, speed=self.speed
        )
        object.__setattr__(self, "speed", scaled.speed)
        object.__setattr__(self, "processors_factor", float(self.processors_factor))

    def canonical(self) -> dict[str, object]:
        return without_recorded(self.options())

    def machine(self, processors: int | None, log: str) -> Machine:
        """Return the machine for a log with this number of processors."""
        if processors is None:
            raise InputError(
                f"{log} does not record the number of processors: name a platform, as in machine:processors=128"
            )
        found = Machine(processors=processors, estimates=self.estimates)
        return found.scaled(processors=self.processors_factor, speed=self.speed)


def without_recorded(options: dict[str, object]) -> dict[str, object]:
    """Leave out `estimates` if they stay as recorded: such a platform keeps its hash."""
    return {name: value for name, value in options.items() if (name, value) != ("estimates", "recorded")}


def _is_whole_number(value: object) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool)
