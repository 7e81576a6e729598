"""Adjusted arrivals: the recorded think time after an end, the recorded inter-arrival time otherwise."""

from __future__ import annotations

from reference.users.batch_users import BatchUsers, delay_of
from reference.users.batches import Batch


class Adjusted(BatchUsers):
    name = "adjusted"

    def arrival(self, batch: Batch, now: float, reason: str) -> float:
        delay = delay_of(batch, reason)
        assert delay is not None  # a batch waits for a job or follows a batch
        return now + delay
