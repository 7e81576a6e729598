"""The shape of session graphs: the depth of every session, each user's longest path, and arity.

A path S1 → S2 → … is a list of sessions in which each ended before the next began. Taking the session that ends first
at every step gives a longest path. The depth of a session is one more than the number of taken sessions that ended
before it began.
"""

from __future__ import annotations

import numpy as np

from thinktime.support.json_types import JsonDict
from thinktime.workload.user_sessions.graph import SessionGraph, predecessor_ranges
from thinktime.workload.user_sessions.groups import maxima
from thinktime.workload.user_sessions.sessions import Sessions

#: name → quantile of think times
QUANTILES = {"least": 0.0, "25 %": 0.25, "median": 0.5, "75 %": 0.75, "95 %": 0.95, "most": 1.0}


def depths(sessions: Sessions) -> np.ndarray:
    """int64[n_sessions]: length of the longest path to each session, itself included; 1 for a root.

    The reduced and the full graph have the same depths.
    """
    _, ended, by_end = predecessor_ranges(sessions, reduced=False)  # ended: number of ends before each begin
    chosen = _first_to_end(sessions, ended, by_end)
    before = np.append(0, np.cumsum(chosen))  # chosen ends of all users before each end
    of_earlier_users = np.repeat(before[sessions.user_start[:-1]], np.diff(sessions.user_start))
    depth = np.empty(len(sessions), dtype=np.int64)
    depth[sessions.by_user] = before[ended] - of_earlier_users + 1
    return depth


def _first_to_end(sessions: Sessions, ended: np.ndarray, by_end: np.ndarray) -> np.ndarray:
    """bool, in the order of `by_end`: the session is on the path that always takes the session that ends first.

    The next step from each session is known at once; the paths of all users are followed by doubling the steps.
    """
    chosen = np.zeros(len(by_end), dtype=bool)
    chosen[sessions.user_start[:-1]] = True
    step, farther = None, _next_to_end(sessions, ended, by_end)
    while step is None or np.any(farther != step):
        step = farther
        chosen[step[chosen]] = True
        farther = step[step]
    return chosen


def _next_to_end(sessions: Sessions, ended: np.ndarray, by_end: np.ndarray) -> np.ndarray:
    """Return, for each end, the first end of the user's later sessions; itself if there is none."""
    k = np.arange(len(by_end))
    end_of = np.empty_like(by_end)  # place → position in by_end
    end_of[by_end] = k
    first_end_from = np.append(np.minimum.accumulate(end_of[::-1])[::-1], len(k))  # of this place and later ones
    found = first_end_from[np.searchsorted(ended, k, side="right")]  # places that began after the end k
    own_stop = np.repeat(sessions.user_start[1:], np.diff(sessions.user_start))
    return np.where(found < own_stop, found, k)


def by_users(sessions: Sessions, values: np.ndarray) -> np.ndarray:
    """Return the largest value of each user's sessions, in the order of `sessions.users`."""
    return maxima(values[sessions.by_user], sessions.user_start[:-1])


def longest_paths(sessions: Sessions) -> np.ndarray:
    """int64[n_users]: length of the longest path of each user."""
    return by_users(sessions, depths(sessions))


def arities(graph: SessionGraph) -> np.ndarray:
    """int64[n_users]: largest number of successors of a session of each user."""
    return by_users(graph.sessions, graph.successors)


def quantiles(values: np.ndarray) -> JsonDict:
    """Return the number of known values, their mean and QUANTILES."""
    known = values[~np.isnan(values)]
    if not len(known):
        return {"known": 0}
    found = np.quantile(known, list(QUANTILES.values())).tolist()
    return {"known": len(known), "mean": float(known.mean()), **dict(zip(QUANTILES, found, strict=True))}
