"""Similarity of a user's jobs in and between sessions: Fig. 1 and Tables II to IV of Zakay and Feitelson 2014.

Two jobs are similar by the smaller value over the larger. At distance 0 all pairs inside a session are compared, at
distance n all pairs between a session and the user's n-th after it. Only users with at least six sessions, one of
them with two or more jobs, count: this gives the published denominators. Jobs whose value is not known are removed
before sessions are cut: so LANL-CM5, where 11,287 jobs have no estimate, gives its row of Table III.

A user's value at a distance is one of
- `pooled`: the mean over all pairs of jobs, which reproduces the published tables;
- `session_mean`: the mean over sessions (pairs of sessions) of the mean over their pairs of jobs;
- `session_median`: the mean over sessions of the median over their pairs of jobs;
- `identical`: the share of pairs with equal values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

import thinktime._engine as _engine
from thinktime.description.attributes import attribute_values
from thinktime.errors import InputError
from thinktime.spec import one_of
from thinktime.support.equality import ByContent
from thinktime.workload.user_sessions.groups import UNKNOWN_USER, offsets
from thinktime.workload.user_sessions.sessions import Sessions, sessions

if TYPE_CHECKING:
    from thinktime.workload.workload import Workload

STATISTICS = ("pooled", "session_mean", "session_median", "identical")
DISTANCES = 11  # 0 to 10 sessions apart
LEAST_SESSIONS = 6
SAME = 1e-12  # smaller differences are rounding errors


@dataclass(frozen=True)
class Shares:
    """Shares of users whose jobs are more, equally and less similar at the nearer distance."""

    larger: float
    equal: float
    smaller: float
    users: int  # with a value at both distances


@dataclass(frozen=True, eq=False, repr=False)
class UserJobs(ByContent):
    """Values of the jobs of eligible users, by user, session and job."""

    attribute: str
    users: np.ndarray  # eligible, ascending
    values: np.ndarray  # known
    start: np.ndarray  # int64: those of session s are values[start[s] : start[s + 1]]
    user_start: np.ndarray  # int64: the sessions of user u are user_start[u] … user_start[u + 1] − 1

    @property
    def job_start(self) -> np.ndarray:
        """int64: the jobs of user u are values[job_start[u] : job_start[u + 1]]."""
        return self.start[self.user_start]


@dataclass(frozen=True, eq=False, repr=False)
class Similarity(ByContent):
    """Of one attribute."""

    attribute: str
    users: np.ndarray  # eligible, ascending
    values: Mapping[str, np.ndarray]  # by statistic: float64[users, distances]; NaN where a user has no such pair
    anywhere: np.ndarray  # float64[users]: the mean over all pairs of a user's jobs, whatever their sessions

    def curve(self, statistic: str = "pooled") -> np.ndarray:
        """Mean over users by distance."""
        return _means_of_known(self._of(statistic))

    def shares(self, near: int = 0, far: int = 1, statistic: str = "pooled") -> Shares:
        """A row of the tables: how similarity at one distance compares with that at another."""
        values = self._of(statistic)
        more = values[:, near] - values[:, far]
        more = more[~np.isnan(more)]
        if not len(more):
            return Shares(*(float("nan"),) * 3, users=0)
        larger, smaller = float((more > SAME).mean()), float((more < -SAME).mean())
        return Shares(larger, float((np.abs(more) <= SAME).mean()), smaller, len(more))

    def _of(self, statistic: str) -> np.ndarray:
        one_of("statistic", statistic, STATISTICS)
        return self.values[statistic]

    @property
    def same_session(self) -> float:
        """The mean over users of the similarity inside sessions: the vertical line of Fig. 2."""
        return float(self.curve()[0])

    @property
    def expected(self) -> float:
        """The exact expectation of the same if jobs were assigned to sessions at random."""
        counted = ~np.isnan(self.values["pooled"][:, 0])
        return float(self.anywhere[counted].mean()) if counted.any() else float("nan")

    @property
    def excess(self) -> float:
        """Excess of the similarity in sessions over that of random jobs of the same user."""
        return self.same_session - self.expected


def similarity(
    workload: Workload, cut: Sessions, attribute: str, *, distances: int = DISTANCES, medians: bool = True
) -> Similarity:
    """Return the similarity of one attribute, `processors`, `estimate` or `run`, at distances 0, 1, ….

    `medians` take most of the time; without them the statistic `session_median` is missing.
    """
    if distances < 3:
        raise InputError(f"distances must be at least 3 (got {distances}): tables compare 0, 1 and 2")
    jobs = user_jobs(workload, cut, attribute)
    shape = (distances, len(jobs.start) - 1)
    found = _engine.similarity_by_distance(
        values=jobs.values, start=jobs.start, user_start=jobs.user_start, distances=distances, medians=medians
    )
    pairs = {name: values.reshape(shape) for name, values in found.items()}
    values = _user_values(pairs, np.repeat(np.arange(len(jobs.users)), np.diff(jobs.user_start)), len(jobs.users))
    return Similarity(attribute, jobs.users, values, _anywhere(jobs))


def user_jobs(workload: Workload, cut: Sessions, attribute: str) -> UserJobs:
    """The jobs of eligible users; if values are unknown, sessions are computed from the other jobs."""
    values = attribute_values(workload, attribute)
    known = np.flatnonzero(~np.isnan(values))
    if len(known) < len(values):
        rest = sessions(workload.select(known), delimiter=cut.delimiter, threshold_s=cut.threshold_s)
        return _user_jobs(rest, attribute, values[known])
    return _user_jobs(cut, attribute, values)


def _user_jobs(cut: Sessions, attribute: str, values: np.ndarray) -> UserJobs:
    chosen = _eligible(cut)
    places = _ranges(cut.user_start, chosen)  # places in by_user
    taken = np.full(len(cut), -1, dtype=np.int64)  # by session number: its number here
    taken[cut.by_user[places]] = np.arange(len(places))
    of_job = taken[cut.session]
    rows = np.flatnonzero(of_job >= 0)
    rows = rows[np.argsort(of_job[rows], kind="stable")]
    start = offsets(np.bincount(of_job[rows], minlength=len(places)))
    user_start = offsets(np.diff(cut.user_start)[chosen])
    return UserJobs(attribute, cut.users[chosen], np.ascontiguousarray(values[rows]), start, user_start)


def _eligible(cut: Sessions) -> np.ndarray:
    """bool[users]."""
    sessions = np.diff(cut.user_start)
    of_place = np.repeat(np.arange(len(cut.users)), sessions)
    largest = np.zeros(len(cut.users), dtype=np.int64)
    np.maximum.at(largest, of_place, cut.jobs[cut.by_user])
    return (sessions >= LEAST_SESSIONS) & (largest >= 2) & (cut.users != UNKNOWN_USER)


def _ranges(start: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    return np.flatnonzero(np.repeat(chosen, np.diff(start)))


def _user_values(pairs: Mapping[str, np.ndarray], user: np.ndarray, users: int) -> dict[str, np.ndarray]:
    """By statistic [users, distances], from sums over the pairs of each session and distance."""
    some = pairs["pairs"] > 0
    divisor = np.where(some, pairs["pairs"], 1.0)
    counted = _sum_sessions_of_users(some.astype(np.float64), user, users)
    jobs = _sum_sessions_of_users(pairs["pairs"], user, users)
    return {
        "pooled": _ratio(_sum_sessions_of_users(pairs["sum"], user, users), jobs),
        "session_mean": _ratio(_sum_sessions_of_users(pairs["sum"] / divisor, user, users), counted),
        "session_median": _ratio(_sum_sessions_of_users(np.where(some, pairs["median"], 0.0), user, users), counted),
        "identical": _ratio(_sum_sessions_of_users(pairs["identical"], user, users), jobs),
    }


def _sum_sessions_of_users(values: np.ndarray, user: np.ndarray, users: int) -> np.ndarray:
    """Sums over the sessions of each user: [users, distances] from [distances, sessions]."""
    return np.stack([np.bincount(user, weights=row, minlength=users) for row in values], axis=1)


def _anywhere(jobs: UserJobs) -> np.ndarray:
    """As if each user had one session: the mean over all pairs of the user's jobs."""
    users = len(jobs.users)
    found = _engine.similarity_by_distance(
        values=jobs.values, start=jobs.job_start, user_start=np.arange(users + 1), distances=1, medians=False
    )
    return _ratio(found["sum"], found["pairs"])


def _ratio(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    return np.divide(above, below, out=np.full(below.shape, np.nan), where=below > 0)


def _means_of_known(values: np.ndarray) -> np.ndarray:
    """Mean of known values by column; NaN if none is known."""
    known = ~np.isnan(values)
    return _ratio(np.where(known, values, 0.0).sum(axis=0), known.sum(axis=0).astype(np.float64))
