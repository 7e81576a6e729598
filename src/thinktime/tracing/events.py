"""Task events: core, task, job, start and end.

A block is a table with one row per event: `job` (number), `row` (of the workload), `run_start_s` (start of the job, or
of this run of it), `task` and `chunk` (indices in the loop of the job), `core` (number on the platform), `start_s` and
`end_s`. Blocks are sorted by run start. A job without a loop is one event per core.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from thinktime.errors import InputError
from thinktime.support.equality import ByContent

COLUMNS = ("job", "row", "run_start_s", "task", "chunk", "core", "start_s", "end_s")
TICKS_PER_S = 1_000_000_000  # clock of all formats: nanoseconds
LAST_TICK = 9.2e18

Block = Mapping[str, np.ndarray]


class Host(NamedTuple):
    """A node, or a whole counted machine."""

    name: str
    first_core: int  # number on the platform
    cores: int


@dataclass(frozen=True, eq=False, repr=False)
class Trace(ByContent):
    """The input of a writer: event blocks, hosts, jobs and provenance."""

    blocks: Iterable[Block]
    hosts: Sequence[Host]  # sorted by first core
    jobs: Mapping[str, np.ndarray]  # by row: job, submit_s, start_s
    name: str = "thinktime"
    facts: Mapping[str, Any] = field(default_factory=dict)  # provenance, for formats with remarks
    window: tuple[float, float] = (-np.inf, np.inf)

    @property
    def cores(self) -> int:
        return sum(host.cores for host in self.hosts)

    def host_of(self, core: np.ndarray) -> np.ndarray:
        """Return the index of the host of each core."""
        first = np.array([host.first_core for host in self.hosts])
        return np.searchsorted(first, core, side="right") - 1


def ticks(seconds: np.ndarray) -> np.ndarray:
    """Return whole nanoseconds; raise InputError beyond 292 years, the range of 64 bits."""
    times = np.rint(np.asarray(seconds) * TICKS_PER_S)
    if times.size and not np.abs(times).max() <= LAST_TICK:
        raise InputError(
            f"this format ends at {LAST_TICK / TICKS_PER_S:g} s, 292 years (got {np.abs(seconds).max():g} s):"
            " choose a --window, or write .csv or .parquet"
        )
    return times.astype(np.int64)


KINDS = ("submit", "start")  # of markers, by number
_MARKER_WORDS = {"submit_s": "submitted", "start_s": "started"}


def marks(trace: Trace, rows: np.ndarray) -> list[tuple[int, int, str]]:
    """Return (ticks, kind, text) of submissions and starts of these rows within the window, sorted by time."""
    found: list[tuple[int, int, str]] = []
    for number, (column, word) in enumerate(_MARKER_WORDS.items()):
        times_s = trace.jobs[column][rows]
        inside = (times_s >= max(trace.window[0], 0)) & (times_s < trace.window[1])
        jobs, moments = trace.jobs["job"][rows][inside].tolist(), ticks(times_s[inside]).tolist()
        found += [(time, number, f"job {job:.0f} {word}") for time, job in zip(moments, jobs, strict=True)]
    return sorted(found)
