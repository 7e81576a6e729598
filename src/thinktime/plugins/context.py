"""What the plugins of one simulation are planned from: the cluster, the jobs, and the owners of reservations."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from thinktime.errors import InputError
from thinktime.platforms import Cluster
from thinktime.support.equality import ByContent
from thinktime.support.json_types import JsonDict, JsonTable
from thinktime.support.time_units import DAY_S

if TYPE_CHECKING:
    from thinktime.workload import Workload

OWNER_KEYS = ("users", "jobs")
Owner = tuple[tuple[float, ...], tuple[float, ...]]  # numbers of users, numbers of jobs


class Clock(NamedTuple):
    """When a workload begins: its first submission, and its time of day."""

    begin_s: float = 0.0
    clock_s: float = 0.0

    @classmethod
    def of(cls, workload: Workload) -> Clock:
        """Return the clock of a workload, or of a stream that begins with these jobs."""
        if not len(workload):
            return cls()
        submit = workload["submit_s"]
        try:
            ahead = workload.local_s("submit_s")[0] - submit[0]
        except InputError:
            ahead = 0.0
        return cls(float(submit.min()), float(ahead % DAY_S) if math.isfinite(ahead) else 0.0)


@dataclass(frozen=True, eq=False, repr=False)
class Context(ByContent):
    """What a plugin's plan is made from."""

    cluster: Cluster
    workload: Workload
    processors: np.ndarray  # by job, as simulated
    seed: int
    pools: int = 0  # number of pools before those of the plugins
    inputs: Mapping[str, np.ndarray] = field(default_factory=dict)  # by job, from `requests`: see Plugin.job_inputs
    facts: Mapping[str, float] = field(default_factory=dict)  # from the plugins before this one: see Plugin.facts
    times: Clock | None = None  # of a stream; else that of the workload
    owners: Owners = field(default_factory=lambda: Owners())  # of reservations, shared by all plugins
    stream: StreamState | None = None  # of a streamed simulation, in which `workload` has the jobs of one block

    @property
    def nodes(self) -> int:
        return self.cluster.nodes

    @property
    def begin_s(self) -> float:
        """The first submission; plugins start to count here."""
        return (self.times or Clock.of(self.workload)).begin_s

    @property
    def clock_s(self) -> float:
        """Seconds since midnight at the log's time 0; 0 if the log does not record the time of day."""
        return (self.times or Clock.of(self.workload)).clock_s

    def job_numbers(self, slots: np.ndarray) -> np.ndarray:
        """Return the numbers of jobs that a plugin reports by their slots in the engine."""
        if self.stream is not None:
            return self.stream.job_numbers(slots)
        numbers: np.ndarray = self.workload["job"][slots.astype(np.int64)]
        return numbers


class StreamState:
    """What plugins need of a streamed simulation: numbers of jobs by slot, and what they keep between blocks."""

    def __init__(self, job_numbers: Callable[[np.ndarray], np.ndarray]) -> None:
        self.job_numbers = job_numbers
        self.kept: JsonDict = {}  # by plugin
        self.block: dict[str, np.ndarray] = {}  # the same, emptied before each block


class Owners:
    """Numbers the owners of reservations from 1. A job has at most one owner; 0 means none."""

    def __init__(self) -> None:
        self.known: dict[Owner, int] = {}

    def of(self, window: JsonTable) -> int:
        """Return the number of the users and jobs that a window is reserved for."""
        users, jobs = (tuple(sorted({float(each) for each in _one_as_list(window.get(key, ()))})) for key in OWNER_KEYS)
        if not users and not jobs:
            return 0
        if (users, jobs) not in self.known:
            self.known[users, jobs] = len(self.known) + 1
        return self.known[users, jobs]

    def by_job(self, workload: Workload) -> np.ndarray:
        """Return the number of the owner of each job; raise InputError if a job has two."""
        found = np.zeros(len(workload), np.int64)
        for (users, jobs), number in self.known.items():
            mine = np.isin(workload["user"], users) | np.isin(workload["job"], jobs)
            both = np.flatnonzero(mine & (found > 0))
            if both.size:
                raise InputError(
                    f"job {workload['job'][both[0]]:.0f} belongs to two reservations for different users and jobs:"
                    " give both the same users and jobs"
                )
            found[mine] = number
        return found


def _one_as_list(value: object) -> Any:
    return value if isinstance(value, tuple | list) else [value]


@dataclass(frozen=True, eq=False, repr=False)
class Closures(ByContent):
    """Nodes `first` to `first + nodes - 1` are closed from `start_s` until `end_s`, except for the owner's jobs."""

    first: np.ndarray
    nodes: np.ndarray
    start_s: np.ndarray
    end_s: np.ndarray
    owner: np.ndarray  # 0: closed for all jobs
