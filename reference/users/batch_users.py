"""Users who work in batches: the mechanism that three models share. Zakay and Feitelson 2014.

Each user has a next batch. It becomes available when the batch before it has been submitted completely and all that
it depends on has ended. If the last of these conditions to come true was an end (or both came at one instant), the
reason is `dependency`; otherwise the user did not have to wait for anything, and the reason is `follows`. Then the
model says when the batch's first job arrives; the others keep their recorded distances from it. The first batch of a
user comes at its recorded time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

from reference.job import Job
from reference.users.batches import Batch, find_batches
from reference.users.rigid import Streams, Users


class BatchUsers(Users):
    def __init__(self, threshold: float = 3600.0) -> None:
        self.threshold = threshold  # of the sessions, in seconds

    @classmethod
    def make(cls, options: Mapping[str, Any], streams: Streams) -> Self:
        return cls(60.0 * options["threshold_min"])

    def arrival(self, batch: Batch, now: float, reason: str) -> float:
        """When the first job of a batch that becomes available now is submitted."""
        raise NotImplementedError

    def prepare(self) -> None:
        """Called once `self.batches` is known."""

    def begin(self, jobs: Sequence[Job]) -> list[tuple[float, int]]:
        self.jobs = jobs
        self.batches = find_batches(jobs, self.threshold)  # by user
        self.batch_of = {index: batch for own in self.batches.values() for batch in own for index in batch.jobs}
        self.waiting = {user: list(own[1:]) for user, own in self.batches.items()}  # not available yet
        self.submit_of: dict[int, float] = {}  # job → when it was submitted here
        self.response = dict.fromkeys(self.batches, 0.0)  # response time of the user's last job to end
        self.prepare()
        return [each for own in self.batches.values() for each in self.submissions(own[0], own[0].first_submit)]

    def submitted(self, index: int, now: float) -> list[tuple[float, int]]:
        batch = self.batch_of[index]
        self.submit_of[index] = now
        batch.to_submit -= 1
        if batch.to_submit > 0:
            return []
        batch.submitted = now
        return self.next_batch(batch.user, now)

    def ended(self, index: int, now: float) -> list[tuple[float, int]]:
        batch = self.batch_of[index]
        self.response[batch.user] = now - self.submit_of[index]
        batch.to_end -= 1
        if batch.to_end > 0:
            return []
        batch.ended = now
        return self.next_batch(batch.user, now)

    def next_batch(self, user: int, now: float) -> list[tuple[float, int]]:
        """Something has happened to the user: the submissions of the next batch, if it has become available."""
        if not self.waiting[user]:
            return []
        batch = self.waiting[user][0]
        ends = [each.ended for each in batch.depends_on]
        if batch.previous is None or batch.previous.submitted is None or None in ends:
            return []
        waited = bool(ends) and max(end for end in ends if end is not None) >= batch.previous.submitted
        self.waiting[user].pop(0)
        return self.submissions(batch, self.arrival(batch, now, "dependency" if waited else "follows"))

    def submissions(self, batch: Batch, start: float) -> list[tuple[float, int]]:
        return [(start + (self.jobs[index].submit - batch.first_submit), index) for index in batch.jobs]


def delay_of(batch: Batch, reason: str) -> float | None:
    """The recorded delay of a batch that belongs to the reason: its think time, or its inter-arrival time."""
    return batch.think_time if reason == "dependency" else batch.inter_arrival
