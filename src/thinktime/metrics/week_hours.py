"""Sums, over the 168 hours of the week, of a quantity that changes in steps.

The cost grows with the number of steps, not with the time they span. The seconds spent in hour k of the week until time
t are: 3600 for each whole week, 3600 if the hour has passed in the current week, and the part that has passed of the
current hour. A step of height c at time t adds c times the seconds that follow it, so three sums by hour are enough.
"""

from __future__ import annotations

import numpy as np

from thinktime.support.time_units import HOUR_S

HOURS = 168


def area_by_hour(time_s: np.ndarray, value: np.ndarray) -> np.ndarray:
    """float64[168]: the integral over each hour of the week. A value holds until the next time; the last has no length.

    Hour 0 begins at time 0 and comes again every week.
    """
    begin_s = np.floor(time_s[0] / (HOURS * HOUR_S)) * (HOURS * HOUR_S)  # small numbers round less
    since_s = np.asarray(time_s, np.float64) - begin_s
    kept = np.append(np.asarray(value, np.float64)[:-1], 0.0)
    step = np.diff(kept, prepend=0.0)  # at each time
    week, rest_s = np.divmod(since_s, HOURS * HOUR_S)
    hour = np.minimum(rest_s // HOUR_S, HOURS - 1).astype(np.int64)
    passed = np.bincount(hour, weights=step, minlength=HOURS)
    later = np.cumsum(passed[::-1])[::-1] - passed  # steps in later hours of a week: this hour is over there
    part = np.bincount(hour, weights=step * (rest_s - hour * HOUR_S), minlength=HOURS)
    return -(float(step @ week) * HOUR_S + later * HOUR_S + part)


def hours_seen(first_hour: int, last_hour: int) -> np.ndarray:
    """int64[168]: how often each hour of the week occurs among the hours first … last, counted from time 0."""
    whole, rest = divmod(last_hour - first_hour + 1, HOURS)
    seen = np.full(HOURS, whole)
    seen[(first_hour + np.arange(rest)) % HOURS] += 1
    return seen
