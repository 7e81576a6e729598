"""Tables of numbers by group of nodes or by hour, as Python, TOML and the command line write them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from thinktime.spec import is_number

#: A number for every node, or by group: `{"g0": 90}`, `[("g0", 90)]`, `"g0*90+g1*120"`.
ByGroup: TypeAlias = float | Mapping[str, float] | Sequence[tuple[str, float]] | str
#: A number for every hour, or from some hours of the day on: `{6: 20000, 22: 30000}`, `"6*20000+22*30000"`.
ByHour: TypeAlias = float | Mapping[int, float] | Mapping[float, float] | Sequence[tuple[float, float]] | str
#: A group or an hour, and what was given for it, which may be anything until it is checked.
Pair: TypeAlias = tuple[Any, Any]


def as_pairs(value: object) -> list[Pair]:
    """Return a table, a list of pairs, or a text such as `8*6000+20*9000` as pairs; [] for anything else."""
    if isinstance(value, str):
        return _typed_pairs(value)
    items = list(value.items()) if isinstance(value, Mapping) else value
    if not isinstance(items, list | tuple) or any(not isinstance(i, list | tuple) or len(i) != 2 for i in items):
        return []
    return [(key, each) for key, each in items if isinstance(key, str) or is_number(key)]


def _typed_pairs(text: str) -> list[Pair]:
    """Return pairs of an hour or a group and its watts; [] for any other text."""
    parts = [part.partition("*") for part in re.split(r"(?<![eE])\+", text)]  # not in 1e+06
    try:
        return [(_hour_or_group(left.strip()), float(right)) for left, _, right in parts]
    except ValueError:
        return []


def _hour_or_group(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text
