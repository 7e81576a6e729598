"""Metrics of single jobs, one formula per function, on arrays with one element per job.

a = submit, s = start, f = end, d = run time, r = processors; all times in seconds. A missing value (NaN)
gives a missing metric.
"""

from __future__ import annotations

import numpy as np

TAU_S = 10.0  # the usual bound of the bounded slowdown


def wait(submit_s: np.ndarray, start_s: np.ndarray) -> np.ndarray:
    """s − a, in seconds."""
    return start_s - submit_s


def response(submit_s: np.ndarray, end_s: np.ndarray) -> np.ndarray:
    """f − a, in seconds; also called turnaround or flow time."""
    return end_s - submit_s


def slowdown(response_s: np.ndarray, run_s: np.ndarray) -> np.ndarray:
    """(f − a) / d. For d = 0 by AccaSim's rule: the wait in seconds if there was one, else 1."""
    of_zero_run = np.where(response_s > 0, response_s, 1.0)
    positive = run_s > 0
    values = np.where(positive, response_s / np.where(positive, run_s, 1.0), of_zero_run)
    return np.where(np.isnan(response_s) | np.isnan(run_s), np.nan, values)


def bounded_slowdown(response_s: np.ndarray, run_s: np.ndarray, tau_s: float = TAU_S) -> np.ndarray:
    """max(1, (f − a) / max(d, tau)): jobs shorter than tau count as if they ran for tau."""
    return np.maximum(1.0, response_s / np.maximum(run_s, tau_s))


def per_processor_bounded_slowdown(
    response_s: np.ndarray, run_s: np.ndarray, processors: np.ndarray, tau_s: float = TAU_S
) -> np.ndarray:
    """max(1, (f − a) / (r · max(d, tau))): the bounded slowdown against the job's run on one processor."""
    return np.maximum(1.0, response_s / (processors * np.maximum(run_s, tau_s)))


def means_by_user(values: np.ndarray, user: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the users in ascending order and the mean of each; jobs without a user or value are left out."""
    known = ~(np.isnan(user) | np.isnan(values))
    users, index = numbered(user[known])
    totals = np.bincount(index, weights=values[known], minlength=len(users))
    return users, totals / np.bincount(index, minlength=len(users))


def numbered(user: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the users in ascending order, and for each job the index of its user."""
    number = user.astype(np.int64)
    small = len(user) and number.min() >= 0 and number.max() < 8 * len(user) + 1000 and (number == user).all()
    if not small:
        users, index = np.unique(user, return_inverse=True)
        return users, index
    there = np.bincount(number) > 0  # counting is quicker than sorting
    users = np.flatnonzero(there)
    return users.astype(user.dtype), (np.cumsum(there) - 1)[number]


def mean_over_users(values: np.ndarray, user: np.ndarray) -> float:
    """Return (1/U) Σ_u (mean of user u): all users have the same weight."""
    _, means = means_by_user(values, user)
    return float(np.mean(means)) if len(means) else float("nan")
