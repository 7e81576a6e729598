"""Own compiled functions as keys: a Numba `@cfunc` or a ctypes function pointer, called by the engine.

    @numba.cfunc("float64(float64, float64, float64, float64, float64)")
    def widest_first(now_s, submit_s, estimate_s, processors, user):
        return -processors

    tt.Priority(key=tt.native(widest_first))

The function must be pure: the same arguments always give the same number.
"""

from __future__ import annotations

import gc
import hashlib
import itertools
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any

from thinktime.errors import InputError
from thinktime.spec.own_source import UNKNOWN, source_of
from thinktime.traces.column_uses import ColumnUse, readable_columns

ARGUMENTS = ("now_s", "submit_s", "estimate_s", "processors", "user")
MOST_COLUMNS = 3  # that a function may read besides


def signature_of(arguments: Sequence[str]) -> str:
    """Return the signature of a function of these arguments."""
    return f"float64({', '.join(['float64'] * len(arguments))})"


SIGNATURE = signature_of(ARGUMENTS)


_numbers = itertools.count(1)

#: text of a function → the function; a study writes its specs before it runs them
KNOWN: dict[str, NativeKey] = {}


class NativeKey:
    """A compiled function with its name, its address and the hash of its code; a number if the code is unknown."""

    def __init__(self, function: Any, address: int, name: str, dynamic: bool, columns: tuple[str, ...] = ()) -> None:
        self.function = function  # held, so that its code stays where it is
        self.address, self.name, self.dynamic, self.columns = address, name, dynamic, columns
        self.source = _source(function)

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
    name = getattr(getattr(function, "_pyfunc", function), "__name__", "function")
    more = readable_columns(columns, name)
    if len(more) > MOST_COLUMNS:
        raise InputError(f"columns of {name} are {', '.join(more)}: give at most {MOST_COLUMNS}")
    address = _address(function, name, (*ARGUMENTS, *more))
    _require_signature(function, name, (*ARGUMENTS, *more))
    return NativeKey(function, address, name, bool(dynamic), more)


def _address(function: Any, name: str, arguments: Sequence[str]) -> int:
    import ctypes

    address = getattr(function, "address", None)
    if address is None and isinstance(function, _pointer_type()):
        address = ctypes.cast(function, ctypes.c_void_p).value
    if not isinstance(address, int) or isinstance(address, bool) or address <= 0:
        raise InputError(f'{name} has no address: compile it with @numba.cfunc("{signature_of(arguments)}")')
    return address


def _require_signature(function: Any, name: str, arguments: Sequence[str]) -> None:
    """Raise InputError if the function declares another signature."""
    import ctypes

    if isinstance(function, _pointer_type()):
        good = function.restype is ctypes.c_double and function.argtypes == (ctypes.c_double,) * len(arguments)
        declared = "not declared" if function.argtypes is None else ", ".join(t.__name__ for t in function.argtypes)
        found = f"{getattr(function.restype, '__name__', None)}({declared})"
    else:
        signature = getattr(function, "_sig", None)
        if signature is None:
            return
        found = f"{signature.return_type}({', '.join(map(str, signature.args))})"
        good = found == signature_of(arguments)
    if not good:
        wanted = f"{signature_of(arguments)}, of {', '.join(arguments)}"
        raise InputError(f"{name} has the signature {found}: it must be {wanted}")


def _pointer_type() -> Any:
    import ctypes

    return ctypes.CFUNCTYPE(ctypes.c_double).__mro__[1]  # the base of all function pointers


def _source(function: Any) -> str:
    """Return the hash of the code. Functions without readable code are numbered, so that each stays distinct."""
    found = _code_of(function)
    return f"{UNKNOWN}-{next(_numbers)}" if found == UNKNOWN else found


def _code_of(function: Any) -> str:
    if not isinstance(function, _pointer_type()):
        inner = getattr(function, "_pyfunc", function)
        return source_of(inner).sha256 if isinstance(inner, FunctionType) else UNKNOWN
    held = (getattr(function, "_objects", None) or {}).get("0")  # what ctypes keeps alive: a callback or a library
    called = next((each for each in gc.get_referents(held) if isinstance(each, FunctionType)), None)
    if called is not None:
        return source_of(called).sha256
    library = Path(getattr(held, "_name", None) or "")
    return _of_library(library, function.__name__) if library.is_file() else UNKNOWN


def _of_library(library: Path, name: str) -> str:
    return hashlib.sha256(library.read_bytes() + name.encode()).hexdigest()[:16]
