"""Fluid users work in the sessions that the log has, but not on the same batches.

A session lasts from its first submission until `stays` seconds after its last. A batch that becomes available inside
one comes after a delay drawn from the user's own delays inside sessions (think times or inter-arrival times, by the
reason); none if the user has none. Outside it waits for the next session to begin (`activity.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from reference.users.activity import Activity
from reference.users.batch_users import BatchUsers, delay_of
from reference.users.batches import Batch
from reference.users.rigid import Streams


class Fluid(BatchUsers):
    name = "fluid"

    def __init__(
        self,
        stream: Streams,
        threshold: float = 3600.0,
        week: float = 604800.0,
        stays: float = 0.0,
    ) -> None:
        super().__init__(threshold)
        self.stream = stream
        self.week, self.stays = week, stays

    @classmethod
    def make(cls, options: Mapping[str, Any], streams: Streams) -> Self:
        week, stays = 86400.0 * options["repeat_days"], 60.0 * options["stays_min"]
        return cls(streams, 60.0 * options["threshold_min"], week, stays)

    def prepare(self) -> None:
        self.draws = {user: self.stream(user) for user in self.batches}
        self.activity = Activity(self.jobs, self.threshold, self.week, self.stays)

    def arrival(self, batch: Batch, now: float, reason: str) -> float:
        draw = self.draws[batch.user].random()  # one a batch, used or not: the next batch's does not depend on it
        inside, next_begin = self.activity.place(batch.user, now)
        if not inside:
            return next_begin
        pool = [delay_of(each, reason) for each in self.batches[batch.user] if each.in_session]
        return now + pick([delay for delay in pool if delay is not None], draw)


def pick(pool: list[float], draw: float) -> float:
    """The value that a uniform number in [0, 1) chooses; 0 if there is none."""
    return pool[int(draw * len(pool))] if pool else 0.0
