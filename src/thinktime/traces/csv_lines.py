"""Splits the bytes of a CSV file into records: quotes, line ends, blank lines, wrong numbers of fields.

Records are found in NumPy, block by block. A quote that is never closed costs its own line, not the rest of the file.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from thinktime.errors import InputError
from thinktime.traces.reader import RecordAccount

if TYPE_CHECKING:
    import polars as pl

LONGEST_RECORD = 1 << 20  # bytes
TOO_LONG = "line longer than 1 MiB"
MOST_COMMENTS = 100_000  # lines before the names of the columns
_NEWLINE, _QUOTE = ord("\n"), ord('"')
DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}


@dataclass(frozen=True, eq=False)
class Part:
    """Complete records as a table of texts, with the number of the first line of each."""

    table: pl.DataFrame
    line: np.ndarray  # float64


class RecordSplitter:
    """Collects blocks of bytes and returns the records that they complete."""

    def __init__(self, delimiter: str, fields: int, account: RecordAccount, line: int) -> None:
        self._delimiter, self._fields, self._account = delimiter, fields, account
        self._line = line  # of the next byte
        self._rest = b""
        self._in_skipped_line = False  # of which the end has not come yet

    def feed(self, block: bytes) -> Iterator[Part]:
        """Yield the records that are complete with this block."""
        yield self._complete(self._rest + block)
        while len(self._rest) > LONGEST_RECORD:  # a quote that is not closed hides complete records
            self._skip_line("a quote is not closed" if b'"' in self._rest else TOO_LONG)
            yield self._complete(self._rest)

    def _complete(self, data: bytes) -> Part:
        """Return the complete records, and keep the rest."""
        data = self._after_skipped_line(data)
        stray = self._has_stray_quotes(data)
        end = data.rfind(b"\n") + 1 if stray else self._end_of_records(data)
        self._rest = data[end:]
        return self._line_by_line(data[:end]) if stray else self._records(data[:end])

    def finish(self) -> Part:
        """Return the records after the last line end."""
        rest, self._rest = self._after_skipped_line(self._rest), b""
        data = rest if not rest or rest.endswith(b"\n") else rest + b"\n"
        if self._end_of_records(data) < len(data) or self._has_stray_quotes(data):
            return self._line_by_line(data)
        return self._records(data)

    def _has_stray_quotes(self, data: bytes) -> bool:
        """Return whether a quote opens inside of a field, or closes before its end."""
        if b'"' not in data:
            return False
        letters = np.frombuffer(data, np.uint8)
        quotes = np.flatnonzero(letters == _QUOTE)
        opening, closing = quotes[::2], quotes[1::2]
        before = letters[opening[opening > 0] - 1]
        after = letters[closing[closing < len(letters) - 1] + 1]
        ends = [ord(self._delimiter), _NEWLINE, _QUOTE]
        return not (np.isin(before, ends).all() and np.isin(after, [*ends, ord("\r")]).all())

    def _end_of_records(self, data: bytes) -> int:
        """Return the position after the last line end outside quotes."""
        if b'"' not in data:
            return data.rfind(b"\n") + 1
        letters = np.frombuffer(data, np.uint8)
        ends = _outside_quotes(letters, np.flatnonzero(letters == _NEWLINE))
        return int(ends[-1]) + 1 if ends.size else 0

    def _after_skipped_line(self, data: bytes) -> bytes:
        if not self._in_skipped_line:
            return data
        _, ended, rest = data.partition(b"\n")
        self._in_skipped_line = not ended
        self._line += bool(ended)
        return rest

    def _skip_line(self, reason: str) -> None:
        """Count the first line of the rest as malformed; without a line end it goes on in the next block."""
        line, ended, self._rest = self._rest.partition(b"\n")
        if not self._in_skipped_line:
            self._account.fault(self._line, reason, _decoded(line[:200]))
        self._in_skipped_line = not ended
        self._line += bool(ended)

    def _records(self, data: bytes) -> Part:
        """Count the lines of complete records, and return the well-formed ones."""
        letters = np.frombuffer(data, np.uint8)
        line_ends = np.flatnonzero(letters == _NEWLINE)
        ends = _outside_quotes(letters, line_ends)
        begins = np.concatenate([[0], ends + 1])[:-1].astype(np.int64)
        lines = self._line + np.searchsorted(line_ends, begins)
        separators = _outside_quotes(letters, np.flatnonzero(letters == ord(self._delimiter)))
        fields = np.diff(np.searchsorted(separators, np.concatenate([begins[:1], ends]))) + 1
        self._line += len(line_ends)
        blank = (ends == begins) | ((ends == begins + 1) & (letters[begins] == ord("\r")))
        long = ends - begins > LONGEST_RECORD
        wrong = ((fields != self._fields) | long) & ~blank
        self._account.blanks += int(np.count_nonzero(blank))
        if not (blank | wrong).any():
            return self._part(data, lines)
        for k in np.flatnonzero(wrong).tolist():
            reason = TOO_LONG if long[k] else self._wrong_number(int(fields[k]))
            self._account.fault(int(lines[k]), reason, _decoded(data[begins[k] : ends[k]][:1000]))
        good = np.flatnonzero(~blank & ~wrong)
        kept = b"".join(data[a : b + 1] for a, b in zip(begins[good].tolist(), ends[good].tolist(), strict=True))
        return self._part(kept, lines[good])

    def _part(self, data: bytes, lines: np.ndarray) -> Part:
        import polars as pl

        names = [f"{k}" for k in range(self._fields)]
        if len(lines) == 0:
            return Part(pl.DataFrame(schema=dict.fromkeys(names, pl.String)), np.empty(0))
        data = _as_utf8(data)
        try:
            table = pl.read_csv(
                data,
                has_header=False,
                new_columns=names,
                infer_schema=False,
                separator=self._delimiter,
                quote_char='"' if b'"' in data else None,
            )
        except pl.exceptions.PolarsError:
            return self._read_texts(data.decode("utf-8").split("\n")[:-1], lines)
        return Part(table, lines.astype(np.float64))

    def _line_by_line(self, data: bytes) -> Part:
        """Return the records of a part with misplaced quotes: each line is a record."""
        texts = _as_utf8(data).decode("utf-8").split("\n")[:-1]
        lines = np.arange(self._line, self._line + len(texts))
        self._line += len(texts)
        filled = [k for k, text in enumerate(texts) if text.rstrip("\r")]
        self._account.blanks += len(texts) - len(filled)
        return self._read_texts([texts[k] for k in filled], lines[filled])

    def _read_texts(self, texts: list[str], lines: np.ndarray) -> Part:
        """Return records that Python's csv module reads: slow, but it keeps quotes inside of fields."""
        import polars as pl

        rows, kept = list[list[str]](), list[int]()
        for text, line in zip(texts, lines.tolist(), strict=True):
            try:
                row = next(csv.reader([text.rstrip("\r")], delimiter=self._delimiter, strict=True))
            except (csv.Error, StopIteration):
                self._account.fault(line, "a quote is not closed or is misplaced", text)
                continue
            if len(row) == self._fields:
                rows.append(row)
                kept.append(line)
            else:
                self._account.fault(line, self._wrong_number(len(row)), text)
        table = {f"{k}": [row[k] or None for row in rows] for k in range(self._fields)}
        return Part(pl.DataFrame(table, schema=dict.fromkeys(table, pl.String)), np.array(kept, np.float64))

    def _wrong_number(self, fields: int) -> str:
        return f"{fields} fields instead of {self._fields}"


def _outside_quotes(letters: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """Return the positions that an even number of quotes precedes."""
    quotes = np.flatnonzero(letters == _QUOTE)
    return positions[np.searchsorted(quotes, positions) % 2 == 0] if quotes.size else positions


def _as_utf8(data: bytes) -> bytes:
    """Return the bytes in UTF-8; lines in another encoding are read as Latin-1."""
    try:
        data.decode("utf-8")
        return data
    except UnicodeDecodeError:
        return b"\n".join(_decoded(line).encode("utf-8") for line in data.split(b"\n"))


def _decoded(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("latin-1")


@dataclass(frozen=True)
class Head:
    """What precedes the records: comment lines, the names of the columns, and the delimiter."""

    comments: tuple[str, ...]
    columns: tuple[str, ...]
    delimiter: str
    lines: int
    blanks: int


def read_head(blocks: Iterable[bytes], delimiter: str, what: str) -> tuple[Head, bytes]:
    """Return the head of a CSV file, and the bytes after it that were read so far."""
    data, comments, lines, blanks, at = b"", list[str](), 0, 0, 0
    for block in blocks:
        data = data[at:] + block if lines else _without_mark(data + block, what)
        at = 0
        while (end := data.find(b"\n", at)) >= 0:
            text, at = _decoded(data[at:end]).rstrip("\r"), end + 1
            lines += 1
            if text.startswith("#"):
                comments.append(text[1:])
            elif not text.strip():
                blanks += 1
            else:
                return _head(comments, text, delimiter, lines, blanks), data[at:]
        if len(data) - at > LONGEST_RECORD or lines > MOST_COMMENTS:
            raise InputError(f"{what} is not a CSV log: no line near its begin names columns: check the file")
    if data[at:].strip():
        return _head(comments, _decoded(data[at:]).rstrip("\r"), delimiter, lines + 1, blanks), b""
    raise InputError(f"{what} has no line with names of columns: a CSV log begins with one, such as submit_s,run_s")


def _without_mark(data: bytes, what: str) -> bytes:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(f"{what} is encoded in UTF-16: save it in UTF-8")
    return data.removeprefix(b"\xef\xbb\xbf")


def _head(comments: list[str], text: str, delimiter: str, lines: int, blanks: int) -> Head:
    chosen = delimiter or likely_delimiter(text)
    try:
        names = next(csv.reader([text], delimiter=chosen))
    except csv.Error as error:
        raise InputError(f"the line with the names of the columns cannot be read ({error}): check the file") from None
    return Head(tuple(comments), tuple(name.strip() for name in names), chosen, lines, blanks)


def likely_delimiter(line: str) -> str:
    """Return the delimiter that occurs most often outside quotes."""
    outside = "".join(line.split('"')[::2])
    return max(DELIMITERS, key=outside.count)
