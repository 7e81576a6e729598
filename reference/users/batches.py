"""Batches of a log: jobs of a session that overlap, and what each batch waits for. Zakay and Feitelson 2014.

Inside a session a job begins a new batch if all jobs before it have ended. A batch depends on the batch before it in
its session; the first batch of a session depends on the last batch of every earlier session that had ended by then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from reference.job import Job
from reference.users.sessions import Session, depends, find_sessions


@dataclass(eq=False)
class Batch:
    user: int
    session: int  # its number
    jobs: list[int]  # indices, in the order of submission
    first_submit: float
    last_submit: float
    last_end: float  # recorded
    previous: Batch | None = None  # of its user: the batch that it follows
    depends_on: list[Batch] = field(default_factory=list)
    # what becomes of it in the simulation
    to_submit: int = 0  # jobs
    to_end: int = 0  # jobs
    submitted: float | None = None  # when the last job was
    ended: float | None = None

    @property
    def in_session(self) -> bool:
        return self.previous is not None and self.previous.session == self.session

    @property
    def think_time(self) -> float | None:
        """From the end of what it depends on to its first submission."""
        return self.first_submit - max(each.last_end for each in self.depends_on) if self.depends_on else None

    @property
    def inter_arrival(self) -> float | None:
        return self.first_submit - self.previous.last_submit if self.previous else None


def find_batches(jobs: Sequence[Job], threshold: float = 3600.0) -> dict[int, list[Batch]]:
    """Every user's batches in the order of arrival; users ascending. `threshold` of the sessions in seconds."""
    sessions = find_sessions(jobs, threshold)
    users: dict[int, list[Batch]] = {user: [] for user in sorted({session.user for session in sessions})}
    last_of: dict[int, Batch] = {}  # session number → its last batch
    for session in sessions:
        for batch in cut(jobs, session):
            batch.previous = users[batch.user][-1] if users[batch.user] else None
            if batch.in_session and batch.previous:
                batch.depends_on = [batch.previous]
            else:
                batch.depends_on = [
                    last_of[other.number]
                    for other in sessions
                    if other.user == session.user and depends(session, other)
                ]
            users[batch.user].append(batch)
            last_of[session.number] = batch
    return users


def cut(jobs: Sequence[Job], session: Session) -> list[Batch]:
    pieces: list[list[int]] = []
    for index in session.jobs:
        if pieces and jobs[index].submit < max(jobs[each].recorded_end for piece in pieces for each in piece):
            pieces[-1].append(index)
        else:
            pieces.append([index])
    return [make(jobs, session, piece) for piece in pieces]


def make(jobs: Sequence[Job], session: Session, own: list[int]) -> Batch:
    first, last = jobs[own[0]].submit, jobs[own[-1]].submit
    end = max(jobs[index].recorded_end for index in own)
    return Batch(session.user, session.number, own, first, last, end, to_submit=len(own), to_end=len(own))
