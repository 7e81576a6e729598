"""When a user works: the sessions of the log, from their first submission until `stays` after their last.

When they are over they come again, all of them, a whole number of weeks later: the least number that puts the first
one after the last one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from reference.job import Job
from reference.users.sessions import find_sessions

ROUNDING = 1e-6  # tolerance for sums of decimals


class Activity:
    def __init__(self, jobs: Sequence[Job], threshold: float, week: float, stays: float = 0.0) -> None:
        self.week = week
        self.intervals: dict[int, list[tuple[float, float]]] = {}
        for session in find_sessions(jobs, threshold):
            last = jobs[session.jobs[-1]].submit + stays
            self.intervals.setdefault(session.user, []).append((session.first_submit, last))

    def place(self, user: int, now: float) -> tuple[bool, float]:
        """Is the user in a session now? And the next beginning of one."""
        own = self.intervals[user]
        period = (math.floor((own[-1][1] - own[0][0]) / self.week) + 1) * self.week
        again = max(0, math.floor((now - own[0][0]) / period))
        for begin, end in [(b + again * period, e + again * period) for b, e in own]:
            if begin - ROUNDING <= now <= end + ROUNDING:
                return True, begin
            if begin > now:
                return False, begin
        return False, own[0][0] + (again + 1) * period
