"""What a technique knows of a loop, and what it is asked: how many tasks does this idle core get?"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Facts:
    """A loop before it starts. Mean and deviation are those of the model, not measured ones."""

    tasks: int
    cores: int
    mean_s: float = 1.0  # of a task
    deviation_s: float = 0.0
    overhead_s: float = 0.0  # of a chunk
    speeds: tuple[float, ...] = ()  # by core of the job, relative; empty: all 1
    key: tuple[int, int] = (0, 0)  # of the random stream of this loop: low and high word


class Technique:
    """Base of the techniques: `begin` gets the facts, `chunk` serves idle cores, `done` gets measurements."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.begin()

    def begin(self) -> None:
        """What is calculated once a loop."""

    def chunk(self, core: int, remaining: int) -> int:
        """Return the number of tasks for an idle core; the caller limits it to 1 … remaining tasks."""
        raise NotImplementedError

    def done(self, core: int, tasks: int, work_s: float, total_s: float) -> None:
        """A core has finished a chunk: the time of its tasks alone, and with the overhead."""


def ceil_divided(a: int, b: int) -> int:
    return -(-a // b)


def whole(x: float, remaining: int) -> int:
    """The whole part, at least 1; all that remain if x is that many, or no number."""
    if x < 1:
        return 1
    return int(x) if x < remaining else remaining


def rounded_up(x: float, remaining: int) -> int:
    return whole(math.ceil(x) if math.isfinite(x) else x, remaining)


def rounded(x: float, remaining: int) -> int:
    """The nearest number of tasks; as in DLS4LB, halves and a little less go up."""
    return whole(x + 0.55, remaining)


class Batches:
    """Requests counted by as many as there are cores: batch 0 is the first P requests, and so on."""

    def __init__(self, cores: int) -> None:
        self.cores, self.asked = cores, 0

    def next(self) -> tuple[int, bool]:
        """The batch of this request, and whether it is the first of it."""
        batch, place = divmod(self.asked, self.cores)
        self.asked += 1
        return batch, place == 0
