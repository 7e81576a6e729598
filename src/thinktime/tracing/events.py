"""Task events: which core worked on which task of which job from when until when.

A block is a table of columns, one row an event: `job` (its number), `row` (of the workload), `run_start_s` (when the
job, or that run of it, started), `task` and `chunk` (indices in the job's loop), `core` (number on the platform),
`start_s` and `end_s`. Blocks come in the order in which runs started. A job without a loop is one event on each of its
cores.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from thinktime.errors import InputError
from thinktime.support.equality import ByContent

COLUMNS = ("job", "row", "run_start_s", "task", "chunk", "core", "start_s", "end_s")
TICKS_PER_S = 1_000_000_000  # of the clock of all formats: nanoseconds
LAST_TICK = 9.2e18

Block = Mapping[str, np.ndarray]


class Host(NamedTuple):
    """A node, or all of a machine that only counts its processors."""

    name: str
    first_core: int  # its number on the platform
    cores: int


@dataclass(frozen=True, eq=False)
class Trace(ByContent):
    """What a writer writes: events in blocks, the hosts, the jobs, and words on where it comes from."""

    blocks: Iterable[Block]
    hosts: Sequence[Host]  # in the order of their cores
    jobs: Mapping[str, np.ndarray]  # by row: job, submit_s, start_s
    name: str = "thinktime"
    facts: Mapping[str, Any] = field(default_factory=dict)  # for formats that hold remarks
    window: tuple[float, float] = (-np.inf, np.inf)

    @property
    def cores(self) -> int:
        return sum(host.cores for host in self.hosts)

    def host_of(self, core: np.ndarray) -> np.ndarray:
        """The place of each core's host among the hosts."""
        first = np.array([host.first_core for host in self.hosts])
        return np.searchsorted(first, core, side="right") - 1


def ticks(seconds: np.ndarray) -> np.ndarray:
    """Nanoseconds, as whole numbers. They fit into 64 bits for 292 years: then raise InputError."""
    times = np.rint(np.asarray(seconds) * TICKS_PER_S)
    if times.size and not np.abs(times).max() <= LAST_TICK:
        raise InputError(
            f"the tasks reach {np.abs(seconds).max():g} s, and this format has no times beyond"
            f" {LAST_TICK / TICKS_PER_S:g} s (292 years): choose a --window, or write .csv or .parquet"
        )
    return times.astype(np.int64)


KINDS = ("submit", "start")  # by number
_WORDS = {"submit_s": "submitted", "start_s": "started"}


def marks(trace: Trace, rows: np.ndarray) -> list[tuple[int, int, str]]:
    """(ticks, number of the kind, text) of the jobs in these rows, inside the window, in the order of time."""
    found: list[tuple[int, int, str]] = []
    for number, (column, word) in enumerate(_WORDS.items()):
        times_s = trace.jobs[column][rows]
        inside = (times_s >= max(trace.window[0], 0)) & (times_s < trace.window[1])
        jobs, moments = trace.jobs["job"][rows][inside].tolist(), ticks(times_s[inside]).tolist()
        found += [(time, number, f"job {job:.0f} {word}") for time, job in zip(moments, jobs, strict=True)]
    return sorted(found)
