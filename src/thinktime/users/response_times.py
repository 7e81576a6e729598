"""How think times depend on response times, fitted to a log: users think longer after a longer response time.

For every session that waited for another one: x = log(1 + response time of the session that ended last before it),
y = log(1 + think time after it). The exponent of a user is the slope of y over x in the user's sessions, shrunk towards
the slope of all users: (Sxy + λ b) / (Sxx + λ), where b is the pooled slope within users and λ is the weight of
`pooling` observations of mean spread. Exponents are between 0 and 1.
"""

from __future__ import annotations

import numpy as np

from thinktime.workload.user_sessions.sessions import Sessions

Ranges = tuple[np.ndarray, np.ndarray, np.ndarray]  # begin, stop and by_end of the predecessors


def exponents(sessions: Sessions, ranges: Ranges, pooling: float) -> np.ndarray:
    """Return the exponent of every user."""
    begin, stop, by_end = ranges
    later = np.flatnonzero(stop > begin)
    before = by_end[stop[later] - 1]  # of the sessions that it waited for, the last to end
    start_s, end_s = sessions.first_submit_s[sessions.by_user], sessions.last_end_s[sessions.by_user]
    x = np.log1p(np.maximum(end_s[before] - start_s[before], 0.0))
    y = np.log1p(np.maximum(start_s[later] - end_s[before], 0.0))
    users = len(sessions.user_start) - 1
    user = np.searchsorted(sessions.user_start, later, side="right") - 1
    return _shrunk(x, y, user, users, pooling)


def _shrunk(x: np.ndarray, y: np.ndarray, user: np.ndarray, users: int, pooling: float) -> np.ndarray:
    count = np.maximum(np.bincount(user, minlength=users), 1)
    dx = x - (np.bincount(user, x, users) / count)[user]
    dy = y - (np.bincount(user, y, users) / count)[user]
    sxx, sxy = np.bincount(user, dx * dx, users), np.bincount(user, dx * dy, users)
    spread = float(sxx.sum())
    if spread <= 0:
        return np.zeros(users)
    pooled, weight = float(sxy.sum()) / spread, pooling * spread / max(len(x), 1)
    weighed = sxx + weight
    return np.clip(np.where(weighed > 0, sxy + weight * pooled, pooled) / np.where(weighed > 0, weighed, 1.0), 0.0, 1.0)
