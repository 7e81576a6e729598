"""Parquet: one row per job, typed columns, the header in the metadata of the file under the key `thinktime`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np

from thinktime.result.directory.parquet_stream import DOUBLE, INT64, Field, ParquetStream
from thinktime.result.directory.staging import staged_file
from thinktime.result.writer import Writer, known_columns, written_of
from thinktime.result.written_series import written_series
from thinktime.traces.column_names import COLUMNS, WHOLE
from thinktime.traces.reader import Block
from thinktime.traces.written import KEY, Written
from thinktime.workload import Workload

#: The columns of a workload; whole numbers are Int64, missing values null.
WORKLOAD_FIELDS = tuple(Field(name, INT64 if name in WHOLE else DOUBLE) for name in (*COLUMNS, "processors"))


class ParquetWriter(Writer, name="parquet"):
    """Writes Parquet; blocks become row groups, in constant memory."""

    endings: ClassVar[tuple[str, ...]] = (".parquet",)
    packs: ClassVar[bool] = False

    def write_workload(self, workload: Workload, path: Path, notes: Sequence[str] = ()) -> None:
        import polars as pl

        columns = known_columns(workload)
        series = [_exact_series(name, values, workload) for name, values in columns.items()]
        metadata = {KEY: json.dumps(written_of(workload, notes).to_dict())}
        with staged_file(path) as temporary:
            pl.DataFrame(series).write_parquet(temporary, compression="zstd", metadata=metadata)

    def write_blocks(self, blocks: Iterable[Block], path: Path, about: Written, without_jobs: Workload) -> int:
        metadata = {KEY: json.dumps(about.to_dict())}
        with staged_file(path) as temporary, ParquetStream(temporary, WORKLOAD_FIELDS, metadata) as stream:
            for block in blocks:
                stream.write(block)
        return stream.rows


def _exact_series(name: str, values: np.ndarray, workload: Workload) -> object:
    """Return a series; whole columns with fractions, such as averaged memory, stay Float64."""
    fractions = name in WHOLE and not np.all((values == np.floor(values)) | np.isnan(values))
    if fractions and name not in workload.types:
        return workload.type_of("submit_s").series(name, values)
    return written_series(name, values, workload.types, exact=True)
