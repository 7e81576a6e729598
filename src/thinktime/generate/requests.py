"""What users ask for: run times in round numbers, almost always too long.

Users multiply what they expect by a factor and take the next round number; some always take the longest
time of a queue. Where the number was too small the job is stopped at it: that is the share of jobs whose run
time equals the request. No generated job runs longer than its request.
"""

from __future__ import annotations

import numpy as np

MINUTE_S, HOUR_S = 60.0, 3600.0

#: the round numbers of requests, in seconds
ROUND_S = np.array([5, 10, 15, 20, 30, 45]) * MINUTE_S
ROUND_S = np.append(ROUND_S, np.array([1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 18, 24, 36, 48]) * HOUR_S)
#: the longest request of queue 1, 2 and 3
QUEUE_LIMITS_S = np.array([1, 8, 48]) * HOUR_S
LONGEST_S = QUEUE_LIMITS_S[-1]

FACTOR_MEDIAN, FACTOR_SIGMA = 2.2, 1.1  # request / expected run time is log-normal


def requests(rng: np.random.Generator, expected_s: np.ndarray, lazy: np.ndarray) -> np.ndarray:
    """One request for each expected run time; `lazy` says whose user takes the queue's limit."""
    wish = expected_s * FACTOR_MEDIAN * np.exp(FACTOR_SIGMA * rng.standard_normal(len(expected_s)))
    return np.where(lazy, _next(QUEUE_LIMITS_S, wish), _next(ROUND_S, wish))


def queue_of(request_s: np.ndarray) -> np.ndarray:
    """The number of the first queue that takes the request, from 1."""
    return np.searchsorted(QUEUE_LIMITS_S, request_s) + 1


def _next(table: np.ndarray, wish_s: np.ndarray) -> np.ndarray:
    return table[np.minimum(np.searchsorted(table, wish_s), len(table) - 1)]
