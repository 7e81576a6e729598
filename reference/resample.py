"""Workload resampling by user, in plain loops. Zakay and Feitelson 2014.

A log is taken apart into its users. Long-term users, active for more than twelve weeks, and temporary ones form two
pools; a temporary user whose whole activity lies near the log's begin or end is discarded, because it was probably cut
off. A new log is put together week by week. For each long-term user it begins at a random week of the log, in which the
user may be active or not (or, if `start` says so, of the user's activity), and the user starts over when through. Some
temporary users are there from the beginning, others arrive every week, with their first job. Users are only ever moved
by whole weeks, so that weekday and time of day stay.

Rare behaviours, (user, begin, end), leave the two pools as pseudo-users of a third; of the temporary users who arrive
in a week, some are rare ones instead.

The random numbers are those of the named streams, in the order in which they are used here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from thinktime.support.random_streams import stream

WEEK = 604800.0


class Job(NamedTuple):
    user: int
    submit: float
    end: float  # recorded termination


@dataclass(eq=False)
class User:
    """A sub-trace: all of a user's jobs, or those of one rare behaviour."""

    number: int
    jobs: list[int]  # indices into the log, by submit time
    first_week: int  # of a submission
    last_week: int
    first_submit: float
    last_submit: float
    last_end: float

    @property
    def weeks(self) -> int:
        return self.last_week - self.first_week + 1


@dataclass
class Pools:
    log_weeks: int
    long_term: list[User] = field(default_factory=list)
    temporary: list[User] = field(default_factory=list)
    discarded: list[User] = field(default_factory=list)
    rare: list[User] = field(default_factory=list)


@dataclass(eq=False)
class Instance:
    """One appearance of a user in the new log."""

    user: User
    kind: str
    start_week: int  # of the source, with which it begins
    week: int  # of the new log, in which it begins
    replica: int = 0  # how often the same user, or rare behaviour, has appeared before


class Resampled(NamedTuple):
    """The new log, by submit time: the number of the instance, from 1, the job that it comes from, and when."""

    instances: list[Instance]
    jobs: list[tuple[int, int, float]]


def user_pools(
    log: Sequence[Job],
    origin: float = 0.0,
    long_term_weeks: float = 12.0,
    edge_weeks: float = 4.0,
    rare: Sequence[tuple[int, float, float]] = (),
    from_time_0: bool = False,
) -> Pools:
    """Who is long-term, temporary, discarded or rare. Activity lasts from the first submission to the last end.

    The paper's Table V has edges of 60 days, and recording begins at time 0, whenever the first job comes."""
    begin, end = min(job.submit for job in log), max(job.end for job in log)
    pools = Pools(max(1, math.floor((end - begin) / WEEK + 0.5)))
    recording = min(begin, 0.0) if from_time_0 else begin
    taken: set[int] = set()
    for user, first, last in rare:
        own = [k for k in by_submit(log, user) if first <= log[k].submit <= last and k not in taken]
        taken.update(own)
        if own:
            pools.rare.append(make_user(log, user, own, origin))
    for number in sorted({job.user for job in log}):
        own = [k for k in by_submit(log, number) if k not in taken]
        if not own:
            continue
        found = make_user(log, number, own, origin)
        if found.last_end - found.first_submit > long_term_weeks * WEEK:
            pools.long_term.append(found)
        elif found.last_end <= recording + edge_weeks * WEEK or found.first_submit >= end - edge_weeks * WEEK:
            pools.discarded.append(found)
        else:
            pools.temporary.append(found)
    return pools


def by_submit(log: Sequence[Job], user: int) -> list[int]:
    return sorted((k for k in range(len(log)) if log[k].user == user), key=lambda k: (log[k].submit, k))


def make_user(log: Sequence[Job], number: int, own: list[int], origin: float) -> User:
    first, last = log[own[0]].submit, log[own[-1]].submit
    weeks = [math.floor((submit - origin) / WEEK) for submit in (first, last)]
    return User(number, own, weeks[0], weeks[1], first, last, max(log[k].end for k in own))


def period(user: User, pools: Pools) -> int:
    """Weeks from one beginning of a long-term user to the next: the log's length, never less than the activity."""
    return max(pools.log_weeks, math.ceil((user.last_submit - user.first_submit) / WEEK))


def resample(
    log: Sequence[Job],
    pools: Pools,
    origin: float = 0.0,
    weeks: int | None = None,
    load: float = 1.0,
    seed: int = 0,
    rare_per_week: float = 0.0,
    bias: Mapping[int, float] | None = None,
    start: str = "log",
) -> Resampled:
    weeks = pools.log_weeks if weeks is None else weeks
    instances = long_term_instances(pools, load, seed, bias or {}, start)
    instances += first_temporaries(pools, load, seed, bias or {})
    instances += arrivals(pools, load, seed, weeks, rare_per_week, bias or {})
    for k, instance in enumerate(instances):
        instance.replica = sum(earlier.user is instance.user for earlier in instances[:k])
    emitted = []
    for number, instance in enumerate(instances, start=1):
        for source, week, submit in appearances(log, instance, pools, origin, weeks):
            if 0 <= week < weeks:
                emitted.append((number, source, submit))
    return Resampled(instances, sorted(emitted, key=lambda job: job[2]))


def long_term_instances(pools: Pools, load: float, seed: int, bias: Mapping[int, float], start: str) -> list[Instance]:
    """Draw the number of users times the load, all users once before one twice, replicas as far apart as possible."""
    users = pools.long_term
    if not users:
        return []
    wanted = math.floor(load * len(users) + 0.5)
    weights = [bias.get(user.number, 1.0) for user in users]
    shares = [wanted * weight / sum(weights) for weight in weights]
    times = [math.floor(share) for share in shares]
    keys = stream(seed, "resample", 0, "long-term").standard_exponential(len(users))
    parts = [share - math.floor(share) for share in shares]
    order = sorted(range(len(users)), key=lambda u: keys[u] / parts[u] if parts[u] > 0 else math.inf)
    for u in order[: wanted - sum(times)]:
        times[u] += 1
    found = []
    starts: list[list[int]] = [[] for _ in users]
    for replica in range(max(times)):
        draws = stream(seed, "resample", 0, "start", replica).random(len(users))
        for u, user in enumerate(users):
            if replica < times[u]:
                starts[u].append(far_from(starts[u], user, period(user, pools), draws[u], start))
                found.append(Instance(user, "long_term", starts[u][-1], 0))
    return found


def far_from(starts: list[int], user: User, cycle: int, draw: float, start: str) -> int:
    """A week of the log or of the activity: any for the first replica, later one of those farthest from all others."""
    candidates = list(range(cycle)) if start == "log" else list(range(user.first_week, user.last_week + 1))
    if starts:
        distance = {week: min(circular(week, other, cycle) for other in starts) for week in candidates}
        candidates = [week for week in candidates if distance[week] == max(distance.values())]
    return candidates[math.floor(draw * len(candidates))]


def circular(week: int, other: int, cycle: int) -> int:
    apart = abs(week - other) % cycle
    return min(apart, cycle - apart)


def first_temporaries(pools: Pools, load: float, seed: int, bias: Mapping[int, float]) -> list[Instance]:
    """As many as are there in a week on average, chosen by how many weeks they are active, in a random week of it."""
    users = pools.temporary
    mean = load * sum(user.weeks for user in users) / pools.log_weeks
    extra = stream(seed, "resample", 0, "temporary", "number").random() < mean - math.floor(mean)
    number = math.floor(mean) + int(extra)
    keys = stream(seed, "resample", 0, "temporary", "who").standard_exponential(len(users))
    weights = [user.weeks * bias.get(user.number, 1.0) for user in users]
    order = sorted(range(len(users)), key=lambda u: keys[u] / weights[u])
    draws = stream(seed, "resample", 0, "temporary", "start").random(number)
    found = []
    for k in range(number):
        user = users[order[k % len(users)]]
        start = user.first_week + math.floor(draws[k] * user.weeks)
        found.append(Instance(user, "temporary", start, 0))
    return found


def arrivals(
    pools: Pools, load: float, seed: int, weeks: int, rare_per_week: float, bias: Mapping[int, float]
) -> list[Instance]:
    """Draw later arrivals. Every week each temporary user arrives with an independent probability, so that their number
    is binomial and no user arrives twice; a rare behaviour takes each place with another probability."""
    users = pools.temporary
    rate = load * len(users) / pools.log_weeks
    weights = [bias.get(user.number, 1.0) for user in users]
    who, is_rare = stream(seed, "resample", 0, "arrivals"), stream(seed, "resample", 0, "rare")
    found = []
    for week in range(1, weeks):
        come, replaced = who.random(len(users)), is_rare.random(len(users)) if rare_per_week else [1.0] * len(users)
        behaviours = iter(rare_order(pools, seed, week))
        for u, user in enumerate(users):
            if come[u] < min(1.0, rate * weights[u] / sum(weights)):
                rare = replaced[u] < rare_per_week / rate
                chosen = next(behaviours) if rare else user
                found.append(Instance(chosen, "rare" if rare else "temporary", chosen.first_week, week))
    return found


def rare_order(pools: Pools, seed: int, week: int) -> list[User]:
    """The order in which rare behaviours come in a week; it begins again when all have come."""
    keys = stream(seed, "resample", 0, "rare", week).random(len(pools.rare))
    order = sorted(range(len(pools.rare)), key=lambda u: keys[u])
    return [pools.rare[u] for u in order] * len(pools.temporary)


def appearances(
    log: Sequence[Job], instance: Instance, pools: Pools, origin: float, weeks: int
) -> list[tuple[int, int, float]]:
    """(source job, week, submit time) of an instance: from its start on, and over again if it is long-term."""
    found = []
    shift = instance.week - instance.start_week
    first_pass = True
    while instance.user.first_week + shift < weeks:
        for source in instance.user.jobs:
            week = math.floor((log[source].submit - origin) / WEEK)
            if not first_pass or week >= instance.start_week:
                found.append((source, week + shift, log[source].submit - origin + shift * WEEK))
        if instance.kind != "long_term":
            break
        shift += period(instance.user, pools)
        first_pass = False
    return found
