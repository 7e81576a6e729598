"""A workload as a Parquet file, written block by block, and its provenance in a second file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from thinktime.result.canonical_json import jsonable
from thinktime.result.directory.parquet_stream import DOUBLE, INT64, Field, ParquetStream
from thinktime.result.directory.staging import staged_file
from thinktime.support.json_types import JsonTable
from thinktime.traces.column_names import COLUMNS, WHOLE

#: The columns of a workload; whole numbers are Int64, missing values null.
WORKLOAD_FIELDS = tuple(
    Field(name, INT64 if name in WHOLE or name == "processors" else DOUBLE) for name in (*COLUMNS, "processors")
)


def write_workload_parquet(blocks: Iterable[Mapping[str, np.ndarray]], path: str | Path) -> int:
    """Write the whole file or nothing; return the number of jobs."""
    with staged_file(path) as temporary, ParquetStream(temporary, WORKLOAD_FIELDS) as stream:
        for block in blocks:
            stream.write(block)
    return stream.rows


def write_provenance(provenance: JsonTable, path: str | Path) -> Path:
    """Write `x.provenance.json` for `x.parquet`, which has no header."""
    place = Path(str(path).removesuffix(".parquet") + ".provenance.json")
    with staged_file(place) as temporary:
        temporary.write_text(json.dumps(jsonable(provenance), indent=1) + "\n", encoding="utf-8")
    return place
