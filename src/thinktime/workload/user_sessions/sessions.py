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

import thinktime._engine as _engine
from thinktime.errors import InputError
from thinktime.spec import one_of
from thinktime.support.equality import ByContent
from thinktime.workload.user_sessions.groups import end_notes, known_end_s, offsets
from thinktime.workload.workload import Workload

DELIMITERS = ("arrival", "last", "max")
THRESHOLD_S = 3600.0


@dataclass(frozen=True, eq=False, repr=False)
class Sessions(ByContent):
    """A partition of the jobs. Sessions are numbered by (first submit, row of the first job)."""

    session: np.ndarray  # int64[n_jobs]: the session of every job
    place: np.ndarray  # int64[n_jobs]: position of that session in by_user
    rows: np.ndarray  # int64[n_jobs]: the workload's rows user by user, each user's in submit order
    user: np.ndarray  # float64[n_sessions]; −1 for jobs without a user
    first_submit_s: np.ndarray  # float64[n_sessions], as recorded, like the next two
    last_submit_s: np.ndarray
    last_end_s: np.ndarray  # the latest end of the session's jobs
    jobs: np.ndarray  # int64[n_sessions]: number of jobs
    users: np.ndarray  # float64[n_users], ascending
    user_start: np.ndarray  # int64[n_users + 1]: sessions of user u are by_user[user_start[u] : user_start[u + 1]]
    by_user: np.ndarray  # int64[n_sessions]: sessions user by user, each user's by number
    delimiter: str = "arrival"
    threshold_s: float = THRESHOLD_S
    notes: tuple[str, ...] = ()  # assumptions about recorded ends

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
    threshold_s = checked_threshold(threshold_s)
    _require_submit_times(workload)
    found = _engine.sessions(
        submit=np.ascontiguousarray(workload["submit_s"]),
        end=known_end_s(workload),
        user=np.ascontiguousarray(workload["user"]),
        delimiter=delimiter,
        threshold=threshold_s,
    )
    return Sessions(**found, delimiter=delimiter, threshold_s=threshold_s, notes=end_notes(workload))


def _require_submit_times(workload: Workload) -> None:
    missing = np.isnan(workload["submit_s"])
    if missing.any():
        raise InputError(f"row {missing.argmax()} of {workload.name} has no submit time: remove such jobs first")


def checked_threshold(threshold_s: float) -> float:
    if not threshold_s >= 0:
        raise InputError(f"threshold_s must be a number of seconds, zero or more (got {threshold_s})")
    return float(threshold_s)
