"""The package's own workload: what examples and tests run on when there is no log at hand.

Users of very different activity work in sessions, by day and on weekdays; a session is a chain of batches of
similar jobs with think times in between; requests are round numbers that are too long. The workload is made
week by week, each from its own random streams: a longer workload continues a shorter one, and a workload of
millions of jobs needs the memory of one week.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from thinktime.errors import InputError
from thinktime.generate.default_users import population
from thinktime.generate.default_week import Parameters, week
from thinktime.generate.generator import Block, Generator, between, first_jobs, whole
from thinktime.support.random_streams import checked_seed
from thinktime.workload.workload import Workload

WEEKS = 8  # when neither weeks nor jobs are given
LOADS = (0.01, 10.0)


class Default(Generator, name="default"):
    """The package's own workload: users who work in sessions, by day and on weekdays, and ask for round times.

    `weeks` weeks (8 unless told) or the first `jobs` jobs. Every week offers `load` times the machine.
    """

    weeks: int | None = None
    jobs: int | None = None
    users: int = 60
    processors: int = 128
    load: float = 0.7

    def __post_init__(self) -> None:
        _length(self.weeks, self.jobs)
        whole("users", self.users)
        whole("processors", self.processors)
        between("load", self.load, *LOADS, ", 1 fills the machine")

    @property
    def machine_processors(self) -> int:
        return self.processors

    @property
    def length(self) -> int | None:
        return self.jobs

    def raw_blocks(self, seed: int) -> Iterator[Block]:
        """A week at a time."""
        parameters = Parameters(seed, self.users, self.processors, float(self.load))
        weeks, _ = _length(self.weeks, self.jobs)
        people = population(seed, self.users, self.processors)
        number = done = 0
        while number != weeks:
            block = week(parameters, people, number, done + 1)
            done += len(block["job"])
            number += 1
            yield block

    def source(self, seed: int) -> dict[str, Any]:
        weeks, _ = _length(self.weeks, self.jobs)
        length = {} if weeks is None else {"weeks": weeks}
        return {**super().source(seed), **length, "clock": "local", "starts": "Monday 00:00"}

    def header(self) -> None:
        return None


def default_workload(
    *,
    seed: int = 1,
    weeks: int | None = None,
    jobs: int | None = None,
    users: int = 60,
    processors: int = 128,
    load: float = 0.7,
) -> Workload:
    """`weeks` weeks (8 unless told), or the first `jobs` jobs, for a machine of `processors`.

    Each week offers `load` times the processor-seconds of the machine. Submit times count from a Monday
    00:00, local time. `wait_s` is missing: nobody has scheduled these jobs yet.
    """
    given = Default(weeks=weeks, jobs=jobs, users=users, processors=processors, load=load)
    return given.workload(seed=checked_seed(seed))


def default_blocks(
    *,
    seed: int = 1,
    weeks: int | None = None,
    jobs: int | None = None,
    users: int = 60,
    processors: int = 128,
    load: float = 0.7,
) -> Iterator[Block]:
    """The same workload as column blocks of a week each, in order of submission, in constant memory."""
    given = Default(weeks=weeks, jobs=jobs, users=users, processors=processors, load=load)
    return first_jobs(given.raw_blocks(checked_seed(seed)), given.length)


def _length(weeks: int | None, jobs: int | None) -> tuple[int | None, int | None]:
    if weeks is not None and jobs is not None:
        raise InputError(f"weeks is {weeks} and jobs is {jobs}: give one of them, the other follows from the load")
    if jobs is not None:
        return None, whole("jobs", jobs)
    return whole("weeks", WEEKS if weeks is None else weeks), None
