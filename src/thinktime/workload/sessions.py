"""Sessions: a user's jobs, by submit time, are cut where the user seems to have been away.

A job begins a new session if more than the threshold T lies between its submission and
- `arrival`: the previous submission of its user (T = 0: every job is a session, also at equal submit times);
- `last`: the recorded end of the user's previous job;
- `max`: the latest recorded end of the session so far.
Zakay and Feitelson 2012; Madon, Da Costa and Pierson 2024.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from thinktime.errors import InputError
from thinktime.spec import one_of
from thinktime.workload.by_user import ByUser, by_user, end_notes, known_end_s, maxima, offsets, running_max
from thinktime.workload.workload import Workload

DELIMITERS = ("arrival", "last", "max")
THRESHOLD_S = 3600.0


@dataclass(frozen=True)
class Sessions:
    """A partition of the jobs. Sessions are numbered by (first submit, row of the first job)."""

    session: np.ndarray  # int64[n_jobs]: the session of every job
    user: np.ndarray  # float64[n_sessions]; −1 for jobs without a user
    first_submit_s: np.ndarray  # float64[n_sessions], as recorded, and so the next two
    last_submit_s: np.ndarray
    last_end_s: np.ndarray  # the latest end of the session's jobs
    jobs: np.ndarray  # int64[n_sessions]: number of jobs
    users: np.ndarray  # float64[n_users], ascending
    user_start: np.ndarray  # int64[n_users + 1]: sessions of user u are by_user[user_start[u] : user_start[u + 1]]
    by_user: np.ndarray  # int64[n_sessions]: sessions user by user, each user's by number
    delimiter: str = "arrival"
    threshold_s: float = THRESHOLD_S
    notes: tuple[str, ...] = ()  # what had to be assumed

    def __len__(self) -> int:
        return len(self.user)

    @cached_property
    def job_start(self) -> np.ndarray:
        """int64[n_sessions + 1]: the rows of session s are job_rows[job_start[s] : job_start[s + 1]]."""
        return offsets(self.jobs)

    @cached_property
    def job_rows(self) -> np.ndarray:
        """int64[n_jobs]: the workload's rows session by session, in submit order."""
        return np.argsort(self.session, kind="stable")


def sessions(workload: Workload, *, delimiter: str = "arrival", threshold_s: float = THRESHOLD_S) -> Sessions:
    """Cut every user's jobs into sessions."""
    one_of("delimiter", delimiter, DELIMITERS)
    return cut(workload, by_user(workload), delimiter, checked_threshold(threshold_s))


def checked_threshold(threshold_s: float) -> float:
    if not threshold_s >= 0:
        raise InputError(f"threshold_s is {threshold_s}: a session's threshold is a number of seconds, zero or more")
    return float(threshold_s)


def cut(workload: Workload, jobs: ByUser, delimiter: str, threshold_s: float) -> Sessions:
    """The same for jobs that are already grouped by user."""
    submit_s, end_s = workload["submit_s"][jobs.row], known_end_s(workload)[jobs.row]
    new = jobs.first | _away(submit_s, end_s, jobs.user, delimiter, threshold_s)
    begin = np.flatnonzero(new)
    stop = np.append(begin, len(new))[1:]
    order = np.lexsort((jobs.row[begin], submit_s[begin]))  # place of each session → its number
    number = np.empty(len(begin), dtype=np.int64)
    number[order] = np.arange(len(begin))
    session = np.empty(len(new), dtype=np.int64)
    session[jobs.row] = number[np.cumsum(new) - 1]
    return Sessions(
        session=session,
        user=jobs.users[jobs.user[begin]][order],
        first_submit_s=submit_s[begin][order],
        last_submit_s=submit_s[stop - 1][order],
        last_end_s=maxima(end_s, begin)[order],
        jobs=(stop - begin)[order],
        users=jobs.users,
        user_start=offsets(np.bincount(jobs.user[begin], minlength=len(jobs.users))),
        by_user=number,
        delimiter=delimiter,
        threshold_s=threshold_s,
        notes=end_notes(workload),
    )


def _away(submit_s: np.ndarray, end_s: np.ndarray, user: np.ndarray, delimiter: str, threshold_s: float) -> np.ndarray:
    """bool: too much time has passed before the job at this place. The first place of a user means nothing here.

    A session of `max` begins after all earlier ends of its user, so the latest end of the session so far is the
    user's latest end so far.
    """
    away = np.ones(len(submit_s), dtype=bool)
    if delimiter == "arrival" and threshold_s == 0:
        return away
    known = {"arrival": submit_s, "last": end_s}
    before = known[delimiter] if delimiter in known else running_max(end_s, user)
    away[1:] = submit_s[1:] - before[:-1] > threshold_s
    return away
