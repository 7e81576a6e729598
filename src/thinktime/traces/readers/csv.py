"""CSV: a line with the names of the columns, then one line per job. Comment lines (#) before it are the header."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar

from thinktime.errors import InputError
from thinktime.traces.attributes import Kind
from thinktime.traces.csv_lines import DELIMITERS, Head, Part, RecordSplitter, likely_delimiter, read_head
from thinktime.traces.header import Header
from thinktime.traces.reader import Block, Records, collected, is_regular, rows_of
from thinktime.traces.table_columns import TableReader, column_names
from thinktime.traces.text_columns import AnotherTypeError, TextColumns, checked_names
from thinktime.traces.typed_blocks import TypedBlocks
from thinktime.traces.unpack import BLOCK_BYTES, read_blocks
from thinktime.traces.written import MARK, Written

WHOLE_BYTES = 16 << 20  # per block of a log that is read as a whole
_WORDS = {word: letter for letter, word in DELIMITERS.items()}


class CsvReader(TableReader, name="csv"):
    """Reads CSV: the first line that is not a comment (#) names the columns.

    Parameters
    ----------
    delimiter : str
        `comma`, `semicolon`, `tab`, `pipe` or another character (default: found in the first line).
    decimal : str
        Decimal `point` (default) or `comma`.
    as_text : str
        Columns to read as texts, joined by +: `zip+account`.
    submit_s, wait_s, run_s, processors, allocated_processors, requested_processors, requested_time_s, cpu_s : str
        The column of the file that holds this column of a log, where it has another name.
    used_memory_kb, requested_memory_kb, job, status, user, group, executable, queue, partition : str
        The column of the file that holds this column of a log, where it has another name.
    preceding_job, think_time_s : str
        The column of the file that holds this column of a log, where it has another name.
    """

    endings: ClassVar[tuple[str, ...]] = (".csv", ".tsv")
    words: ClassVar[Mapping[str, tuple[str, ...]]] = {"decimal": ("point", "comma")}

    delimiter: str = ""
    decimal: str = "point"
    as_text: str = ""

    def checked_option(self, option: str, value: Any) -> Any:
        value = super().checked_option(option, value)
        if option == "delimiter":
            value = _WORDS.get(str(value), str(value))
            if len(value) > 1 or not value.isascii() or value in ('"', "\n", "\r"):
                raise InputError(f"delimiter of csv is {value!r}: choose comma, semicolon, tab, pipe or a character")
        return str(value) if option == "as_text" else value

    @classmethod
    def recognises(cls, head: bytes) -> bool:
        """Return whether the first line that is not a comment names columns of a log, with their units."""
        lines = [line for line in head.removeprefix(b"\xef\xbb\xbf").splitlines() if line.strip()]
        first = next((line for line in lines if not line.startswith(b"#")), b"").decode("latin-1")
        names = [name.strip().strip('"') for name in first.split(likely_delimiter(first))]
        return len({*names} & {"submit_s", "run_s"}) > 0 and len(names) > 1

    def records(self, source: Path) -> Records:
        return CsvRecords(self, source)


class CsvRecords(Records):
    """The records of one CSV file. In memory is a block of its bytes and the table of texts made from it."""

    def __init__(self, reader: CsvReader, source: Path, as_text: frozenset[str] = frozenset()) -> None:
        super().__init__(source)
        self._reader, self._as_text = reader, as_text
        self._hash, self._written = hashlib.sha256(), Written()

    def blocks(self) -> Iterator[Block]:
        return self._blocks(BLOCK_BYTES)

    def whole(self) -> Block:
        """Return all jobs; columns whose values turn out to have several types are read again as texts."""
        try:
            return collected(self._blocks(WHOLE_BYTES), str(self.source))
        except AnotherTypeError as error:
            if not is_regular(self.source):
                raise
            again = CsvRecords(self._reader, self.source, self._as_text | error.columns)
            block = again.whole()
            self.header, self.types = again.header, again.types
            self.account, self.sha256 = again.account, again.sha256
            return block

    def _blocks(self, block_bytes: int) -> Iterator[Block]:
        content = self._bytes(block_bytes)
        head, rest = read_head(content, self._reader.delimiter, str(self.source))
        self.account.comments, self.account.blanks = head.lines - head.blanks, head.blanks
        names = column_names(self.source, head.columns, self._reader.named_columns(), "csv", self.account)
        self.header = Header.parse(line for line in head.comments if not line.startswith(MARK))
        self._written = Written.parse(head.comments)
        splitter = RecordSplitter(head.delimiter, len(head.columns), self.account, head.lines + 1)
        converter = self._converter(names)
        typed = TypedBlocks(str(self.source), self._written.labels)
        self.types = typed.types
        for part in _parts(splitter, rest, content):
            block = self._block(part, names, head, converter, typed)
            self._count()
            if rows_of(block):
                yield block
        self._count()
        if self.account.jobs == 0:
            raise InputError(f"{self.source} has no job: none of its lines after the names of the columns is one")

    def _bytes(self, block_bytes: int) -> Iterator[bytes]:
        for block in read_blocks(self.source, block_bytes):
            self._hash.update(block)
            yield block

    def _converter(self, names: Mapping[str, str]) -> TextColumns:
        kinds: dict[str, Kind] = {**self._written.kinds, **dict.fromkeys(self._as_text, "text")}
        for column in checked_names("csv", self._reader.as_text, [*names]):
            kinds[names[column]] = "text"
        decimal = "," if self._reader.decimal == "comma" else "."
        return TextColumns(str(self.source), "csv", self.account, kinds, decimal)

    def _block(
        self, part: Part, names: Mapping[str, str], head: Head, converter: TextColumns, typed: TypedBlocks
    ) -> Block:
        if len(part.line) == 0:
            return {}
        table = {names[name]: part.table[f"{k}"] for k, name in enumerate(head.columns) if name in names}
        table.pop("line", None)
        series, line = converter.convert(table, part.line)
        self.account.jobs += len(line)
        return {**typed.convert(series), "line": line} if len(line) else {}

    def _count(self) -> None:
        account = self.account
        account.lines = account.comments + account.blanks + account.malformed + account.jobs
        self.sha256 = self._hash.hexdigest()


def _parts(splitter: RecordSplitter, rest: bytes, content: Iterator[bytes]) -> Iterator[Part]:
    for block in chain([rest], content):
        yield from splitter.feed(block)
    yield splitter.finish()
