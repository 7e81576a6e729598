"""The nodes of jobs as spans, in the engine and in placements.parquet.

A span is `nodes` neighbouring nodes from `first` on (positions in the configuration, from 0) with `units` of the job on
each; `row` is the row of the job. The spans of a job are in the order of the allocator.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import polars as pl

    from thinktime.platforms import Cluster

PLACEMENT_COLUMNS = ("row", "first", "nodes", "units")
Spans = Mapping[str, np.ndarray]


def empty_placements() -> dict[str, np.ndarray]:
    """Return the spans of a machine without nodes."""
    return {name: np.empty(0, np.int64) for name in PLACEMENT_COLUMNS}


class ByNode(NamedTuple):
    """One entry per node of a job."""

    row: np.ndarray
    node: np.ndarray
    units: np.ndarray


def by_node(spans: Spans) -> ByNode:
    """Return one entry per node for the spans, in their order."""
    count = spans["nodes"]
    inside = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    row, first, units = (np.repeat(spans[name], count) for name in ("row", "first", "units"))
    return ByNode(row, first + inside, units)


def placements_frame(spans: Spans, job: np.ndarray, cluster: Cluster) -> pl.DataFrame:
    """Return `job`, `node` (its name) and `units`: one row per node of a job."""
    import polars as pl

    every = by_node(spans)
    names = pl.Series("node", cluster.node_names, dtype=pl.String)
    jobs = pl.Series("job", job[every.row]).fill_nan(None).cast(pl.Int64)
    return pl.DataFrame([jobs, names.gather(every.node), pl.Series("units", every.units)])


def nodes_texts(spans: Spans, jobs: int, cluster: Cluster) -> pl.Series:
    """Return the nodes of every job as Slurm writes them, `g0-[0-3,7],g1-2`; null for a job that never started."""
    import polars as pl

    ranges = _ranges(spans, np.cumsum([0, *cluster.group_nodes]))
    if not len(ranges["row"]):
        return pl.Series("nodes", [None] * jobs, dtype=pl.String)
    table = pl.DataFrame(ranges).with_columns(text=_range_text("first", "last"))
    of_groups = table.group_by("row", "group", maintain_order=True).agg(
        pl.col("text").str.join(","), several=(pl.len() > 1) | (pl.col("first") != pl.col("last")).any()
    )
    name = pl.Series([group.name for group in cluster.groups]).gather(of_groups["group"])
    text = pl.when("several").then(pl.format("{}-[{}]", "name", "text")).otherwise(pl.format("{}-{}", "name", "text"))
    of_jobs = of_groups.with_columns(name.alias("name")).with_columns(text=text)
    joined = of_jobs.group_by("row", maintain_order=True).agg(pl.col("text").str.join(","))
    every = pl.DataFrame({"row": np.arange(jobs)}).join(joined, on="row", how="left", maintain_order="left")
    return every["text"].alias("nodes")


def _range_text(first: str, last: str) -> pl.Expr:
    import polars as pl

    one, other = pl.col(first).cast(pl.String), pl.col(last).cast(pl.String)
    return pl.when(pl.col(first) == pl.col(last)).then(one).otherwise(one + "-" + other)


def _ranges(spans: Spans, begins: np.ndarray) -> dict[str, np.ndarray]:
    """Return neighbouring nodes of a job in one group as ranges, `first` to `last` inside the group, in their order."""
    row, group, first, last = _cut_spans_at_groups(spans, begins)
    order = np.lexsort((first, group, row))
    row, group, first, last = (each[order] for each in (row, group, first, last))
    same = (row[1:] == row[:-1]) & (group[1:] == group[:-1]) & (first[1:] == last[:-1] + 1)
    begin = np.flatnonzero(np.concatenate([np.ones(min(len(row), 1), bool), ~same]))
    end = np.concatenate([begin[1:] - 1, np.full(min(len(row), 1), len(row) - 1)]).astype(np.int64)
    return {"row": row[begin], "group": group[begin], "first": first[begin], "last": last[end]}


def _cut_spans_at_groups(spans: Spans, begins: np.ndarray) -> Sequence[np.ndarray]:
    """Return row, group, first and last of the spans, cut where a group ends."""
    begin, end = spans["first"], spans["first"] + spans["nodes"] - 1
    lowest, highest = (np.searchsorted(begins, each, side="right") - 1 for each in (begin, end))
    count = highest - lowest + 1
    inside = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    group = np.repeat(lowest, count) + inside
    first = np.maximum(np.repeat(begin, count), begins[group]) - begins[group]
    last = np.minimum(np.repeat(end, count), begins[group + 1] - 1) - begins[group]
    return np.repeat(spans["row"], count), group, first, last
