"""Think times of a graph with many edges: mean, shares and quantiles, without listing the edges.

The successors of a session are neighbours in the order of their begins. A binary search counts its edges up to a think
time, and bisection finds a quantile.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from thinktime.support.json_types import JsonDict
from thinktime.workload.user_sessions.graph import SessionGraph
from thinktime.workload.user_sessions.graph_shape import QUANTILES, quantiles

Side = Literal["left", "right"]
LISTED = 5_000_000  # up to this many edges, listing is faster
WHOLE_S, PART_S = 0.5, 1e-6  # precision of a quantile for whole seconds, and for others


def think_quantiles(graph: SessionGraph, listed: int = LISTED) -> JsonDict:
    """Return the number of edges, their mean think time and QUANTILES, as `graph_shape.quantiles` does."""
    return quantiles(graph.think_s) if graph.edges <= listed else EdgeThinkTimes(graph).quantiles()


def share_under(graph: SessionGraph, bound_s: float, listed: int = LISTED) -> float | None:
    """Return the share of edges with think times under a bound; None without edges."""
    if not graph.edges:
        return None
    if graph.edges <= listed:
        return float(np.mean(graph.think_s < bound_s))
    return EdgeThinkTimes(graph).count(bound_s, "left") / graph.edges


class EdgeThinkTimes:
    """The sessions with successors by user, in the order of their ends."""

    def __init__(self, graph: SessionGraph) -> None:
        found = graph.sessions
        user = np.repeat(np.arange(len(found.users)), np.diff(found.user_start))
        waited = np.flatnonzero(graph.successors[found.by_user])
        place = waited[np.lexsort((found.last_end_s[found.by_user[waited]], user[waited]))]
        of = found.by_user[place]
        self.first_s = found.first_submit_s[found.by_user]  # by place, ascending inside a user
        self.end_s = found.last_end_s[of]
        self.begin, self.stop = graph.successor_begin[of], graph.successor_end[of]  # the positions of its successors
        self.edges = graph.edges
        whole = all(np.array_equal(times_s, np.floor(times_s)) for times_s in (self.first_s, self.end_s))
        self.resolution_s = WHOLE_S if whole else PART_S
        border = np.searchsorted(user[place], np.arange(len(found.users) + 1))
        self.parts = [  # per user: sessions here, and positions
            (slice(border[u], border[u + 1]), slice(found.user_start[u], found.user_start[u + 1]))
            for u in np.flatnonzero(np.diff(border)).tolist()
        ]

    def count(self, think_s: float, side: Side = "right") -> int:
        """Return the number of edges with at most this think time; with `left`, less than it."""
        return int((self._reached(think_s, side) - self.begin).sum())

    @property
    def longest_s(self) -> float:
        return float((self.first_s[self.stop - 1] - self.end_s).max())

    def quantiles(self) -> JsonDict:
        """Return count, mean and QUANTILES, interpolated linearly as numpy does."""
        rank = np.array(list(QUANTILES.values())) * (self.edges - 1)
        low, part = np.floor(rank).astype(np.int64), rank - np.floor(rank)
        found = [self._between(k, share) for k, share in zip(low.tolist(), part.tolist(), strict=True)]
        return {"known": self.edges, "mean": self._mean(), **dict(zip(QUANTILES, found, strict=True))}

    def _reached(self, think_s: float, side: Side = "right") -> np.ndarray:
        """Return, per session, the position up to which its successors have at most this think time."""
        place = np.empty_like(self.begin)
        for own, places in self.parts:
            place[own] = places.start + self.first_s[places].searchsorted(self.end_s[own] + think_s, side=side)
        return np.clip(place, self.begin, self.stop)

    def _mean(self) -> float:
        base_s = float(self.first_s.min())
        total = np.append(0.0, np.cumsum(self.first_s - base_s))
        each = total[self.stop] - total[self.begin] - (self.stop - self.begin) * (self.end_s - base_s)
        return float(each.sum() / self.edges)

    def _between(self, k: int, part: float) -> float:
        """Return the think time of rank k (from 0), plus a part of the difference to the next."""
        here = self._ranked(k)
        if not part or self.count(here) > k + 1:
            return here
        reached = self._reached(here)
        more = reached < self.stop
        following = float((self.first_s[reached[more]] - self.end_s[more]).min())
        return here + part * (following - here)

    def _ranked(self, k: int) -> float:
        """Return the think time of rank k: the largest in the final range of the bisection."""
        low_s = float((self.first_s[self.begin] - self.end_s).min()) - 1.0
        high_s = self.longest_s
        while high_s - low_s > self.resolution_s:
            middle_s = (low_s + high_s) / 2
            low_s, high_s = (low_s, middle_s) if self.count(middle_s) > k else (middle_s, high_s)
        reached = self._reached(high_s)
        some = reached > self.begin
        return float((self.first_s[reached[some] - 1] - self.end_s[some]).max())
