"""The machine of the log: as many processors as its header says, times a factor."""

from __future__ import annotations

from thinktime.errors import InputError
from thinktime.platforms.machine import Machine, without_recorded
from thinktime.spec import Spec


class AsLog(Spec, kind="platform", name="log"):
    """The machine that the log was recorded on, with its size and speed multiplied; a study's default."""

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
        """For a log whose machine has so many processors."""
        if processors is None:
            raise InputError(
                f"{log} does not say how many processors its machine has: name a platform, as in machine:processors=128"
            )
        found = Machine(processors=processors, estimates=self.estimates)
        return found.scaled(processors=self.processors_factor, speed=self.speed)
