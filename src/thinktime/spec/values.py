"""Checks of option values, and their text."""

from __future__ import annotations

import difflib
import numbers
import re
from collections.abc import Sequence
from typing import Any, TypeGuard

from thinktime.errors import InputError

LARGEST = 1e300  # of a number in an option
LONGEST_NAME = 100  # letters: the search for similar names takes the square of the length


def suggestion(word: str, known: Any) -> str:
    """Return ` (did you mean 'easy'?)` with the closest known word; empty if none is close."""
    near = closest(word, list(known)) if len(word) <= LONGEST_NAME else None
    return f" (did you mean {near!r}?)" if near else ""


def closest(word: str, known: Sequence[str]) -> str | None:
    """Return the known word with the same letters, a similar spelling or the same parts (mean_wait: wait_mean_s)."""
    near = difflib.get_close_matches(word, known, n=5)
    swapped = [other for other in near if sorted(other) == sorted(word)]
    parts = _word_parts(word)
    return next(iter([*swapped, *near, *(other for other in known if parts and parts <= _word_parts(other))]), None)


def _word_parts(word: str) -> set[str]:
    return set(re.findall(r"[a-z0-9]+", word.lower()))


def one_of(what: str, value: Any, allowed: Any) -> None:
    """Raise InputError unless `value` is one of the allowed values."""
    if value not in allowed:
        near = suggestion(str(value), [str(a) for a in allowed])
        raise InputError(f"{what} is {value!r}{near}: choose one of {', '.join(map(str, allowed))}")


def is_number(value: object) -> TypeGuard[float]:
    """Return whether a value is a real number; booleans are not."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def typed(value: object) -> str:
    """Return the value of an option as the command line takes it."""
    if not isinstance(value, float):
        return str(value).lower() if isinstance(value, bool) else str(value)
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)  # never another number than it is
