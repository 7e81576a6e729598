"""Users with hours of activity, who go on while answers come quickly.

Each user works by day (7:30 to 17:30) or by night (17:30 to 7:30), shifted by up to an hour, and on weekdays or on
weekends; a night belongs to the day on which it begins. A batch that becomes available outside these hours waits for
them. Inside, the user goes on with probability 0.8 / (0.05 RT + 1), where RT is the response time, in minutes, of the
user's last job to end: then the batch comes after one of the user's own delays inside sessions. Otherwise it comes
after one of the delays between sessions that are shorter than 8 hours, or with the next hours of activity if that is
outside. A user without such delays takes those of all users; without any, the delay is 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from reference.users.batch_users import BatchUsers, delay_of
from reference.users.batches import Batch
from reference.users.fluid import pick
from reference.users.rigid import Streams

DAY = 86400.0


@dataclass(frozen=True)
class Habits:
    begin: float  # of the hours of activity, in seconds of a day
    length: float
    weekdays: bool


class DistributionBased(BatchUsers):
    name = "distribution-based"

    def __init__(self, stream: Streams, monday: float = 0.0, threshold: float = 3600.0) -> None:
        super().__init__(threshold)
        self.stream = stream
        self.monday = monday  # the time of a Monday 00:00
        self.day_begins, self.day_ends, self.shift = 7.5 * 3600, 17.5 * 3600, 3600.0
        self.by_day, self.on_weekdays = 0.7, 0.8
        self.goes_on, self.impatience = 0.8, 0.05
        self.longest_break = 8 * 3600.0

    @classmethod
    def make(cls, options: Mapping[str, Any], streams: Streams) -> Self:
        made = cls(streams, options["monday_s"], 60.0 * options["threshold_min"])
        made.day_begins, made.day_ends = 3600.0 * options["day_begins_h"], 3600.0 * options["day_ends_h"]
        made.shift, made.longest_break = 3600.0 * options["shift_h"], 3600.0 * options["longest_break_h"]
        made.by_day, made.on_weekdays = options["by_day"], options["on_weekdays"]
        made.goes_on, made.impatience = options["goes_on"], options["impatience"]
        return made

    def prepare(self) -> None:
        self.draws = {user: self.stream(user) for user in self.batches}
        self.habits = {user: self.draw_habits(user) for user in self.batches}

    def draw_habits(self, user: int) -> Habits:
        day, shift, week = (self.draws[user].random() for _ in range(3))
        moved = (2.0 * shift - 1.0) * self.shift
        length = self.day_ends - self.day_begins
        if day < self.by_day:
            return Habits(self.day_begins + moved, length, week < self.on_weekdays)
        return Habits(self.day_ends + moved, DAY - length, week < self.on_weekdays)

    def arrival(self, batch: Batch, now: float, reason: str) -> float:
        user = batch.user
        decides, chooses = self.draws[user].random(), self.draws[user].random()  # two a batch, used or not
        if not self.active(user, now):
            return self.next_activity(user, now)
        minutes = self.response[user] / 60.0
        if decides < self.goes_on / (self.impatience * minutes + 1.0):
            return now + pick(self.pool(user, reason, inside=True), chooses)
        after = now + pick(self.pool(user, reason, inside=False), chooses)
        return after if self.active(user, after) else self.next_activity(user, after)

    def pool(self, user: int, reason: str, inside: bool) -> list[float]:
        own = self.delays(self.batches[user], reason, inside)
        return own or [each for batches in self.batches.values() for each in self.delays(batches, reason, inside)]

    def delays(self, batches: list[Batch], reason: str, inside: bool) -> list[float]:
        found = [delay_of(batch, reason) for batch in batches if batch.in_session == inside]
        return [delay for delay in found if delay is not None and (inside or delay < self.longest_break)]

    # --- hours of activity ----------------------------------------------------------------------------------

    def active(self, user: int, time: float) -> bool:
        length = self.habits[user].length
        return any(begin <= time < begin + length for begin in self.beginnings(user, time))

    def next_activity(self, user: int, time: float) -> float:
        return min(begin for begin in self.beginnings(user, time) if begin > time)

    def beginnings(self, user: int, time: float) -> list[float]:
        """Of the hours of activity around this time: from two days before to a week and a day after it.

        A night that is shifted by a day, the most there is, ends on the second day after its own.
        """
        habits, today = self.habits[user], math.floor((time - self.monday) / DAY)
        days = [day for day in range(today - 2, today + 9) if (day % 7 < 5) == habits.weekdays]
        return [self.monday + (day * DAY + habits.begin) for day in days]
