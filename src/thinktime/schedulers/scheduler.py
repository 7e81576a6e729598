"""What every scheduler spec offers the engine: the name of its policy there, and its options."""

from __future__ import annotations

import math
from typing import Any

from thinktime.errors import InputError
from thinktime.schedulers.orders import canonical, require_order
from thinktime.spec import Spec, is_number


class Scheduler(Spec, kind="scheduler"):
    """Base of the schedulers."""

    def engine_name(self) -> str:
        return self.name

    def canonical(self) -> dict[str, Any]:
        """The options with orders under the engine's names: `sjf` and `estimate` are one order."""
        orders = {k: canonical(v) for k, v in self.options().items() if k in ORDER_OPTIONS and v is not None}
        return {**self.options(), **orders}

    def engine_options(self) -> dict[str, Any]:
        return self.canonical()

    def __post_init__(self) -> None:
        for option, value in self.options().items():
            default = self._defaults()[option]
            _require(f"{option} of {self.name}", option, value, default)
            if isinstance(default, float):
                object.__setattr__(self, option, float(value))  # 2 and 2.0 are one option, and one run


ORDER_OPTIONS = ("order", "backfill_order", "key")


def _require(what: str, option: str, value: Any, default: Any) -> None:
    if option in ORDER_OPTIONS:
        if value is not None or default is not None:
            require_order(what, value)
    elif isinstance(default, bool):
        if not isinstance(value, bool):
            raise InputError(f"{what} is {value!r}: it is true or false")
    elif isinstance(default, float):
        _require_positive(what, value)


def _require_positive(what: str, value: Any) -> None:
    if not is_number(value) or not math.isfinite(value) or value <= 0:
        raise InputError(f"{what} is {value!r}: choose a number above 0")
