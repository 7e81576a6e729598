"""What AccaSim's generator learns from a log: submission times, work and node counts.

Galleguillos, Kiziltan, Netti and Soto, AccaSim: a customizable workload management simulator for job dispatching
research in HPC systems, Cluster Computing 23, 2020, section 7.3. Where the released program and the paper differ, this
follows the paper. Submissions in the same second are counted separately, because their gap has no logarithm.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from thinktime.errors import InputError
from thinktime.generate.daily_cycle import SLOT_S, SLOTS
from thinktime.generate.fitting import Histogram, Law, best_law
from thinktime.generate.generator import MONDAY
from thinktime.support.equality import ByContent
from thinktime.workload.reading.implausible_times import YEAR_S, suspect
from thinktime.workload.workload import Workload

DAY_S, HOUR_S = 86_400, 3600
FIRST_MONDAY = 4  # day of 1970
MOST_YEARS = 200  # maximum length of a log
LEAST_JOBS = 1000  # minimum number of jobs of a log

#: candidate distributions of the paper
GAP_LAWS = ("gamma", "dweibull", "lognorm", "genexpon", "expon", "exponnorm", "exponweib", "exponpow", "truncexpon")
WORK_LAWS = ("gamma", "expon", "erlang", "beta", "arcsine")


class System(Protocol):
    """The part of a Cluster that is used here."""

    @property
    def unit(self) -> Any: ...
    @property
    def groups(self) -> Any: ...
    @property
    def nodes(self) -> int: ...
    @property
    def node_processors(self) -> list[int]: ...
    @property
    def unix_start_s(self) -> int | None: ...


@dataclass(frozen=True, eq=False, repr=False)
class Submissions(ByContent):
    """Submission times. Shares add up to 1."""

    first_s: float  # local time of the first submission, since 1970
    mean_gap_s: float
    slots: np.ndarray  # shares of the 48 half-hours of a day
    week: np.ndarray  # of the 336 half-hours of a week, Monday 00:00 first
    hours: np.ndarray  # of the 24 hours
    weekdays: np.ndarray  # of the 7 days, Monday first
    months: np.ndarray  # of the 12 months; 0 for months that the log lacks
    together: float  # share of the gaps that are 0 s
    law: Law  # distribution of ln(gap) of the other gaps
    longest_s: float  # longest gap


@dataclass(frozen=True)
class Work:
    """Work of jobs, in GFLOP."""

    law: Law  # distribution of the work, or of its logarithm
    histogram: Histogram  # of the same values
    log: bool
    least: float
    most: float
    most_serial: float  # maximum work of a serial job


@dataclass(frozen=True)
class Sizes:
    """Node counts of jobs."""

    serial: float  # share of jobs with one processor
    median: int  # nodes of parallel jobs
    below: float  # share of parallel jobs with at most the median


@dataclass(frozen=True)
class Profile:
    """What was learnt from a log."""

    submissions: Submissions
    work: Work
    sizes: Sizes

    @classmethod
    def of(cls, log: Workload, system: System, gflops: dict[str, float], *, log_work: bool) -> Profile:
        """Learn from a log that was recorded on this system; `gflops` is the speed of each resource in GFLOP/s."""
        if len(log) < LEAST_JOBS:
            raise InputError(f"a log to learn from needs at least {LEAST_JOBS:,} jobs ({log.name} has {len(log):,})")
        if log.span_s > MOST_YEARS * YEAR_S:
            raise InputError(
                f"a log to learn from may last at most {MOST_YEARS} years ({log.name} lasts {log.span_s / YEAR_S:,.0f})"
                f"{suspect(log.account)}"
            )
        used = (log["run_s"] >= 0) & (log["processors"] > 0)
        return cls(
            submissions_of(local_s(log, system)),
            _work(log, used, system, gflops, log_work),
            _profile_sizes(log, used, system),
        )


def local_s(log: Workload, system: System) -> np.ndarray:
    """Return submissions in local time, in seconds since 1970, ascending."""
    if log.source.get("clock") == "local":
        return log["submit_s"] + MONDAY
    try:
        return np.sort(log.local_s())  # when a clock is set back, times repeat
    except InputError:
        if system.unix_start_s is None:
            raise
        return log["submit_s"] + system.unix_start_s


def shares_of(time_s: np.ndarray) -> dict[str, np.ndarray]:
    """Return shares of submissions by half-hour of the week and of the day, hour, weekday and month (local time)."""
    day = np.floor(time_s / DAY_S).astype(np.int64)
    slot = np.floor(time_s / SLOT_S).astype(np.int64)
    place = {
        "week": ((slot - FIRST_MONDAY * SLOTS) % (7 * SLOTS), 7 * SLOTS),
        "slots": (slot % SLOTS, SLOTS),
        "hours": (np.floor(time_s / HOUR_S).astype(np.int64) % 24, 24),
        "weekdays": ((day - FIRST_MONDAY) % 7, 7),
        "months": (months_of(day), 12),
    }
    return {name: np.bincount(value, minlength=size) / len(time_s) for name, (value, size) in place.items()}


def months_of(day: np.ndarray) -> np.ndarray:
    """Return the month of a day since 1970; January is 0."""
    return np.asarray(day).astype("datetime64[D]").astype("datetime64[M]").astype(np.int64) % 12


def submissions_of(time_s: np.ndarray) -> Submissions:
    """Fit the submissions at these local times."""
    gap_s = np.diff(time_s)
    positive = gap_s[gap_s > 0]
    if not positive.size:
        raise InputError("all jobs of the log are submitted in one second: use a longer log")
    law = best_law(np.log(positive), GAP_LAWS)
    together, longest_s = float(np.mean(gap_s <= 0)), max(float(positive.max()), SLOT_S)
    shares = shares_of(time_s)
    return Submissions(float(time_s[0]), float(gap_s.mean()), **shares, together=together, law=law, longest_s=longest_s)


def unit_gflops(system: System, gflops: dict[str, float]) -> float:
    """Return the GFLOP/s of one processor of the log."""
    return sum(amount * gflops.get(resource, 0.0) for resource, amount in dict(system.unit).items())


def work_of(log: Workload, system: System, gflops: dict[str, float]) -> np.ndarray:
    """Return the GFLOP of every job."""
    return log["run_s"] * log["processors"] * unit_gflops(system, gflops)


def _work(log: Workload, used: np.ndarray, system: System, gflops: dict[str, float], log_work: bool) -> Work:
    processors, work = log["processors"][used], work_of(log, system, gflops)[used]
    serial, positive = work[processors == 1], work[work > 0]
    if not positive.size:
        raise InputError(f"the jobs of {log.name} have no work: use a log with run times")
    values = np.log(positive) if log_work else positive
    histogram = Histogram.of(values)
    law = best_law(values, WORK_LAWS, histogram)
    return Work(law, histogram, log_work, float(positive.min()), float(positive.max()), float(serial.max(initial=0.0)))


def _profile_sizes(log: Workload, used: np.ndarray, system: System) -> Sizes:
    """Count nodes as the fewest nodes of the most common size that hold the processors."""
    processors = log["processors"][used]
    held = np.bincount(system.node_processors).argmax()
    nodes = np.ceil(processors[processors > 1] / max(int(held), 1)).astype(np.int64)
    if not nodes.size:
        return Sizes(1.0, 1, 1.0)
    median = int(np.sort(nodes)[(len(nodes) - 1) // 2])
    return Sizes(float(np.mean(processors == 1)), median, float(np.mean(nodes <= median)))
