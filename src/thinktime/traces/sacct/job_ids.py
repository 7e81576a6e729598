"""Job ids: plain jobs, tasks of arrays, lists of pending tasks, components of heterogeneous jobs, and steps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_JOB = r"\d{1,19}(?:_(?:\d{1,10}|\[[^\]]*\]?(?:%\d+)?)|\+\d{1,10})?"
#: Patterns for whole columns: an id, the id of a step, the id of its job. A list of tasks may have dots: 9_[1-3,...]
PATTERN = rf"^{_JOB}(?:\.[0-9A-Za-z].*)?$"
STEP = rf"^{_JOB}\.[0-9A-Za-z]"
JOB = rf"^({_JOB})"
_JOB_ID = re.compile(
    r"(?P<job>\d{1,19})"
    r"(?:_(?:(?P<task>\d{1,10})|\[(?P<tasks>[^\]]*)\]?(?:%(?P<limit>\d+))?)|\+(?P<component>\d{1,10}))?"
    r"(?:\.(?P<step>[0-9A-Za-z].*))?"
)
_RANGE = re.compile(r"(?P<first>\d{1,10})(?:-(?P<last>\d{1,10})(?::(?P<step>\d{1,10}))?)?")
MOST_TASKS = 4_000_001  # of an array: the largest MaxArraySize of Slurm


@dataclass(frozen=True)
class JobId:
    """A parsed id. `tasks` is the list inside the brackets of an array's pending tasks."""

    job: int
    task: int | None = None
    tasks: str | None = None
    component: int | None = None
    step: str | None = None

    @classmethod
    def parse(cls, text: str) -> JobId | None:
        """Return the id; None if the text is not one."""
        match = _JOB_ID.fullmatch(text.strip())
        if match is None:
            return None
        task, component = match["task"], match["component"]
        return cls(
            int(match["job"]),
            None if task is None else int(task),
            match["tasks"],
            None if component is None else int(component),
            match["step"],
        )


@dataclass(frozen=True)
class TaskList:
    """The pending tasks of an array row: ranges (first, last, step), and whether Slurm has cut the list with `...`."""

    ranges: tuple[tuple[int, int, int], ...]
    cut: bool

    @classmethod
    def parse(cls, text: str) -> TaskList:
        """Return the tasks of `1,4-6`, `0-15:4%3` or `1-9,...`; parts that are not understood make it cut."""
        ranges, cut = [], False
        for part in filter(None, text.split("%")[0].split(",")):
            match = _RANGE.fullmatch(part.strip())
            if match is None:
                cut = True
                continue
            first = int(match["first"])
            ranges.append((first, int(match["last"] or first), max(int(match["step"] or 1), 1)))
        return cls(tuple(ranges), cut)

    def __len__(self) -> int:
        return min(sum(max(last - first, -step) // step + 1 for first, last, step in self.ranges), MOST_TASKS)

    def __iter__(self) -> Iterator[int]:
        for first, last, step in self.ranges:
            yield from range(first, min(last, first + MOST_TASKS) + 1, step)
