"""Parquet: tables of thinktime and of others, read in slices, so that memory does not grow with the file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from thinktime.errors import InputError
from thinktime.traces.column_names import STANDARD
from thinktime.traces.reader import Block, Records, collected
from thinktime.traces.table_columns import TableReader, column_names
from thinktime.traces.typed_blocks import TypedBlocks
from thinktime.traces.unpack import BLOCK_BYTES
from thinktime.traces.written import KEY, Written

if TYPE_CHECKING:
    import polars as pl

MAGIC = b"PAR1"
SLICE_ROWS = 1 << 17
WHOLE_ROWS = 1 << 20  # of a log that is read as a whole


class ParquetReader(TableReader, name="parquet"):
    """Reads Parquet tables: numbers, texts, truth values, durations; categories and dates become texts.

    Parameters
    ----------
    submit_s, wait_s, run_s, processors, allocated_processors, requested_processors, requested_time_s, cpu_s : str
        The column of the file that holds this column of a log, where it has another name.
    used_memory_kb, requested_memory_kb, job, status, user, group, executable, queue, partition : str
        The column of the file that holds this column of a log, where it has another name.
    preceding_job, think_time_s : str
        The column of the file that holds this column of a log, where it has another name.
    """

    endings: ClassVar[tuple[str, ...]] = (".parquet", ".pq")

    @classmethod
    def recognises(cls, head: bytes) -> bool:
        return head.startswith(MAGIC)

    def records(self, source: Path) -> Records:
        return ParquetRecords(self, source)


class ParquetRecords(Records):
    """The rows of one file. In memory is one slice of its rows, or the row group that holds it."""

    def __init__(self, reader: ParquetReader, source: Path) -> None:
        super().__init__(source)
        self._reader = reader

    def blocks(self) -> Iterator[Block]:
        return self._blocks(SLICE_ROWS)

    def whole(self) -> Block:
        return collected(self._blocks(WHOLE_ROWS), str(self.source))

    def _blocks(self, rows: int) -> Iterator[Block]:
        table = _Table(self.source)
        written = table.written()
        self.header = written.parsed_header()
        names = column_names(self.source, table.columns, self._reader.named_columns(), "parquet", self.account)
        names = {column: name for column, name in names.items() if name != "line"}
        typed, begin = TypedBlocks(str(self.source), written.labels), 0
        self.types = typed.types
        while (part := table.slice([*names], begin, rows)).height:
            columns = {name: self._series(part[column], name) for column, name in names.items()}
            block = typed.convert({name: series for name, series in columns.items() if series is not None})
            line = np.arange(begin + 1, begin + part.height + 1, dtype=np.float64)
            begin += part.height
            self.account.jobs = self.account.lines = begin
            yield {**block, "line": line}
        if begin == 0:
            raise InputError(f"{self.source} has no row: a log has one row per job")
        self.sha256 = _sha256(self.source)

    def _series(self, series: pl.Series, name: str) -> pl.Series | None:
        """Return a series of numbers, texts or truth values; None for a column that is left out."""
        import polars as pl

        kind = series.dtype
        if kind == pl.Duration:
            self.account.note(f"the column {series.name} holds durations, which are read in seconds")
            seconds = series.dt.total_microseconds().to_numpy() / 1e6  # polars would multiply by 1e-6, which rounds
            return pl.Series(series.name, seconds).fill_nan(None)
        if kind.is_temporal() and name not in STANDARD:
            self.account.note(f"the column {series.name} holds dates or times, which are read as texts")
            return series.cast(pl.String)
        if kind.is_temporal():
            unit = "seconds" if name.endswith("_s") else "numbers"
            raise InputError(f"the column {series.name} of {self.source} holds dates ({kind}): give {unit}")
        if (kind.is_nested() or kind in (pl.Binary, pl.Object)) and name not in STANDARD:
            self.account.note(f"the column {series.name} holds {kind} values, which are left out")
            return None
        return series


class _Table:
    """A Parquet file through polars; its errors become InputErrors."""

    def __init__(self, source: Path) -> None:
        self._source = source
        self._require_plain()
        self.columns = [*self._called(_schema)]

    def written(self) -> Written:
        """Return what thinktime wrote into the file's metadata."""
        text = self._called(_metadata).get(KEY)
        return Written.from_json(text) if isinstance(text, str) else Written()

    def slice(self, columns: list[str], begin: int, rows: int) -> pl.DataFrame:
        import polars as pl

        def part(source: Path) -> pl.DataFrame:
            frame = pl.scan_parquet(source, glob=False).select(columns).slice(begin, rows)
            found: pl.DataFrame = frame.collect()
            return found

        found: pl.DataFrame = self._called(part)
        return found

    def _called(self, action: Any) -> Any:
        import polars as pl

        try:
            return action(self._source)
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError, OverflowError) as error:
            reason = (str(error).splitlines() or [type(error).__name__])[0]
            raise InputError(f"Cannot read {self._source} as Parquet ({reason}): get the file again") from None

    def _require_plain(self) -> None:
        """Raise InputError for a packed file: Parquet is read at its end first."""
        try:
            with open(self._source, "rb") as file:
                begin = file.read(len(MAGIC))
        except OSError as error:
            raise InputError(f"Cannot open {self._source}: {error.strerror}.") from None
        if begin != MAGIC:
            raise InputError(f"{self._source} is not a Parquet file, or it is packed: give a Parquet file")


def _schema(source: Path) -> Mapping[str, Any]:
    import polars as pl

    return pl.read_parquet_schema(source)


def _metadata(source: Path) -> Mapping[str, str]:
    import polars as pl

    return pl.read_parquet_metadata(source)


def _sha256(path: Path) -> str:
    content = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(BLOCK_BYTES):
            content.update(block)
    return content.hexdigest()
