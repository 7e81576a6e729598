"""When people start to work: the hour of the week, Monday 00:00 first.

Mornings rise, lunch dips, the afternoon is the peak, nights are quiet and weekends a quarter as busy.
"""

from __future__ import annotations

import numpy as np

HOUR_S = 3600
WEEK_S = 168 * HOUR_S

#: sessions that start in each hour of a working day, relative to the busiest one
MORNING = (0.10, 0.07, 0.05, 0.04, 0.04, 0.05, 0.10, 0.25, 0.60, 0.90, 1.00, 0.95)
EVENING = (0.75, 0.85, 1.00, 1.00, 0.95, 0.80, 0.55, 0.40, 0.33, 0.28, 0.22, 0.15)
WEEKDAY = np.array([*MORNING, *EVENING])
#: how busy each day is, Monday first
DAYS = np.array([1.00, 1.05, 1.05, 1.00, 0.90, 0.25, 0.22])

#: the share of the week's sessions that start in each of its 168 hours
HOURS = np.outer(DAYS, WEEKDAY).ravel() / (DAYS.sum() * WEEKDAY.sum())
_CUMULATIVE = np.cumsum(HOURS)


def start_times(rng: np.random.Generator, count: int) -> np.ndarray:
    """Seconds into the week at which sessions start, whole, in no order."""
    hour = np.searchsorted(_CUMULATIVE[:-1], rng.random(count), side="right")
    return hour * HOUR_S + np.floor(rng.random(count) * HOUR_S)
