"""Closures of nodes that are known in advance: maintenance windows and reservations."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from thinktime.errors import InputError
from thinktime.plugins.context import OWNER_KEYS, Closures, Context
from thinktime.plugins.node_names import nodes_of, spans
from thinktime.plugins.plugin import Plugin
from thinktime.plugins.windows import Windows, as_tables, windows
from thinktime.spec import is_number
from thinktime.support.json_types import JsonDict
from thinktime.support.time_units import DAY_S, LATEST_S

REPEATS = ("every_days", "until_s")
MOST_WINDOWS = 100_000


class Maintenance(Plugin, name="maintenance"):
    """Closes nodes during known windows: no job starts that is expected to run into one.

    `windows` are tables with `nodes` (default all), `from_s`, `to_s`, and optionally `every_days`, the period after
    which a window repeats until `until_s` (default: the end of the workload); or they are rows of the CSV `file`. A job
    that exceeds its estimate runs on.
    """

    repeatable: ClassVar[bool] = True
    acts: ClassVar[bool] = False

    windows: Windows = ()
    file: str | None = None

    def __post_init__(self) -> None:
        _settle(self, REPEATS)

    def canonical(self) -> JsonDict:
        return {"windows": as_tables(self.windows)}

    def closures(self, context: Context) -> Closures:
        return closures_of(self.windows, context, self.name)


class Reservations(Plugin, name="reservations"):
    """Reserves nodes for some users or jobs: no other job starts that is expected to run into a window.

    `windows` are tables with `nodes`, `from_s`, `to_s`, and `users` or `jobs`, the numbers in the log that the nodes
    are reserved for; or they are rows of the CSV `file`, with several numbers in a cell separated by spaces.
    """

    repeatable: ClassVar[bool] = True
    acts: ClassVar[bool] = False

    windows: Windows = ()
    file: str | None = None

    def __post_init__(self) -> None:
        _settle(self, (*REPEATS, *OWNER_KEYS))
        for k, window in enumerate(as_tables(self.windows)):
            if not any(window.get(key) for key in OWNER_KEYS):
                raise InputError(f"window {k + 1} of reservations has neither users nor jobs: give at least one")

    def canonical(self) -> JsonDict:
        return {"windows": as_tables(self.windows)}

    def closures(self, context: Context) -> Closures:
        return closures_of(self.windows, context, self.name)


def _settle(plugin: Maintenance | Reservations, more: tuple[str, ...]) -> None:
    object.__setattr__(plugin, "windows", windows(plugin.windows, plugin.file, plugin.name, more))
    object.__setattr__(plugin, "file", None)  # its rows are in the windows now
    if not plugin.windows:
        raise InputError(f"{plugin.name} needs windows: give windows=[…] or a file")
    for k, window in enumerate(as_tables(plugin.windows)):
        _require_repeats(window, f"window {k + 1} of {plugin.name}")


def _require_repeats(window: JsonDict, whose: str) -> None:
    every, until, length = window.get("every_days"), window.get("until_s"), window["to_s"] - window["from_s"]
    if every is not None and (not is_number(every) or not length < every * DAY_S <= LATEST_S):
        raise InputError(f"every_days of {whose} is {every!r}: choose more days than the window lasts")
    if until is not None and (not is_number(until) or not -LATEST_S <= until <= LATEST_S):
        raise InputError(f"until_s of {whose} is {until!r}: give seconds of the log's clock, or leave it out")
    if until is not None and every is None:
        raise InputError(f"{whose} has until_s without every_days: give both, or leave until_s out")


def closures_of(given: Windows, context: Context, name: str) -> Closures:
    """Return every repetition of every window, by block of nodes, with its owner."""
    columns: list[tuple[np.ndarray, ...]] = []
    owners, known = context.owners, {}  # many windows name the same nodes
    for k, window in enumerate(as_tables(given)):
        where = repr(window["nodes"])
        if where not in known:
            known[where] = spans(nodes_of(context.cluster, window["nodes"], f"window {k + 1} of {name}"))
        times = _window_times(window, context, f"window {k + 1} of {name}")
        runs, often = len(known[where][0]), len(times[0])
        every = [np.repeat(each, often) for each in known[where]] + [np.tile(each, runs) for each in times]
        columns.append((*every, np.full(runs * often, owners.of(window))))
    joined = [np.concatenate(column) for column in zip(*columns, strict=True)]
    first, nodes, start_s, end_s, owner = joined
    return Closures(first, nodes, start_s, end_s, owner)


def _window_times(window: JsonDict, context: Context, whose: str) -> tuple[np.ndarray, np.ndarray]:
    begin, end = float(window["from_s"]), float(window["to_s"])
    if window.get("every_days") is None:
        return np.array([begin]), np.array([end])
    if context.stream is not None and window.get("until_s") is None:
        raise InputError(f"{whose} repeats until the end of the workload, which a stream does not know: give until_s")
    every = float(window["every_days"]) * DAY_S
    until = float(window["until_s"] if "until_s" in window else horizon_s(context))
    count = max(1, math.ceil((until - begin) / every))
    if count > MOST_WINDOWS:
        raise InputError(
            f"{whose} would repeat {count:,} times (at most {MOST_WINDOWS:,}): give until_s, or a larger every_days"
        )
    shift = np.arange(count) * every
    return begin + shift, end + shift


def horizon_s(context: Context) -> float:
    """Return a time by which most schedules end: the last submission plus the run time of all jobs on the cluster.

    In a stream, of the jobs read so far.
    """
    workload = context.workload
    if not len(workload):
        return 0.0
    work = float(np.sum(workload["run_s"] * context.processors)) / max(1, context.cluster.processors)
    duration = (work + float(workload["run_s"].max())) / context.cluster.speed
    return float(workload["submit_s"].max()) + duration
