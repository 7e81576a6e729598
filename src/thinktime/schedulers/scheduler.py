"""The base class of schedulers: the name of the policy in the engine, and its options."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from thinktime.errors import InputError
from thinktime.schedulers.native import NativeKey
from thinktime.schedulers.orders import (
    USUAL_NAMES,
    canonical,
    columns_of,
    condition_for_engine,
    for_engine,
    settled,
    settled_condition,
    values_of,
)
from thinktime.spec import Spec, is_number
from thinktime.traces.column_uses import ColumnUse


class Scheduler(Spec, kind="scheduler"):
    """Base of the schedulers.

    A built-in scheduler is a spec here and a file in engine/schedulers/ that registers the same name. Its options are
    class attributes with types and defaults; the engine gets all of them. Options called `order`, `backfill_order` or
    `key` are queue orders, and `eligible` is a condition on jobs. A scheduler in Python derives from
    `tt.OwnScheduler`.
    """

    #: Whether it sees texts and truth values of jobs as such; keys compute with numbers.
    reads_texts: ClassVar[bool] = False

    def engine_name(self) -> str:
        """Return the name of the policy in the engine."""
        return self.name

    def canonical(self) -> dict[str, Any]:
        """Return the options with orders in one spelling: `sjf` and `estimate` are one order."""
        orders = {k: canonical(v) for k, v in self.options().items() if k in ORDER_OPTIONS and v is not None}
        return {**self.options(), **orders}

    @classmethod
    def usual_spelling(cls, options: Mapping[str, Any]) -> Mapping[str, Any]:
        return {k: USUAL_NAMES.get(v, v) if k in ORDER_OPTIONS else v for k, v in options.items()}

    def to_dict(self) -> dict[str, Any]:
        return {k: v.text() if isinstance(v, NativeKey) else v for k, v in super().to_dict().items()}

    def engine_options(self) -> dict[str, Any]:
        """Return the options as the engine takes them."""
        options = self.canonical()
        orders = {k: for_engine(v) for k, v in options.items() if k in ORDER_OPTIONS and v is not None}
        conditions = {k: condition_for_engine(v) for k, v in options.items() if k in CONDITIONS and v is not None}
        return {**options, **orders, **conditions}

    def live_options(self, processors: int, seed: int) -> dict[str, Any]:
        """Return options of one simulation only: the object through which the engine calls a scheduler in Python."""
        return {}

    def columns(self) -> set[ColumnUse]:
        """Return the columns of the workload that its orders read."""
        return set().union(*map(columns_of, self._looking()))

    def looks_at(self) -> set[str]:
        """Return the published values that its orders use."""
        return set().union(*map(values_of, self._looking()))

    def _looking(self) -> list[Any]:
        names = (*ORDER_OPTIONS, *CONDITIONS)
        return [v for k, v in self.options().items() if k in names and v is not None]

    def checked_option(self, option: str, value: Any) -> Any:
        """Return the value as the spec holds it: an order by its name or text, a condition by its text."""
        what = f"{option} of {self.name}"
        if option in (*ORDER_OPTIONS, *CONDITIONS) and (value is not None or self._defaults()[option] is not None):
            return settled(what, value) if option in ORDER_OPTIONS else settled_condition(what, value)
        return super().checked_option(option, value)

    def number(self, option: str, value: Any) -> float:
        """Return the value of an option as a float; raise InputError unless it is above 0."""
        if not is_number(value) or not math.isfinite(value) or value <= 0:
            raise InputError(f"{option} of {self.name} is {value!r}: choose a number above 0")
        return float(value)


ORDER_OPTIONS = ("order", "backfill_order", "key")
CONDITIONS = ("eligible",)
