"""Processor numbers for a schedule: each job takes the lowest free ones, on a cluster those of its nodes.

On a counted machine the processors of a job are not numbered, but Gantt charts need numbers. Any assignment is right in
which no processor has two jobs at once. The nodes of a cluster have one number per unit, node after node. The sweep is
a Python loop over the jobs, because the free processors depend on all earlier jobs; it runs only for charts.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from thinktime.errors import InputError
from thinktime.result.placements import by_node

if TYPE_CHECKING:
    from thinktime.platforms import Cluster
    from thinktime.result.result import Result

Intervals = list[tuple[int, int]]  # inclusive, ascending, not adjacent

# Order inside one instant: ends free processors, then jobs without length pass through, then others start.
_END, _PASS, _START = 0, 1, 2


def place_run(result: Result, rows: np.ndarray | None = None, attempts: np.ndarray | None = None) -> list[Intervals]:
    """Return the processors of the jobs in these rows (default: all), then of these aborted runs (default: none)."""
    chosen = np.arange(len(result)) if rows is None else rows
    again = np.empty(0, np.int64) if attempts is None else attempts
    columns = run_columns(result, chosen, again)
    if result.cluster is None or not result.has_nodes:
        return place(columns, result.processors)
    last = _numbered(result.placement_columns, chosen, len(result), 0)
    before = _numbered(result.attempts_made.spans, again, len(result.attempts_made), len(chosen))
    spans = {name: np.concatenate([last[name], before[name]]) for name in last}
    return place_on_nodes(columns, spans, result.cluster)


def run_columns(result: Result, rows: np.ndarray, attempts: np.ndarray) -> dict[str, np.ndarray]:
    """Return the columns of the last runs of jobs, then of aborted runs."""
    of, again = result.columns, result.attempts_made.columns
    mine = again["row"][attempts]
    names = {name: np.concatenate([of[name][rows], of[name][mine]]) for name in ("job", "user")}
    times = ("processors", "start_s", "end_s")
    return names | {name: np.concatenate([of[name][rows], again[name][attempts]]) for name in times}


def _numbered(spans: Mapping[str, np.ndarray], chosen: np.ndarray, count: int, first: int) -> dict[str, np.ndarray]:
    """Return the spans of the chosen rows, numbered from `first` on."""
    place_of = np.full(count, -1)
    place_of[chosen] = np.arange(first, first + len(chosen))
    rows = place_of[spans["row"]]
    return {name: (rows if name == "row" else values)[rows >= 0] for name, values in spans.items()}


def place_on_nodes(
    columns: Mapping[str, np.ndarray], spans: Mapping[str, np.ndarray], cluster: Cluster
) -> list[Intervals]:
    """Return the processors of jobs with known nodes."""
    ends = np.cumsum(cluster.node_processors).tolist()
    free: list[Intervals] = [[(begin, end - 1)] for begin, end in zip([0, *ends], ends, strict=False)]
    parts = _units_on_nodes_of_jobs(spans, len(columns["job"]))
    held: list[list[Intervals]] = [[] for _ in parts]
    for kind, row in _events(columns["start_s"], columns["end_s"]):
        if kind != _END:
            held[row] = [_take_lowest(free[node], units, columns["job"][row]) for node, units in parts[row]]
        if kind != _START:
            for (node, _), taken in zip(parts[row], held[row], strict=True):
                _release(free[node], taken)
    return [_join_adjacent_intervals(sorted(each for taken in pieces for each in taken)) for pieces in held]


def _units_on_nodes_of_jobs(spans: Mapping[str, np.ndarray], jobs: int) -> list[list[tuple[int, int]]]:
    """Return the nodes of every job with their units."""
    every = by_node(spans)
    order = np.argsort(every.row, kind="stable")
    pairs = list(zip(every.node[order].tolist(), every.units[order].tolist(), strict=True))
    ends = np.cumsum(np.bincount(every.row, minlength=jobs)).tolist()
    return [pairs[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]


def _join_adjacent_intervals(intervals: Intervals) -> Intervals:
    """Join adjacent intervals."""
    found: Intervals = []
    for low, high in intervals:
        if found and found[-1][1] == low - 1:
            low = found.pop()[0]
        found.append((low, high))
    return found


def place(columns: Mapping[str, np.ndarray], machine: int, *, compact: bool = False) -> list[Intervals]:
    """Return the processors of every job, numbered from 0; none for a job that never started.

    With `compact`, a job takes the smallest gap that holds it, so that a chart has few rectangles per job.
    """
    take = _take_gap if compact else _take_lowest
    held: list[Intervals] = [[] for _ in columns["job"]]
    free: Intervals = [(0, machine - 1)]
    for kind, row in _events(columns["start_s"], columns["end_s"]):
        if kind == _END:
            _release(free, held[row])
            continue
        held[row] = take(free, int(columns["processors"][row]), columns["job"][row])
        if kind == _PASS:
            _release(free, held[row])
    return held


def interval_text(intervals: Intervals) -> str:
    """Return `0-3 5`, as Batsim writes a set of machines."""
    return " ".join(f"{low}-{high}" if high > low else str(low) for low, high in intervals)


def _events(start_s: np.ndarray, end_s: np.ndarray) -> Iterator[tuple[int, int]]:
    """Yield (kind, row) in the order (time, kind, row)."""
    rows = np.arange(len(start_s))
    starts, ends = rows[~np.isnan(start_s)], rows[~np.isnan(end_s) & (end_s > start_s)]
    times = np.concatenate([start_s[starts], end_s[ends]])
    kinds = np.concatenate([np.where(end_s[starts] == start_s[starts], _PASS, _START), np.full(len(ends), _END)])
    owners = np.concatenate([starts, ends])
    order = np.lexsort((owners, kinds, times))
    return zip(kinds[order].tolist(), owners[order].tolist(), strict=True)


def _take_lowest(free: Intervals, wanted: int, job: float) -> Intervals:
    """Remove the lowest `wanted` processors from `free`."""
    taken: Intervals = []
    while wanted > 0:
        if not free:
            raise InputError(f"job {job:.0f} has no free processors: the result is oversubscribed, run `check` on it")
        low, high = free[0]
        last = min(high, low + wanted - 1)
        taken.append((low, last))
        wanted -= last - low + 1
        free[0:1] = [(last + 1, high)] if last < high else []
    return taken


def _take_gap(free: Intervals, wanted: int, job: float) -> Intervals:
    """Remove `wanted` processors from the smallest gap that holds them; without one, from the largest gaps."""
    taken: Intervals = []
    while wanted > 0 and free:
        sizes = [high - low + 1 for low, high in free]
        fitting = [size for size in sizes if size >= wanted]
        at = sizes.index(min(fitting) if fitting else max(sizes))
        low, high = free[at]
        last = min(high, low + wanted - 1)
        taken.append((low, last))
        wanted -= last - low + 1
        free[at : at + 1] = [(last + 1, high)] if last < high else []
    return sorted(taken) + (_take_lowest(free, wanted, job) if wanted > 0 else [])


def _release(free: Intervals, intervals: Intervals) -> None:
    """Put processors back, joined with their neighbours."""
    for low, high in intervals:
        at = bisect_left(free, (low, high))
        if at < len(free) and free[at][0] == high + 1:
            high = free.pop(at)[1]
        if at > 0 and free[at - 1][1] == low - 1:
            at -= 1
            low = free.pop(at)[0]
        free.insert(at, (low, high))
