"""Composed queue orders: `tt.key.wait / tt.key.estimate`, evaluated by the engine.

An expression prints as text that reads back as itself. A spec holds that text, so it survives TOML, JSON and the
command line (`priority:key=-wait/estimate`). The smallest value comes first; ties keep the order of arrival in the
queue. Arithmetic is in float64; NaN counts as 0.

`tt.key["colour"]` is an attribute of the jobs, `column(colour)` as text. A text is compared with == or != only.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any, NoReturn

from thinktime.errors import InputError
from thinktime.spec import REGISTRY, is_number, suggestion
from thinktime.traces.column_uses import COLUMNS, ColumnUse, require_readable

#: Key of a waiting job → its meaning.
KEYS = {
    "submit": "the submit time, in seconds",
    "wait": "the wait so far: now − submit",
    "estimate": "the estimated run time, in seconds",
    "processors": "the number of processors",
    "area": "processors × estimate",
    "deadline": "submit + deadline_factor × estimate",
    "now": "the clock, in seconds",
}
#: function → number of arguments; min and max take two or more
FUNCTIONS = {"abs": 1, "log2": 1, "log10": 1, "sqrt": 1, "exp": 1, "floor": 1, "min": 2, "max": 2, "where": 3}
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
#: operator → precedence; a higher one needs no parentheses inside a lower one
_BINDS = {**dict.fromkeys(COMPARISONS, 1), "+": 2, "-": 2, "*": 3, "/": 3, "neg": 4, "**": 5}
_ATOM = 6
#: The size of the engine's stack, and the longest text of an expression.
DEEPEST, LONGEST = 64, 2000


class Key:
    """An immutable expression: a number, a name, or an operation on expressions."""

    __slots__ = ("args", "op")
    op: str  # number, text, a key's name, @column, $published value, an operator or a function
    args: tuple[Any, ...]  # expressions; of a number or text its value

    def __init__(self, op: str, *args: Any) -> None:
        object.__setattr__(self, "op", op)
        object.__setattr__(self, "args", args)

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError("an expression does not change: compose a new one")

    def __reduce__(self) -> tuple[Any, ...]:
        return Key, (self.op, *self.args)

    def __repr__(self) -> str:
        return _key_text(self)

    def __bool__(self) -> NoReturn:
        raise InputError(f"{self!r} has no truth value: use tt.key.where(condition, this, that)")

    def __hash__(self) -> int:
        return hash(repr(self))

    def __add__(self, other: Any) -> Key:
        return Key("+", self, expression(other))

    def __radd__(self, other: Any) -> Key:
        return Key("+", expression(other), self)

    def __sub__(self, other: Any) -> Key:
        return Key("-", self, expression(other))

    def __rsub__(self, other: Any) -> Key:
        return Key("-", expression(other), self)

    def __mul__(self, other: Any) -> Key:
        return Key("*", self, expression(other))

    def __rmul__(self, other: Any) -> Key:
        return Key("*", expression(other), self)

    def __truediv__(self, other: Any) -> Key:
        return Key("/", self, expression(other))

    def __rtruediv__(self, other: Any) -> Key:
        return Key("/", expression(other), self)

    def __pow__(self, other: Any) -> Key:
        return Key("**", self, expression(other))

    def __rpow__(self, other: Any) -> Key:
        return Key("**", expression(other), self)

    def __neg__(self) -> Key:
        return number(-self.args[0]) if self.op == "number" else Key("neg", self)

    def __pos__(self) -> Key:
        return self

    def __abs__(self) -> Key:
        return Key("abs", self)

    def __lt__(self, other: Any) -> Key:
        return Key("<", self, expression(other))

    def __le__(self, other: Any) -> Key:
        return Key("<=", self, expression(other))

    def __gt__(self, other: Any) -> Key:
        return Key(">", self, expression(other))

    def __ge__(self, other: Any) -> Key:
        return Key(">=", self, expression(other))

    def __eq__(self, other: Any) -> Key:  # type: ignore[override]
        return compared("==", self, other)

    def __ne__(self, other: Any) -> Key:  # type: ignore[override]
        return compared("!=", self, other)


def published_values() -> dict[str, str]:
    """Return value → meaning, for the values of the cluster that built-in plugins publish."""
    found: dict[str, str] = {}
    for cls in REGISTRY["plugin"].values():
        found |= {name: f"{each.meaning} (`{each.by}`)" for name, each in getattr(cls, "publishes", {}).items()}
    return found


def known_names() -> list[str]:
    """Return the names of keys, columns and published values."""
    return [*KEYS, *COLUMNS, *published_values()]


def named(name: str) -> Key | None:
    """Return the key of this name, if there is one."""
    if name in KEYS or name in COLUMNS:
        return Key(name)
    return Keys.value(name) if name in published_values() else None


class Keys:
    """`tt.key`: the keys of a waiting job as attributes, and the functions of keys.

    Examples
    --------
    >>> import thinktime as tt
    >>> -tt.key.wait / tt.key.maximum(tt.key.estimate, 60)
    -wait / max(estimate, 60)
    """

    submit: Key
    wait: Key
    estimate: Key
    processors: Key
    area: Key
    deadline: Key
    now: Key
    user: Key
    group: Key
    executable: Key
    queue: Key
    partition: Key

    def __getattr__(self, name: str) -> Key:
        found = named(name)
        if found is None:
            every = [*known_names(), *self._functions()]
            raise AttributeError(
                f"no key is called {name!r}{suggestion(name, every)}: choose one of {', '.join(every)}"
            )
        return found

    def __getitem__(self, name: str) -> Key:
        """Return the attribute of this name; keys and columns of the log work too."""
        return Key(name) if name in KEYS or name in COLUMNS else column_key(name)

    def __dir__(self) -> list[str]:
        return [*known_names(), *self._functions()]

    def __repr__(self) -> str:
        return "tt.key"

    @staticmethod
    def _functions() -> list[str]:
        return [name for name in vars(Keys) if not name.startswith("_")]

    @staticmethod
    def log2(x: Any) -> Key:
        """Return the logarithm to base 2."""
        return Key("log2", expression(x))

    @staticmethod
    def log10(x: Any) -> Key:
        """Return the logarithm to base 10."""
        return Key("log10", expression(x))

    @staticmethod
    def sqrt(x: Any) -> Key:
        """Return the square root."""
        return Key("sqrt", expression(x))

    @staticmethod
    def exp(x: Any) -> Key:
        """Return e to the power of x."""
        return Key("exp", expression(x))

    @staticmethod
    def floor(x: Any) -> Key:
        """Return the largest whole number that is at most x."""
        return Key("floor", expression(x))

    @staticmethod
    def minimum(a: Any, b: Any, *more: Any) -> Key:
        """Return the smallest argument."""
        return folded("min", a, b, *more)

    @staticmethod
    def maximum(a: Any, b: Any, *more: Any) -> Key:
        """Return the largest argument."""
        return folded("max", a, b, *more)

    @staticmethod
    def where(condition: Any, this: Any, that: Any) -> Key:
        """Return `this` where the condition holds (is not 0), else `that`."""
        return Key("where", expression(condition), expression(this), expression(that))

    @staticmethod
    def value(name: str) -> Key:
        """Return the value that a plugin publishes under this name; in text `value(price)`.

        An own plugin declares it: `class Market(tt.OwnPlugin, publishes=("price",))`.
        """
        if not isinstance(name, str) or not name.isidentifier():
            raise InputError(
                f"{name!r} as a published value in a key: use a name of letters, digits and _, such as price"
            )
        return Key(f"${name}")


key = Keys()


def folded(op: str, first: Any, *others: Any) -> Key:
    """Return op(op(first, second), third) …"""
    result = expression(first)
    for other in others:
        result = Key(op, result, expression(other))
    return result


def expression(value: Any) -> Key:
    """Return a number or an expression as an expression."""
    return value if isinstance(value, Key) else number(value)


def column_key(name: str) -> Key:
    """Return the key of a column of the workload."""
    return Key(name) if name in COLUMNS else Key(f"@{require_readable(name, 'a key')}")


def compared(op: str, one: Any, other: Any) -> Key:
    """Return a comparison with == or !=; a text is compared with a column, which comes first."""
    if isinstance(one, str):
        one, other = other, one
    if not isinstance(other, str):
        return Key(op, expression(one), expression(other))
    if not isinstance(one, Key) or _column_of(one) is None:
        raise InputError(f"{other!r} in a key is a text: compare it with an attribute, as in column(colour) == 'red'")
    return Key(op, one, Key("text", other))


def _column_of(found: Key) -> str | None:
    """Return the column that a key is, if it is one."""
    return found.op.removeprefix("@") if found.op in COLUMNS or found.op.startswith("@") else None


def number(value: Any) -> Key:
    if not is_number(value) or not math.isfinite(value):
        raise InputError(f"{value!r} in a key: compose keys from finite numbers and tt.key, as in -tt.key.wait / 60")
    return Key("number", float(value))


def nodes(found: Key) -> Iterator[Key]:
    """Yield an expression and its parts, arguments first: the order in which a stack computes them."""
    for arg in found.args if found.op not in ("number", "text") and _text_use(found) is None else ():
        yield from nodes(arg)
    yield found


def _text_use(found: Key) -> ColumnUse | None:
    """Return the use of a column that is compared with a text; None for any other expression."""
    if found.op not in ("==", "!=") or found.args[1].op != "text":
        return None
    return ColumnUse(_column_of(found.args[0]) or "", found.op, found.args[1].args[0])


def postfix(found: Key) -> str:
    """Return the program for the engine."""
    return " ".join(map(_word, nodes(found)))


def _word(found: Key) -> str:
    use = _text_use(found)
    return use.word if use else _digits(found.args[0]) if found.op == "number" else found.op


def column_uses(found: Key) -> set[ColumnUse]:
    """Return the columns of the workload that an expression reads."""
    uses = {_text_use(each) or ColumnUse(_column_of(each) or "") for each in nodes(found)}
    return {use for use in uses if use.column}


def values(found: Key) -> set[str]:
    """Return the published values that an expression uses."""
    return {each.op[1:] for each in nodes(found) if each.op.startswith("$")}


def stack_depth(found: Key) -> int:
    """Return the largest number of values on the engine's stack."""
    if found.op == "number" or not found.args or _text_use(found):
        return 1
    return max(at + stack_depth(arg) for at, arg in enumerate(found.args))


def _key_text(found: Key) -> str:
    """Return the text with the fewest parentheses."""
    op, args = found.op, found.args
    if op == "number":
        return _digits(args[0])
    if op == "text":
        return json.dumps(args[0], ensure_ascii=False)
    if op in FUNCTIONS:
        return f"{op}({', '.join(map(_key_text, args))})"
    if op == "neg":
        return f"-{_parenthesized_key(args[0], _BINDS['neg'])}"
    if not args:
        return _leaf_text(op)
    left, right = (5, 4) if op == "**" else (_BINDS[op] - 1, _BINDS[op])
    if op in COMPARISONS:
        left = right  # a < b < c is not allowed
    return f"{_parenthesized_key(args[0], left)} {op} {_parenthesized_key(args[1], right)}"


def _leaf_text(op: str) -> str:
    """Return the text of a key, a column or a published value."""
    if op.startswith("@"):
        return f"column({op[1:]})"
    published = op.removeprefix("$")
    return op if op == published else published if published in published_values() else f"value({published})"


def _parenthesized_key(found: Key, outer: int) -> str:
    """Return the text, in parentheses unless its precedence is above `outer`."""
    text = _key_text(found)
    return text if _binds(found) > outer else f"({text})"


def _binds(found: Key) -> int:
    if found.op == "number":
        return _BINDS["neg"] if _negative(found) else _ATOM
    return _BINDS.get(found.op, _ATOM)


def _negative(found: Key) -> bool:
    return math.copysign(1.0, found.args[0]) < 0


def _digits(value: float) -> str:
    """Return the shortest digits that read back as this number."""
    whole = value == int(value) and abs(value) < 1e15 and str(value) != "-0.0"
    return f"{value:.0f}" if whole else repr(value)
