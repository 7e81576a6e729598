"""Compiled functions of your own as keys: a Numba `@cfunc`, or a function pointer of ctypes, called by the engine.

    @numba.cfunc("float64(float64, float64, float64, float64, float64)")
    def widest_first(now_s, submit_s, estimate_s, processors, user):
        return -processors

    tt.Priority(key=tt.native(widest_first))

The function must be pure: the same arguments give the same number, whenever it is asked.
"""

from __future__ import annotations

from typing import Any

from thinktime.errors import InputError

ARGUMENTS = ("now_s", "submit_s", "estimate_s", "processors", "user")
SIGNATURE = f"float64({', '.join(['float64'] * len(ARGUMENTS))})"


#: what was said of a function → the function; studies say what they run before they run it
KNOWN: dict[str, NativeKey] = {}


class NativeKey:
    """A compiled function with its name, its address and, if it can be had, the hash of its source."""

    def __init__(self, function: Any, address: int, name: str, dynamic: bool) -> None:
        self.function = function  # held, so that its code stays where it is
        self.address, self.name, self.dynamic = address, name, dynamic
        self.source = _source_hash(function)

    def __repr__(self) -> str:
        return f"native({self.name}{'' if self.dynamic else ', dynamic=False'})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NativeKey) and (self.address, self.dynamic) == (other.address, other.dynamic)

    def __hash__(self) -> int:
        return hash((self.address, self.dynamic))

    def text(self) -> str:
        """What run.json says of it: its name and the beginning of its source's hash. In this process it reads back."""
        said = f"{self!r} {self.source}".strip()
        if self.source:
            KNOWN[said] = self
        return said

    def engine_text(self) -> str:
        return f"@ {self.address} {'dynamic' if self.dynamic else 'static'}"


def native(function: Any, *, dynamic: bool = True) -> NativeKey:
    """A compiled function of (now_s, submit_s, estimate_s, processors, user) as a key or as `eligible`.

    `user` is not a number where the log has none. With `dynamic=False` you say that it does not look at `now_s`: it
    is then called once a job, and not in every pass.
    """
    name = getattr(getattr(function, "_pyfunc", function), "__name__", "function")
    address = _address(function, name)
    _require_signature(function, name)
    return NativeKey(function, address, name, bool(dynamic))


def _address(function: Any, name: str) -> int:
    import ctypes

    address = getattr(function, "address", None)
    if address is None and isinstance(function, _pointer_type()):
        address = ctypes.cast(function, ctypes.c_void_p).value
    if not isinstance(address, int) or isinstance(address, bool) or address <= 0:
        raise InputError(f'{name} has no address: compile it with @numba.cfunc("{SIGNATURE}")')
    return address


def _require_signature(function: Any, name: str) -> None:
    """As far as the function tells its own: one that lies about it cannot be found out."""
    import ctypes

    if isinstance(function, _pointer_type()):
        good = function.restype is ctypes.c_double and function.argtypes == (ctypes.c_double,) * len(ARGUMENTS)
        arguments = "not declared" if function.argtypes is None else ", ".join(t.__name__ for t in function.argtypes)
        found = f"{getattr(function.restype, '__name__', None)}({arguments})"
    else:
        signature = getattr(function, "_sig", None)
        if signature is None:
            return
        found = f"{signature.return_type}({', '.join(map(str, signature.args))})"
        good = found == SIGNATURE
    if not good:
        raise InputError(f"{name} has the signature {found}: it must be {SIGNATURE}, of {', '.join(ARGUMENTS)}")


def _pointer_type() -> Any:
    import ctypes

    return ctypes.CFUNCTYPE(ctypes.c_double).__mro__[1]  # the base of all function pointers


def _source_hash(function: Any) -> str:
    import hashlib
    import inspect

    try:
        source = inspect.getsource(getattr(function, "_pyfunc", function))
    except (OSError, TypeError):
        return ""
    return hashlib.sha256(source.encode()).hexdigest()[:16]
