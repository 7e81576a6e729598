"""What the plugins of one simulation are planned from: the cluster, the jobs, and the owners of reservations."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.errors import InputError
from thinktime.platforms import Cluster
from thinktime.support.equality import ByContent
from thinktime.support.time_units import DAY_S

if TYPE_CHECKING:
    from thinktime.workload import Workload

OWNER_KEYS = ("users", "jobs")
Owner = tuple[tuple[float, ...], tuple[float, ...]]  # numbers of users, numbers of jobs


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

    @property
    def nodes(self) -> int:
        return self.cluster.nodes

    @property
    def begin_s(self) -> float:
        """The first submission; plugins start to count here."""
        submit = self.workload["submit_s"]
        return float(submit.min()) if len(submit) else 0.0

    @cached_property
    def owners(self) -> Owners:
        """The owners of reservations, shared by all plugins."""
        return Owners(self.workload)

    @property
    def clock_s(self) -> float:
        """Seconds since midnight at the log's time 0; 0 if the log does not record the time of day."""
        if not len(self.workload):
            return 0.0
        try:
            ahead = self.workload.local_s("submit_s")[0] - self.workload["submit_s"][0]
        except InputError:
            return 0.0
        return float(ahead % DAY_S) if math.isfinite(ahead) else 0.0


class Owners:
    """Numbers the owners of reservations from 1. A job has at most one owner; 0 means none."""

    def __init__(self, workload: Workload) -> None:
        self.workload = workload
        self.known: dict[Owner, int] = {}
        self.by_job = np.zeros(len(workload), np.int64)

    def of(self, window: Mapping[str, Any]) -> int:
        """Return the number of the users and jobs that a window is reserved for."""
        users, jobs = (tuple(sorted({float(each) for each in _one_as_list(window.get(key, ()))})) for key in OWNER_KEYS)
        if not users and not jobs:
            return 0
        if (users, jobs) not in self.known:
            self.known[users, jobs] = len(self.known) + 1
            self._mark((users, jobs), self.known[users, jobs])
        return self.known[users, jobs]

    def _mark(self, owner: Owner, number: int) -> None:
        mine = np.isin(self.workload["user"], owner[0]) | np.isin(self.workload["job"], owner[1])
        both = np.flatnonzero(mine & (self.by_job > 0))
        if both.size:
            raise InputError(
                f"job {self.workload['job'][both[0]]:.0f} belongs to two reservations for different users and jobs:"
                " give both the same users and jobs"
            )
        self.by_job[mine] = number


def _one_as_list(value: Any) -> Any:
    return value if isinstance(value, tuple | list) else [value]


@dataclass(frozen=True, eq=False, repr=False)
class Closures(ByContent):
    """Nodes `first` to `first + nodes - 1` are closed from `start_s` until `end_s`, except for the owner's jobs."""

    first: np.ndarray
    nodes: np.ndarray
    start_s: np.ndarray
    end_s: np.ndarray
    owner: np.ndarray  # 0: closed for all jobs
    rows: np.ndarray  # rows of the jobs that have an owner,
    owner_of: np.ndarray  # and the number of that owner
