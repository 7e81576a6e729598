"""A schedule in the formats of AccaSim 1.x, for its plots and other tools that read its files.

Schedule file, one line per ended job, in the order of ends:
    id;user;queued__node;amount;amount#node;amount;amount#…__start;end;processors;cores;memory;estimate;
with a part `node;amounts#` for every unit, nodes numbered from 1, times as `2002-08-01 06:09:48` in UTC, and NA for
unknown values: with `memory="ignore"` the memory, which AccaSim 1.1.3 never has. Benchmark file, one line per time
point:
    time;queue size before deciding;step ms;deciding ms;rest ms;resident MB
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.errors import InputError
from thinktime.result.directory.staging import staged_file
from thinktime.result.placements import by_node

if TYPE_CHECKING:
    import polars as pl

    from thinktime.platforms import Cluster
    from thinktime.result.result import Result

RESOURCE_ORDER = ("core", "mem")  # AccaSim's; others follow in the order of the cluster
CLOCK = "%Y-%m-%d %H:%M:%S"


def write_accasim(result: Result, path: str | Path, benchmark: str | Path | None = None) -> None:
    """Write the schedule, and the time points if `benchmark` is given; the format has whole seconds."""
    if result.cluster is None or not result.has_nodes:
        raise InputError("AccaSim's schedule file needs nodes: simulate on a tt.Cluster")
    if benchmark is not None and not result.every_pass_timed:
        raise InputError("the benchmark file needs the scheduling passes, all of them: simulate with decisions=True")
    _write_accasim_lines(path, schedule_lines(result))
    if benchmark is not None:
        _write_accasim_lines(benchmark, benchmark_lines(result))


def _write_accasim_lines(path: str | Path, lines: pl.Series) -> None:
    with staged_file(path) as temporary:
        lines.to_frame().write_csv(temporary, include_header=False, quote_style="never")


def schedule_lines(result: Result) -> pl.Series:
    """Return the ended jobs by end, then start, then row."""
    import polars as pl

    cluster, of = result.cluster, result.columns
    assert cluster is not None
    ended = np.flatnonzero(~np.isnan(of["end_s"]) & ~np.isnan(of["start_s"]))
    rows = ended[np.lexsort((ended, of["start_s"][ended], of["end_s"][ended]))]
    frame = pl.DataFrame({"row": rows}).join(_assignments(result, cluster), on="row", how="left", maintain_order="left")
    times = {name: _utc_text(of[f"{name}_s"][rows], cluster) for name in ("submit", "start", "end")}
    numbers = {name: _whole_or_na(of[name][rows]) for name in ("job", "user", "processors", "estimate_s")}
    totals = {name: _whole_or_na(_total(result, name)[rows]) for name in RESOURCE_ORDER}
    whole = frame.with_columns(**times, **numbers, **totals)
    form = "{};{};{}__{}__{};{};{};{};{};{};"
    parts = ("job", "user", "submit", "nodes", "start", "end", "processors", "core", "mem", "estimate_s")
    return whole.select(line=pl.format(form, *parts))["line"]


def _total(result: Result, resource: str) -> np.ndarray:
    """Return the amounts of all units of each job; missing where the nodes have none, or where it is ignored."""
    cluster, of = result.cluster, result.columns
    assert cluster is not None
    ignored = resource == "mem" and cluster.memory == "ignore"
    if resource not in cluster.resources or ignored:
        return np.full(len(result), np.nan)
    total: np.ndarray = of[f"unit_{resource}"] * of["processors"]
    return total


def _assignments(result: Result, cluster: Cluster) -> pl.DataFrame:
    """Return row and `node;2;0#` for every unit of the job."""
    import polars as pl

    every = by_node(result.placement_columns)
    order = [name for name in RESOURCE_ORDER if name in cluster.resources]
    order += [name for name in cluster.resources if name not in order]
    amounts = {name: _whole_or_na(result.columns[f"unit_{name}"][every.row]) for name in order}
    table = pl.DataFrame({"row": every.row, "node": every.node + 1, "units": every.units}).with_columns(**amounts)
    unit = pl.format(";".join(["{}"] * (1 + len(order))) + "#", "node", *order).repeat_by("units").list.join("")
    return table.select("row", nodes=unit).group_by("row", maintain_order=True).agg(pl.col("nodes").str.join(""))


def _utc_text(time_s: np.ndarray, cluster: Cluster) -> pl.Series:
    """Return the date and time in UTC; the cluster has the instant of time 0."""
    import polars as pl

    unix_s = np.floor(time_s).astype(np.int64) + (cluster.unix_start_s or 0)
    return pl.Series(unix_s * 1000).cast(pl.Datetime("ms")).dt.strftime(CLOCK)


def _whole_or_na(values: np.ndarray) -> pl.Series:
    """Return the numbers as text; NA for missing ones."""
    import polars as pl

    return pl.Series(values).fill_nan(None).cast(pl.Int64).cast(pl.String).fill_null("NA")


def benchmark_lines(result: Result) -> pl.Series:
    """Return one line per scheduling pass. AccaSim starts one second before the first job, thinktime with it."""
    import polars as pl

    of: Any = result.decisions_columns
    start_s = result.cluster.unix_start_s if result.cluster is not None else None
    decision_ms, rest_ms = of["decision_s"] * 1e3, of["rest_s"] * 1e3
    columns = {
        "time": np.floor(of["time_s"]).astype(np.int64) + (start_s or 0),
        "queue": of["queued_jobs"],
        "step": decision_ms + rest_ms,
        "decision": decision_ms,
        "rest": rest_ms,
        "memory": of["memory_bytes"] / 2**20,
    }
    return pl.DataFrame(columns).select(line=pl.format("{};{};{};{};{};{}", *columns))["line"]
