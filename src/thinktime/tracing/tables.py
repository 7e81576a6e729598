"""Task events as a table, one row per task: CSV (.csv, .csv.gz) or Parquet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from thinktime.result.directory.parquet_stream import BYTE_ARRAY, DOUBLE, INT64, Field, ParquetStream
from thinktime.result.directory.staging import staged_file
from thinktime.tracing.events import Block, Trace
from thinktime.workload.compressed_file import packed_file

if TYPE_CHECKING:
    import polars as pl

COLUMNS = ("job", "task", "chunk", "host", "core", "start_s", "end_s")  # core: number on the platform


def write_csv(trace: Trace, path: str | Path) -> int:
    """Write CSV completely or not at all; return the number of tasks."""
    tasks = 0
    with packed_file(path) as file:
        file.write(f"{','.join(COLUMNS)}\n".encode())
        for block in trace.blocks:
            file.write(_frame(trace, block).write_csv(include_header=False).encode())
            tasks += len(block["core"])
    return tasks


def _frame(trace: Trace, block: Block) -> pl.DataFrame:
    import polars as pl

    names = pl.Series([host.name for host in trace.hosts], dtype=pl.String)
    host = names.gather(trace.host_of(block["core"]).astype(np.uint32))
    return pl.DataFrame({name: host if name == "host" else block[name] for name in COLUMNS})


def write_parquet(trace: Trace, path: str | Path) -> int:
    """Write Parquet block by block; return the number of tasks."""
    hosts = tuple(host.name for host in trace.hosts)
    fields = [Field("host", BYTE_ARRAY, hosts) if name == "host" else _field(name) for name in COLUMNS]
    with staged_file(path) as temporary, ParquetStream(temporary, fields) as file:
        for block in trace.blocks:
            file.write({name: trace.host_of(block["core"]) if name == "host" else block[name] for name in COLUMNS})
        return file.rows


def _field(name: str) -> Field:
    return Field(name, DOUBLE if name.endswith("_s") else INT64)
