"""Activity of users, one value per user: the curves of Fig. 4 in Zakay and Feitelson 2014.

Times count from the first submission of the workload. A user departs with the last recorded end, and a session lasts
from its first submission to its last end, because that is how long the user had something to wait for; where waits or
run times are not recorded they count as 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from thinktime.workload.user_sessions.groups import UNKNOWN_USER, known_end_s
from thinktime.workload.user_sessions.sessions import Sessions

if TYPE_CHECKING:
    from thinktime.workload.workload import Workload

#: marginal → label and unit
MARGINALS = {
    "jobs": ("jobs of a user", "jobs"),
    "sessions": ("sessions of a user", "sessions"),
    "session_length": ("session length of a user", "s"),
    "work": ("work of a user", "processor-seconds"),
    "first_arrival": ("first arrival of a user", "s"),
    "departure": ("departure of a user", "s"),
    "activity_span": ("activity span of a user", "s"),
}


def marginals(workload: Workload, cut: Sessions) -> dict[str, np.ndarray]:
    """Marginal → one value per user, in the order of `users_of`; jobs without a user are left out."""
    users = users_of(cut)
    known = ~np.isnan(workload["user"])
    of_job = np.searchsorted(users, workload["user"][known])
    submit_s, end_s = workload["submit_s"][known], known_end_s(workload)[known]
    begin_s = submit_s.min() if len(submit_s) else 0.0
    first_s, last_s = np.full(len(users), np.inf), np.full(len(users), -np.inf)
    np.minimum.at(first_s, of_job, submit_s)
    np.maximum.at(last_s, of_job, end_s)
    work = np.nan_to_num(workload["processors"] * np.fmax(workload["run_s"], 0.0))[known]
    return {
        "jobs": np.bincount(of_job, minlength=len(users)).astype(np.float64),
        **_of_sessions(cut, users),
        "work": np.bincount(of_job, weights=work, minlength=len(users)),
        "first_arrival": first_s - begin_s,
        "departure": last_s - begin_s,
        "activity_span": last_s - first_s,
    }


def users_of(cut: Sessions) -> np.ndarray:
    """The known users, ascending."""
    return cut.users[cut.users != UNKNOWN_USER]


def _of_sessions(cut: Sessions, users: np.ndarray) -> dict[str, np.ndarray]:
    known = cut.user != UNKNOWN_USER
    of_session = np.searchsorted(users, cut.user[known])
    count = np.bincount(of_session, minlength=len(users)).astype(np.float64)
    length_s = (cut.last_end_s - cut.first_submit_s)[known]
    total_s = np.bincount(of_session, weights=length_s, minlength=len(users))
    return {"sessions": count, "session_length": total_s / np.where(count > 0, count, 1.0)}
