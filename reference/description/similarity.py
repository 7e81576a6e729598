"""Similarity of a user's jobs inside sessions and between them. Zakay and Feitelson 2014, section 3.

A user is a list of sessions, a session is a list of the values of its jobs, such as their run times.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from statistics import mean, median

Sessions = Sequence[Sequence[float]]  # of one user

LEAST_SESSIONS = 6


def similarity(x: float, y: float) -> float:
    return 1.0 if x == y else min(x, y) / max(x, y)


def eligible(sessions: Sessions) -> bool:
    """Users with at least six sessions, one of them with two jobs or more."""
    return len(sessions) >= LEAST_SESSIONS and any(len(session) >= 2 for session in sessions)


def session_pairs(sessions: Sessions, distance: int) -> list[list[float]]:
    """By session, or pair of sessions so far apart: the similarities of all its pairs of jobs; none without a pair."""
    if distance == 0:
        found = [[similarity(x, y) for x, y in combinations(session, 2)] for session in sessions]
    else:
        partners = zip(sessions, sessions[distance:], strict=False)
        found = [[similarity(x, y) for x, y in product(one, other)] for one, other in partners]
    return [pairs for pairs in found if pairs]


def user_value(sessions: Sessions, distance: int, statistic: str = "pooled") -> float:
    """The similarity of a user's jobs at this distance."""
    found = session_pairs(sessions, distance)
    if statistic == "pooled":
        return mean(value for pairs in found for value in pairs)
    if statistic == "identical":
        return mean(value == 1.0 for pairs in found for value in pairs)
    return mean(mean(pairs) if statistic == "session_mean" else median(pairs) for pairs in found)
