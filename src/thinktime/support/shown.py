"""Short texts and HTML tables of objects that hold arrays, for `repr` and notebooks.

A class uses them as its methods: `__repr__ = short_repr` and `_repr_html_ = short_html`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sized

import numpy as np

from thinktime.support.html import facts_html

MOST_CHARACTERS = 80  # of one value


def short_repr(shown: object) -> str:
    """Return `Name(field=value, …)` with `<9 values>` for an array, of a dataclass or a named tuple."""
    parts = ", ".join(f"{name}={value}" for name, value in _short_fields(shown).items())
    return f"{type(shown).__name__}({parts})"


def short_html(shown: object) -> str:
    """Return the same fields as a table."""
    return facts_html(type(shown).__name__, _short_fields(shown))


def _short_fields(shown: object) -> dict[str, str]:
    if dataclasses.is_dataclass(shown):
        names = [each.name for each in dataclasses.fields(shown) if each.repr]
    else:
        names = list(getattr(shown, "_fields", ()))
    return {name: short_value(getattr(shown, name)) for name in names}


def short_value(value: object) -> str:
    """Return six digits of a number, `<9 values>` for an array, a short repr, or else the type and the length."""
    if isinstance(value, np.ndarray):
        return f"<{value.size:,} values>"
    if isinstance(value, float | np.floating):
        return f"{value:.6g}"
    if isinstance(value, Mapping) and any(isinstance(each, np.ndarray) for each in value.values()):
        return f"<{', '.join(value)}>"
    text = repr(value)
    return text if len(text) <= MOST_CHARACTERS else f"<{type(value).__name__}{_length_words(value)}>"


def _length_words(value: object) -> str:
    return f" of {len(value):,}" if isinstance(value, Sized) else ""
