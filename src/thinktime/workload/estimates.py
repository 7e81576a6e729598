"""Estimate policies: the run times that the scheduler uses. `requested`, `at_least(factor)`, `perfect`.

On a machine of another speed, requested times stay as recorded unless the policy is `scaled`: then they are divided by
the speed, as run times are.
"""

from __future__ import annotations

import math

import numpy as np

from thinktime import spec
from thinktime.errors import InputError
from thinktime.spec import Spec
from thinktime.support.json_types import JsonDict
from thinktime.workload.workload import Workload


class Estimates(Spec, kind="estimates"):
    """The run times that the scheduler uses: `Estimates.requested()`, `at_least(2.0)` or `perfect()`."""

    def of(self, workload: Workload, speed: float = 1.0) -> np.ndarray:
        """Return the estimate of every job in seconds on a machine of this speed."""
        if self.options().get("scaled"):
            return self.in_log(workload, 1.0) / speed
        return self.in_log(workload, speed)

    def in_log(self, workload: Workload, speed: float) -> np.ndarray:
        """Return the unscaled estimates; run times that replace missing requests are those at this speed."""
        raise InputError("Estimates() is not a policy: choose Estimates.requested(), at_least(2.0) or perfect()")

    def divided(self) -> Estimates:
        """Return this policy with `scaled`."""
        return self.replace(scaled=True) if "scaled" in self.options() else self

    def canonical(self) -> JsonDict:
        """Return the options without `scaled` where it is off, which keeps older digests."""
        return {name: value for name, value in self.options().items() if name != "scaled" or value}

    def missing(self, workload: Workload) -> int:
        """Return the number of jobs without a requested time, for which the run time is used."""
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
        if name == Perfect.name:  # already follows the run time on the machine
            options = [option for option in options if option != f"{SCALED}=true"]
        return Estimates.from_dict({"name": name, **spec.options_of(f"{name}:{','.join(options)}")})

    @staticmethod
    def from_dict(data: JsonDict) -> Estimates:
        policy = spec.from_dict("estimates", data)
        assert isinstance(policy, Estimates)
        return policy


SCALED = "scaled"
spec.NOTATIONS["estimates"] = Estimates.parse


def _option(policy: str, part: str) -> str:
    """Return an option as `name=value`; `scaled` and the factor of at_least need no name."""
    if part.lower() == SCALED:
        return f"{SCALED}=true"
    return f"factor={part}" if "=" not in part and policy == AtLeast.name else part


class Requested(Estimates, name="requested"):
    """The requested time, or the run time if there is none. `scaled` divides it by the machine's speed."""

    scaled: bool = False

    def __post_init__(self) -> None:
        _require_bool(self.scaled)

    def __repr__(self) -> str:
        return f"Estimates.requested({_scaled_argument(self.scaled)})"

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
            raise InputError(f"the factor of at_least must be above 0 (got {self.factor!r})")
        object.__setattr__(self, "factor", float(self.factor))

    def __repr__(self) -> str:
        return f"Estimates.at_least({', '.join(filter(None, (repr(self.factor), _scaled_argument(self.scaled))))})"

    def in_log(self, workload: Workload, speed: float) -> np.ndarray:
        return np.fmax(workload["requested_time_s"], self.factor * workload["run_s"])


class Perfect(Estimates, name="perfect"):
    """The run time on the simulated machine."""

    def __repr__(self) -> str:
        return "Estimates.perfect()"

    def missing(self, workload: Workload) -> int:
        """Return 0: no job needs a requested time."""
        return 0

    def in_log(self, workload: Workload, speed: float) -> np.ndarray:
        return workload["run_s"] / speed


def _scaled_argument(scaled: bool) -> str:
    return "scaled=True" if scaled else ""


def _require_bool(scaled: object) -> None:
    if not isinstance(scaled, bool):
        raise InputError(f"scaled is {scaled!r}: choose true or false")
