"""Compiled functions of the user, a Numba `@cfunc` or a ctypes pointer: their addresses, signatures and hashes."""

from __future__ import annotations

import gc
import hashlib
import itertools
from pathlib import Path
from types import FunctionType
from typing import Any

from thinktime.errors import InputError
from thinktime.spec.own_source import UNKNOWN, source_of

_numbers = itertools.count(1)


def name_of(function: Any) -> str:
    """Return the name of the Python function behind a compiled one."""
    return str(getattr(getattr(function, "_pyfunc", function), "__name__", "function"))


def address_of(function: Any, signature: str, arguments: tuple[str, ...]) -> int:
    """Return the address of a function; raise InputError if it has none, or declares another signature."""
    import ctypes

    name, address = name_of(function), getattr(function, "address", None)
    if address is None and isinstance(function, _pointer_type()):
        address = ctypes.cast(function, ctypes.c_void_p).value
    if not isinstance(address, int) or isinstance(address, bool) or address <= 0:
        raise InputError(f'{name} has no address: compile it with @numba.cfunc("{signature}")')
    found = _signature_of(function)
    if found is not None and found != signature:
        raise InputError(f"{name} has the signature {found}: it must be {signature}, of {', '.join(arguments)}")
    return address


def _signature_of(function: Any) -> str | None:
    """Return the declared signature in Numba's words; None if none is declared."""
    if isinstance(function, _pointer_type()):
        listed = "not declared" if function.argtypes is None else ", ".join(map(_ctypes_word, function.argtypes))
        return f"{_ctypes_word(function.restype)}({listed})"
    signature = getattr(function, "_sig", None)
    return None if signature is None else f"{_word(signature.return_type)}({', '.join(map(_word, signature.args))})"


def _word(kind: Any) -> str:
    """Return a type of Numba as `cfunc` reads it."""
    return {"float64*": "CPointer(float64)", "none": "void"}.get(str(kind), str(kind))


def _ctypes_word(kind: Any) -> str:
    import ctypes

    words = {ctypes.c_double: "float64", ctypes.c_int64: "int64", ctypes.POINTER(ctypes.c_double): "CPointer(float64)"}
    return "void" if kind is None else words.get(kind, getattr(kind, "__name__", str(kind)))


def _pointer_type() -> Any:
    import ctypes

    return ctypes.CFUNCTYPE(ctypes.c_double).__mro__[1]  # the base of all function pointers


def hash_of(function: Any) -> str:
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
