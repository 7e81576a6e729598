"""Frames of records and tables of jobs, cut and joined."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from thinktime.traces.attributes import ColumnType
from thinktime.traces.column_names import STANDARD
from thinktime.traces.reader import Block
from thinktime.traces.sacct.fields import FIELDS
from thinktime.traces.sacct.job_table import JobTable

HEAD_BYTES = 1 << 20  # by which columns and delimiter are found
MOST_CARRIED = 1 << 16  # records of one job or array at the end of a block
_WHOLE = frozenset(
    {"allocated_nodes", "gpus", "billing", "het_components", "cancelled_by"}
    | {field.attribute for field in FIELDS.values() if field.kind == "whole" and field.attribute}
)


def grouped_frames(frames: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """Yield frames that end between jobs: steps, tasks and components of the last job wait for the next frame."""
    carried: pl.DataFrame | None = None
    for frame in frames:
        if carried is not None and carried.columns != frame.columns:
            yield carried
            carried = None
        frame = frame if carried is None else pl.concat([carried, frame])
        cut = _last_job(frame)
        carried = frame[cut:] if len(frame) - cut <= MOST_CARRIED else None
        if (ready := frame if carried is None else frame[:cut]) is not None and len(ready):
            yield ready
    if carried is not None and len(carried):
        yield carried


def _last_job(frame: pl.DataFrame) -> int:
    """Return the row from which on all records belong to one job, array or heterogeneous job."""
    name = "JobID" if "JobID" in frame.columns else "JobIDRaw"
    tail = frame[name][-MOST_CARRIED - 1 :].str.extract(r"^\s*(\d+)")
    same = (tail == tail[-1]).fill_null(False).to_numpy()
    other = np.flatnonzero(~same)
    return len(frame) - len(tail) + (int(other[-1]) + 1 if other.size else 0)


def long_enough(head: bytes, blocks: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Return at least a few lines, even if the first blocks are short, as from a pipe."""
    while head.count(b"\n") < 100 and len(head) < HEAD_BYTES and (more := next(blocks, b"")):
        head += more
    return head, blocks


def joined_tables(tables: list[JobTable]) -> JobTable:
    if len(tables) <= 1:
        return tables[0] if tables else JobTable({"line": np.empty(0), "submit": np.empty(0)}, {})
    names = dict.fromkeys(name for table in tables for name in table.numbers)
    numbers = {
        name: np.concatenate([table.numbers.get(name, np.full(len(table), np.nan)) for table in tables])
        for name in names
    }
    texts = dict.fromkeys(name for table in tables for name in table.texts)
    return JobTable(
        numbers,
        {
            name: pl.concat([table.texts.get(name, _nulls(name, len(table))).alias(name) for table in tables])
            for name in texts
        },
    )


def _nulls(name: str, rows: int) -> pl.Series:
    return pl.Series(name, [None] * rows, dtype=pl.String)


def cluster_hash(table: JobTable) -> np.ndarray:
    clusters = table.texts.get("cluster")
    return np.zeros(len(table), np.uint64) if clusters is None else clusters.fill_null("").hash().to_numpy()


def attribute_series(name: str, values: np.ndarray) -> pl.Series:
    """Return an attribute as a series: whole numbers where the field has them."""
    series = pl.Series(name, values).fill_nan(None)
    if name in _WHOLE and bool(((values == np.floor(values)) | np.isnan(values)).all()):
        return series.cast(pl.Int64)
    return series


def without_empty_attributes(block: Block, types: dict[str, ColumnType]) -> Block:
    """Leave out attributes without any value: sacct prints many empty columns."""
    empty = [name for name, values in block.items() if name not in STANDARD and np.isnan(values).all()]
    for name in empty:
        types.pop(name, None)
    return {name: values for name, values in block.items() if name not in empty}
