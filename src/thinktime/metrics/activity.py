"""How long each user was at work, and how much came of it.

Activity length: from a user's first submission to the last. The jobs are the same in every run of a log, so whoever
takes longer gets less done. Throughput of a user: ended jobs / (last end − first submission).
Zakay and Feitelson 2014, Figs. 7 and 9.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from thinktime.metrics.machine import DAY_S

#: The columns of the table, in order.
ACTIVITY_COLUMNS = ("user", "jobs", "activity_s", "throughput_per_day")


def activity(columns: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """ACTIVITY_COLUMNS of a run's jobs, users ascending; jobs without a user, or never submitted, belong to none."""
    known = ~(np.isnan(columns["user"]) | np.isnan(columns["submit_s"]))
    users, index, jobs = np.unique(columns["user"][known], return_inverse=True, return_counts=True)
    submit_s, end_s = columns["submit_s"][known], columns["end_s"][known]
    first_s, last_s, end = np.full(len(users), np.inf), np.full(len(users), -np.inf), np.full(len(users), -np.inf)
    np.minimum.at(first_s, index, submit_s)
    np.maximum.at(last_s, index, submit_s)
    np.fmax.at(end, index, end_s)
    ended = np.bincount(index[~np.isnan(end_s)], minlength=len(users))
    period_s = end - first_s
    rate = np.divide(ended * DAY_S, period_s, out=np.full(len(users), np.nan), where=(ended > 0) & (period_s > 0))
    return {"user": users, "jobs": jobs, "activity_s": last_s - first_s, "throughput_per_day": rate}
