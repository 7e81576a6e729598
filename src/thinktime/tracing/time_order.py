"""Begins and ends of tasks in the order of time, from blocks in the order of job starts.

A task's end may lie after the starts of many later jobs, so ends wait here until no earlier moment can follow:
later blocks begin with jobs that start at or after the latest start seen. Only what lies behind that start is kept.

At one instant: ends of tasks, then tasks without length (begin and end after each other), then begins. So a core
leaves one task before it enters the next.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from thinktime.errors import InputError
from thinktime.tracing.events import Block, Trace, ticks

AT_ONCE = 200_000  # moments that are worth a sort
END, WITHOUT_LENGTH, BEGIN = 0, 1, 2  # order inside an instant

Moments = dict[str, np.ndarray]  # time (ticks), enter (bool), rank, event, job, row, task, chunk, core


def in_time_order(trace: Trace) -> Iterator[Moments]:
    """Blocks of moments, each in order and after those before."""
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
    """A begin and an end for every event."""
    begin, end = ticks(block["start_s"]), ticks(block["end_s"])
    if begin.size and begin.min() < passed:
        raise InputError("task events are not in the order of job starts: give blocks as Result.tasks makes them")
    count = len(begin)
    event = np.arange(first, first + count)
    ranks = np.where(begin == end, WITHOUT_LENGTH, [[BEGIN], [END]])
    twice = {name: np.tile(block[name], 2) for name in ("job", "row", "task", "chunk", "core")}
    enter = np.repeat([True, False], count)
    times = {"time": np.concatenate([begin, end]), "enter": enter, "rank": ranks.ravel()}
    return {**times, "event": np.tile(event, 2), **twice}


def _frontier(trace: Trace, block: Block) -> int:
    """No later block has a moment before this one; a job that began before the window counts from its begin."""
    start_s = max(float(block["run_start_s"].max()), trace.window[0])
    return int(ticks(np.array(start_s)))


def _split(waiting: list[Moments], frontier: int) -> tuple[Moments, Moments]:
    """What is before the frontier, in order, and the rest."""
    every = {name: np.concatenate([part[name] for part in waiting]) for name in waiting[0]}
    before = every["time"] < frontier
    ready = {name: values[before] for name, values in every.items()}
    order = np.lexsort((~ready["enter"], ready["event"], ready["rank"], ready["time"]))
    return {name: values[order] for name, values in ready.items()}, {n: v[~before] for n, v in every.items()}


class Stacks:
    """The regions that are entered, by location."""

    def __init__(self) -> None:
        self._of: dict[int, list[int]] = {}

    def nested(
        self, enter: np.ndarray, location: np.ndarray, time: np.ndarray, region: np.ndarray
    ) -> tuple[list[bool], list[int], list[int], list[int]]:
        """The same moments, with those added that keep every stack a stack."""
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
        """Leave down to the region, and enter again what was above it."""
        above = []
        while stack[-1] != region:
            above.append(stack.pop())
        stack.pop()
        stack += above[::-1]
        return [*((False, each) for each in above), (False, region), *((True, each) for each in above[::-1])]
