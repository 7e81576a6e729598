"""Queue orders: by name (engine/schedulers/order.cc evaluates them), composed (keys.py), or compiled (native.py)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from thinktime.errors import InputError
from thinktime.schedulers.keys import DEEPEST, LONGEST, Key, column_uses, expression, postfix, stack_depth, values
from thinktime.schedulers.native import KNOWN, NativeKey
from thinktime.spec import is_number, suggestion
from thinktime.traces.column_uses import ColumnUse

#: name → (formula, the job that goes first). n = processors, w = estimate, s = submit, wait = now − s; smallest first.
ORDERS = {
    "arrival": ("the order of joining the queue", "the first to arrive"),
    "estimate": ("w", "the shortest job by estimate"),
    "longest": ("−w", "the longest job by estimate"),
    "deadline": ("s + deadline_factor · w", "the earliest deadline"),
    "smallest": ("n", "the job with the fewest processors"),
    "largest": ("−n", "the job with the most processors"),
    "smallest-area": ("n · w", "the least processor time"),
    "largest-area": ("−n · w", "the most processor time"),
    "wait": ("−wait", "the job that has waited longest"),
    "expansion": ("−(wait + w) / w", "the largest expansion factor"),
    "wfp3": ("−(wait / w)³ · n", "WFP3 of Tang et al. 2009"),
    "unicef": ("−wait / (log2(n) · w)", "UNICEF of Tang et al. 2009"),
    "f1": ("log10(w) · n + 870 · log10(s)", "F1 of Carastan-Santos and de Camargo 2017"),
    "f2": ("√w · n + 25600 · log10(s)", "F2, likewise"),
    "f3": ("w · n + 6860000 · log10(s)", "F3, likewise"),
    "f4": ("w · √n + 530000 · log10(s)", "F4, likewise"),
}

#: Other names of the same orders.
ALIASES = {
    "fcfs": "arrival",
    "fifo": "arrival",
    "sjf": "estimate",
    "spf": "estimate",
    "ljf": "longest",
    "edf": "deadline",
    "size": "smallest",
    "area": "smallest-area",
    "saf": "smallest-area",
    "laf": "largest-area",
    "xfactor": "expansion",
}

#: Order as it is stored → its usual name in the literature, for labels.
USUAL_NAMES = {"estimate": "sjf", "longest": "ljf", "deadline": "edf"}


#: A key that alone equals a named order → the order.
_NAMED = {"estimate": "estimate", "deadline": "deadline", "area": "smallest-area"}


def settled(what: str, order: Any) -> Any:
    """Return an order as a spec holds it: a name, the text of an expression, or a compiled function."""
    order = KNOWN.get(order, order) if isinstance(order, str) else order
    if isinstance(order, NativeKey):
        return order
    if isinstance(order, str) and canonical_name(order) in ORDERS:
        return order
    if isinstance(order, (str, Key)) or is_number(order):  # a number is a key that all share
        return _composed(what, order)
    raise _no_order(what, order)


def settled_condition(what: str, condition: Any) -> Any:
    """Return a condition as a spec holds it: the text of an expression, or a compiled function."""
    condition = KNOWN.get(condition, condition) if isinstance(condition, str) else condition
    if isinstance(condition, NativeKey):
        return condition
    if isinstance(condition, (str, Key)) or is_number(condition):
        return repr(_read_order(what, condition))
    raise InputError(f"{what} is {condition!r}: give a condition, such as wait > 60, or tt.native of a function")


def canonical(order: Any) -> Any:
    """Return the one spelling of an order."""
    return canonical_name(order) if isinstance(order, str) else order


def canonical_name(name: str) -> str:
    return ALIASES.get(name, name)


def for_engine(order: Any) -> str:
    """Return the engine's name of an order, the program of an expression, or the address of a function."""
    if isinstance(order, NativeKey):
        return order.engine_text()
    name = canonical_name(order)
    return name if name in ORDERS else condition_for_engine(order)


def condition_for_engine(condition: Any) -> str:
    return condition.engine_text() if isinstance(condition, NativeKey) else f"= {postfix(_parsed(condition))}"


def columns_of(order: Any) -> set[ColumnUse]:
    """Return the columns of the workload that an order reads."""
    if isinstance(order, NativeKey):
        return order.column_uses()
    return set() if order is None or canonical_name(order) in ORDERS else column_uses(_parsed(order))


def values_of(order: Any) -> set[str]:
    """Return the published values that an order uses."""
    composed = isinstance(order, str) and canonical_name(order) not in ORDERS
    return values(_parsed(order)) if composed else set()


def _composed(what: str, order: Any) -> str:
    text = repr(_read_order(what, order))
    if text in _NAMED:
        return _NAMED[text]
    return f"({text})" if canonical_name(text) in ORDERS else text  # `wait` alone is the name of an order, −wait


def _read_order(what: str, text: Any) -> Key:
    if not isinstance(text, str):
        return _shallow(what, expression(text))
    if text.startswith("native("):
        raise InputError(f"{what} is {text!r}, a compiled function of another process: make the spec in Python")
    if not text or text.replace("-", "_").isidentifier():  # more probably a misspelt name than a formula
        try:
            return _parsed(text)
        except InputError:
            raise _no_order(what, text) from None
    try:
        return _parsed(text)
    except InputError as error:
        raise InputError(f"{what}: {error}") from None


def _no_order(what: str, order: Any) -> InputError:
    known = [*ORDERS, *ALIASES]
    near = suggestion(order, known) if isinstance(order, str) else ""
    choices = f"{', '.join(known)}, or compose a key such as -wait / estimate or column(colour)"
    return InputError(f"{what} is {order!r}{near}: choose one of {choices}")


def _shallow(what: str, found: Key) -> Key:
    if stack_depth(found) > DEEPEST or len(repr(found)) > LONGEST:
        raise InputError(f"{what} is an expression too large for the engine: write it in at most {LONGEST} characters")
    return found


@lru_cache(maxsize=256)
def _parsed(text: str) -> Key:
    from thinktime.schedulers.key_text import read_key  # loads when it is used

    return read_key(text)
