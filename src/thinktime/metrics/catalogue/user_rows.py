"""Metrics of users: means over users, fairness, and lateness of submissions."""

from __future__ import annotations

from functools import partial

import numpy as np

from thinktime.metrics import jobs
from thinktime.metrics.catalogue.job_rows import bounded_slowdown, wait
from thinktime.metrics.fairness import jain_index, worst_tenth
from thinktime.metrics.metric import FROM_ONE, NO_SUBMISSIONS, NO_USER, SHARE, Metric
from thinktime.metrics.run_data import RunData
from thinktime.statistics.bounds import UNBOUNDED


def _mean_over_users(values: np.ndarray) -> float:
    return float(np.mean(values)) if len(values) else float("nan")


def _count_users(run: RunData) -> int:
    user = run.counted["user"]
    return len(jobs.numbered(user[~np.isnan(user)])[0])


_of_user_waits = partial(Metric, unit="s", group="wait", undefined=NO_USER)
_of_user_slowdowns = partial(Metric, group="slowdown", bounds=FROM_ONE, undefined=NO_USER)
_of_jain = partial(
    Metric, formula="(Σ x)² / (U Σ x²), x = mean of each of U users", bounds=SHARE, better=1, undefined=NO_USER
)
WORST = "mean of the largest ⌈U/10⌉ means of the U users"

USER_ROWS = (
    Metric(
        name="users",
        label="users with a counted job",
        unit="users",
        formula="users with a counted job",
        group="users",
        value=_count_users,
        streamed=lambda sums: len(sums.users),
        better=0,
    ),
    _of_user_waits(
        name="user_wait_mean_s",
        label="wait, mean over users",
        formula="mean over users of each user's mean",
        per_user=wait,
        over_users=_mean_over_users,
    ),
    _of_user_slowdowns(
        name="user_bounded_slowdown_mean",
        label="bounded slowdown, mean over users",
        formula="mean over users of each user's mean",
        per_user=bounded_slowdown,
        over_users=_mean_over_users,
    ),
    _of_jain(
        name="wait_jain",
        label="wait, Jain's index over users",
        group="wait",
        per_user=wait,
        over_users=jain_index,
    ),
    _of_jain(
        name="bounded_slowdown_jain",
        label="bounded slowdown, Jain's index over users",
        group="slowdown",
        per_user=bounded_slowdown,
        over_users=jain_index,
    ),
    _of_user_waits(
        name="worst_tenth_wait_mean_s",
        label="wait, mean of the worst tenth of users",
        formula=WORST,
        per_user=wait,
        over_users=worst_tenth,
    ),
    _of_user_slowdowns(
        name="worst_tenth_bounded_slowdown_mean",
        label="bounded slowdown, mean of the worst tenth of users",
        formula=WORST,
        per_user=bounded_slowdown,
        over_users=worst_tenth,
    ),
)

# Users can submit earlier than recorded, so lateness has no bounds.
_of_lateness = partial(Metric, group="lateness", bounds=UNBOUNDED, undefined=NO_SUBMISSIONS)

LATENESS_ROWS = (
    _of_lateness(
        name="lateness_mean_s",
        label="lateness of submissions, mean",
        unit="s",
        formula="mean of ℓ = submission in the run − recorded submission, of the n jobs submitted in the window",
        value=lambda run: run.lateness.mean_s,
        streamed=lambda sums: sums.lateness().mean_s,
    ),
    _of_lateness(
        name="relative_lateness",
        label="relative lateness",
        formula="1 + mean ℓ / (last recorded submission − first)",
        value=lambda run: run.lateness.relative,
        streamed=lambda sums: sums.lateness().relative,
    ),
    _of_lateness(
        name="additional_lateness_s",
        label="additional lateness per job",
        unit="s",
        formula="2 · mean ℓ / (n − 1)",
        value=lambda run: run.lateness.additional_s,
        streamed=lambda sums: sums.lateness().additional_s,
    ),
)
