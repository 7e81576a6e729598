"""The session graph: which sessions a user may have waited for before the next one.

S' depends on S, of the same user, if all jobs of S had ended when S' began; their think time is what lay between.
The reduced graph keeps S → S' only if no third session stands between them. For intervals that is a linear rule:
of the sessions that S' depends on let M be the one that began last; S is kept if it ended after M had begun.

Sessions may have no length (all jobs ended when they were submitted). Of such sessions at one instant the later
number depends on the earlier one, so there are no cycles. Madon, Da Costa and Pierson 2024, definition 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from thinktime.errors import InputError
from thinktime.workload.by_user import offsets, ranges, stable_order
from thinktime.workload.sessions import Sessions

MOST_EDGES = 200_000_000  # listed one by one they need 16 bytes each


@dataclass(frozen=True)
class SessionGraph:
    """Edges, as ranges of sessions; `start`, `successor` and `think_s` list them one by one, when asked for.

    The sessions that wait for one session are neighbours in `sessions.by_user`, so a graph is small even where many
    overlapping sessions wait for many others.
    """

    sessions: Sessions
    #: int64[n_sessions]: sessions.by_user[successor_begin[s] : successor_end[s]] wait for s
    successor_begin: np.ndarray
    successor_end: np.ndarray
    predecessors: np.ndarray  # int64[n_sessions]: how many each session waits for; 0: a root
    reduced: bool = True

    @property
    def successors(self) -> np.ndarray:
        """int64[n_sessions]: how many wait for each session."""
        return self.successor_end - self.successor_begin

    @property
    def edges(self) -> int:
        return int(self.predecessors.sum())

    @property
    def roots(self) -> np.ndarray:
        """The sessions that wait for nothing."""
        return np.flatnonzero(self.predecessors == 0)

    @cached_property
    def start(self) -> np.ndarray:
        """int64[n_sessions + 1]: the edges that leave session s are start[s] … start[s + 1] − 1, by successor."""
        return offsets(self.successors)

    @cached_property
    def successor(self) -> np.ndarray:
        """int64[n_edges]: where every edge leads to."""
        require_few(self.edges)
        return self.sessions.by_user[ranges(self.successor_begin, self.successor_end)]

    @cached_property
    def predecessor(self) -> np.ndarray:
        """int64[n_edges]: where every edge comes from."""
        require_few(self.edges)
        return np.repeat(np.arange(len(self.sessions)), self.successors)

    @cached_property
    def think_s(self) -> np.ndarray:
        """float64[n_edges]: first submit of the successor − last end of the predecessor, never negative."""
        ended_s = np.repeat(self.sessions.last_end_s, self.successors)
        return self.sessions.first_submit_s[self.successor] - ended_s


def session_graph(sessions: Sessions, reduced: bool = True) -> SessionGraph:
    """The graph of all users; `reduced=False` keeps every edge of the relation."""
    begin, stop, by_end = predecessor_ranges(sessions, reduced)
    first, last = _successors(begin, stop, by_end)
    place = np.empty_like(by_end)  # of every session in by_user
    place[sessions.by_user] = np.arange(len(place))
    return SessionGraph(sessions, first[place], last[place], (stop - begin)[place], reduced)


def predecessor_ranges(sessions: Sessions, reduced: bool = True) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """begin, stop, by_end: the session at place p of by_user waits for those at the places by_end[begin[p] : stop[p]].

    `begin` and `stop` ascend, and by_end has the places by (user, end). What had ended when the session began is the
    beginning of its user's part of by_end; what ended after M had begun is the rest of that. M has the largest place,
    because places are by (user, beginning).
    """
    stop, by_end = ends_before(sessions)
    begin = np.repeat(sessions.user_start[:-1], np.diff(sessions.user_start))
    if reduced and len(stop):
        latest = np.maximum.accumulate(by_end)[stop - 1]
        begin = np.where(stop > begin, np.maximum(stop[latest], begin), stop)
    return begin, stop, by_end


def _successors(begin: np.ndarray, stop: np.ndarray, by_end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """By place: the places first … last − 1 wait for it. `begin` and `stop` ascend, so these stand together too."""
    first, last = np.empty_like(by_end), np.empty_like(by_end)
    k = np.arange(len(by_end))
    first[by_end] = np.searchsorted(stop, k, side="right")
    last[by_end] = np.searchsorted(begin, k, side="right")
    return first, np.maximum(first, last)


def ends_before(sessions: Sessions) -> tuple[np.ndarray, np.ndarray]:
    """For every place how many ends, of all users, come before its beginning; and the places by (user, end).

    Beginnings and ends stand in one line by (user, time, place), a place's beginning before its end. So an end and
    a later beginning at the same time are in this order, and sessions without length in the order of their numbers.
    """
    of_user = sessions.by_user
    time_s = np.column_stack([sessions.first_submit_s[of_user], sessions.last_end_s[of_user]]).ravel()
    user = np.repeat(np.arange(len(sessions.users)), 2 * np.diff(sessions.user_start))
    in_time = np.argsort(time_s, kind="stable")
    event = in_time[stable_order(user[in_time], len(sessions.users))]  # even: a beginning; odd: an end
    is_end = event % 2 == 1
    return np.cumsum(is_end)[~is_end], event[is_end] // 2


def require_few(edges: int) -> None:
    if edges > MOST_EDGES:
        raise InputError(
            f"the session graph has {edges:,} edges, more than the {MOST_EDGES:,} that are listed one by one:"
            " take the reduced graph, or fewer sessions by a larger threshold"
        )
