"""The package's own workload: what examples and tests run on when there is no log at hand.

Users of very different activity work in sessions, by day and on weekdays; a session is a chain of batches of
similar jobs with think times in between; requests are round numbers that are too long. The workload is made
week by week, each from its own random streams: a longer workload continues a shorter one, and a workload of
millions of jobs needs the memory of one week.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.generate.population import population
from thinktime.generate.rhythm import WEEK_S
from thinktime.generate.week import Parameters, week
from thinktime.streams import checked_seed
from thinktime.workload.workload import COLUMNS, Workload

WEEKS = 8  # when neither weeks nor jobs are given
LOADS = (0.01, 10.0)

#: one column block: every name of COLUMNS, `processors` and `line`, as float64
Block = dict[str, np.ndarray]


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
    options = {
        "seed": seed,
        "weeks": weeks,
        "jobs": jobs,
        "users": users,
        "processors": processors,
        "load": load,
    }
    blocks = list(default_blocks(**options))  # type: ignore[arg-type]
    columns = {name: np.concatenate([b[name] for b in blocks]) for name in (*COLUMNS, "processors", "line")}
    return Workload(columns, name="default", account=_account(columns, processors), source=_source(options))


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
    weeks, jobs = _length(weeks, jobs)
    parameters = Parameters(checked_seed(seed), _whole("users", users), _whole("processors", processors), _load(load))
    return _blocks(parameters, weeks, jobs)


def _blocks(parameters: Parameters, weeks: int | None, jobs: int | None) -> Iterator[Block]:
    people = population(parameters.seed, parameters.users, parameters.processors)
    number = done = 0
    while number != weeks and done != jobs:
        block = week(parameters, people, number, done + 1)
        if jobs is not None:
            block = {name: values[: jobs - done] for name, values in block.items()}
        done += len(block["job"])
        number += 1
        yield block


def _length(weeks: int | None, jobs: int | None) -> tuple[int | None, int | None]:
    if weeks is not None and jobs is not None:
        raise InputError(f"weeks is {weeks} and jobs is {jobs}: give one of them, the other follows from the load")
    if jobs is not None:
        return None, _whole("jobs", jobs)
    return _whole("weeks", WEEKS if weeks is None else weeks), None


def _whole(what: str, value: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        number = 0
    if number < 1:
        raise InputError(f"{what} is {value!r}: choose a whole number from 1 on")
    return number


def _load(load: float) -> float:
    if not isinstance(load, int | float) or not LOADS[0] <= load <= LOADS[1]:
        raise InputError(f"load is {load!r}: choose a number from {LOADS[0]} to {LOADS[1]}, 1 fills the machine")
    return float(load)


def _source(options: dict[str, Any]) -> dict[str, Any]:
    length = {"weeks": WEEKS} if options["weeks"] is None and options["jobs"] is None else {}
    given = {name: value for name, value in options.items() if value is not None}
    return {"generator": "default", **given, **length, "clock": "local", "starts": "Monday 00:00"}


def _account(columns: Block, processors: int) -> dict[str, Any]:
    """What was made: counts, and the offered load over the weeks begun."""
    area = float(columns["run_s"] @ columns["processors"])
    weeks = int(columns["submit_s"][-1] // WEEK_S) + 1
    return {
        "generated": True,
        "machine_processors": processors,
        "jobs": len(columns["job"]),
        "users": len(np.unique(columns["user"])),
        "weeks": weeks,
        "offered_load": area / (processors * weeks * WEEK_S),
        "requests_hit": int(np.sum(columns["run_s"] == columns["requested_time_s"])),
    }
