"""Equality of objects that hold arrays; the equality of dataclasses raises for arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

import numpy as np

from thinktime.support.shown import short_html, short_repr


class ByContent:
    """Base of dataclasses that hold arrays, declared with `eq=False, repr=False`.

    Two objects are equal if they have one class and all compared fields are equal; NaN equals NaN. `repr` and
    notebooks show the sizes of arrays, not their values.
    """

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        names = [each.name for each in fields(self) if each.compare]  # type: ignore[arg-type]
        return all(same(getattr(self, name), getattr(other, name)) for name in names)

    __repr__ = short_repr
    _repr_html_ = short_html

    def __hash__(self) -> int:
        """Return a hash of texts and counts only: arrays have no hash."""
        values = [getattr(self, each.name) for each in fields(self) if each.compare]  # type: ignore[arg-type]
        return hash((type(self).__qualname__, *(value for value in values if isinstance(value, str | int))))


def same(one: object, other: object) -> bool:
    """Return whether two values are equal; arrays are compared by element, in mappings and sequences too."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return _same_arrays(one, other)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other) or (one != one and other != other)


def _same_arrays(one: object, other: object) -> bool:
    if not (isinstance(one, np.ndarray) and isinstance(other, np.ndarray)):
        return False
    floats = one.dtype.kind == "f" and other.dtype.kind == "f"
    return bool(np.array_equal(one, other, equal_nan=floats))
