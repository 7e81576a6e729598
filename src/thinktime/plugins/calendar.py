"""What is known beforehand: maintenance windows and advance reservations."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from thinktime.errors import InputError
from thinktime.plugins.context import OWNER_KEYS, Closures, Context
from thinktime.plugins.node_names import nodes_of, spans
from thinktime.plugins.plugin import Plugin
from thinktime.plugins.windows import LATEST_S, Window, windows
from thinktime.spec import is_number

DAY_S = 86400.0
REPEATS = ("every_days", "until_s")
MOST_WINDOWS = 100_000


class Maintenance(Plugin, name="maintenance"):
    """Nodes are closed for a while, and everybody knows: no job starts that is expected to run into it.

    `windows` are tables with `nodes` (all of them if left out), `from_s`, `to_s`, and perhaps `every_days`, after which
    the window comes again, until `until_s` or the end of the workload; or they are rows of the CSV `file`. A job that
    takes longer than its estimate runs on.
    """

    repeatable: ClassVar[bool] = True

    windows: Any = ()
    file: str | None = None

    def __post_init__(self) -> None:
        _settle(self, REPEATS)

    def canonical(self) -> dict[str, Any]:
        return {"windows": [dict(window) for window in self.windows]}

    def closures(self, context: Context) -> Closures:
        return closures_of(self.windows, context, self.name)


class Reservations(Plugin, name="reservations"):
    """Nodes are reserved for some users or jobs: others do not start if they are expected to run into it.

    `windows` are tables with `nodes`, `from_s`, `to_s`, and `users` or `jobs` (their numbers in the log), for whom the
    nodes are; or they are rows of the CSV `file`, with several numbers in a cell separated by spaces.
    """

    repeatable: ClassVar[bool] = True

    windows: Any = ()
    file: str | None = None

    def __post_init__(self) -> None:
        _settle(self, (*REPEATS, *OWNER_KEYS))
        for k, window in enumerate(self.windows):
            if not any(dict(window).get(who) for who in OWNER_KEYS):
                raise InputError(f"window {k + 1} of reservations is for nobody: give users or jobs")

    def canonical(self) -> dict[str, Any]:
        return {"windows": [dict(window) for window in self.windows]}

    def closures(self, context: Context) -> Closures:
        return closures_of(self.windows, context, self.name)


def _settle(plugin: Any, more: tuple[str, ...]) -> None:
    object.__setattr__(plugin, "windows", windows(plugin.windows, plugin.file, plugin.name, more))
    object.__setattr__(plugin, "file", None)  # its rows are in the windows: a run is what it was made from
    if not plugin.windows:
        raise InputError(f"{plugin.name} needs windows: give windows=[…] or a file")
    for k, window in enumerate(map(dict, plugin.windows)):
        _require_repeats(window, f"window {k + 1} of {plugin.name}")


def _require_repeats(window: dict[str, Any], whose: str) -> None:
    every, until, length = window.get("every_days"), window.get("until_s"), window["to_s"] - window["from_s"]
    if every is not None and (not is_number(every) or not length < every * DAY_S <= LATEST_S):
        raise InputError(f"{whose} comes again every {every!r} days: choose more than it lasts")
    if until is not None and (not is_number(until) or not -LATEST_S <= until <= LATEST_S):
        raise InputError(f"{whose} has until_s = {until!r}: give seconds of the log's clock, or leave it out")
    if until is not None and every is None:
        raise InputError(f"{whose} has until_s but comes once: give every_days too, or leave until_s out")


def closures_of(given: tuple[Window, ...], context: Context, name: str) -> Closures:
    """Every window, as often as it comes, span by span; whose it is, and which jobs are theirs."""
    columns: list[tuple[np.ndarray, ...]] = []
    owners, known = context.owners, {}  # many windows name the same nodes
    for k, window in enumerate(map(dict, given)):
        where = repr(window["nodes"])
        if where not in known:
            known[where] = spans(nodes_of(context.cluster, window["nodes"], f"window {k + 1} of {name}"))
        times = _times(window, context, f"window {k + 1} of {name}")
        runs, often = len(known[where][0]), len(times[0])
        every = [np.repeat(each, often) for each in known[where]] + [np.tile(each, runs) for each in times]
        columns.append((*every, np.full(runs * often, owners.of(window))))
    joined = [np.concatenate(column) for column in zip(*columns, strict=True)]
    rows = np.flatnonzero(owners.by_job)
    first, nodes, start_s, end_s, owner = joined
    return Closures(first, nodes, start_s, end_s, owner, rows, owners.by_job[rows])


def _times(window: dict[str, Any], context: Context, whose: str) -> tuple[np.ndarray, np.ndarray]:
    begin, end = float(window["from_s"]), float(window["to_s"])
    if window.get("every_days") is None:
        return np.array([begin]), np.array([end])
    every = float(window["every_days"]) * DAY_S
    until = float(window.get("until_s", horizon_s(context)))
    count = max(1, math.ceil((until - begin) / every))
    if count > MOST_WINDOWS:
        raise InputError(f"{whose} would come {count:,} times: give until_s, or every_days of more")
    shift = np.arange(count) * every
    return begin + shift, end + shift


def horizon_s(context: Context) -> float:
    """By then most schedules are over: the last submission, and as long again as the machine needs for all jobs."""
    workload = context.workload
    if not len(workload):
        return 0.0
    work = float(np.sum(workload["run_s"] * context.processors)) / max(1, context.cluster.processors)
    duration = (work + float(workload["run_s"].max())) / context.cluster.speed
    return float(workload["submit_s"].max()) + duration
