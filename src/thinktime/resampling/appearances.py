"""Draw which users appear in a resampled log, and when: the random part of resampling.

Every long-term user appears before any appears twice. Each one starts at a random week of the log: a user who was
active in that week continues, others arrive later, as in the log. With `start="activity"` the week is one in which the
user was active. Replicas of a user start as far apart as possible. Some temporary users are present in week 0, with
probability proportional to their active weeks. Others arrive week by week, in a binomial number, with their first job.
Weeks are drawn in order, so a longer log continues a shorter one. `reference/resample.py` is the same in plain loops.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from thinktime.resampling.pools import LONG_TERM, RARE, TEMPORARY, Pools
from thinktime.support.random_streams import stream

LOG, ACTIVITY = "log", "activity"
STARTS = (LOG, ACTIVITY)


@dataclass(frozen=True, eq=False)
class Instances:
    """Appearances of users, one entry per appearance, in the order of their numbers."""

    trace: np.ndarray  # int64: index of the sub-trace in the pools
    kind: np.ndarray  # int64: LONG_TERM, TEMPORARY or RARE
    start_week: np.ndarray  # int64: source week at which the appearance starts
    week: np.ndarray  # int64: week of the resampled log in which it starts

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
    """The pools of one log with the parameters of the draw."""

    pools: Pools
    weight: np.ndarray  # float64[sub-traces]: relative draw frequency; 1 without a bias
    long_term: float  # long-term users in week 0
    temporary: float  # temporary users in week 0
    per_week: float  # mean arrivals of temporary users per week, including rare behaviours
    rare_per_week: float
    start: str = LOG  # LOG or ACTIVITY
    log: int = 0  # index among the mixed logs

    def rng(self, seed: int, *names: str | int) -> np.random.Generator:
        return stream(seed, "resample", self.log, *names)

    def first(self, seed: int) -> Instances:
        """Return the users of week 0."""
        return joined([_long_term(self, seed), _first_temporaries(self, seed)])

    def arrivals(self, seed: int) -> Arrivals:
        """Return the generator of users of later weeks."""
        return Arrivals(self, seed)


def _long_term(of: Population, seed: int) -> Instances:
    members = of.pools.members("long_term")
    wanted = int(np.floor(of.long_term + 0.5))
    if not len(members) or not wanted:
        return no_instances()
    times = appearances(wanted, of.weight[members], of.rng(seed, "long-term"))
    rounds = int(times.max())
    draws = [of.rng(seed, "start", k).random(len(members)) for k in range(rounds)]
    starts = far_apart(of.pools, members, draws, of.start)
    return joined([_instances(members[times > k], LONG_TERM, starts[k][times > k], 0) for k in range(rounds)])


def appearances(wanted: int, weight: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return int64: the number of appearances of each user.

    A user appears at least as often as the integer part of its share. Fractional parts are the weights of a draw
    without replacement for the rest. With equal weights every user appears before any appears twice.
    """
    share = wanted * weight / weight.sum()
    times = np.floor(share).astype(np.int64)
    part = share - times
    with np.errstate(divide="ignore"):
        key = rng.standard_exponential(len(weight)) / part  # the smallest keys are a draw without replacement
    times[np.argsort(key, kind="stable")[: wanted - int(times.sum())]] += 1
    return times


def far_apart(pools: Pools, members: np.ndarray, draws: Sequence[np.ndarray], start: str = LOG) -> list[np.ndarray]:
    """Return the start weeks of every member, one array per round.

    The first is random. Each later one maximises the minimum circular distance to the earlier ones; ties are random.
    """
    first, weeks, period = (values[members] for values in (pools.first_week, pools.active_weeks, pools.period_weeks))
    if start == LOG:
        first, weeks = np.zeros_like(first), period
    if not draws:
        return []
    chosen = [np.floor(draws[0] * weeks).astype(np.int64)]  # weeks since the user's first week
    if len(draws) > 1:
        offset = np.arange(int(weeks.max()))[None, :]
        least = np.where(offset < weeks[:, None], np.iinfo(np.int64).max, -1)  # minimum distance to the chosen weeks
    for draw in draws[1:]:
        apart = np.abs(offset - chosen[-1][:, None]) % period[:, None]
        np.minimum(least, np.minimum(apart, period[:, None] - apart), out=least)
        chosen.append(_one_of_the_largest(least, draw))
    return [first + each for each in chosen]


def _one_of_the_largest(values: np.ndarray, draw: np.ndarray) -> np.ndarray:
    """Return for each row the column of a maximum; `draw` selects among ties."""
    tied = values == values.max(axis=1)[:, None]
    nth = np.floor(draw * tied.sum(axis=1)).astype(np.int64)
    return np.argmax(np.cumsum(tied, axis=1) == (nth + 1)[:, None], axis=1)


def _first_temporaries(of: Population, seed: int) -> Instances:
    members = of.pools.members("temporary")
    whole = np.floor(of.temporary)
    number = int(whole) + int(of.rng(seed, "temporary", "number").random() < of.temporary - whole)
    if not len(members) or not number:
        return no_instances()
    weeks = of.pools.active_weeks[members]
    key = of.rng(seed, "temporary", "who").standard_exponential(len(members)) / (weeks * of.weight[members])
    chosen = np.argsort(key, kind="stable")[np.arange(number) % len(members)]
    inside = np.floor(of.rng(seed, "temporary", "start").random(number) * weeks[chosen]).astype(np.int64)
    start = of.pools.first_week[members[chosen]] + inside
    return _instances(members[chosen], TEMPORARY, start, 0)


class Arrivals:
    """Temporary users week by week.

    Each user arrives with its probability, so arrivals are binomial and a user is added at most once per week. Rare
    behaviours replace some of them. A rare behaviour repeats within a week only after all others have appeared.
    """

    def __init__(self, of: Population, seed: int) -> None:
        self._of, self._members, self._seed = of, of.pools.members("temporary"), seed
        weight = of.weight[self._members]
        self._chance = np.minimum(of.per_week * (weight / weight.sum()), 1.0)  # both empty without such users
        self._rare_share = of.rare_per_week / of.per_week if of.per_week else 0.0
        self._who, self._is_rare = of.rng(seed, "arrivals"), of.rng(seed, "rare")

    def weeks(self, begin: int, end: int) -> Instances:
        """Return the arrivals of the weeks [begin, end), from week 1 on; call with consecutive ranges."""
        shape = (end - max(begin, 1), len(self._members))
        if not shape[1] or shape[0] < 1:
            return no_instances()
        week, member = np.nonzero(self._who.random(shape) < self._chance)
        chosen, week = self._members[member], week + max(begin, 1)
        if not self._rare_share:
            return _instances(chosen, TEMPORARY, self._of.pools.first_week[chosen], week)
        rare = self._is_rare.random(shape)[week - max(begin, 1), member] < self._rare_share
        chosen[rare] = self._behaviours(week[rare])
        return _instances(chosen, np.where(rare, RARE, TEMPORARY), self._of.pools.first_week[chosen], week)

    def _behaviours(self, week: np.ndarray) -> np.ndarray:
        """Return a rare behaviour for each entry of `week`, which is sorted."""
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


def no_instances() -> Instances:
    return Instances(*(np.empty(0, dtype=np.int64) for _ in fields(Instances)))
