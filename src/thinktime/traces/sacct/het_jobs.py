"""Heterogeneous jobs: components 34+0 and 34+1 start together, so they are one job of both sizes."""

from __future__ import annotations

import numpy as np
import polars as pl

from thinktime.traces.sacct.job_table import JobTable

JOINED = "component joined to its heterogeneous job"
_SUMS = ("allocated_processors", "requested_processors", "processors", "allocated_nodes", "gpus", "billing")
_LARGEST = ("run_s", "requested_time_s", "max_rss_kb")
_PER_PROCESSOR = ("requested_memory_kb", "used_memory_kb", "cpu_s")
_SLACK_S = 60.0  # between the recorded starts of components


def join_components(table: JobTable) -> tuple[JobTable, int]:
    """Return the table with one row per heterogeneous job, and the number of rows that joined another."""
    ids = table.texts["job_id"]
    component = ids.str.contains("+", literal=True).to_numpy()
    table.numbers["het_components"] = np.full(len(table), np.nan)
    if not component.any():
        return table, 0
    groups = _groups(table, ids, np.flatnonzero(component))
    kept = np.ones(len(table), bool)
    numbers = {name: values.copy() for name, values in table.numbers.items()}
    nodes = table.texts["node_list"].to_list() if "node_list" in table.texts else None
    names = ids.to_list()
    for rows in groups:
        _join(numbers, rows)
        kept[rows[1:]] = False
        names[rows[0]] = names[rows[0]].split("+")[0]
        if nodes is not None:
            nodes[rows[0]] = ",".join(nodes[row] for row in rows if nodes[row]) or None
    texts = {**table.texts, "job_id": pl.Series("job_id", names, pl.String)}
    if nodes is not None:
        texts["node_list"] = pl.Series("node_list", nodes, pl.String)
    return JobTable(numbers, texts).filter(kept), int(np.count_nonzero(~kept))


def _groups(table: JobTable, ids: pl.Series, rows: np.ndarray) -> list[list[int]]:
    """Return the rows of each job that started together, the leader first."""
    clusters = table.texts["cluster"].to_list() if "cluster" in table.texts else None
    found: dict[tuple[object, ...], list[tuple[int, int]]] = {}
    for row in rows.tolist():
        leader, _, offset = ids[row].partition("+")
        submit, start = table.numbers["submit"][row], table.numbers["start"][row]
        near = -1.0 if np.isnan(start) else start // _SLACK_S
        key = (leader, clusters[row] if clusters else None, submit)
        group = found.setdefault((*key, near), [])
        if not group and (before := found.get((*key, near - 1))):
            group = before  # the other side of a full minute
        group.append((int(offset), row))
    return [[row for _, row in sorted(group)] for group in found.values() if group]


def _join(numbers: dict[str, np.ndarray], rows: list[int]) -> None:
    """Sum and compare the components into the first row, in place."""
    first = rows[0]
    weights = numbers["allocated_processors"][rows]
    for name in _PER_PROCESSOR:
        values = numbers[name][rows]
        if not np.isnan(values).all() and np.nansum(weights) > 0:
            numbers[name][first] = np.nansum(values * weights) / np.nansum(weights)
    for name in _SUMS:
        values = numbers[name][rows]
        numbers[name][first] = np.nan if np.isnan(values).all() else np.nansum(values)
    for name in _LARGEST:
        numbers[name][first] = np.fmax.reduce(numbers[name][rows])
    failed = numbers["status"][rows] != 1
    if failed.any():
        numbers["status"][first] = numbers["status"][rows][failed][0]
    numbers["het_components"][first] = len(rows)
