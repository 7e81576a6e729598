"""What every user model offers the engine: its name there, and a plan made from the workload."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from thinktime.errors import InputError
from thinktime.spec import Spec, is_number, one_of

if TYPE_CHECKING:
    from thinktime.workload import Workload

TIES = ("planned", "original")
LONGEST_DAYS = 36525.0  # of a period that comes again: a hundred years, so that times stay exact


class UserModel(Spec, kind="users"):
    """Base of the user models. Numbers are checked against `lowest`, words against `words`, by the option's name."""

    random: ClassVar[bool] = False  # it draws random numbers: runs differ by their seed
    lowest: ClassVar[Mapping[str, float]] = {}  # option → least value; 0 if it is not listed
    highest: ClassVar[Mapping[str, float]] = {}  # option → largest value
    words: ClassVar[Mapping[str, tuple[str, ...]]] = {"ties": TIES}

    def plan(self, workload: Workload, seed: int) -> dict[str, Any]:
        """What the engine is told before the first instant: arrays and options by name. `session` is every job's."""
        return {}

    def __post_init__(self) -> None:
        for option, value in self.options().items():
            if option in self.words:
                one_of(f"{option} of {self.name}", value, self.words[option])
            elif isinstance(self._defaults()[option], float):
                self._require_number(option, value)
                object.__setattr__(self, option, float(value))  # 60 and 60.0 are one option, and one run

    def _require_number(self, option: str, value: Any) -> None:
        least, most = self.lowest.get(option, 0.0), self.highest.get(option, math.inf)
        if not is_number(value) or not math.isfinite(value) or not least <= value <= most:
            allowed = f"of {least:g} or more" if most == math.inf else f"from {least:g} to {most:g}"
            raise InputError(f"{option} of {self.name} is {value!r}: choose a number {allowed}")
