"""Task events of a run without loops in its jobs: each job is one task on each of its cores.

A machine that counts its processors does not say which ones a job had: each job gets the lowest free ones, as in a
Gantt chart. On a cluster the cores are those of its nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from thinktime.result.placement import place_run
from thinktime.tracing.events import Block, Host

AT_ONCE = 200_000  # events of a block, about


def hosts_of(result: Any) -> list[Host]:
    """The nodes of the cluster, or the machine as one host."""
    cluster = result.cluster
    if cluster is None:
        return [Host("machine", 0, result.processors)]
    cores = cluster.node_processors
    first = np.concatenate([[0], np.cumsum(cores)]).tolist()
    return [Host(name, begin, count) for name, begin, count in zip(cluster.node_names, first, cores, strict=False)]


def blocks_of(result: Any) -> Iterator[Block]:
    """One event a core of every job that started; what has not ended lasts until the run's last instant."""
    of = result.columns
    rows = np.flatnonzero(~np.isnan(of["start_s"]))
    rows = rows[np.argsort(of["start_s"][rows], kind="stable")]
    placed = place_run(result)
    last_s = float(np.nanmax(np.concatenate([of["start_s"], of["end_s"], result.timeline_columns["time_s"][-1:]])))
    ends = np.cumsum(of["processors"][rows]) // AT_ONCE
    for part in np.split(rows, np.flatnonzero(np.diff(ends)) + 1) if len(rows) else ():
        yield _block(of, part, [placed[row] for row in part.tolist()], last_s)


def _block(of: Any, rows: np.ndarray, placed: list[list[tuple[int, int]]], last_s: float) -> Block:
    spans = np.array([span for each in placed for span in each], np.int64).reshape(-1, 2)
    length = spans[:, 1] - spans[:, 0] + 1
    inside = np.arange(length.sum()) - np.repeat(np.cumsum(length) - length, length)
    core = np.repeat(spans[:, 0], length) + inside
    held = np.array([sum(high - low + 1 for low, high in each) for each in placed], np.int64)
    row = np.repeat(rows, held)
    task = np.arange(len(row)) - np.repeat(np.cumsum(held) - held, held)
    end_s = np.where(np.isnan(of["end_s"][row]), last_s, of["end_s"][row])
    job = np.nan_to_num(of["job"][row], nan=-1).astype(np.int64)
    return {
        "job": job,
        "row": row,
        "task": task,
        "chunk": task,
        "core": core,
        "start_s": of["start_s"][row],
        "end_s": end_s,
    }
