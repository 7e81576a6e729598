"""A loop on the cores of its job: which core does which task, and when.

An idle core asks for a chunk: all cores at the start, in the order of their numbers, later each core that finishes,
the lower number first if several finish at once. It gets the next tasks in order, spends the overhead, and then their
lengths one after the other, divided by its speed. It tells what it measured before it asks again. When no tasks remain
it is idle, and the loop ends when the last core has finished.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from typing import NamedTuple

from reference.applications.technique import Technique


class Event(NamedTuple):
    """A task was done."""

    task: int
    chunk: int
    core: int
    start: float
    end: float


class Finished(NamedTuple):
    """A core has finished a chunk: sorted by time, then by core."""

    end: float
    core: int
    tasks: int
    work_s: float
    total_s: float


def play(
    tasks: Sequence[float],
    speeds: Sequence[float],
    technique: Technique,
    overhead_s: float = 0.0,
    start: float = 0.0,
    end_of: Callable[[int, float, float], float] | None = None,
) -> list[Event]:
    """The tasks in the order in which they were handed out. There are as many cores as speeds.

    `end_of(core, start, length)` says when a task ends; by default the core has its speed all the time.
    """
    end_of = end_of or (lambda core, begun, length: begun + length / speeds[core])
    events: list[Event] = []
    busy: list[Finished] = []
    chunks = 0
    for core in range(len(speeds)):
        chunks += _hand_out(tasks, technique, core, start, overhead_s, end_of, chunks, events, busy)
    while busy:
        now, core, finished, work_s, total_s = heapq.heappop(busy)
        technique.done(core, finished, work_s, total_s)
        chunks += _hand_out(tasks, technique, core, now, overhead_s, end_of, chunks, events, busy)
    return events


def _hand_out(
    tasks: Sequence[float],
    technique: Technique,
    core: int,
    now: float,
    overhead_s: float,
    end_of: Callable[[int, float, float], float],
    chunk: int,
    events: list[Event],
    busy: list[Finished],
) -> bool:
    """The next chunk for an idle core; False if no tasks remain."""
    first = len(events)
    remaining = len(tasks) - first
    if remaining == 0:
        return False
    size = min(max(technique.chunk(core, remaining), 1), remaining)
    begun = clock = now + overhead_s
    for task in range(first, first + size):
        end = end_of(core, clock, tasks[task])
        events.append(Event(task, chunk, core, clock, end))
        clock = end
    heapq.heappush(busy, Finished(clock, core, size, clock - begun, clock - now))
    return True
