"""Batches: overlapping jobs inside a session, and what each batch waits for.

Two jobs overlap if the earlier one has not ended when the later one is submitted. A batch is a connected component
of overlaps inside a session: a job begins a new batch if all earlier jobs of its session have ended.
A batch depends on the previous batch of its session; the first batch of a session depends on the last batch of
every earlier session all of whose jobs had ended. It also follows the previous batch of its user.
Zakay and Feitelson 2014, definitions 1 to 12.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from thinktime.support.equality import ByContent
from thinktime.workload.user_sessions.graph import predecessor_ranges, require_few
from thinktime.workload.user_sessions.groups import begins, known_end_s, maxima, offsets, ranges, running_max
from thinktime.workload.user_sessions.sessions import THRESHOLD_S, Sessions, sessions
from thinktime.workload.workload import Workload


@dataclass(frozen=True, eq=False, repr=False)
class Batches(ByContent):
    """Batches user by user, users ascending, each user's by arrival."""

    batch: np.ndarray  # int64[n_jobs]: the batch of every job
    users: np.ndarray  # float64[n_users], ascending; −1 for jobs without a user
    user_start: np.ndarray  # int64[n_users + 1]: batches of user u are user_start[u] … user_start[u + 1] − 1
    # one value per batch
    user: np.ndarray  # int64: index into `users`
    session: np.ndarray  # int64: index into `sessions`
    first_submit_s: np.ndarray  # as recorded, like the next two
    last_submit_s: np.ndarray
    last_end_s: np.ndarray
    jobs: np.ndarray  # int64: number of jobs
    think_s: np.ndarray  # first submit − latest end of the batches it depends on; NaN if there are none
    inter_arrival_s: np.ndarray  # first submit − last submit of the user's previous batch; NaN for the first
    in_session: np.ndarray  # bool: of the same session as the user's previous batch
    sessions: Sessions
    reduced: bool = True  # without dependencies that others imply

    def __len__(self) -> int:
        return len(self.user)

    @property
    def depends_start(self) -> np.ndarray:
        """int64[n_batches + 1]: batch b depends on depends_on[depends_start[b] : depends_start[b + 1]]."""
        return self._dependencies[0]

    @property
    def depends_on(self) -> np.ndarray:
        """int64: the batches that batches depend on."""
        return self._dependencies[1]

    @cached_property
    def _dependencies(self) -> tuple[np.ndarray, np.ndarray]:
        """List the dependencies on demand: they may be many more than the batches."""
        return _dependencies(self.sessions, self.session, self.reduced)


def batches(
    workload: Workload, *, delimiter: str = "arrival", threshold_s: float = THRESHOLD_S, reduced: bool = True
) -> Batches:
    """Cut sessions into batches; the paper's sessions are those of `arrival` with an hour.

    A dependency that others imply is left out: a batch that waits for M, which waited for S, need not wait for S. Think
    times and earliest submissions stay the same. `reduced=False` keeps every dependency.
    """
    cut_up = sessions(workload, delimiter=delimiter, threshold_s=threshold_s)
    rows = cut_up.rows
    submit_s, end_s = workload["submit_s"][rows], known_end_s(workload)[rows]
    new = _begins_batch(submit_s, end_s, cut_up.place[rows])
    begin = np.flatnonzero(new)
    stop = np.append(begin, len(new))[1:]
    batch = np.empty(len(new), dtype=np.int64)
    batch[rows] = np.cumsum(new) - 1
    session = cut_up.session[rows[begin]]
    user = np.searchsorted(cut_up.users, cut_up.user[session])
    first_s, last_s, end_s = submit_s[begin], submit_s[stop - 1], maxima(end_s, begin)
    return Batches(
        batch=batch,
        users=cut_up.users,
        user_start=offsets(np.bincount(user, minlength=len(cut_up.users))),
        user=user,
        session=session,
        first_submit_s=first_s,
        last_submit_s=last_s,
        last_end_s=end_s,
        jobs=stop - begin,
        think_s=first_s - _latest_end(cut_up, session, end_s),
        inter_arrival_s=np.where(begins(user), np.nan, first_s - np.append(np.nan, last_s[:-1])[: len(user)]),
        in_session=~begins(session),
        sessions=cut_up,
        reduced=reduced,
    )


def _begins_batch(submit_s: np.ndarray, end_s: np.ndarray, place: np.ndarray) -> np.ndarray:
    """bool per job: all earlier jobs of its session have ended."""
    new = begins(place)
    latest_s = running_max(end_s, place)
    new[1:] |= submit_s[1:] >= latest_s[:-1]
    return new


def _dependencies(sessions: Sessions, session: np.ndarray, reduced: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the dependencies as CSR: rule 2 for the first batch of a session, rule 1 for the others.

    Positions in `sessions.by_user` and batches are both ordered by user, so the first batches of sessions are in order.
    """
    begin, stop, by_end = predecessor_ranges(sessions, reduced)
    require_few(int((stop - begin).sum()))
    first = begins(session)
    count = np.ones(len(session), dtype=np.int64)
    count[first] = stop - begin
    start = offsets(count)
    last_batch = np.append(np.flatnonzero(first)[1:], len(session)) - 1 if len(session) else start[:-1]
    depends_on = np.empty(start[-1], dtype=np.int64)
    inside = np.flatnonzero(~first)
    depends_on[start[inside]] = inside - 1
    depends_on[np.repeat(first, count)] = last_batch[by_end[ranges(begin, stop)]]
    return start, depends_on


def _latest_end(sessions: Sessions, session: np.ndarray, end_s: np.ndarray) -> np.ndarray:
    """Return the latest end of the dependencies of each batch; NaN if it has none.

    Inside a session that is the previous batch; for a first batch, the last of the sessions it waits for.
    """
    latest_s = np.append(np.nan, end_s)[: len(end_s)]
    begin, stop, by_end = predecessor_ranges(sessions, reduced=True)
    some = stop > begin
    of_session = np.full(len(sessions), np.nan)
    of_session[some] = sessions.last_end_s[sessions.by_user[by_end[stop[some] - 1]]]
    latest_s[begins(session)] = of_session
    return latest_s
