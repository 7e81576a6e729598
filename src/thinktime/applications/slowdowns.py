"""Speeds and temporary slowdowns of cores: as a spec holds them, and as the engine takes them."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.spec import is_number, suggestion
from thinktime.support.files import reason, text_of

COLUMNS = ("cores", "from_s", "to_s", "factor")
MOST_SPEEDS = 10_000_000  # written as one: more than any machine has cores
Row = tuple[tuple[str, Any], ...]
Speeds = tuple[float, ...] | tuple[tuple[str, float], ...]  # of cores one after the other, or by group


def settled_speeds(value: Any) -> Speeds:
    """Return speeds of cores from a list, a number or a text such as `48*1+16*0.5`; or pairs (group, speed), by name.

    Speeds of groups are given as `{"fast": 1.5}` or `fast*1.5+slow*0.5`.
    """
    if isinstance(value, str):
        value = _typed_speeds(value)
    if isinstance(value, Mapping):
        value = value.items()
    speeds = tuple(value) if isinstance(value, Iterable) else (value,)
    named = [tuple(pair) for pair in speeds if _is_named(pair)]
    if not named:
        return tuple(_checked_speed(speed) for speed in speeds)
    if len(named) < len(speeds) or len(dict(named)) < len(speeds):
        raise InputError(f"speeds of loop is {value!r}: name groups, each once, or give the speeds of cores, not both")
    return tuple(sorted((name, _checked_speed(speed)) for name, speed in named))


def _is_named(pair: Any) -> bool:
    return isinstance(pair, tuple | list) and len(pair) == 2 and isinstance(pair[0], str)


def _checked_speed(speed: Any) -> float:
    if not is_number(speed) or not 1e-6 <= speed <= 1e6:
        raise InputError(f"speeds of loop has {speed!r}: a speed is a number from 1e-6 to 1e6, 1 is the machine's")
    return float(speed)


def are_of_groups(speeds: Speeds) -> bool:
    return bool(speeds) and isinstance(speeds[0], tuple)


def plan_of_speeds(speeds: Speeds, groups: Sequence[tuple[str, int]]) -> dict[str, Any]:
    """Return the speed of each core; `groups` are those of the platform, with their number of cores."""
    if not speeds:
        return {}
    if not are_of_groups(speeds):
        return {"unequal": True, "speeds": np.array(speeds, dtype=np.float64)}
    by_name, known = dict(speeds), [name for name, _ in groups]  # type: ignore[arg-type]
    for name in by_name:
        if name not in known:
            has = f"has {', '.join(known)}{suggestion(name, known)}" if known else "has no groups"
            raise InputError(
                f"speeds of loop names the group {name!r} but the platform {has}: name groups of a cluster"
            )
    each = [by_name.get(name, 1.0) for name in known]
    return {"unequal": True, "speeds": np.repeat(each, [cores for _, cores in groups]).astype(np.float64)}


def _typed_speeds(text: str) -> list[Any]:
    parts = [part.partition("*") for part in text.split("+")]
    if all(star and not left.strip().lstrip("-").isdigit() for left, star, _ in parts):
        return [
            (left.strip(), _require_finite(right, f"the speed of group {left.strip()!r}")) for left, _, right in parts
        ]
    return [speed for left, star, right in parts for speed in _repeated(text, left, star, right)]


def _repeated(text: str, left: str, star: str, right: str) -> list[float]:
    try:
        count, speed = (int(left), float(right)) if star else (1, float(left))
    except ValueError:
        count, speed = 0, 0.0
    if not 1 <= count <= MOST_SPEEDS:
        raise InputError(f"speeds of loop is {text!r}: write it like 48*1+16*0.5, or by groups like fast*2+slow*0.5")
    return [speed] * count


def typed_speeds(value: Any) -> str:
    """Return the text of speeds, also of the plain data in a saved run."""
    speeds = settled_speeds(value)
    if are_of_groups(speeds):
        return "+".join(f"{name}*{speed:g}" for name, speed in speeds)  # type: ignore[misc]
    return "+".join(f"{len(list(alike))}*{speed:g}" for speed, alike in groupby(speeds))


def settled_slowdowns(value: Any) -> tuple[Row, ...]:
    """Return slowdowns from a list of tables or a CSV file, sorted by (first core, from_s)."""
    rows = _read_slowdowns(value) if isinstance(value, str | Path) else value
    if isinstance(rows, Mapping) or not isinstance(rows, Iterable):
        raise _no_tables(value)
    found = [_checked_slowdown(_slowdown_table(row, value), f"slowdown {k + 1}") for k, row in enumerate(rows)]
    found.sort(key=lambda row: (_core_range(row["cores"], ""), row["from_s"]))
    return tuple(tuple((key, row[key]) for key in COLUMNS) for row in found)


def _slowdown_table(row: Any, value: Any) -> dict[str, Any]:
    try:
        return dict(row)
    except (TypeError, ValueError):
        raise _no_tables(value) from None


def _no_tables(value: Any) -> InputError:
    return InputError(f"slowdowns of loop is {value!r}: give a list of tables with {', '.join(COLUMNS)}, or a file")


def _read_slowdowns(path: str | Path) -> list[dict[str, Any]]:
    try:
        text = text_of(path)
    except (OSError, UnicodeError) as error:
        raise InputError(f"Cannot read {path} ({reason(error)}): give the CSV file of the slowdowns") from error
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    rows = csv.DictReader(lines, skipinitialspace=True)
    if tuple(rows.fieldnames or ()) != COLUMNS:
        given = ",".join(rows.fieldnames or ()) or "nothing"
        raise InputError(f"{path} begins with {given}: give a header {','.join(COLUMNS)}")
    return list(rows)


def _checked_slowdown(row: dict[str, Any], where: str) -> dict[str, Any]:
    if set(row) != set(COLUMNS):
        raise InputError(f"{where} has {', '.join(map(str, row)) or 'nothing'}: give {', '.join(COLUMNS)}")
    cores = str(row["cores"])
    _core_range(cores, where)
    begin, end, factor = (_require_finite(row[name], f"{name} of {where}") for name in COLUMNS[1:])
    if not begin < end:
        raise InputError(f"{where} lasts from {begin:g} to {end:g} s: to_s comes after from_s")
    if not 1e-6 <= factor <= 1e6:
        raise InputError(f"factor of {where} is {factor:g}: choose a number from 1e-6 to 1e6, 0.5 is half as fast")
    return {"cores": cores, "from_s": begin, "to_s": end, "factor": factor}


def _require_finite(value: Any, what: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{what} is {value!r}: write a number")
    return number


def _core_range(cores: str, where: str) -> tuple[int, int]:
    """Return the first and the last core of `4` or `0-63`."""
    first, dash, last = cores.partition("-")
    try:
        found = int(first), int(last if dash else first)
    except ValueError:
        found = (-1, -1)
    if not 0 <= found[0] <= found[1] < 2**31:
        raise InputError(f"cores of {where} is {cores!r}: write the number of a core, or two as in 0-63")
    return found


def plan_of_slowdowns(rows: Sequence[Row], platform: int) -> dict[str, Any]:
    """Return windows by core, in the order of time."""
    if not rows:
        return {}
    tables = [dict(row) for row in rows]
    ranges = [_core_range(table["cores"], "slowdown") for table in tables]
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
