"""The session graph: which sessions a user may have waited for before the next one.

S' depends on S, of the same user, if all jobs of S had ended when S' began; the think time is the time in between.
The reduced graph keeps S → S' only if there is no third session between them. For intervals that is a linear rule:
of the sessions that S' depends on let M be the one that began last; S is kept if it ended after M began.

Sessions may have length zero. Of such sessions at one instant the later number depends on the earlier one, so there are
no cycles. Madon, Da Costa and Pierson 2024, definition 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

import thinktime._engine as _engine
from thinktime.errors import InputError
from thinktime.support.equality import ByContent
from thinktime.workload.user_sessions.groups import offsets, ranges
from thinktime.workload.user_sessions.sessions import Sessions

MOST_EDGES = 200_000_000  # a listed edge takes 16 bytes


@dataclass(frozen=True, eq=False, repr=False)
class SessionGraph(ByContent):
    """Edges as ranges of sessions; `start`, `successor` and `think_s` list them on demand.

    The successors of a session are neighbours in `sessions.by_user`, so a graph is small even if many overlapping
    sessions wait for many others.
    """

    sessions: Sessions
    #: int64[n_sessions]: sessions.by_user[successor_begin[s] : successor_end[s]] wait for s
    successor_begin: np.ndarray
    successor_end: np.ndarray
    predecessors: np.ndarray  # int64[n_sessions]: number of predecessors; 0: a root
    reduced: bool = True

    @property
    def successors(self) -> np.ndarray:
        """int64[n_sessions]: number of successors."""
        return self.successor_end - self.successor_begin

    @property
    def edges(self) -> int:
        return int(self.predecessors.sum())

    @property
    def roots(self) -> np.ndarray:
        """The sessions without predecessors."""
        return np.flatnonzero(self.predecessors == 0)

    @cached_property
    def start(self) -> np.ndarray:
        """int64[n_sessions + 1]: the edges that leave session s are start[s] … start[s + 1] − 1, by successor."""
        return offsets(self.successors)

    @cached_property
    def successor(self) -> np.ndarray:
        """int64[n_edges]: the successor of every edge."""
        require_few(self.edges)
        return self.sessions.by_user[ranges(self.successor_begin, self.successor_end)]

    @cached_property
    def predecessor(self) -> np.ndarray:
        """int64[n_edges]: the predecessor of every edge."""
        require_few(self.edges)
        return np.repeat(np.arange(len(self.sessions)), self.successors)

    @cached_property
    def think_s(self) -> np.ndarray:
        """float64[n_edges]: first submit of the successor − last end of the predecessor, never negative."""
        ended_s = np.repeat(self.sessions.last_end_s, self.successors)
        return self.sessions.first_submit_s[self.successor] - ended_s


def session_graph(sessions: Sessions, reduced: bool = True) -> SessionGraph:
    """Return the graph of all users; `reduced=False` keeps every edge of the relation."""
    begin, stop, by_end = predecessor_ranges(sessions, reduced)
    first, last = _successors(begin, stop, by_end)
    place = np.empty_like(by_end)  # of every session in by_user
    place[sessions.by_user] = np.arange(len(place))
    return SessionGraph(sessions, first[place], last[place], (stop - begin)[place], reduced)


def predecessor_ranges(sessions: Sessions, reduced: bool = True) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return begin, stop, by_end: the session at position p of by_user waits for by_end[begin[p] : stop[p]].

    `begin` and `stop` ascend, and by_end has the positions by (user, end): the sessions that had ended when a session
    began are the first of its user, and those that ended after M began are the last of these.
    """
    begin, stop, by_end = _engine.predecessors(
        began=sessions.first_submit_s[sessions.by_user],
        ended=sessions.last_end_s[sessions.by_user],
        user_start=sessions.user_start,
        reduced=reduced,
    )
    return begin, stop, by_end


def _successors(begin: np.ndarray, stop: np.ndarray, by_end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return first and last per position: first … last − 1 wait for it, and are neighbours."""
    first, last = np.empty_like(by_end), np.empty_like(by_end)
    k = np.arange(len(by_end))
    first[by_end] = np.searchsorted(stop, k, side="right")
    last[by_end] = np.searchsorted(begin, k, side="right")
    return first, np.maximum(first, last)


def require_few(edges: int) -> None:
    if edges > MOST_EDGES:
        raise InputError(
            f"the session graph has {edges:,} edges, and at most {MOST_EDGES:,} can be listed:"
            " use the reduced graph, or a larger threshold"
        )
