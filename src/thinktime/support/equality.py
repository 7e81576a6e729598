"""Equality of objects that hold arrays: the equality that dataclasses generate raises for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np


class ByContent:
    """Base of dataclasses with `eq=False`: equal if of one class and all compared fields are equal; NaN equals NaN."""

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        names = [each.name for each in fields(self) if each.compare]  # type: ignore[arg-type]
        return all(same(getattr(self, name), getattr(other, name)) for name in names)

    def __hash__(self) -> int:
        """Of names and counts only: arrays have no hash, and equal objects must have equal ones."""
        values = [getattr(self, each.name) for each in fields(self) if each.compare]  # type: ignore[arg-type]
        return hash((type(self).__qualname__, *(value for value in values if isinstance(value, str | int))))


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal, arrays element by element, in mappings and sequences too."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return _same_arrays(one, other)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other) or (one != one and other != other)


def _same_arrays(one: Any, other: Any) -> bool:
    if not (isinstance(one, np.ndarray) and isinstance(other, np.ndarray)):
        return False
    floats = one.dtype.kind == "f" and other.dtype.kind == "f"
    return bool(np.array_equal(one, other, equal_nan=floats))
