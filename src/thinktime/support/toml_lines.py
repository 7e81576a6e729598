"""The line of a key in a TOML file, for errors; and the text of such a file.

tomllib does not keep positions. A key's path, such as ("schedulers", 2, "spec"), is looked up in the text: the
third [[schedulers]] header, then its line `spec = …`; or, in an array on the line `schedulers = [`, the third
entry. If the last part of a path is not found, the line of its table or array is returned.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from thinktime.errors import InputError
from thinktime.support.files import text_of

HEADER = re.compile(r"^\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?$")


def text_of_file(path: Path, next_step: str) -> str:
    """Return the text of a file; raise InputError that ends with the next step."""
    try:
        return text_of(path, "utf-8-sig")
    except OSError as error:
        raise InputError(f"Cannot read {path} ({error.strerror}): {next_step}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 (byte {error.start}): {next_step}") from None


def line_of(text: str, path: Sequence[str | int]) -> int | None:
    """Return the line, counted from 1; None if the first key is not found."""
    if not path:
        return None
    lines = text.splitlines()
    key, rest = str(path[0]), list(path[1:])
    tables = _tables(lines, key)
    if tables:
        number = rest.pop(0) if rest and isinstance(rest[0], int) else 0
        begin, end = tables[min(int(number), len(tables) - 1)]
        inner = _line_of_key(lines, str(rest[0]), begin + 1, end) if rest else None
        return (begin if inner is None else inner) + 1
    top = _line_of_key(lines, key, 0, _first_header(lines))
    return None if top is None else _entry(lines, top, rest) + 1


def _tables(lines: list[str], key: str) -> list[tuple[int, int]]:
    """Return the begin and end of every [key] or [[key]] block."""
    headers = [(at, match[2]) for at, line in enumerate(lines) if (match := HEADER.match(line))]
    ends = [at for at, _ in headers[1:]] + [len(lines)]
    return [(at, end) for (at, name), end in zip(headers, ends, strict=False) if name == key]


def _first_header(lines: list[str]) -> int:
    return next((at for at, line in enumerate(lines) if HEADER.match(line)), len(lines))


def _line_of_key(lines: list[str], key: str, begin: int, end: int) -> int | None:
    written = re.compile(rf"""^\s*["']?{re.escape(key)}["']?\s*[=.]""")
    return next((at for at in range(begin, end) if written.match(lines[at])), None)


def _entry(lines: list[str], top: int, rest: list[str | int]) -> int:
    """Return the line of the n-th entry of the array that opens on line `top`."""
    if not (rest and isinstance(rest[0], int)):
        return top
    depth, entry, fresh = 0, 0, False  # fresh: the next letter begins an entry
    for at, letter in _letters(lines, top):
        if fresh and entry == rest[0] and letter != "]":
            return at
        depth += (letter in "[{") - (letter in "]}")
        entry += letter == "," and depth == 1
        fresh = depth == 1 and letter in "[,"
        if depth == 0:
            break
    return top


def _letters(lines: list[str], top: int) -> Iterator[tuple[int, str]]:
    """Yield line and character outside blanks and comments; of a string only the first quote."""
    quote = ""
    for at in range(top, len(lines)):
        line = lines[at].partition("=")[2] if at == top else lines[at]
        for letter in re.sub(r"\\.", "", line):
            if quote:
                quote = "" if letter == quote else quote
            elif letter == "#":
                break
            elif not letter.isspace():
                quote = letter if letter in "\"'" else ""
                yield at, letter
