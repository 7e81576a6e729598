"""Groups short runs into batches: the way to a worker and back must cost little beside the work.

A batch holds neighbours in the study, of one log, as many as fill a fraction of a second. How long a run takes is
told by those of its workload and scheduler that came back; before the first did, a run travels alone. Long runs
always do.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from thinktime.study.execute import Outcome
from thinktime.study.sources import files_of
from thinktime.study.study import Task

#: Work in a batch: far more than a batch's way costs, little enough to be done again when a worker is lost.
SHORTEST_S = 0.25
#: The Dask scheduler is one process: where there are many threads each gets more to do, for 50 batches a second.
PER_THREAD_S = 0.02
LARGEST = 500  # runs in a batch

Kind = tuple[Any, Any]  # names of the workload and of the scheduler


class Batches:
    """Tasks that wait to be sent; they are asked for shortly before they are needed."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._tasks, self._ahead = iter(tasks), deque[Task]()
        self._seconds: dict[Kind, float] = {}  # of a run: a mean in which the newest count most

    def __bool__(self) -> bool:
        self._look_ahead(1)
        return bool(self._ahead)

    def next(self, threads: int) -> list[Task]:
        """The next batch; empty if there is none. The last ones are small, so that all threads end together."""
        left_s, most = max(SHORTEST_S, PER_THREAD_S * threads), self._most(threads)
        batch: list[Task] = []
        while self._ahead and len(batch) < most and _alike(self._ahead[0], *batch[:1]):
            left_s -= self._expected_s(self._ahead[0])
            if batch and left_s < 0:
                break
            batch.append(self._ahead.popleft())
        return batch

    def learn(self, outcome: Outcome) -> None:
        """How long a run took; the first of a workload also read the log, which is soon forgotten."""
        kind, seconds = kind_of(outcome["cell"]), outcome["seconds"]
        self._seconds[kind] = 0.5 * (self._seconds.get(kind, seconds) + seconds)

    def _most(self, threads: int) -> int:
        """Runs that fill a batch, but of what is left no more than half of a thread's share."""
        if not self:
            return 0
        filled = max(SHORTEST_S, PER_THREAD_S * threads) / max(self._expected_s(self._ahead[0]), 1e-9)
        most = int(min(max(filled, 1), LARGEST))
        self._look_ahead(2 * threads * most)
        return min(most, math.ceil(len(self._ahead) / (2 * threads)))

    def _look_ahead(self, tasks: int) -> None:
        self._ahead.extend(islice(self._tasks, max(tasks - len(self._ahead), 0)))

    def _expected_s(self, task: Task) -> float:
        return self._seconds.get(kind_of(task.cell), math.inf)


def kind_of(cell: Mapping[str, Any]) -> Kind:
    return cell.get("workload"), cell.get("scheduler")


def _alike(task: Task, first: Task | None = None) -> bool:
    """Of one log, or of none, and of one table of requests: a batch has single files to find."""
    return first is None or hashes(task) == hashes(first)


def hashes(task: Task) -> dict[str, str]:
    """Of the files that the run reads."""
    return {what: sha256 for what, (sha256, _) in files_of(task.spec["workload"]).items()}
