"""Who appears in a resampled log, and when: the random part of resampling. SPEC 3.4, 3.7, 3.9.

Long-term users all appear before any appears twice. For each of them the new log begins at a random week of the log:
who was active then goes on, others arrive later, as in the log. With `start` `activity` it is a week of the user's own
activity, so that all are there at once. Replicas begin as far from each other as possible. Some temporary users
are there from the beginning, chosen by how many weeks they
are active; others arrive week by week, in a binomial number, with their first job. Weeks are drawn one after the other,
so that a longer log continues a shorter one. `reference/resample.py` does the same in loops.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from thinktime.resampling.pools import LONG_TERM, RARE, TEMPORARY, Pools
from thinktime.streams import stream

LOG, ACTIVITY = "log", "activity"
STARTS = (LOG, ACTIVITY)


@dataclass(frozen=True, eq=False)
class Instances:
    """Appearances of users, one entry each, in the order in which they are numbered."""

    trace: np.ndarray  # int64: the sub-trace of the pools
    kind: np.ndarray  # int64: LONG_TERM, TEMPORARY or RARE
    start_week: np.ndarray  # int64: the week of the source with which it begins, active in it or not
    week: np.ndarray  # int64: the week of the resampled log in which it begins

    def __len__(self) -> int:
        return len(self.trace)

    def select(self, rows: np.ndarray) -> Instances:
        return Instances(*(getattr(self, each.name)[rows] for each in fields(self)))


def joined(parts: Sequence[Instances]) -> Instances:
    return Instances(*(np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(Instances)))


def _instances(trace: np.ndarray, kind: int | np.ndarray, start: np.ndarray, week: int | np.ndarray) -> Instances:
    kinds, weeks = (np.broadcast_to(np.asarray(values, dtype=np.int64), trace.shape) for values in (kind, week))
    return Instances(trace, kinds, start, weeks)


@dataclass(frozen=True, eq=False)
class Population:
    """The pools of one log with the parameters of the draw; `log` is its number among the logs that are mixed."""

    pools: Pools
    weight: np.ndarray  # float64[sub-traces]: how often it is drawn, relative to others; 1 without a bias
    long_term: float  # users in the initialisation, and so the next
    temporary: float
    per_week: float  # temporary users who arrive in a week on average, rare ones included
    rare_per_week: float
    start: str = LOG  # at which week long-term users begin: any of the log, or of their activity
    log: int = 0

    def rng(self, seed: int, *names: str | int) -> np.random.Generator:
        return stream(seed, "resample", self.log, *names)

    def first(self, seed: int) -> Instances:
        """Who is there in week 0."""
        return joined([_long_term(self, seed), _first_temporaries(self, seed)])

    def arrivals(self, seed: int) -> Arrivals:
        """Who arrives in later weeks."""
        return Arrivals(self, seed)


def _long_term(of: Population, seed: int) -> Instances:
    members = of.pools.members("long_term")
    wanted = int(np.floor(of.long_term + 0.5))
    if not len(members) or not wanted:
        return nobody()
    times = appearances(wanted, of.weight[members], of.rng(seed, "long-term"))
    rounds = int(times.max())
    draws = [of.rng(seed, "start", k).random(len(members)) for k in range(rounds)]
    starts = far_apart(of.pools, members, draws, of.start)
    return joined([_instances(members[times > k], LONG_TERM, starts[k][times > k], 0) for k in range(rounds)])


def appearances(wanted: int, weight: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """int64: how often each appears. Everybody as often as the whole part of its share; the rest is drawn by the
    other parts, nobody twice: with equal weights all appear before any appears twice."""
    share = wanted * weight / weight.sum()
    times = np.floor(share).astype(np.int64)
    part = share - times
    with np.errstate(divide="ignore"):
        key = rng.standard_exponential(len(weight)) / part  # the smallest keys are a draw without replacement
    times[np.argsort(key, kind="stable")[: wanted - int(times.sum())]] += 1
    return times


def far_apart(pools: Pools, members: np.ndarray, draws: Sequence[np.ndarray], start: str = LOG) -> list[np.ndarray]:
    """For each round the week in which every member starts: a random one first, then one of those whose least
    circular distance to the earlier ones, around the user's period, is the largest."""
    first, weeks, period = (values[members] for values in (pools.first_week, pools.active_weeks, pools.period_weeks))
    if start == LOG:
        first, weeks = np.zeros_like(first), period
    if not draws:
        return []
    chosen = [np.floor(draws[0] * weeks).astype(np.int64)]  # weeks since the user's first
    if len(draws) > 1:
        offset = np.arange(int(weeks.max()))[None, :]
        least = np.where(offset < weeks[:, None], np.iinfo(np.int64).max, -1)  # distance to what is chosen so far
    for draw in draws[1:]:
        apart = np.abs(offset - chosen[-1][:, None]) % period[:, None]
        np.minimum(least, np.minimum(apart, period[:, None] - apart), out=least)
        chosen.append(_one_of_the_largest(least, draw))
    return [first + each for each in chosen]


def _one_of_the_largest(values: np.ndarray, draw: np.ndarray) -> np.ndarray:
    """For each row the column of one of its largest values."""
    tied = values == values.max(axis=1)[:, None]
    nth = np.floor(draw * tied.sum(axis=1)).astype(np.int64)
    return np.argmax(np.cumsum(tied, axis=1) == (nth + 1)[:, None], axis=1)


def _first_temporaries(of: Population, seed: int) -> Instances:
    members = of.pools.members("temporary")
    whole = np.floor(of.temporary)
    number = int(whole) + int(of.rng(seed, "temporary", "number").random() < of.temporary - whole)
    if not len(members) or not number:
        return nobody()
    weeks = of.pools.active_weeks[members]
    key = of.rng(seed, "temporary", "who").standard_exponential(len(members)) / (weeks * of.weight[members])
    chosen = np.argsort(key, kind="stable")[np.arange(number) % len(members)]
    inside = np.floor(of.rng(seed, "temporary", "start").random(number) * weeks[chosen]).astype(np.int64)
    start = of.pools.first_week[members[chosen]] + inside
    return _instances(members[chosen], TEMPORARY, start, 0)


class Arrivals:
    """Temporary users week by week: each arrives with its probability, so their number is binomial and nobody comes
    twice in a week. Some are replaced by rare behaviours; one of them comes twice in a week only when all have come."""

    def __init__(self, of: Population, seed: int) -> None:
        self._of, self._members, self._seed = of, of.pools.members("temporary"), seed
        weight = of.weight[self._members]
        self._chance = np.minimum(of.per_week * (weight / weight.sum()), 1.0)  # both empty without such users
        self._rare_share = of.rare_per_week / of.per_week if of.per_week else 0.0
        self._who, self._is_rare = of.rng(seed, "arrivals"), of.rng(seed, "rare")

    def weeks(self, begin: int, end: int) -> Instances:
        """Of the weeks [begin, end), from week 1 on; they are asked for in order."""
        shape = (end - max(begin, 1), len(self._members))
        if not shape[1] or shape[0] < 1:
            return nobody()
        week, member = np.nonzero(self._who.random(shape) < self._chance)
        chosen, week = self._members[member], week + max(begin, 1)
        if not self._rare_share:
            return _instances(chosen, TEMPORARY, self._of.pools.first_week[chosen], week)
        rare = self._is_rare.random(shape)[week - max(begin, 1), member] < self._rare_share
        chosen[rare] = self._behaviours(week[rare])
        return _instances(chosen, np.where(rare, RARE, TEMPORARY), self._of.pools.first_week[chosen], week)

    def _behaviours(self, week: np.ndarray) -> np.ndarray:
        """A rare behaviour for each of the weeks; equal weeks stand together."""
        pool = self._of.pools.members("rare")
        found = [
            pool[
                np.argsort(self._of.rng(self._seed, "rare", each).random(len(pool)), kind="stable")[
                    np.arange(count) % len(pool)
                ]
            ]
            for each, count in zip(*(values.tolist() for values in np.unique(week, return_counts=True)), strict=True)
        ]
        return np.concatenate([np.empty(0, dtype=np.int64), *found])


def nobody() -> Instances:
    return Instances(*(np.empty(0, dtype=np.int64) for _ in fields(Instances)))
