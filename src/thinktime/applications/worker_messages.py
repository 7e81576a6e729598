"""The messages to and from workers: a job, and the answer to it.

docs/formats/application_protocol.md describes them. Messages of a worker are checked: a `MessageError` states the
violated rule.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from thinktime.spec import is_number
from thinktime.support.equality import ByContent


class MessageError(ValueError):
    """The rule that a message of a worker violates."""


class Technique(Protocol):
    """Decides the sizes of chunks while a loop runs."""

    def chunk(self, core: int, remaining: int) -> int: ...

    def done(self, core: int, tasks: int, work_s: float, total_s: float) -> None: ...


@dataclass(frozen=True, kw_only=True, eq=False)
class JobMessage(ByContent):
    """The loop of a job, its cores, and its chunks."""

    row: int = 0  # of the job in the workload
    tasks: np.ndarray  # seconds of a core of speed 1, in the loop's order
    speeds: np.ndarray  # of each core, relative
    chunks: Sequence[int] | np.ndarray = ()  # sizes in the order of requests
    technique: Technique | None = None  # decides instead, if sizes depend on the core that asks
    overhead_s: float = 0.0  # seconds that a core spends before each chunk
    slowdowns: Sequence[tuple[int, float, float, float]] = ()  # (core, from, until, factor), seconds from the start
    nodes: np.ndarray | None = None  # node of each core
    network: Mapping[str, float] | None = None  # bandwidth_bytes_s, latency_s, message_bytes, service_s
    events: bool = False  # ask for one event per task

    def message(self, job: int) -> dict[str, Any]:
        chunks = {"ask": True} if self.technique is not None else {"chunks": _without_repetition(self.chunks)}
        more = {
            "overhead_s": self.overhead_s,
            "slowdowns": [list(each) for each in self.slowdowns],
            "nodes": None if self.nodes is None else self.nodes.tolist(),
            "network": self.network and dict(self.network),
            "events": self.events,
        }
        given = {key: value for key, value in more.items() if value}
        return {"job": job, "tasks": self.tasks.tolist(), "speeds": self.speeds.tolist(), **chunks, **given}

    def needs(self) -> set[str]:
        """Return the abilities that a worker needs for it."""
        wanted = {
            "ask": self.technique is not None,
            "slowdowns": bool(self.slowdowns),
            "network": self.network is not None,
            "events": self.events,
        }
        return {what for what, is_wanted in wanted.items() if is_wanted}

    def asked(self, message: Mapping[str, Any]) -> int:
        """Return the size of the next chunk of a core, after the technique has got its last measurement."""
        core, remaining, done = message["ask"], message.get("remaining"), message.get("done")
        if self.technique is None:
            raise MessageError("ask is not allowed if the job has chunks")
        core = _read_whole("ask", core, 0, len(self.speeds) - 1)
        remaining = _read_whole("remaining", remaining, 1, len(self.tasks))
        if done is not None:
            self.technique.done(core, *_read_done(done, len(self.tasks)))
        return min(max(int(self.technique.chunk(core, remaining)), 1), remaining)


@dataclass(frozen=True, eq=False, repr=False)
class JobAnswer(ByContent):
    """The answer of a worker."""

    duration_s: float
    core_end_s: np.ndarray  # when each core became idle, from the start of the job
    busy_s: float  # seconds in tasks, summed over cores
    chunks: int
    events: np.ndarray  # [event, (task, chunk, core, start_s, end_s)], in the order of ends; empty unless wanted

    @classmethod
    def of(cls, message: Mapping[str, Any], play: JobMessage) -> JobAnswer:
        cores, tasks = len(play.speeds), len(play.tasks)
        ends = _read_times("core_end_s", message.get("core_end_s"), (cores,))
        events = _read_times("events", message.get("events", []), (tasks if play.events else 0, 5))
        duration_s, busy_s = _time("duration_s", message.get("duration_s")), _time("busy_s", message.get("busy_s"))
        found = cls(duration_s, ends, busy_s, _read_whole("chunks", message.get("chunks"), 1, tasks), events)
        _check_times(found)
        if play.events:
            _check_events(found)
        return found


def _check_times(found: JobAnswer) -> None:
    latest_s = found.duration_s + _rounding(found)
    if found.core_end_s.min() < 0 or found.core_end_s.max() > latest_s:
        raise MessageError("core_end_s is from 0 to duration_s")
    if found.busy_s > latest_s * len(found.core_end_s):
        raise MessageError("busy_s is at most duration_s times the cores")


def _check_events(found: JobAnswer) -> None:
    """Require each task once, on known cores, without overlap on a core, and within the job."""
    task, chunk, core, start_s, end_s = found.events.T
    if not np.array_equal(np.sort(task), np.arange(len(task))):
        raise MessageError(f"events has each task from 0 to {len(task) - 1} once")
    for what, values, count in (("chunks", chunk, found.chunks), ("cores", core, len(found.core_end_s))):
        if not np.isin(values, np.arange(count)).all():
            raise MessageError(f"{what} in events are from 0 to {count - 1}")
    slack_s = _rounding(found)
    if start_s.min() < -slack_s or end_s.max() > found.duration_s + slack_s or (end_s < start_s).any():
        raise MessageError("events begin at 0 or later, and end after that, by duration_s")
    order = np.lexsort((start_s, core))
    idle_s = (start_s[order][1:] - end_s[order][:-1])[np.diff(core[order]) == 0]
    if (idle_s < -slack_s).any():
        raise MessageError("a core in events does one task after the other")


def _rounding(found: JobAnswer) -> float:
    """Return the tolerance for times: simulators round differently."""
    return 1e-5 * found.duration_s + 1e-9


def _read_done(done: Any, tasks: int) -> tuple[int, float, float]:
    if not isinstance(done, Mapping):
        raise MessageError("done has tasks, work_s and total_s")
    work_s, total_s = _time("work_s", done.get("work_s")), _time("total_s", done.get("total_s"))
    return _read_whole("tasks", done.get("tasks"), 1, tasks), work_s, total_s


def _read_whole(what: str, value: Any, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise MessageError(f"{what} is a whole number from {least} to {most}")
    return value


def _time(what: str, value: Any) -> float:
    if not is_number(value) or not 0 <= value < math.inf:
        raise MessageError(f"{what} is a number of seconds")
    return float(value)


def _read_times(what: str, value: Any, shape: tuple[int, ...]) -> np.ndarray:
    try:
        found = np.array(value, dtype=np.float64).reshape(-1, *shape[1:])
    except (TypeError, ValueError):
        found = np.full(1, np.nan)
    if found.shape != shape or not np.isfinite(found).all():
        raise MessageError(f"{what} has {' × '.join(map(str, shape))} numbers")
    return found


def _without_repetition(chunks: Sequence[int] | np.ndarray) -> list[int]:
    """Drop repetitions at the end: the last size holds for all later chunks."""
    sizes = np.asarray(chunks, dtype=np.int64)
    different = np.flatnonzero(sizes != sizes[-1])
    return [int(size) for size in sizes[: (different[-1] if len(different) else -1) + 2]]
