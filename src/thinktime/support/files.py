"""Reads small files from other sources: only regular files, of a bounded size and depth.

A pipe or a device in the place of a file would hang the command or fill the memory. Content that is refused raises
OSError or ValueError with a reason, which the caller puts into an InputError.
"""

from __future__ import annotations

import errno
import json
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

from thinktime.errors import InputError

MOST_TEXT_BYTES = 256 << 20
MOST_DEPTH = 100  # of nested tables: more would exhaust Python's stack

Pairs = Callable[[list[tuple[str, Any]]], Any]  # makes an object of its keys and values
_KINDS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
    stat.S_IFDIR: "a folder",
}


def kind_of_file(path: str | os.PathLike[str]) -> str:
    """Return `a pipe`, `a device`, …, or an empty text for a regular file; raise OSError if the file does not exist."""
    return _KINDS.get(stat.S_IFMT(os.stat(path).st_mode), "")


def require_regular(path: str | os.PathLike[str]) -> None:
    """Raise OSError if the path is a pipe, a device, a socket or a folder, or does not exist."""
    kind = kind_of_file(path)
    if kind:
        raise OSError(errno.EINVAL, f"it is {kind}, not a regular file", os.fspath(path))


def reason(error: Exception) -> str:
    """Return why a file was not read, in one line: the text of the operating system or of the parser."""
    return " ".join((getattr(error, "strerror", None) or str(error)).split()).rstrip(".:")


def require_text_path(path: str | os.PathLike[str]) -> None:
    """Raise InputError if the name is not UTF-8: polars cannot read or write such files."""
    try:
        os.fspath(path).encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(f"the name {os.fspath(path)!r} is not UTF-8: choose another name") from None


def text_of(path: str | os.PathLike[str], encoding: str = "utf-8") -> str:
    """Return the text of a regular file; raise OSError if it is too large, UnicodeDecodeError for another encoding."""
    require_regular(path)
    size = os.stat(path).st_size
    if size > MOST_TEXT_BYTES:
        raise OSError(errno.EFBIG, f"it has {size:,} bytes, and at most {MOST_TEXT_BYTES:,} are read", os.fspath(path))
    return Path(path).read_text(encoding=encoding)


def json_of(path: str | os.PathLike[str]) -> Any:
    """Return the content of a JSON file; raise OSError or ValueError."""
    return parse_json(text_of(path))


def parse_json(text: str | bytes, pairs: Pairs | None = None) -> Any:
    """Return the value of a JSON text; raise ValueError if it is invalid, too deep, or has numbers beyond 64 bits."""
    try:
        value = json.loads(text, object_pairs_hook=pairs)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if _openings(text) > MOST_DEPTH or _has_long_number(text):
        _require_plain(value)
    return value


def parse_toml(text: str) -> dict[str, Any]:
    """Return the tables of a TOML text; raise ValueError as for JSON."""
    import tomllib

    try:
        value = tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    _require_plain(value)
    return value


def _openings(text: str | bytes) -> int:
    """Return the number of opening brackets: no text is nested deeper."""
    return text.count("[") + text.count("{") if isinstance(text, str) else text.count(b"[") + text.count(b"{")


def _has_long_number(text: str | bytes) -> bool:
    found = re.search(r"[0-9]{19}", text) if isinstance(text, str) else re.search(rb"[0-9]{19}", text)
    return found is not None


def _require_plain(value: object) -> None:
    """Raise ValueError if a value is too long or nested too deeply."""
    level = [value]
    for _ in range(MOST_DEPTH + 1):
        long = next((each for each in level if isinstance(each, int) and not -(2**63) <= each < 2**63), None)
        if long is not None:
            raise ValueError(f"it has a number of {len(f'{abs(long):x}') * 4} bits, and at most 64 are read")
        nested = [each for each in level if isinstance(each, dict | list)]
        level = [item for each in nested for item in (each.values() if isinstance(each, dict) else each)]
    if level:
        raise ValueError(f"it is nested more than {MOST_DEPTH} deep")
