"""Cores of unequal speed, and cores that slow down for a while: as a spec holds them, and as the engine takes them."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.spec import is_number

COLUMNS = ("cores", "from_s", "to_s", "factor")
MOST_SPEEDS = 10_000_000  # written as one: more than any machine has cores
Row = tuple[tuple[str, Any], ...]


def settled_speeds(value: Any) -> tuple[float, ...]:
    """From a list, a number, or a text such as `48*1+16*0.5`."""
    if isinstance(value, str):
        parts = [part.partition("*") for part in value.split("+")]
        value = [speed for left, star, right in parts for speed in _repeated(value, left, star, right)]
    values = value if isinstance(value, Iterable) else [value]
    speeds = tuple(values)
    for speed in speeds:
        if not is_number(speed) or not 1e-6 <= speed <= 1e6:
            raise InputError(f"speeds of loop has {speed!r}: a speed is a number from 1e-6 to 1e6, 1 is the machine's")
    return tuple(float(speed) for speed in speeds)


def _repeated(text: str, left: str, star: str, right: str) -> list[float]:
    try:
        count, speed = (int(left), float(right)) if star else (1, float(left))
    except ValueError:
        count, speed = 0, 0.0
    if not 1 <= count <= MOST_SPEEDS:
        raise InputError(f"speeds of loop is {text!r}: write it like 48*1+16*0.5")
    return [speed] * count


def typed_speeds(speeds: Iterable[float]) -> str:
    """The other way round."""
    return "+".join(f"{len(list(alike))}*{speed:g}" for speed, alike in groupby(speeds))


def settled_slowdowns(value: Any) -> tuple[Row, ...]:
    """From a list of tables or the path of a CSV file; in the order of (first core, from_s)."""
    rows = _read(value) if isinstance(value, str | Path) else value
    if isinstance(rows, Mapping) or not isinstance(rows, Iterable):
        raise _no_tables(value)
    found = [_settled(_table(row, value), f"slowdown {k + 1}") for k, row in enumerate(rows)]
    found.sort(key=lambda row: (_range(row["cores"], ""), row["from_s"]))
    return tuple(tuple((key, row[key]) for key in COLUMNS) for row in found)


def _table(row: Any, value: Any) -> dict[str, Any]:
    try:
        return dict(row)
    except (TypeError, ValueError):
        raise _no_tables(value) from None


def _no_tables(value: Any) -> InputError:
    return InputError(f"slowdowns of loop is {value!r}: give a list of tables with {', '.join(COLUMNS)}, or a file")


def _read(path: str | Path) -> list[dict[str, Any]]:
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise InputError(f"{path} cannot be read ({error}): give the CSV file of the slowdowns") from error
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    rows = csv.DictReader(lines, skipinitialspace=True)
    if tuple(rows.fieldnames or ()) != COLUMNS:
        given = ",".join(rows.fieldnames or ()) or "nothing"
        raise InputError(f"{path} begins with {given}: give a header {','.join(COLUMNS)}")
    return list(rows)


def _settled(row: dict[str, Any], where: str) -> dict[str, Any]:
    if set(row) != set(COLUMNS):
        raise InputError(f"{where} has {', '.join(map(str, row)) or 'nothing'}: give {', '.join(COLUMNS)}")
    cores = str(row["cores"])
    _range(cores, where)
    begin, end, factor = (_number(row[name], f"{name} of {where}") for name in COLUMNS[1:])
    if not begin < end:
        raise InputError(f"{where} lasts from {begin:g} to {end:g} s: to_s comes after from_s")
    if not 1e-6 <= factor <= 1e6:
        raise InputError(f"factor of {where} is {factor:g}: choose a number from 1e-6 to 1e6, 0.5 is half as fast")
    return {"cores": cores, "from_s": begin, "to_s": end, "factor": factor}


def _number(value: Any, what: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{what} is {value!r}: write a number")
    return number


def _range(cores: str, where: str) -> tuple[int, int]:
    """The first core and the last of `4` or `0-63`."""
    first, dash, last = cores.partition("-")
    try:
        found = int(first), int(last if dash else first)
    except ValueError:
        found = (-1, -1)
    if not 0 <= found[0] <= found[1] < 2**31:
        raise InputError(f"cores of {where} is {cores!r}: write the number of a core, or two as in 0-63")
    return found


def plan_of_slowdowns(rows: Sequence[Row], platform: int) -> dict[str, Any]:
    """Windows core by core, in the order of time."""
    if not rows:
        return {}
    tables = [dict(row) for row in rows]
    ranges = [_range(table["cores"], "slowdown") for table in tables]
    _require_cores(tables, ranges, platform)
    core = np.concatenate([np.arange(first, last + 1) for first, last in ranges])
    sizes = [last + 1 - first for first, last in ranges]
    begin, end, factor = (np.repeat([table[name] for table in tables], sizes).astype(float) for name in COLUMNS[1:])
    order = np.lexsort((begin, core))
    core, begin, end, factor = core[order], begin[order], end[order], factor[order]
    _require_apart(core, begin, end)
    return {
        "slowed": True,
        "slow_first": np.searchsorted(core, np.arange(core[-1] + 2)).astype(np.int64),
        "slow_from_s": begin,
        "slow_until_s": end,
        "slow_factor": factor,
    }


def _require_cores(tables: Sequence[Mapping[str, Any]], ranges: Sequence[tuple[int, int]], platform: int) -> None:
    for table, (_, last) in zip(tables, ranges, strict=True):
        if last >= platform:
            raise InputError(
                f"a slowdown names cores {table['cores']} but the platform has {platform}: they count from 0"
                f" to {platform - 1}"
            )


def _require_apart(core: np.ndarray, begin: np.ndarray, end: np.ndarray) -> None:
    overlap = np.flatnonzero((core[1:] == core[:-1]) & (begin[1:] < end[:-1]))
    if overlap.size:
        at = overlap[0]
        raise InputError(
            f"core {core[at]} has two slowdowns at {begin[at + 1]:g} s: let one end before the next begins"
        )
