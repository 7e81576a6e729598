"""Own compiled techniques: a Numba `@cfunc` or a ctypes function pointer, called by the engine.

    @numba.cfunc(CHUNK_SIGNATURE)
    def guided(remaining, worker, tasks, workers, mean_s, deviation_s, overhead_s, state):
        return (remaining + workers - 1) // workers

    tt.Loop(technique=tt.native_technique(guided))

Within a loop the function may depend on its arguments and on `state` only.
"""

from __future__ import annotations

from typing import Any

from thinktime.applications.techniques import COMPILED, Technique
from thinktime.errors import InputError
from thinktime.spec.native_function import address_of, hash_of, name_of

ARGUMENTS = ("remaining", "worker", "tasks", "workers", "mean_s", "deviation_s", "overhead_s", "state")
#: What a compiled technique must be: the number of tasks, from the arguments above.
CHUNK_SIGNATURE = "int64(int64, int64, int64, int64, float64, float64, float64, CPointer(float64))"
DONE_ARGUMENTS = ("worker", "tasks", "work_s", "total_s", "state")
#: What its `done` must be.
DONE_SIGNATURE = "void(int64, int64, float64, float64, CPointer(float64))"
MOST_NUMBERS = 10_000


class NativeTechnique(Technique):
    """A compiled technique; it has no name in the registry."""

    def __init__(self, function: Any, state: int, per_worker: int, done: Any) -> None:
        held = {"function": function, "state": state, "per_worker": per_worker, "done": done}
        addresses = {"chunk_function": str(address_of(function, CHUNK_SIGNATURE, ARGUMENTS))}
        if done is not None:
            addresses["done_function"] = str(address_of(done, DONE_SIGNATURE, DONE_ARGUMENTS))
        for name, value in {**held, "addresses": addresses, "name": name_of(function)}.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "source", "-".join(hash_of(each) for each in (function, done) if each is not None))
        COMPILED[self.text()] = self

    function: Any
    state: int
    per_worker: int
    done: Any
    addresses: dict[str, str]
    source: str

    def __repr__(self) -> str:
        given = {"state": self.state, "per_worker": self.per_worker}
        more = [f", {name}={value}" for name, value in given.items() if value]
        return f"native({self.name}{''.join(more)}{', done' if self.done is not None else ''})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NativeTechnique) and self.text() == other.text()

    def __hash__(self) -> int:
        return hash(self.text())

    def text(self) -> str:
        """Return the text in run.json: the name and the beginning of the code's hash. This process can read it."""
        return f"{self!r} {self.source}"

    def engine_name(self) -> str:
        return "native"

    def engine_options(self) -> dict[str, Any]:
        """Return the addresses for the engine, and allow the engine to call them."""
        from thinktime import _engine

        for address in self.addresses.values():
            _engine.allow_native(int(address))
        return {**self.addresses, "state": float(self.state), "per_worker": float(self.per_worker)}


def native_technique(function: Any, *, state: int = 0, per_worker: int = 0, done: Any = None) -> NativeTechnique:
    """Return a self-scheduling technique from a compiled function.

    Parameters
    ----------
    function
        A Numba `@cfunc(thinktime.applications.CHUNK_SIGNATURE)` or a ctypes function pointer of (remaining, worker,
        tasks, workers, mean_s, deviation_s, overhead_s, state). It returns the number of tasks for an idle worker; the
        engine limits it to 1 to `remaining`.
    state
        How many numbers the technique keeps for a loop, in `state[0]` and so on (default 0). All are 0 at first.
    per_worker
        How many numbers it keeps for each worker besides, from `state[state + per_worker * worker]` on (default 0).
    done
        A function of (worker, tasks, work_s, total_s, state) without a result, called before the next request of a
        worker with the time of its last chunk (default: none).
    """
    for name, value in (("state", state), ("per_worker", per_worker)):
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST_NUMBERS:
            raise InputError(f"{name} is {value!r}: choose a whole number from 0 to {MOST_NUMBERS}")
    return NativeTechnique(function, state, per_worker, done)
