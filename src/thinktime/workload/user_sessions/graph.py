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

import thinktime._engine as _engine
from thinktime.errors import InputError
from thinktime.support.equality import ByContent
from thinktime.workload.user_sessions.groups import offsets, ranges
from thinktime.workload.user_sessions.sessions import Sessions

MOST_EDGES = 200_000_000  # listed one by one they need 16 bytes each


@dataclass(frozen=True, eq=False, repr=False)
class SessionGraph(ByContent):
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

    `begin` and `stop` ascend, and by_end has the places by (user, end): what had ended when a session began is the
    beginning of its user's part, and what ended after M had begun is the rest of that.
    """
    begin, stop, by_end = _engine.predecessors(
        began=sessions.first_submit_s[sessions.by_user],
        ended=sessions.last_end_s[sessions.by_user],
        user_start=sessions.user_start,
        reduced=reduced,
    )
    return begin, stop, by_end


def _successors(begin: np.ndarray, stop: np.ndarray, by_end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """By place: the places first … last − 1 wait for it. `begin` and `stop` ascend, so these stand together too."""
    first, last = np.empty_like(by_end), np.empty_like(by_end)
    k = np.arange(len(by_end))
    first[by_end] = np.searchsorted(stop, k, side="right")
    last[by_end] = np.searchsorted(begin, k, side="right")
    return first, np.maximum(first, last)


def require_few(edges: int) -> None:
    if edges > MOST_EDGES:
        raise InputError(
            f"the session graph has {edges:,} edges, more than the {MOST_EDGES:,} that are listed one by one:"
            " take the reduced graph, or fewer sessions by a larger threshold"
        )
