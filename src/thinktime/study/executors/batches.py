"""Groups short runs into batches, so that communication with workers costs little compared with the work.

A batch holds neighbouring tasks of one log that fill a fraction of a second together. The duration of a run is
estimated from finished runs of the same workload and scheduler; until there is one, and if runs are long, a batch has
one run.
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

#: Work in a batch: much more than its communication costs, and little enough to repeat if a worker is lost.
SHORTEST_S = 0.25
#: The Dask scheduler is one process: with many threads, batches are larger, for at most 50 batches per second.
PER_THREAD_S = 0.02
LARGEST = 500  # runs in a batch

Kind = tuple[Any, Any]  # names of the workload and of the scheduler


class Batches:
    """Tasks to send; they are taken from their source shortly before they are needed."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._tasks, self._ahead = iter(tasks), deque[Task]()
        self._seconds: dict[Kind, float] = {}  # per run: a mean in which recent runs weigh most

    def __bool__(self) -> bool:
        self._look_ahead(1)
        return bool(self._ahead)

    def next(self, threads: int) -> list[Task]:
        """Return the next batch.

        Empty if there is none. The last batches are small, so that all threads end together.
        """
        left_s, most = max(SHORTEST_S, PER_THREAD_S * threads), self._most(threads)
        batch: list[Task] = []
        while self._ahead and len(batch) < most and _same_inputs(self._ahead[0], *batch[:1]):
            left_s -= self._expected_s(self._ahead[0])
            if batch and left_s < 0:
                break
            batch.append(self._ahead.popleft())
        return batch

    def learn(self, outcome: Outcome) -> None:
        """Record the duration of a run. The first of a workload also reads the log; its weight soon vanishes."""
        kind, seconds = kind_of(outcome["cell"]), outcome["seconds"]
        self._seconds[kind] = 0.5 * (self._seconds.get(kind, seconds) + seconds)

    def _most(self, threads: int) -> int:
        """Return how many runs fill a batch: at most half of a thread's share of the rest."""
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


def _same_inputs(task: Task, first: Task | None = None) -> bool:
    """Whether the tasks read the same log and the same table of requests: a batch has one of each."""
    return first is None or hashes(task) == hashes(first)


def hashes(task: Task) -> dict[str, str]:
    """Return the hashes of the files that the run reads."""
    return {what: sha256 for what, (sha256, _) in files_of(task.spec["workload"]).items()}
