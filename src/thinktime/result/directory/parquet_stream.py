"""A Parquet file written block by block, without polars: also for runs that do not fit into memory.

A block of rows becomes one row group: per column a page of definition levels (which rows have a value) and values:
differences of whole numbers, floats byte by byte, packed indices of words from a fixed list, which is a dictionary
page. Pages are compressed with LZ4. The engine encodes and compresses. The footer, which makes the file readable, is
written by `close`.
https://parquet.apache.org/docs/file-format/
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import numpy as np

from thinktime import _engine
from thinktime.errors import InputError
from thinktime.metrics.status import STATUS_NAMES
from thinktime.result.columns import DECISION_COLUMNS, JOB_COLUMNS, TIMELINE_COLUMNS, is_whole
from thinktime.result.directory.thrift import I32, Encoded, Struct, Value, encode, varint
from thinktime.result.placements import PLACEMENT_COLUMNS
from thinktime.traces.attributes import ColumnType, Kind

MAGIC = b"PAR1"
BOOLEAN, INT64, DOUBLE, BYTE_ARRAY = 0, 2, 5, 6  # physical types
PLAIN, RLE, DELTA_BINARY_PACKED, RLE_DICTIONARY, BYTE_STREAM_SPLIT = 0, 3, 5, 8, 9  # encodings
ENCODINGS = {BOOLEAN: PLAIN, INT64: DELTA_BINARY_PACKED, DOUBLE: BYTE_STREAM_SPLIT, BYTE_ARRAY: RLE_DICTIONARY}
LZ4_RAW = 7  # codec
ROWS = 2**20  # in a row group of a table in memory
DATA_PAGE, DICTIONARY_PAGE = 0, 2
OPTIONAL, UTF8 = 1, 0


class Field(NamedTuple):
    """One column: truth values, whole numbers, floats, or words (then the values are their indices)."""

    name: str
    type: int  # BOOLEAN, INT64, DOUBLE or BYTE_ARRAY
    words: tuple[str, ...] = ()


def job_field(name: str) -> Field:
    """Return the field of a column of Result."""
    return (
        Field(name, BYTE_ARRAY, STATUS_NAMES) if name == "status" else Field(name, INT64 if is_whole(name) else DOUBLE)
    )


def attribute_field(name: str, kind: Kind) -> Field:
    """Return the field of an attribute; each row group has a dictionary of its own words."""
    return Field(name, {"truth": BOOLEAN, "whole": INT64, "number": DOUBLE, "text": BYTE_ARRAY}[kind])


JOB_FIELDS = tuple(job_field(name) for name in JOB_COLUMNS)
PLACEMENT_FIELDS = tuple(Field(name, INT64) for name in PLACEMENT_COLUMNS)
INSIDE_FIELDS = (
    *(Field(name, INT64) for name in ("job", "row")),
    Field("each_s", DOUBLE),
    *(Field(name, INT64) for name in ("tasks", "chunks")),
    *(Field(name, DOUBLE) for name in ("busy_s", "overhead_s")),
)
CORE_FIELDS = tuple(Field(name, INT64) for name in ("row", "first", "cores", "cores_per_unit"))
TIMELINE_FIELDS = tuple(Field(name, DOUBLE if name == "time_s" else INT64) for name in TIMELINE_COLUMNS)
DECISION_FIELDS = tuple(Field(name, DOUBLE if name.endswith("_s") else INT64) for name in DECISION_COLUMNS)


class ParquetStream:
    """`write` appends rows, `close` finishes the file. NaN is written as null."""

    def __init__(
        self,
        path: str | Path,
        fields: Sequence[Field] = JOB_FIELDS,
        metadata: Mapping[str, str] | None = None,
        optional: str = "",  # name of a column that `leave_out` can remove
    ) -> None:
        self.fields = tuple(fields)
        self._metadata = dict(metadata or {})  # texts by key, in the footer
        self.rows = 0
        self._row_groups: list[Value] = []  # under a kilobyte each; nothing else grows with the file
        self._optional, self._without = optional, list[Value]()  # row groups without the optional column
        self._file = Path(path).open("wb")  # noqa: SIM115 - closed by close
        self._file.write(MAGIC)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Finish the file; after an error leave it without a footer, unreadable."""
        if kind is None:
            self.close()
        else:
            self._file.close()

    def write(self, columns: Mapping[str, np.ndarray], types: Mapping[str, ColumnType] | None = None) -> None:
        """Append the rows as one row group; do nothing without rows. Columns of texts hold codes of their type."""
        lengths = {len(columns[field.name]) for field in self.fields}
        if len(lengths) > 1:
            raise InputError(f"the columns have {sorted(lengths)} rows: give one value per row")
        rows = lengths.pop()
        if not rows:
            return
        written = [self._write_column(*_with_words(field, columns[field.name], types)) for field in self.fields]
        self._row_groups.append(_row_group(written, rows))
        if self._optional:
            pairs = zip(self.fields, written, strict=True)
            self._without.append(_row_group([each for field, each in pairs if field.name != self._optional], rows))
        self.rows += rows

    def add_fields(self, fields: Sequence[Field]) -> None:
        """Add columns to a file without rows."""
        assert not self.rows, "the columns of a Parquet file are fixed by its first rows"
        self.fields += tuple(fields)

    def leave_out(self) -> None:
        """Leave the optional column out of the footer: its pages stay in the file, and no reader sees them."""
        self.fields = tuple(field for field in self.fields if field.name != self._optional)
        self._row_groups, self._optional = self._without, ""

    def close(self) -> None:
        """Write the footer. A second call does nothing."""
        if self._file.closed:
            return
        footer = encode(self._footer())
        self._file.write(footer + len(footer).to_bytes(4, "little") + MAGIC)
        self._file.close()

    def _write_column(self, field: Field, values: np.ndarray) -> tuple[Struct, int]:
        """Write one column of a row group; return its entry in the footer and its size before compression."""
        begin, size = self._file.tell(), 0
        if field.type == BYTE_ARRAY:
            size += self._write_page(dictionary_page(field.words), _dictionary_header(len(field.words)))
        data_at = self._file.tell()
        size += self._write_page(data_page(field, values), _data_header(len(values), ENCODINGS[field.type]))
        dictionary_at = begin if field.type == BYTE_ARRAY else None
        return self._column_entry(field, len(values), (begin, data_at, dictionary_at), size), size

    def _column_entry(self, field: Field, rows: int, at: tuple[int, int, int | None], size: int) -> Struct:
        begin, data_at, dictionary_at = at  # offsets in the file
        used = (RLE, ENCODINGS[field.type], *((PLAIN,) if field.type == BYTE_ARRAY else ()))  # PLAIN: of the dictionary
        encodings: list[Value] = [I32(code) for code in used]
        metadata: list[tuple[int, Value]] = [
            (1, I32(field.type)),
            (2, encodings),
            (3, [field.name.encode()]),
            (4, I32(LZ4_RAW)),
            (5, rows),
            (6, size),
            (7, self._file.tell() - begin),
            (9, data_at),
            (11, dictionary_at),
        ]
        return Struct([(2, begin), (3, Struct(metadata))])

    def _write_page(self, content: bytes, kind: list[tuple[int, Value]]) -> int:
        """Write a page with its header; return its size before compression."""
        packed = _engine.parquet_lz4(content)
        sizes: list[tuple[int, Value]] = [(2, I32(len(content))), (3, I32(len(packed)))]
        header = encode(Struct([kind[0], *sizes, *kind[1:]]))
        self._file.write(header)
        self._file.write(packed)
        return len(header) + len(content)

    def _footer(self) -> Struct:
        root = Struct([(4, b"schema"), (5, I32(len(self.fields)))])
        schema: list[Value] = [root, *(_schema_element(field) for field in self.fields)]
        pairs: list[Value] = [Struct([(1, key.encode()), (2, text.encode())]) for key, text in self._metadata.items()]
        content: list[tuple[int, Value]] = [(1, I32(1)), (2, schema), (3, self.rows), (4, self._row_groups)]
        return Struct([*content, (5, pairs or None), (6, b"thinktime")])


def _row_group(written: Sequence[tuple[Struct, int]], rows: int) -> Encoded:
    """Return the entry of a row group from the entries and sizes of its columns."""
    chunks: list[Value] = [chunk for chunk, _ in written]
    return Encoded(encode(Struct([(1, chunks), (2, sum(size for _, size in written)), (3, rows)])))


def _with_words(field: Field, values: np.ndarray, types: Mapping[str, ColumnType] | None) -> tuple[Field, np.ndarray]:
    """Return the field with the words of these rows, and the indices of the words."""
    if field.type != BYTE_ARRAY or field.words:
        return field, values
    codes, found = (types or {})[field.name].compacted(values)
    return field._replace(words=found.labels), codes - 1


def write_table(
    path: Path,
    fields: Sequence[Field],
    columns: Mapping[str, np.ndarray],
    types: Mapping[str, ColumnType] | None = None,
) -> None:
    """Write a table that is in memory."""
    rows = len(columns[fields[0].name])
    with ParquetStream(path, fields) as stream:
        for begin in range(0, rows, ROWS):
            part = {field.name: np.asarray(columns[field.name])[begin : begin + ROWS] for field in fields}
            stream.write(part, types)


def _schema_element(field: Field) -> Struct:
    is_text: list[tuple[int, Value]] = (
        [(6, I32(UTF8)), (10, Struct([(1, Struct([]))]))] if field.type == BYTE_ARRAY else []
    )
    return Struct([(1, I32(field.type)), (3, I32(OPTIONAL)), (4, field.name.encode()), *is_text])


def _data_header(rows: int, encoding: int) -> list[tuple[int, Value]]:
    header = Struct([(1, I32(rows)), (2, I32(encoding)), (3, I32(RLE)), (4, I32(RLE))])
    return [(1, I32(DATA_PAGE)), (5, header)]


def _dictionary_header(words: int) -> list[tuple[int, Value]]:
    return [(1, I32(DICTIONARY_PAGE)), (7, Struct([(1, I32(words)), (2, I32(PLAIN))]))]


def dictionary_page(words: Sequence[str]) -> bytes:
    """Return the words in plain encoding: length, then bytes."""
    return b"".join(len(word.encode()).to_bytes(4, "little") + word.encode() for word in words)


def data_page(field: Field, values: np.ndarray) -> bytes:
    """Return the definition levels, then the values that are not missing."""
    valid = ~np.isnan(values) if values.dtype.kind == "f" else np.ones(len(values), bool)
    levels = definition_levels(valid)
    present = values[valid]
    if field.type == BYTE_ARRAY:
        return levels + packed_indices(present.astype(np.uint32), len(field.words))
    if field.type == BOOLEAN:
        return levels + np.packbits(present != 0, bitorder="little").tobytes()
    if field.type == INT64:
        return levels + _engine.parquet_delta_packed(present.astype(np.int64, copy=False))
    return levels + _engine.parquet_byte_stream_split(present.astype(np.float64, copy=False))


def definition_levels(valid: np.ndarray) -> bytes:
    """Return 1 for a value and 0 for a missing one: a single run if none is missing, else one bit per row."""
    runs = varint(len(valid) << 1) + b"\x01" if valid.all() else _bit_packed(valid[:, None])
    return len(runs).to_bytes(4, "little") + runs


def packed_indices(indices: np.ndarray, words: int) -> bytes:
    """Return dictionary indices with as few bits as the dictionary needs."""
    width = max(1, (words - 1).bit_length())
    bits = indices[:, None] >> np.arange(width, dtype=np.uint32) & 1
    return bytes([width]) + _bit_packed(bits)


def _bit_packed(bits: np.ndarray) -> bytes:
    """Return one bit-packed run: rows × bits, lowest bit first, in groups of eight rows."""
    groups = -(-len(bits) // 8)
    padded = np.zeros((groups * 8, bits.shape[1]), np.uint8)
    padded[: len(bits)] = bits
    return varint(groups << 1 | 1) + np.packbits(padded.ravel(), bitorder="little").tobytes()
