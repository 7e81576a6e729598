"""Sort begins and ends of tasks by time, from blocks sorted by job start; nest them for shared OTF2 locations.

The end of a task may follow the starts of many later jobs. Ends are kept until no earlier moment can follow: later
blocks contain only jobs that start at or after the latest start seen.

Within one instant: ends of tasks, then tasks of zero length (begin, end), then begins. So a core leaves one task before
it enters the next.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from thinktime.errors import InputError
from thinktime.tracing.events import Block, Trace, ticks

AT_ONCE = 200_000  # minimum number of new moments per sort
END, WITHOUT_LENGTH, BEGIN = 0, 1, 2  # order inside an instant

Moments = dict[str, np.ndarray]  # time (ticks), enter (bool), rank, event, job, row, task, chunk, core


def in_time_order(trace: Trace) -> Iterator[Moments]:
    """Yield blocks of moments, sorted within and across blocks."""
    waiting: list[Moments] = []
    kept, fresh, events, passed = 0, 0, 0, np.iinfo(np.int64).min
    for block in trace.blocks:
        waiting.append(_moments(block, events, passed))
        events += len(block["core"])
        fresh += 2 * len(block["core"])
        if fresh < max(AT_ONCE, kept):
            continue
        frontier = _frontier(trace, block)
        ready, rest = _split(waiting, frontier)
        waiting, kept, fresh, passed = [rest], len(rest["time"]), 0, frontier
        if len(ready["time"]):
            yield ready
    if waiting:
        yield _split(waiting, np.iinfo(np.int64).max)[0]


def _moments(block: Block, first: int, passed: int) -> Moments:
    """Return a begin and an end for every event."""
    begin, end = ticks(block["start_s"]), ticks(block["end_s"])
    if begin.size and begin.min() < passed:
        raise InputError("task events must be in the order of job starts, as from Result.tasks")
    count = len(begin)
    event = np.arange(first, first + count)
    ranks = np.where(begin == end, WITHOUT_LENGTH, [[BEGIN], [END]])
    twice = {name: np.tile(block[name], 2) for name in ("job", "row", "task", "chunk", "core")}
    enter = np.repeat([True, False], count)
    times = {"time": np.concatenate([begin, end]), "enter": enter, "rank": ranks.ravel()}
    return {**times, "event": np.tile(event, 2), **twice}


def _frontier(trace: Trace, block: Block) -> int:
    """Return the time before which no later block has a moment; at least the begin of the window."""
    start_s = max(float(block["run_start_s"].max()), trace.window[0])
    return int(ticks(np.array(start_s)))


def _split(waiting: list[Moments], frontier: int) -> tuple[Moments, Moments]:
    """Return the moments before the frontier, sorted, and the rest."""
    every = {name: np.concatenate([part[name] for part in waiting]) for name in waiting[0]}
    before = every["time"] < frontier
    ready = {name: values[before] for name, values in every.items()}
    order = np.lexsort((~ready["enter"], ready["event"], ready["rank"], ready["time"]))
    return {name: values[order] for name, values in ready.items()}, {n: v[~before] for n, v in every.items()}


class Stacks:
    """Call stacks of cores that share a location: the region entered last is left first.

    Tasks of one job are one region, so they may be left in any order. Where tasks of two jobs overlap, the upper
    regions are left, the ended one is left, and the upper ones are entered again at the same instant. Times by region
    stay correct.
    """

    def __init__(self) -> None:
        self._of: dict[int, list[int]] = {}

    def nested(
        self, enter: np.ndarray, location: np.ndarray, time: np.ndarray, region: np.ndarray
    ) -> tuple[list[bool], list[int], list[int], list[int]]:
        """Return the moments with the additional leaves and enters that keep them nested."""
        found: list[tuple[bool, int, int, int]] = []
        columns = (enter.tolist(), location.tolist(), time.tolist(), region.tolist())
        for entered, where, when, what in zip(*columns, strict=True):
            stack = self._of.setdefault(where, [])
            if entered:
                stack.append(what)
                found.append((True, where, when, what))
            else:
                found += [(each, where, when, which) for each, which in self._left(stack, what)]
        return tuple(map(list, zip(*found, strict=True))) if found else ([], [], [], [])  # type: ignore[return-value]

    @staticmethod
    def _left(stack: list[int], region: int) -> list[tuple[bool, int]]:
        """Leave down to the region, then enter again the regions above it."""
        above = []
        while stack[-1] != region:
            above.append(stack.pop())
        stack.pop()
        stack += above[::-1]
        return [*((False, each) for each in above), (False, region), *((True, each) for each in above[::-1])]
