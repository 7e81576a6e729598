"""Composed keys: a formula in postfix order, `wait estimate / 2 *`, computed on a stack.

The operations are those of C on doubles, one after the other as they are written; where Python would raise, C gives
an infinity or no number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from reference.orders_math import log2, log10

Numbers = Mapping[str, float]  # what is known of a waiting job, by name


def value(postfix: str, known: Numbers) -> float:
    stack: list[float] = []
    for word in postfix.split():
        if word in known:
            stack.append(known[word])
        elif word in OPERATIONS:
            takes, operation = OPERATIONS[word]
            arguments = [stack.pop() for _ in range(takes)][::-1]
            stack.append(float(operation(*arguments)))
        else:
            stack.append(float(word))
    (result,) = stack
    return result


def divide(a: float, b: float) -> float:
    if b != 0:
        return a / b
    if a == 0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def power(a: float, b: float) -> float:
    negative = math.copysign(1.0, a) < 0 and b % 2 == 1  # an odd power of it is negative
    try:
        return math.pow(a, b)
    except OverflowError:
        return -math.inf if negative else math.inf
    except ValueError:  # a root of a negative number, or one divided by zero
        return math.nan if a != 0 else (-math.inf if negative else math.inf)


def sqrt(a: float) -> float:
    return math.sqrt(a) if a >= 0 else math.nan


def exp(a: float) -> float:
    try:
        return math.exp(a)
    except OverflowError:
        return math.inf


def floor(a: float) -> float:
    return math.copysign(math.floor(a), a) if math.isfinite(a) else a


#: word → (how many numbers it takes from the stack, what it does)
OPERATIONS: dict[str, tuple[int, Callable[..., float]]] = {
    "neg": (1, lambda a: -a),
    "abs": (1, abs),
    "log2": (1, log2),
    "log10": (1, log10),
    "sqrt": (1, sqrt),
    "exp": (1, exp),
    "floor": (1, floor),
    "+": (2, lambda a, b: a + b),
    "-": (2, lambda a, b: a - b),
    "*": (2, lambda a, b: a * b),
    "/": (2, divide),
    "**": (2, power),
    "min": (2, lambda a, b: b if b < a else a),
    "max": (2, lambda a, b: b if b > a else a),
    "<": (2, lambda a, b: a < b),
    "<=": (2, lambda a, b: a <= b),
    ">": (2, lambda a, b: a > b),
    ">=": (2, lambda a, b: a >= b),
    "==": (2, lambda a, b: a == b),
    "!=": (2, lambda a, b: a != b),
    "where": (3, lambda c, a, b: a if c != 0 else b),
}
