"""Tables of windows: `nodes, from_s, to_s` and optional columns, given as mappings or read from a CSV file."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from thinktime.errors import InputError
from thinktime.plugins.context import OWNER_KEYS
from thinktime.spec import is_number, suggestion
from thinktime.support.files import reason, text_of
from thinktime.support.json_types import JsonDict, JsonTable
from thinktime.support.time_units import LATEST_S

NEEDED = ("nodes", "from_s", "to_s")
Window: TypeAlias = tuple[tuple[str, Any], ...]  # checked: keys and values in a fixed order
#: Windows as they are given: tables with `nodes`, `from_s` and `to_s`, or (nodes, from_s, to_s).
Windows: TypeAlias = Sequence[JsonTable | Sequence[Any]]


def windows(value: object, file: str | Path | None, whose: str, more: tuple[str, ...] = ()) -> tuple[Window, ...]:
    """Return all given windows and those of the file, checked, as hashable pairs in a fixed order."""
    if isinstance(value, Mapping) or not isinstance(value, Iterable) or isinstance(value, str | bytes):
        raise InputError(f"the windows of {whose} are {value!r}: give a list of tables with nodes, from_s and to_s")
    rows = [*value, *(read_csv(file, whose, more) if file is not None else [])]
    return tuple(_checked_window(each, f"window {k + 1} of {whose}", more) for k, each in enumerate(rows))


def as_tables(checked: Windows) -> list[JsonDict]:
    """Return the windows of a plugin as tables."""
    return [dict(window) for window in checked]


def read_csv(path: str | Path, whose: str, more: tuple[str, ...] = ()) -> list[JsonDict]:
    """Return the rows of a file with a header; lines that begin with # are comments."""
    if not isinstance(path, str | Path):
        raise InputError(f"file of {whose} is {path!r}: give the path of a CSV file")
    try:
        text = text_of(path, "utf-8-sig")
    except (OSError, ValueError) as error:  # ValueError: not UTF-8, or a NUL byte in the path
        raise InputError(f"Cannot read {path} ({reason(error)}): give the CSV file of {whose}") from error
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    rows = csv.DictReader(lines)
    names = [name.strip() for name in rows.fieldnames or []]
    if any(name not in names for name in NEEDED):
        raise InputError(f"{path} begins with {','.join(names) or 'nothing'}: give a header with {','.join(NEEDED)}")
    rows.fieldnames = names
    return [_csv_row(row, f"row {k + 1} of {path}", more) for k, row in enumerate(rows)]


def _csv_row(row: JsonTable, where: str, more: tuple[str, ...]) -> JsonDict:
    given = {key: value.strip() for key, value in row.items() if isinstance(value, str) and value.strip()}
    for key in given:
        if key not in (*NEEDED, *more):
            raise InputError(f"{where} has a column {key!r}: it may have {', '.join((*NEEDED, *more))}")
    return {key: _csv_value(key, value, where) for key, value in given.items()}


def _csv_value(key: str, text: str, where: str) -> Any:
    if key in OWNER_KEYS:
        return [_csv_number(key, part, where) for part in text.replace(";", " ").split()]
    return text if key == "nodes" else _csv_number(key, text, where)


def _csv_number(key: str, text: str, where: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{where} has {key} = {text!r}: write a number") from None


def _checked_window(given: object, where: str, more: tuple[str, ...]) -> Window:
    if isinstance(given, tuple) and given and all(isinstance(pair, tuple) and len(pair) == 2 for pair in given):
        given = dict(given)
    if isinstance(given, list | tuple) and len(given) == 3:
        given = dict(zip(NEEDED, given, strict=True))
    if not isinstance(given, Mapping):
        raise InputError(f"{where} is {given!r}: give a table with nodes, from_s and to_s")
    for key in given:
        if key not in (*NEEDED, *more):
            raise InputError(
                f"{where} has {key!r}{suggestion(key, (*NEEDED, *more))}: it takes {', '.join((*NEEDED, *more))}"
            )
    table = {"nodes": "all", **given}
    for key in ("from_s", "to_s"):
        _require_time(table, key, where)
    if not table["from_s"] < table["to_s"]:
        raise InputError(f"{where} is from {table['from_s']:g} s to {table['to_s']:g} s: choose to_s above from_s")
    for key in OWNER_KEYS:
        _require_numbers(table, key, where)
    return tuple((key, _hashable(table[key])) for key in (*NEEDED, *more) if key in table)


def _require_time(table: JsonTable, key: str, where: str) -> None:
    value: Any = table.get(key)
    latest = math.inf if key == "to_s" else LATEST_S
    if not is_number(value) or (not -LATEST_S <= value <= LATEST_S and value != latest):
        raise InputError(f"{where} has {key} = {value!r}: give seconds of the log's clock")


def _require_numbers(table: JsonTable, key: str, where: str) -> None:
    value: Any = table.get(key, ())
    listed = value if isinstance(value, list | tuple | set | frozenset) else [value]
    if not all(is_number(each) for each in listed):
        raise InputError(f"{where} has {key} = {value!r}: list numbers, as the log has them")


def _hashable(value: object) -> Any:
    if isinstance(value, list | tuple | set | frozenset):
        return tuple(_hashable(each) for each in value)
    return float(value) if is_number(value) and not isinstance(value, int) else value
