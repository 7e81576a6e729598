"""Groups short runs into batches: the way to a worker and back must cost little beside the work.

A batch holds neighbours in the study, of one log, as many as fill a fraction of a second. How long a run takes is
told by those of its workload and scheduler that came back; before the first did, a run travels alone. Long runs
always do.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any

from thinktime.study.execute import Outcome
from thinktime.study.study import Task

#: Work in a batch: far more than a batch's way costs, little enough to be done again when a worker is lost.
SHORTEST_S = 0.25
#: The Dask scheduler is one process: where there are many threads each gets more to do, for 200 batches a second.
PER_THREAD_S = 0.005
LARGEST = 500  # runs in a batch

Kind = tuple[Any, Any]  # names of the workload and of the scheduler


class Batches:
    """Tasks that wait to be sent; they are asked for no earlier than they are needed."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._tasks, self._ahead = iter(tasks), deque[Task]()  # one task at most is looked at ahead
        self._seconds: dict[Kind, float] = {}  # of a run: a mean in which the newest count most

    def __bool__(self) -> bool:
        return self._peek() is not None

    def next(self, threads: int) -> list[Task]:
        """The next batch; empty if there is none."""
        if not self:
            return []
        batch = [self._ahead.popleft()]
        left_s = max(SHORTEST_S, PER_THREAD_S * threads) - self._expected_s(batch[0])
        while len(batch) < LARGEST and (task := self._peek()) is not None and _alike(task, batch[0]):
            left_s -= self._expected_s(task)
            if left_s < 0:
                break
            batch.append(self._ahead.popleft())
        return batch

    def learn(self, outcome: Outcome) -> None:
        """How long a run took; the first of a workload also read the log, which is soon forgotten."""
        kind, seconds = kind_of(outcome["cell"]), outcome["seconds"]
        self._seconds[kind] = 0.5 * (self._seconds.get(kind, seconds) + seconds)

    def _peek(self) -> Task | None:
        if not self._ahead:
            self._ahead.extend(task for task in (next(self._tasks, None),) if task is not None)
        return self._ahead[0] if self._ahead else None

    def _expected_s(self, task: Task) -> float:
        return self._seconds.get(kind_of(task.cell), float("inf"))


def kind_of(cell: Mapping[str, Any]) -> Kind:
    return cell.get("workload"), cell.get("scheduler")


def _alike(one: Task, other: Task) -> bool:
    """Of one log, or of none: a batch has a single log to find."""
    return bool(one.spec["workload"].get("log") == other.spec["workload"].get("log"))
