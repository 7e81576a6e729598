"""Submission times by the slot-weight method with AccaSim's moving cap on gaps.

A gap above the cap is drawn again. The cap is the longest gap of the log if the hour, weekday and month of the last
submission already have their share of jobs; it falls towards half an hour (on a log scale) the more they lack. Where
gaps are minutes the cap rarely matters, and a day of 48 weights makes weekends too busy on every log we tried. So the
default cycle is a week. Each cap depends on all earlier submissions, so this loop runs in Python, job by job.
"""

from __future__ import annotations

import math

import numpy as np

from thinktime.generate.accasim_profile import DAY_S, FIRST_MONDAY, Submissions, months_of
from thinktime.generate.daily_cycle import SLOT_S, SLOTS, one_on_average
from thinktime.generate.draws import Draws, Make

PROGRESS = ("share", "quota")
CYCLES = ("day", "week")
CALENDAR_DAYS = 146_097  # 400 years, the period of the calendar
MANY_CYCLES = 1000  # longer pauses skip whole cycles


class Arrivals:
    """The infinite sequence of submissions, in whole seconds since the midnight before the first."""

    def __init__(
        self,
        log: Submissions,
        seed: int,
        *names: str,
        progress: str = "share",
        cycle: str = "week",
        jobs: int = 0,
        stretch: float = 1.0,
    ) -> None:
        self._draws = Draws(_gaps(log, stretch), seed, "generate.accasim", "gaps", *names)
        self._shares = [log.hours.tolist(), log.weekdays.tolist(), log.months.tolist()]
        self._seen = [[0] * 24, [0] * 7, [0] * 12]
        self._quota, self._done = (jobs if progress == "quota" else None), 0
        self.first_day = int(log.first_s // DAY_S)
        self._weights = self._cycle(log, cycle)
        self._many_points = MANY_CYCLES * sum(self._weights)
        self._months = months_of(np.arange(self.first_day, self.first_day + CALENDAR_DAYS)).tolist()
        self._cap, self._slot_cap = math.log(log.longest_s), math.log(SLOT_S)
        slot, rest_s = divmod(log.first_s % DAY_S, SLOT_S)
        self._slot = int(slot)  # since the first midnight
        self._points = self._weights[self._slot] * rest_s / SLOT_S  # spent in the slot
        self._kept: list[float] = []  # unused gaps, the next one last

    def _cycle(self, log: Submissions, cycle: str) -> list[float]:
        """Return the weights of the half-hours of a day, or of a week from the first day."""
        if cycle == "day":
            return one_on_average(log.slots).tolist()
        return np.roll(one_on_average(log.week), -SLOTS * ((self.first_day - FIRST_MONDAY) % 7)).tolist()

    def take(self, count: int) -> np.ndarray:
        """Return the next submissions."""
        weights, time_s = self._weights, []
        for _ in range(count):
            self._points += math.exp(self._gap()) / SLOT_S if self._done else 0.0
            if self._points > self._many_points:
                self._skip_cycles()
            while self._points >= (weight := weights[self._slot % len(weights)]):
                self._points -= weight
                self._slot += 1
            time_s.append(SLOT_S * (self._slot + self._points / weight))
            self._count()
        return np.floor(np.array(time_s))

    def _skip_cycles(self) -> None:
        """Skip whole cycles."""
        cycles = int(self._points * MANY_CYCLES // self._many_points)
        self._slot += cycles * len(self._weights)
        self._points -= cycles * self._many_points / MANY_CYCLES

    def _gap(self) -> float:
        """Return ln of a gap that is at most the cap."""
        cap = self._cap - (self._cap - self._slot_cap) * (1.0 - self._progress())
        while True:
            if not self._kept:
                self._kept = self._draws.take(4096)[::-1].tolist()
            gap = self._kept.pop()
            if gap <= cap:
                return gap

    def _progress(self) -> float:
        """Return the product of actual over expected jobs of the last hour, weekday and month, where below 1."""
        of, product = self._quota or self._done, 1.0
        for seen, shares, place in zip(self._seen, self._shares, self._places(), strict=True):
            if shares[place] > 0 and seen[place] < (wanted := shares[place] * of):
                product *= seen[place] / wanted
        return product

    def _places(self) -> tuple[int, int, int]:
        day, slot = divmod(self._slot, SLOTS)
        return slot // 2, (self.first_day + day - FIRST_MONDAY) % 7, self._months[day % CALENDAR_DAYS]

    def _count(self) -> None:
        for seen, place in zip(self._seen, self._places(), strict=True):
            seen[place] += 1
        self._done += 1


def _gaps(log: Submissions, stretch: float) -> Make:
    """Draw ln of gaps in seconds; minus infinity for a gap of 0."""

    def make(rng: np.random.Generator, count: int) -> np.ndarray:
        together = rng.random(count) < log.together
        return np.where(together, -np.inf, log.law.draw(rng, count) + math.log(stretch))

    return make


PILOT, ROUNDS = 20_000, 8


def stretch_of(log: Submissions, progress: str, cycle: str) -> float:
    """Return the factor on gaps that gives the arrival rate of the log; found by pilot runs."""
    log_stretch, best = 0.0, (math.inf, 0.0)
    for _ in range(ROUNDS):
        how = {"progress": progress, "cycle": cycle, "stretch": math.exp(log_stretch)}
        pilot = Arrivals(log, 0, "pilot", jobs=PILOT, **how).take(PILOT)  # type: ignore[arg-type]
        off = math.log(max(float(pilot[-1] - pilot[0]), 1.0) / (PILOT - 1) / log.mean_gap_s)
        best = min(best, (abs(off), log_stretch))
        log_stretch = min(max(log_stretch - off, -12.0), 6.0)
    return math.exp(best[1])
