"""For whom nodes are reserved: numbers of those that windows are for, the same in all plugins of a simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.errors import InputError

if TYPE_CHECKING:
    from thinktime.workload import Workload

FOR = ("users", "jobs")
Whom = tuple[tuple[float, ...], tuple[float, ...]]  # users, jobs


class Owners:
    """Each has a number from 1 on; a job has at most one owner."""

    def __init__(self, workload: Workload) -> None:
        self.workload = workload
        self.known: dict[Whom, int] = {}
        self.by_job = np.zeros(len(workload), np.int64)

    def of(self, window: dict[str, Any]) -> int:
        users, jobs = (tuple(sorted({float(each) for each in _list(window.get(who, ()))})) for who in FOR)
        if not users and not jobs:
            return 0
        if (users, jobs) not in self.known:
            self.known[users, jobs] = len(self.known) + 1
            self._mark((users, jobs), self.known[users, jobs])
        return self.known[users, jobs]

    def _mark(self, whom: Whom, owner: int) -> None:
        mine = np.isin(self.workload["user"], whom[0]) | np.isin(self.workload["job"], whom[1])
        both = np.flatnonzero(mine & (self.by_job > 0))
        if both.size:
            raise InputError(
                f"job {self.workload['job'][both[0]]:.0f} belongs to two reservations for different users and jobs:"
                " give both the same users and jobs"
            )
        self.by_job[mine] = owner


def _list(value: Any) -> Any:
    return value if isinstance(value, tuple | list) else [value]
