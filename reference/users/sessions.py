"""Sessions of a log and the graph of which session waited for which, as recorded. Madon et al. 2024.

A user's jobs in the order of submission are cut into sessions where the gap is longer than a threshold. With a
threshold of 0 between arrivals every job is a session, also where submit times are equal.

A session depends on every earlier session of its user that had ended when it began. Only the immediate
predecessors count: those without a third session in between, which depends on the one and is depended on by the
other. That is the transitive reduction, and it is found here by trying every third session.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from reference.job import Job

DELIMITERS = ("arrival", "last", "max")


@dataclass(eq=False)
class Session:
    user: int
    jobs: list[int]  # indices, in the order of submission
    first_submit: float
    last_end: float  # recorded
    predecessors: list[Session] = field(default_factory=list)  # whose ends it waits for
    number: int = -1  # sessions are numbered by (first submit, first job)

    def think_time_after(self, predecessor: Session) -> float:
        return self.first_submit - predecessor.last_end


def find_sessions(jobs: Sequence[Job], threshold: float, delimiter: str = "arrival") -> list[Session]:
    """The sessions of all users, numbered. `threshold` in seconds."""
    found: list[Session] = []
    for user in sorted({job.user for job in jobs}):
        own = [index for index, job in enumerate(jobs) if job.user == user]
        found += cut(jobs, sorted(own, key=lambda index: (jobs[index].submit, index)), threshold, delimiter)
    found.sort(key=lambda session: (session.first_submit, session.jobs[0]))
    for number, session in enumerate(found):
        session.number = number
    return found


def cut(jobs: Sequence[Job], own: list[int], threshold: float, delimiter: str) -> list[Session]:
    """One user's jobs, cut into sessions."""
    pieces: list[list[int]] = []
    every_job = delimiter == "arrival" and threshold == 0
    for index in own:
        if pieces and not every_job and gap(jobs, pieces[-1], index, delimiter) <= threshold:
            pieces[-1].append(index)
        else:
            pieces.append([index])
    return [
        Session(jobs[piece[0]].user, piece, jobs[piece[0]].submit, max(jobs[index].recorded_end for index in piece))
        for piece in pieces
    ]


def gap(jobs: Sequence[Job], session: list[int], index: int, delimiter: str) -> float:
    """What is compared with the threshold: the time since the last submission, its job's end, or the latest end."""
    since = {
        "arrival": jobs[session[-1]].submit,
        "last": jobs[session[-1]].recorded_end,
        "max": max(jobs[each].recorded_end for each in session),
    }
    return jobs[index].submit - since[delimiter]


def link(sessions: list[Session], graph: str = "reduced") -> None:
    """Fill in the predecessors: the immediate ones (reduced), or all that a session depends on (full)."""
    own: dict[int, list[Session]] = {}  # user → sessions
    for session in sessions:
        own.setdefault(session.user, []).append(session)
    for session in sessions:
        all_of_them = [other for other in own[session.user] if depends(session, other)]
        if graph == "full":
            session.predecessors = all_of_them
        else:
            session.predecessors = [
                other for other in all_of_them if not any(depends(third, other) for third in all_of_them)
            ]


def depends(later: Session, earlier: Session) -> bool:
    """Of one user: did `earlier` end before `later` began? The number decides where both are one instant long."""
    return earlier.number < later.number and earlier.last_end <= later.first_submit
