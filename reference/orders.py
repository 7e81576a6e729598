"""Queue orders: the smallest key goes first, ties go by the order of joining the queue.

    w  the estimate     n  the processors     s  the submission     wait  now - s

`wait`, `expansion`, `wfp3` and `unicef` change with time: they are evaluated once at the beginning of each
pass. wfp3 and unicef: Tang, Lan, Desai and Buettner 2009. f1 to f4: Carastan-Santos and de Camargo 2017.

The order of the floating-point operations is part of the meaning: the engine does the same ones, so that
equal keys are equal in both.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping

from reference.formula import value as formula_value
from reference.job import Task
from reference.orders_math import log10

INFINITY = math.inf


def expansion(wait: float, w: float) -> float:
    return -((wait + w) / w) if w != 0 else -INFINITY


def wfp3(wait: float, w: float, n: float) -> float:
    if w == 0:
        return -INFINITY if wait > 0 else 0.0
    x = wait / w
    return -(x * x * x * n)


def unicef(wait: float, w: float, n: float) -> float:
    denominator = math.log2(n) * w
    if denominator == 0:
        return -INFINITY if wait > 0 else 0.0
    return -(wait / denominator)


# name -> key(w, n, s, wait, deadline_factor)
KEYS: dict[str, Callable[[float, float, float, float, float], float]] = {
    "arrival": lambda w, n, s, wait, factor: 0.0,
    "estimate": lambda w, n, s, wait, factor: w,
    "longest": lambda w, n, s, wait, factor: -w,
    "deadline": lambda w, n, s, wait, factor: s + factor * w,
    "smallest": lambda w, n, s, wait, factor: n,
    "largest": lambda w, n, s, wait, factor: -n,
    "smallest-area": lambda w, n, s, wait, factor: n * w,
    "largest-area": lambda w, n, s, wait, factor: -(n * w),
    "wait": lambda w, n, s, wait, factor: -wait,
    "expansion": lambda w, n, s, wait, factor: expansion(wait, w),
    "wfp3": lambda w, n, s, wait, factor: wfp3(wait, w, n),
    "unicef": lambda w, n, s, wait, factor: unicef(wait, w, n),
    "f1": lambda w, n, s, wait, factor: log10(w) * n + 870.0 * log10(s),
    "f2": lambda w, n, s, wait, factor: math.sqrt(w) * n + 25600.0 * log10(s),
    "f3": lambda w, n, s, wait, factor: w * n + 6860000.0 * log10(s),
    "f4": lambda w, n, s, wait, factor: w * math.sqrt(n) + 530000.0 * log10(s),
}


def known(order: str) -> str:
    """Return the order; raise ValueError if it is neither a name nor a composed key."""
    if order not in KEYS and not order.startswith("="):
        raise ValueError(f"no order is called {order!r}: choose one of {', '.join(KEYS)}")
    return order


Values = Mapping[str, float]  # what plugins have published when the pass begins
NOTHING: Values = {}


def key(order: str, task: Task, now: float, deadline_factor: float, values: Values = NOTHING) -> float:
    """The number by which the queue is sorted. Not a number (f1 to f4, submitted before 0) counts as 0."""
    n = float(task.processors)
    if order.startswith("="):
        value = composed(order[1:], task, now, deadline_factor, values)
        return 0.0 if math.isnan(value) else value
    value = KEYS[order](task.estimate, n, task.submit, now - task.submit, deadline_factor)
    return 0.0 if math.isnan(value) else value


def composed(postfix: str, task: Task, now: float, deadline_factor: float, values: Values) -> float:
    """A composed key: `= wait estimate /`. `$power_w` is a published value, `@gpus` an attribute of the job.

    `@colour==726564` is 1 if the colour is red (its letters in hexadecimal digits), else 0; `@colour!=726564` likewise.
    """
    w, n, s = task.estimate, float(task.processors), task.submit
    known = {"submit": s, "estimate": w, "processors": n, "now": now, "wait": now - s}
    known |= {"area": n * w, "deadline": s + deadline_factor * w, "user": task.user}
    known |= {word: attribute(word[1:], task) for word in postfix.split() if word.startswith("@")}
    return formula_value(postfix, known | {f"${name}": number for name, number in values.items()})


def attribute(word: str, task: Task) -> float:
    """A number, not a number if it is missing; or whether a text is equal to the given one. No text equals none."""
    for comparison in ("==", "!="):
        if comparison in word:
            name, letters = word.split(comparison)
            same = task.attributes[name] == bytes.fromhex(letters).decode()
            return float(same == (comparison == "=="))
    number = task.attributes[word]
    return math.nan if number is None else float(number)


def in_order(
    tasks: Iterable[Task], order: str, now: float, deadline_factor: float = 1.0, values: Values = NOTHING
) -> list[Task]:
    """The tasks, first served first."""
    if order == "arrival":
        return sorted(tasks, key=lambda task: task.joined)
    return sorted(tasks, key=lambda task: (key(order, task, now, deadline_factor, values), task.joined))
