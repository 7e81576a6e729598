"""Users of the default workload: activity, applications, requested times and working hours.

Activity is Zipf-like: a few users submit most jobs. A user has a few applications, each with a size and a typical run
time, drawn once per seed. Users multiply the expected run time by a factor and request the next round number; some
always request the maximum of a queue. A job that reaches its request is stopped there. Sessions start by the hour of
the week: mornings rise, lunch dips, afternoons peak, nights are quiet, weekends have a quarter of the activity.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thinktime.support.equality import ByContent
from thinktime.support.random_streams import stream

APPLICATIONS = 4  # per user
APPLICATION_SHARES = np.array([0.55, 0.25, 0.13, 0.07])  # how often a user picks each application
ZIPF_EXPONENT = 0.9  # the r-th most active user has an activity of r ** -0.9

SERIAL_SHARE = 0.22  # of applications
POWER_OF_TWO_SHARE = 0.80  # of the parallel applications
SMALL_BIAS = 1.5  # parallel sizes are 2 ** (log2(P) * u ** 1.5): small ones are more frequent

LONG_SHARE = 0.5  # of applications
SHORT_MEDIAN_S, LONG_MEDIAN_S = 240.0, 5400.0  # run times are a mixture of two log-normals
RUN_SIGMA = 1.1

LAZY_SHARE = 0.15  # of users: they request the maximum of the queue
USERS_PER_GROUP = 6


@dataclass(frozen=True, eq=False, repr=False)
class Population(ByContent):
    """Arrays over users (index = user number − 1), and over users × applications."""

    activity: np.ndarray  # share of the sessions, adds up to 1
    group: np.ndarray  # from 1
    lazy: np.ndarray  # bool: requests the maximum of the queue
    size: np.ndarray  # [user, application] processors
    run_s: np.ndarray  # [user, application] typical run time


def population(seed: int, users: int, processors: int) -> Population:
    """Draw the users of a seed. Sizes depend on the machine, run times do not."""
    rng = stream(seed, "generate.default", "population", users)
    rank = rng.permutation(users) + 1.0
    activity = rank**-ZIPF_EXPONENT
    group = 1 + rng.integers(-(-users // USERS_PER_GROUP), size=users)
    lazy = rng.random(users) < LAZY_SHARE
    size = _draw_sizes(rng, (users, APPLICATIONS), processors)
    return Population(activity / activity.sum(), group, lazy, size, _draw_typical_run_times(rng, (users, APPLICATIONS)))


def _draw_sizes(rng: np.random.Generator, shape: tuple[int, int], processors: int) -> np.ndarray:
    """Draw serial sizes, powers of two or any number, up to the machine."""
    kind, power, place = rng.random((3, *shape))
    largest = np.log2(processors)  # exponent of the largest size
    exponent = 1.0 + (largest - 1.0) * place**SMALL_BIAS
    odd = np.rint(2.0**exponent)
    round_size = 2.0 ** np.minimum(np.rint(exponent), np.floor(largest))
    size = np.where(kind < SERIAL_SHARE, 1.0, np.where(power < POWER_OF_TWO_SHARE, round_size, odd))
    return np.clip(size, 1.0, processors)


def _draw_typical_run_times(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    median = np.where(rng.random(shape) < LONG_SHARE, LONG_MEDIAN_S, SHORT_MEDIAN_S)
    return median * np.exp(RUN_SIGMA * rng.standard_normal(shape))


MINUTE_S, HOUR_S = 60, 3600
WEEK_S = 168 * HOUR_S

#: round requested times, in seconds
ROUND_S = np.array([5.0, 10.0, 15.0, 20.0, 30.0, 45.0]) * MINUTE_S
ROUND_S = np.append(ROUND_S, np.array([1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 18, 24, 36, 48]) * HOUR_S)
#: maximum requested time of queue 1, 2 and 3
QUEUE_LIMITS_S = np.array([1.0, 8.0, 48.0]) * HOUR_S
LONGEST_S = QUEUE_LIMITS_S[-1]

FACTOR_MEDIAN, FACTOR_SIGMA = 2.2, 1.1  # request / expected run time is log-normal


def requests(rng: np.random.Generator, expected_s: np.ndarray, lazy: np.ndarray) -> np.ndarray:
    """Draw a requested time for each expected run time; `lazy` users take the maximum of the queue."""
    wish = expected_s * FACTOR_MEDIAN * np.exp(FACTOR_SIGMA * rng.standard_normal(len(expected_s)))
    return np.where(lazy, _next_in(QUEUE_LIMITS_S, wish), _next_in(ROUND_S, wish))


def queue_of(request_s: np.ndarray) -> np.ndarray:
    """Return the number of the first queue that accepts the request, from 1."""
    return np.searchsorted(QUEUE_LIMITS_S, request_s) + 1


def _next_in(table: np.ndarray, wish_s: np.ndarray) -> np.ndarray:
    return table[np.minimum(np.searchsorted(table, wish_s), len(table) - 1)]


#: session starts per hour of a working day, relative to the busiest hour
MORNING = (0.10, 0.07, 0.05, 0.04, 0.04, 0.05, 0.10, 0.25, 0.60, 0.90, 1.00, 0.95)
EVENING = (0.75, 0.85, 1.00, 1.00, 0.95, 0.80, 0.55, 0.40, 0.33, 0.28, 0.22, 0.15)
WEEKDAY = np.array([*MORNING, *EVENING])
#: relative activity of each day, Monday first
DAYS = np.array([1.00, 1.05, 1.05, 1.00, 0.90, 0.25, 0.22])

#: share of session starts in each of the 168 hours of a week
HOURS = np.outer(DAYS, WEEKDAY).ravel() / (DAYS.sum() * WEEKDAY.sum())
_CUMULATIVE = np.cumsum(HOURS)


def start_times(rng: np.random.Generator, count: int) -> np.ndarray:
    """Draw start times of sessions, in whole seconds since the start of the week, unsorted."""
    hour = np.searchsorted(_CUMULATIVE[:-1], rng.random(count), side="right")
    return hour * HOUR_S + np.floor(rng.random(count) * HOUR_S)
