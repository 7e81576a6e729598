"""Permutation test of the similarity of jobs in sessions (Fig. 2 of Zakay and Feitelson 2014).

Each user's jobs are assigned at random to the user's sessions, which keep their sizes, 1000 times. The
statistic is the mean over users of the similarity inside sessions. One-sided p-value: (1 + shuffles that reach the
original) / (1 + shuffles).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

import thinktime._engine as _engine
from thinktime.description.attributes import NotMeasuredError
from thinktime.description.job_similarity import SAME, UserJobs, user_jobs
from thinktime.errors import InputError
from thinktime.support.equality import ByContent
from thinktime.support.random_streams import checked_seed, name_hash
from thinktime.workload.user_sessions.groups import offsets
from thinktime.workload.user_sessions.sessions import Sessions

if TYPE_CHECKING:
    from thinktime.workload.workload import Workload

SHUFFLES = 1000


@dataclass(frozen=True, eq=False, repr=False)
class Permutation(ByContent):
    """Of one attribute."""

    attribute: str
    original: float  # similarity inside sessions, as recorded
    shuffled: np.ndarray  # the same, one per shuffle
    users: int

    @property
    def p(self) -> float:
        reached = int((self.shuffled >= self.original - SAME).sum())
        return (1 + reached) / (1 + len(self.shuffled))

    @property
    def sigmas(self) -> float:
        """Standard deviations of the shuffles by which the original exceeds their mean."""
        spread = float(self.shuffled.std(ddof=1)) if len(self.shuffled) > 1 else 0.0
        return (self.original - float(self.shuffled.mean())) / spread if spread > 0 else float("nan")


def permutation_test(
    workload: Workload, cut: Sessions, attribute: str, *, shuffles: int = SHUFFLES, seed: int = 0
) -> Permutation:
    """Shuffle the jobs of each eligible user among the user's sessions; raise NotMeasuredError if none is eligible."""
    if shuffles < 1:
        raise InputError(f"shuffles must be at least 1 (got {shuffles}); the paper has 1000")
    jobs = user_jobs(workload, cut, attribute)
    sizes = np.diff(jobs.start)
    pairs = np.add.reduceat(np.append(sizes * (sizes - 1) / 2, 0.0), jobs.user_start[:-1])[: len(jobs.users)]
    weight = np.divide(1.0, pairs, out=np.zeros(len(pairs)), where=pairs > 0)
    users = int((pairs > 0).sum())
    if users == 0:
        raise NotMeasuredError(f"{workload.name} has no user with six sessions, which the permutation test needs")
    names = np.array([name_hash("shuffle", attribute, k) for k in range(shuffles)], dtype=np.uint64)
    shuffled = _engine.shuffled_similarity(
        **_sort_values_of_users(jobs), weight=weight / users, seed=checked_seed(seed), names=names
    )
    return Permutation(attribute, _original(jobs, weight / users), shuffled, users)


def _sort_values_of_users(jobs: UserJobs) -> dict[str, np.ndarray]:
    """Each user's values in ascending order, and as many labels of sessions as these have jobs."""
    owner = np.repeat(np.arange(len(jobs.users)), np.diff(jobs.job_start))
    order = np.lexsort((jobs.values, owner))
    session = np.repeat(np.arange(len(jobs.start) - 1), np.diff(jobs.start))
    return {
        "values": jobs.values[order],
        "session": session - jobs.user_start[:-1][owner],
        "start": offsets(np.diff(jobs.job_start)),
    }


def _original(jobs: UserJobs, weight: np.ndarray) -> float:
    found = _engine.similarity_by_distance(
        values=jobs.values, start=jobs.start, user_start=jobs.user_start, distances=1, medians=False
    )
    owner = np.repeat(np.arange(len(jobs.users)), np.diff(jobs.user_start))
    return float(np.bincount(owner, weights=found["sum"], minlength=len(jobs.users)) @ weight)
