"""What happened inside a part of a loop's play, from one moment to another: a run of a job that was aborted, or that
went on from a checkpoint.

A core gets a chunk, spends the overhead, and then begins with the first task of the chunk.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from reference.applications.play import Event


class Account(NamedTuple):
    tasks: int  # begun
    chunks: int  # handed out
    busy_s: float
    overhead_s: float


def account(events: Sequence[Event], overhead_s: float, begin: float, end: float) -> Account:
    tasks, chunks, busy, overhead = 0, 0, 0.0, 0.0
    seen: set[int] = set()
    for event in events:
        busy += common(event.start, event.end, begin, end)
        tasks += begin <= event.start < end
        if event.chunk in seen:
            continue
        seen.add(event.chunk)
        given = event.start - overhead_s
        overhead += common(given, event.start, begin, end)
        chunks += begin <= given < end
    return Account(tasks, chunks, busy, overhead)


def common(start: float, end: float, begin: float, until: float) -> float:
    """How long two stretches of time overlap."""
    return max(0.0, min(end, until) - max(start, begin))
