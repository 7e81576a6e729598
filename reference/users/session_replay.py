"""Replay with feedback: a session begins when its user has seen the ends of the sessions before it, and thought.

Madon, Da Costa and Pierson 2024. A session without predecessors begins at its recorded time.
Any other begins at the latest of (simulated end of a predecessor + think time after it). Inside a session jobs
keep their recorded distances. A session has ended when its last job has; a rejected job has ended at once.

Two things may be loosened. With `away`, a session that comes free outside its user's activity begins with the next
period of activity. With `exponents`, a think time is multiplied by ((response + 1) / (recorded response + 1)) to the
power of the user's exponent, where the response is that of the session before: from its beginning to its end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

from reference.job import Job
from reference.users.activity import Activity
from reference.users.rigid import Streams, Users
from reference.users.sessions import Session, find_sessions, link


class SessionReplay(Users):
    name = "session-replay"

    def __init__(
        self,
        threshold: float = 3600.0,
        delimiter: str = "arrival",
        graph: str = "reduced",
        ties: str = "planned",
        away: tuple[float, float] | None = None,  # threshold of activity and length of a week
        exponents: dict[int, float] | None = None,  # by user
    ) -> None:
        self.threshold = threshold  # seconds
        self.delimiter = delimiter
        self.graph = graph
        self.ties = ties
        self.away = away
        self.exponents = exponents

    @classmethod
    def make(cls, options: Mapping[str, Any], streams: Streams) -> Self:
        """Return the model with recorded think times: exponents are fitted elsewhere."""
        away = (60.0 * options["activity_threshold_min"], 86400.0 * options["repeat_days"])
        return cls(
            60.0 * options["threshold_min"],
            options["delimiter"],
            options["graph"],
            options["ties"],
            away if options["activity"] == "fluid" else None,
        )

    def begin(self, jobs: Sequence[Job]) -> list[tuple[float, int]]:
        self.jobs = jobs
        self.sessions = find_sessions(jobs, self.threshold, self.delimiter)
        link(self.sessions, self.graph)
        self.successors: dict[int, list[Session]] = {session.number: [] for session in self.sessions}
        for session in self.sessions:
            for earlier in session.predecessors:
                self.successors[earlier.number].append(session)
        self.session_of = {index: session for session in self.sessions for index in session.jobs}
        self.running = {session.number: len(session.jobs) for session in self.sessions}  # jobs that have not ended
        self.ends: dict[int, float] = {}  # session number → simulated end, once it has ended
        self.begins: dict[int, float] = {}  # session number → simulated beginning, once it is known
        self.activity = Activity(jobs, *self.away) if self.away else None
        roots = [session for session in self.sessions if not session.predecessors]
        return [submission for session in roots for submission in self.submissions(session, session.first_submit)]

    def ended(self, index: int, now: float) -> list[tuple[float, int]]:
        session = self.session_of[index]
        self.running[session.number] -= 1
        if self.running[session.number] > 0:
            return []
        self.ends[session.number] = now
        freed = [other for other in self.successors[session.number] if self.is_free(other)]
        return [submission for other in freed for submission in self.submissions(other, self.start(other, now))]

    def is_free(self, session: Session) -> bool:
        return all(earlier.number in self.ends for earlier in session.predecessors)

    def start(self, session: Session, now: float) -> float:
        """As late as the latest predecessor: the same as the latest end + think time, and exact where nothing is late.

        Never before now, the end of the last predecessor, which rounding might make it.
        """
        begin = max(now, max(self.after(earlier, session) for earlier in session.predecessors))
        if self.activity is None:
            return begin
        inside, next_begin = self.activity.place(session.user, begin)
        return begin if inside else next_begin

    def after(self, earlier: Session, session: Session) -> float:
        """When the user has thought about the end of `earlier`."""
        stretch = self.stretch(earlier)
        if stretch == 1:
            return session.first_submit + (self.ends[earlier.number] - earlier.last_end)
        return self.ends[earlier.number] + stretch * (session.first_submit - earlier.last_end)

    def stretch(self, session: Session) -> float:
        response = self.ends[session.number] - self.begins[session.number]
        recorded = session.last_end - session.first_submit
        if self.exponents is None or response == recorded:
            return 1.0
        return float(((response + 1) / (recorded + 1)) ** self.exponents[session.user])

    def submissions(self, session: Session, start: float) -> list[tuple[float, int]]:
        """All jobs of a session that begins at `start`."""
        self.begins[session.number] = start
        return [(start + (self.jobs[index].submit - session.first_submit), index) for index in session.jobs]
