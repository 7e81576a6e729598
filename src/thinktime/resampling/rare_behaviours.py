"""Rare behaviours of a user in a period, such as flurries. Zakay and Feitelson 2014, section 6.5.

A day of a user is suspicious if the user submits more than `factor` times the median number of jobs per day of all
users. Suspicious days of one user that are at most a week apart form one flurry. It extends to neighbouring jobs of the
user as long as the gaps are shorter than an hour.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from os import PathLike

import numpy as np

from thinktime.errors import InputError
from thinktime.spec import is_number
from thinktime.support.html import facts_html
from thinktime.support.time_units import DAY_S
from thinktime.workload.reading.read import as_workload
from thinktime.workload.reading.remove_conditions import matches
from thinktime.workload.user_sessions.groups import begins
from thinktime.workload.workload import Workload

FACTOR = 5.0  # multiple of the median day of all users
JOBS = 100  # minimum number of jobs on a suspicious day
PAUSE_S = 3600.0  # shorter gaps between submissions do not end a flurry
APART_DAYS = 7  # a longer pause separates two flurries of one user


@dataclass(frozen=True)
class RareBehaviour:
    """The jobs that `user` submitted from `begin_s` to `end_s`, both included."""

    user: int
    begin_s: float
    end_s: float

    def jobs_of(self, workload: Workload) -> np.ndarray:
        """Return a mask of the workload's jobs that belong to it."""
        submit_s = workload["submit_s"]
        return (workload["user"] == self.user) & (submit_s >= self.begin_s) & (submit_s <= self.end_s)

    def text(self) -> str:
        return f"{self.user}:{self.begin_s:.15g}:{self.end_s:.15g}"


@dataclass(frozen=True, repr=False)
class Flurry:
    """A flurry that `flurries` found."""

    behaviour: RareBehaviour
    jobs: int  # of the user in the period
    share: float  # of all jobs that were submitted in the period
    busiest_day: float  # jobs of the user on the busiest day / jobs of all users on a median day
    filter: str  # selects these jobs, in the notation of the archive

    def __repr__(self) -> str:
        return f"<Flurry of user {self.behaviour.user}: {self.jobs:,} jobs, {self.share:.0%} of the period>"

    def _repr_html_(self) -> str:
        facts = {
            "user": f"{self.behaviour.user}",
            "period": f"{self.behaviour.begin_s:,.0f} s to {self.behaviour.end_s:,.0f} s",
            "jobs": f"{self.jobs:,} ({self.share:.0%} of the period)",
            "filter": self.filter,
        }
        return facts_html("Flurry", facts)

    def line(self) -> str:
        """Return the line of an archive header: `user=374 and (job>=14969 and job<=28552) (11740 jobs removed)`."""
        return f"{self.filter} ({self.jobs} jobs removed)"


def flurries(log: Workload | str | PathLike[str], *, factor: float = FACTOR, jobs: int = JOBS) -> list[Flurry]:
    """Find flurries: periods in which one user submits unusually many jobs.

    Parameters
    ----------
    log
        A workload, or the name or path of a log.
    factor
        A day is suspicious if a user submits more than this multiple of the median day of all users ...
    jobs
        ... and at least this number of jobs.

    Returns
    -------
    list of Flurry
        Largest first. `flurry.filter` is the archive's notation; `flurry.behaviour` is for `resample(rare=…)`.

    Examples
    --------
    >>> import thinktime as tt
    >>> tt.flurries(tt.default_workload(weeks=2), factor=50)
    []
    """
    workload = as_workload(log)
    if not is_number(factor) or not factor > 0 or not is_number(jobs) or jobs < 1:
        raise InputError(f"factor and jobs must be positive numbers (got {factor!r} and {jobs!r})")
    known = np.flatnonzero(~np.isnan(workload["user"]))
    if not len(known):
        return []
    submit_s, user = workload["submit_s"][known], workload["user"][known]
    day = np.floor((submit_s - submit_s[0]) / DAY_S).astype(np.int64)
    median = _median_day(day)
    (users, days), counts = _user_days(user, day)
    hot = (counts > factor * median) & (counts >= jobs)
    found = [
        _flurry(
            workload, who, submit_s[0] + first * DAY_S, submit_s[0] + (last + 1) * DAY_S, busiest / max(median, 1.0)
        )
        for who, first, last, busiest in _periods(users[hot], days[hot], counts[hot])
    ]
    return sorted(found, key=lambda flurry: -flurry.jobs)


def _median_day(day: np.ndarray) -> float:
    """Return the median number of jobs per day; days without jobs count but are not stored."""
    busy = np.sort(np.unique(day, return_counts=True)[1])
    days = int(day.max()) + 1
    middle = np.array([(days - 1) // 2, days // 2]) - (days - len(busy))  # negative: a day without jobs
    return float(np.where(middle < 0, 0, busy[np.maximum(middle, 0)]).mean())


def _user_days(user: np.ndarray, day: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the sorted (user, day) pairs with jobs, and their counts."""
    return np.unique(np.stack([user, day]), axis=1, return_counts=True)


def _periods(users: np.ndarray, days: np.ndarray, counts: np.ndarray) -> list[tuple[int, float, float, float]]:
    """Return (user, first day, last day, jobs on the busiest day) of each group of suspicious days."""
    if not len(users):
        return []
    new = begins(users)
    new[1:] |= np.diff(days) > APART_DAYS
    begin = np.flatnonzero(new)
    last = np.append(begin[1:], len(users)) - 1
    busiest = np.maximum.reduceat(counts, begin)
    return [
        (int(users[b]), float(days[b]), float(days[e]), float(most))
        for b, e, most in zip(begin, last, busiest, strict=True)
    ]


def _flurry(workload: Workload, user: int, begin_s: float, end_s: float, busiest_day: float) -> Flurry:
    """Return the flurry around the user's jobs in [begin, end)."""
    submit_s = workload["submit_s"]
    behaviour = _extended(user, submit_s[workload["user"] == user], begin_s, end_s)
    jobs = int(behaviour.jobs_of(workload).sum())
    covered = int(np.sum((submit_s >= behaviour.begin_s) & (submit_s <= behaviour.end_s)))
    return Flurry(behaviour, jobs, jobs / covered, busiest_day, archive_filter(workload, behaviour))


def _extended(user: int, submit_s: np.ndarray, begin_s: float, end_s: float) -> RareBehaviour:
    """Extend the period to gaps of PAUSE_S on both sides."""
    first, last = np.searchsorted(submit_s, (begin_s, end_s))
    begins_session = np.append(True, np.diff(submit_s) > PAUSE_S)
    first = np.flatnonzero(begins_session[: first + 1])[-1]
    later = np.flatnonzero(begins_session[last:])
    last = last + later[0] if len(later) else len(submit_s)
    return RareBehaviour(user, float(submit_s[first]), float(submit_s[last - 1]))


def archive_filter(workload: Workload, behaviour: RareBehaviour) -> str:
    """Return `user=374 and (job>=14969 and job<=28552)`; by submit times if job numbers would select other jobs."""
    own = behaviour.jobs_of(workload)
    if not own.any():
        raise InputError(f"{behaviour.text()} has no job in {workload.name}: check the user and the times")
    numbers = workload["job"][own]
    low, high = np.fmin.reduce(numbers), np.fmax.reduce(numbers)
    by_number = f"user={behaviour.user} and (job>={low:.0f} and job<={high:.0f})"
    if np.isfinite(low) and np.array_equal(matches(by_number, dict(workload.columns)), own):
        return by_number
    return f"user={behaviour.user} and (submit>={behaviour.begin_s:.15g} and submit<={behaviour.end_s:.15g})"


def rare_behaviour(workload: Workload, text: str) -> RareBehaviour:
    """Parse `USER:BEGIN:END` in seconds, or a filter such as `user=374 and job>14968 and job<28553`.

    A trailing `(11740 jobs removed)`, as in archive headers, is ignored.
    """
    text = re.sub(r"\(\d+ jobs removed\)\s*$", "", text).strip()
    parts = text.split(":")
    if len(parts) == 3:
        return _from_parts(text, parts)
    own = np.flatnonzero(matches(text, dict(workload.columns), workload.types))
    users = np.unique(workload["user"][own])
    if len(users) != 1 or np.isnan(users[0]):
        what = "no job" if not len(own) else f"jobs of {len(users)} users"
        raise InputError(
            f"the filter of a rare behaviour must select jobs of one user ({text!r} selects {what} of {workload.name})"
        )
    submit_s = workload["submit_s"][own]
    return RareBehaviour(int(users[0]), float(submit_s.min()), float(submit_s.max()))


def _from_parts(text: str, parts: list[str]) -> RareBehaviour:
    try:
        return RareBehaviour(int(parts[0]), float(parts[1]), float(parts[2]))
    except ValueError:
        raise InputError(
            f"a rare behaviour must be USER:BEGIN:END in seconds, for example 374:1.2e6:2e6, or a filter (got {text!r})"
        ) from None
