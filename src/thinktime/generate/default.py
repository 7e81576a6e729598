"""The default workload, for examples and tests without a log.

Users of different activity work in sessions, mostly by day and on weekdays. A session is a chain of batches of similar
jobs with think times in between. Requested times are round numbers, mostly too long. Each week has its own random
streams, so a longer workload continues a shorter one, and memory holds one week.
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
    """The default workload: users who work in sessions, mostly by day and on weekdays.

    Parameters
    ----------
    weeks, jobs
        Length: a number of weeks (default 8), or the first `jobs` jobs.
    users
        Number of users.
    processors
        Size of the machine.
    load
        Offered load of each week, as a share of the machine.
    """

    weeks: int | None = None
    jobs: int | None = None
    users: int = 60
    processors: int = 128
    load: float = 0.7

    def __post_init__(self) -> None:
        _weeks_or_jobs(self.weeks, self.jobs)
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
        """Yield one week at a time."""
        parameters = Parameters(seed, self.users, self.processors, float(self.load))
        weeks, _ = _weeks_or_jobs(self.weeks, self.jobs)
        people = population(seed, self.users, self.processors)
        number = done = 0
        while number != weeks:
            block = week(parameters, people, number, done + 1)
            done += len(block["job"])
            number += 1
            yield block

    def source(self, seed: int) -> dict[str, Any]:
        weeks, _ = _weeks_or_jobs(self.weeks, self.jobs)
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
    """Generate the default workload: users who work in sessions, mostly by day and on weekdays.

    Parameters
    ----------
    seed
        Random seed.
    weeks, jobs
        Length: a number of weeks (default 8), or the first `jobs` jobs.
    users
        Number of users.
    processors
        Size of the machine.
    load
        Offered load of each week, as a share of the machine.

    Returns
    -------
    Workload
        Submit times count from a Monday 00:00, local time. `wait_s` is missing: the jobs have not been scheduled.

    Examples
    --------
    >>> import thinktime as tt
    >>> tt.default_workload(weeks=1)
    <Workload default: 2852 jobs, 42 users>
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
    """Yield the jobs of `default_workload` in blocks of one week, in order of submission, in constant memory."""
    given = Default(weeks=weeks, jobs=jobs, users=users, processors=processors, load=load)
    return first_jobs(given.raw_blocks(checked_seed(seed)), given.length)


def _weeks_or_jobs(weeks: int | None, jobs: int | None) -> tuple[int | None, int | None]:
    if weeks is not None and jobs is not None:
        raise InputError(f"weeks and jobs exclude each other: give one of them (got {weeks} and {jobs})")
    if jobs is not None:
        return None, whole("jobs", jobs)
    return whole("weeks", WEEKS if weeks is None else weeks), None
