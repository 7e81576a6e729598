"""Estimate policies: the run time that the scheduler believes. `requested`, `at_least(factor)`, `perfect`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from thinktime import spec
from thinktime.errors import InputError
from thinktime.spec import Spec
from thinktime.workload.workload import Workload


class Estimates(Spec, kind="estimates"):
    """What the scheduler believes of run times; make one with `Estimates.requested()` and its siblings."""

    def of(self, workload: Workload, speed: float = 1.0) -> np.ndarray:
        """Estimate of every job in seconds; what follows from a run time follows from that at this speed."""
        raise InputError("Estimates is no policy by itself: choose Estimates.requested(), at_least(2.0) or perfect()")

    @staticmethod
    def requested() -> Requested:
        return Requested()

    @staticmethod
    def at_least(factor: float) -> AtLeast:
        return AtLeast(factor=factor)

    @staticmethod
    def perfect() -> Perfect:
        return Perfect()

    @staticmethod
    def parse(text: str) -> Estimates:
        """From the command line: `requested`, `perfect`, `at_least:2` or `at-least:factor=2`."""
        name, colon, rest = text.strip().partition(":")
        name = name.strip().lower().replace("_", "-")
        option = f"factor={rest}" if colon and "=" not in rest and name == AtLeast.name else rest
        policy = spec.parse("estimates", f"{name}{colon}{option}")
        assert isinstance(policy, Estimates)
        return policy

    @staticmethod
    def from_dict(data: dict[str, Any]) -> Estimates:
        policy = spec.from_dict("estimates", data)
        assert isinstance(policy, Estimates)
        return policy


class Requested(Estimates, name="requested"):
    """The requested time where there is one, else the run time."""

    def __repr__(self) -> str:
        return "Estimates.requested()"

    def of(self, workload: Workload, speed: float = 1.0) -> np.ndarray:
        asked = workload["requested_time_s"]
        return np.where(asked > 0, asked, workload["run_s"] / speed)


class AtLeast(Estimates, name="at-least"):
    """The requested time, but at least `factor` times the recorded run time. Batsim's converter uses 2."""

    factor: float = 2.0

    def __post_init__(self) -> None:
        number = isinstance(self.factor, int | float) and not isinstance(self.factor, bool)
        if not number or not math.isfinite(self.factor) or self.factor <= 0:
            raise InputError(f"the factor of at_least is {self.factor!r}: it must be a number above 0, such as 2.0")
        object.__setattr__(self, "factor", float(self.factor))

    def __repr__(self) -> str:
        return f"Estimates.at_least({self.factor!r})"

    def of(self, workload: Workload, speed: float = 1.0) -> np.ndarray:
        return np.fmax(workload["requested_time_s"], self.factor * workload["run_s"])


class Perfect(Estimates, name="perfect"):
    """The run time itself, on the machine that is simulated."""

    def __repr__(self) -> str:
        return "Estimates.perfect()"

    def of(self, workload: Workload, speed: float = 1.0) -> np.ndarray:
        return workload["run_s"] / speed
