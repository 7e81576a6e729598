"""Estimate policies: the run time that the scheduler believes. `requested`, `at_least(factor)`, `perfect`.

A policy gives seconds of the log. On a machine of another speed a request stays what the user wrote, unless the policy
is `scaled`: then what it gives at speed 1 is divided by the speed, as run times are.
"""

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
        """Estimate of every job in seconds on a machine of this speed."""
        if self.options().get("scaled"):
            return self.in_log(workload, 1.0) / speed
        return self.in_log(workload, speed)

    def in_log(self, workload: Workload, speed: float) -> np.ndarray:
        """Unscaled: requests in seconds of the log; a run time that stands for one is that at this speed."""
        raise InputError("Estimates is no policy by itself: choose Estimates.requested(), at_least(2.0) or perfect()")

    def divided(self) -> Estimates:
        """The same policy, scaled."""
        return self.replace(scaled=True) if "scaled" in self.options() else self

    def canonical(self) -> dict[str, Any]:
        """Without `scaled` where it is off: such a run keeps its hash."""
        return {name: value for name, value in self.options().items() if name != "scaled" or value}

    def missing(self, workload: Workload) -> int:
        """How many jobs have no estimate of their own, so that their run time stands for it."""
        return int(np.count_nonzero(~(workload["requested_time_s"] > 0)))

    @staticmethod
    def requested(*, scaled: bool = False) -> Requested:
        return Requested(scaled=scaled)

    @staticmethod
    def at_least(factor: float, *, scaled: bool = False) -> AtLeast:
        return AtLeast(factor=factor, scaled=scaled)

    @staticmethod
    def perfect() -> Perfect:
        return Perfect()

    @staticmethod
    def parse(text: str) -> Estimates:
        """Return the policy for the command line's text.

        `requested`, `perfect`, `at_least:2` or `at-least:factor=2`. `scaled` alone, or as an option
        (`at_least:2,scaled`), divides estimates by the machine's speed.
        """
        name, _, rest = text.strip().partition(":")
        name = name.strip().lower().replace("_", "-")
        if name == SCALED:
            name, rest = Requested.name, ",".join(filter(None, (SCALED, rest)))
        options = [_option(name, part.strip()) for part in rest.split(",") if part.strip()]
        if name == Perfect.name:  # follows the run time on the machine already
            options = [option for option in options if option != f"{SCALED}=true"]
        return Estimates.from_dict({"name": name, **spec.options_of(f"{name}:{','.join(options)}")})

    @staticmethod
    def from_dict(data: dict[str, Any]) -> Estimates:
        policy = spec.from_dict("estimates", data)
        assert isinstance(policy, Estimates)
        return policy


SCALED = "scaled"
spec.NOTATIONS["estimates"] = Estimates.parse


def _option(policy: str, part: str) -> str:
    """`scaled` and the factor of at_least need no name."""
    if part.lower() == SCALED:
        return f"{SCALED}=true"
    return f"factor={part}" if "=" not in part and policy == AtLeast.name else part


class Requested(Estimates, name="requested"):
    """The requested time where there is one, else the run time. `scaled` divides it by the machine's speed."""

    scaled: bool = False

    def __post_init__(self) -> None:
        _require_bool(self.scaled)

    def __repr__(self) -> str:
        return f"Estimates.requested({_shown(self.scaled)})"

    def in_log(self, workload: Workload, speed: float) -> np.ndarray:
        asked = workload["requested_time_s"]
        return np.where(asked > 0, asked, workload["run_s"] / speed)


class AtLeast(Estimates, name="at-least"):
    """The requested time, but at least `factor` times the recorded run time. Batsim's converter uses 2. `scaled`
    divides it by the machine's speed."""

    factor: float = 2.0
    scaled: bool = False

    def __post_init__(self) -> None:
        _require_bool(self.scaled)
        number = isinstance(self.factor, int | float) and not isinstance(self.factor, bool)
        if not number or not math.isfinite(self.factor) or self.factor <= 0:
            raise InputError(f"the factor of at_least is {self.factor!r}: it must be a number above 0, such as 2.0")
        object.__setattr__(self, "factor", float(self.factor))

    def __repr__(self) -> str:
        return f"Estimates.at_least({', '.join(filter(None, (repr(self.factor), _shown(self.scaled))))})"

    def in_log(self, workload: Workload, speed: float) -> np.ndarray:
        return np.fmax(workload["requested_time_s"], self.factor * workload["run_s"])


class Perfect(Estimates, name="perfect"):
    """The run time itself, on the machine that is simulated."""

    def __repr__(self) -> str:
        return "Estimates.perfect()"

    def missing(self, workload: Workload) -> int:
        """None: the run time is what was asked for."""
        return 0

    def in_log(self, workload: Workload, speed: float) -> np.ndarray:
        return workload["run_s"] / speed


def _shown(scaled: bool) -> str:
    return "scaled=True" if scaled else ""


def _require_bool(scaled: Any) -> None:
    if not isinstance(scaled, bool):
        raise InputError(f"scaled is {scaled!r}: choose true or false")
