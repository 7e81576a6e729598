"""Lateness: by how much users submit later than they did in the log.

Lateness of a job: ℓ = â − a, its submission in the run minus the recorded one; negative if it came earlier. Of n jobs:
mean lateness ℓ̄; relative lateness 1 + ℓ̄ / (last a − first a), by which the period of submissions is stretched;
additional lateness δ = 2 ℓ̄ / (n − 1), what each job adds if lateness grows evenly, ℓ(i) = i δ.
A rejected job was submitted, so it has a lateness; a job that a stopped run never submitted has none.
Madon, Da Costa and Pierson 2024, section 6.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from thinktime.support.shown import short_html, short_repr

if TYPE_CHECKING:
    import polars as pl

PERCENTS = (10.0, 50.0, 90.0)


@dataclass(frozen=True)
class Lateness:
    """Of all jobs of a run."""

    jobs: int  # that have a lateness
    mean_s: float
    relative: float  # 1: the period of submissions is as long as recorded
    additional_s: float  # per job

    def __repr__(self) -> str:
        return short_repr(self)

    def _repr_html_(self) -> str:
        return short_html(self)


@dataclass(frozen=True, eq=False)
class UserLateness:
    """The same for every user, users ascending; jobs without a user belong to none."""

    user: np.ndarray
    jobs: np.ndarray  # int64
    mean_s: np.ndarray
    relative: np.ndarray  # NaN where all recorded submissions are at one instant
    additional_s: np.ndarray  # NaN for users with one job

    def __repr__(self) -> str:
        return short_repr(self)

    def _repr_html_(self) -> str:
        return short_html(self)

    def percentiles(self, of: str = "additional_s", percents: Sequence[float] = PERCENTS) -> dict[float, float]:
        """Percentiles over the users with more than one job, interpolated linearly; NaN where there is none."""
        values = getattr(self, of)[self.jobs > 1]
        values = values[~np.isnan(values)]
        found = np.percentile(values, percents) if len(values) else np.full(len(percents), np.nan)
        return dict(zip(percents, found.tolist(), strict=True))

    @property
    def frame(self) -> pl.DataFrame:
        """One row per user; undefined values are null."""
        import polars as pl

        names = ("user", "jobs", "mean_s", "relative", "additional_s")
        columns = [pl.Series(name, np.asarray(getattr(self, name), float)).fill_nan(None) for name in names]
        return pl.DataFrame(columns).with_columns(pl.col("user", "jobs").cast(pl.Int64))


def lateness(submit_s: np.ndarray, recorded_s: np.ndarray) -> np.ndarray:
    """ℓ = â − a of every job; NaN where the run did not submit it."""
    return submit_s - recorded_s


def mean_lateness(submit_s: np.ndarray, recorded_s: np.ndarray) -> Lateness:
    """All jobs taken together."""
    late = lateness(submit_s, recorded_s)
    known = ~np.isnan(late)
    jobs = int(known.sum())
    mean_s = float(late[known].mean()) if jobs else math.nan
    return lateness_of_sums(jobs, mean_s, float(np.ptp(recorded_s[known])) if jobs else 0.0)


def lateness_of_sums(jobs: int, mean_s: float, span_s: float) -> Lateness:
    """From the mean lateness of some jobs and the span of their recorded submissions."""
    return Lateness(
        jobs,
        mean_s,
        relative=1 + mean_s / span_s if span_s > 0 else math.nan,
        additional_s=2 * mean_s / (jobs - 1) if jobs > 1 else math.nan,
    )


def lateness_by_user(submit_s: np.ndarray, recorded_s: np.ndarray, user: np.ndarray) -> UserLateness:
    """Each user's jobs taken together."""
    late = lateness(submit_s, recorded_s)
    known = ~(np.isnan(late) | np.isnan(user))
    users, index, jobs = np.unique(user[known], return_inverse=True, return_counts=True)
    mean_s = np.bincount(index, late[known], len(users)) / jobs
    span_s = _spans(recorded_s[known], index, len(users))
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = np.where(span_s > 0, 1 + mean_s / span_s, np.nan)
        additional_s = np.where(jobs > 1, 2 * mean_s / (jobs - 1), np.nan)
    return UserLateness(users, jobs, mean_s, relative, additional_s)


def _spans(recorded_s: np.ndarray, index: np.ndarray, users: int) -> np.ndarray:
    """From each user's first recorded submission to the last."""
    first, last = np.full(users, np.inf), np.full(users, -np.inf)
    np.minimum.at(first, index, recorded_s)
    np.maximum.at(last, index, recorded_s)
    return last - first


def prefix_lateness(submit_s: np.ndarray, recorded_s: np.ndarray, lengths: Sequence[int]) -> list[Lateness]:
    """Of the first n jobs by recorded submission, for every n: does additional lateness settle as the log grows?

    The jobs are those of one run. The paper's Fig. 11 runs every prefix anew: simulate `workload.select(slice(n))`
    for that, and take the lateness of each result.
    """
    order = np.argsort(recorded_s, kind="stable")
    return [mean_lateness(submit_s[order[:n]], recorded_s[order[:n]]) for n in lengths]
