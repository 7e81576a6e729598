"""Own compiled functions as keys: a Numba `@cfunc` or a ctypes function pointer, called by the engine.

    @numba.cfunc("float64(float64, float64, float64, float64, float64)")
    def widest_first(now_s, submit_s, estimate_s, processors, user):
        return -processors

    tt.Priority(key=tt.native(widest_first))

The function must be pure: the same arguments always give the same number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from thinktime.errors import InputError
from thinktime.spec.native_function import address_of, hash_of, name_of
from thinktime.traces.column_uses import ColumnUse, readable_columns

ARGUMENTS = ("now_s", "submit_s", "estimate_s", "processors", "user")
MOST_COLUMNS = 3  # that a function may read besides


def signature_of(arguments: Sequence[str]) -> str:
    """Return the signature of a function of these arguments."""
    return f"float64({', '.join(['float64'] * len(arguments))})"


SIGNATURE = signature_of(ARGUMENTS)

#: text of a function → the function; a study writes its specs before it runs them
KNOWN: dict[str, NativeKey] = {}


class NativeKey:
    """A compiled function with its name, its address and the hash of its code; a number if the code is unknown."""

    def __init__(self, function: Any, address: int, name: str, dynamic: bool, columns: tuple[str, ...] = ()) -> None:
        self.function = function  # held, so that its code stays where it is
        self.address, self.name, self.dynamic, self.columns = address, name, dynamic, columns
        self.source = hash_of(function)

    def __repr__(self) -> str:
        columns = f", columns={self.columns!r}" if self.columns else ""
        return f"native({self.name}{'' if self.dynamic else ', dynamic=False'}{columns})"

    def _identity(self) -> tuple[int, bool, tuple[str, ...]]:
        return self.address, self.dynamic, self.columns

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NativeKey) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def column_uses(self) -> set[ColumnUse]:
        """Return the columns of the workload that the function gets."""
        return {ColumnUse("user"), *map(ColumnUse, self.columns)}

    def text(self) -> str:
        """Return the text in run.json: the name and the beginning of the code's hash. This process can read it."""
        text = f"{self!r} {self.source}"
        KNOWN[text] = self
        return text

    def engine_text(self) -> str:
        """Return the address for the engine, and allow the engine to call it."""
        from thinktime import _engine

        _engine.allow_native(self.address)
        words = [ColumnUse(column).word for column in self.columns]
        return " ".join(["@", str(self.address), "dynamic" if self.dynamic else "static", *words])


def native(function: Any, *, dynamic: bool = True, columns: str | Iterable[str] = ()) -> NativeKey:
    """Return a key, or a condition for `eligible`, from a compiled function.

    Parameters
    ----------
    function
        A Numba `@cfunc` or a ctypes function pointer of (now_s, submit_s, estimate_s, processors, user), all float64.
        `user` is NaN where the log has none.
    dynamic
        False declares that the function does not use `now_s`; it is then called once per job, not in every pass.
    columns
        Up to three columns or attributes of numbers that the function gets as further float64 arguments; NaN is
        missing, a truth value is 1 or 0.
    """
    name = name_of(function)
    more = readable_columns(columns, name)
    if len(more) > MOST_COLUMNS:
        raise InputError(f"columns of {name} are {', '.join(more)}: give at most {MOST_COLUMNS}")
    arguments = (*ARGUMENTS, *more)
    address = address_of(function, signature_of(arguments), arguments)
    return NativeKey(function, address, name, bool(dynamic), more)
