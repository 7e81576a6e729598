"""Candidate sessions of one week: users, times, batches and jobs.

A session belongs to one user and one application. It is a chain of batches: the user submits a batch of similar jobs,
waits until all have ended, thinks, and submits the next batch. The longer a batch runs, the less likely another one
follows. Submissions assume that every job starts at once. All computations are on arrays.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thinktime.generate.default_users import APPLICATION_SHARES, LONGEST_S, WEEK_S, Population, requests, start_times
from thinktime.support.equality import ByContent

BATCHES = 16  # maximum per session
STAY = 0.85  # probability of another batch after a batch of length 0
HALF_STAY_S = 1800.0  # batch length that halves this probability
BATCH_TAIL, LARGEST_BATCH = 1.3, 64  # P(more than n jobs in a batch) = (n + 1) ** -1.3
THINK_MEDIAN_S, THINK_SIGMA = 360.0, 1.0
GAP_MEDIAN_S, GAP_SIGMA = 15.0, 1.3  # between the submissions of one batch

SESSION_SIGMA, BATCH_SIGMA, JOB_SIGMA = 0.6, 0.25, 0.15  # spread of log run times at each level
RESIZED_SHARE = 0.12  # of batches: half or twice the application's processors
CRASH_SHARE = 0.07  # of jobs: they fail after a small part of their run time


@dataclass(frozen=True, eq=False, repr=False)
class Jobs(ByContent):
    """Arrays over jobs, sorted by session, batch and submission."""

    session: np.ndarray  # index of the candidate session
    batch: np.ndarray  # index of the batch, unique over all candidates
    follows: np.ndarray  # bool: an earlier batch of the session precedes
    submit_s: np.ndarray  # since the start of the week
    run_s: np.ndarray
    request_s: np.ndarray
    processors: np.ndarray
    user: np.ndarray  # index into the population
    application: np.ndarray
    crashed: np.ndarray  # bool

    def select(self, rows: np.ndarray) -> Jobs:
        return Jobs(*(values[rows] for values in vars(self).values()))


def candidates(rng: np.random.Generator, people: Population, presence: np.ndarray, processors: int, count: int) -> Jobs:
    """Draw `count` candidate sessions of a week; `presence` is the share of each user."""
    user = np.searchsorted(np.cumsum(presence)[:-1], rng.random(count), side="right")
    application = np.searchsorted(np.cumsum(APPLICATION_SHARES)[:-1], rng.random(count), side="right")
    start_s = start_times(rng, count)
    typical_s = people.run_s[user, application] * np.exp(SESSION_SIGMA * rng.standard_normal(count))
    typical_s = np.minimum(typical_s, LONGEST_S)
    request_s = requests(rng, typical_s, people.lazy[user])
    session, size, jobs, batch_s = _batches(rng, people.size[user, application], typical_s, processors)
    return _expand_batches(rng, session, size, jobs, batch_s, start_s, request_s, user, application)


def _batches(
    rng: np.random.Generator, size: np.ndarray, typical_s: np.ndarray, processors: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return arrays over batches: session, processors, number of jobs, typical run time."""
    shape = (len(size), BATCHES)
    batch_s = typical_s[:, None] * np.exp(BATCH_SIGMA * rng.standard_normal(shape))
    stays = rng.random(shape) < STAY / (1.0 + batch_s / HALF_STAY_S)
    takes_place = np.ones(shape, dtype=bool)
    takes_place[:, 1:] = np.logical_and.accumulate(stays[:, :-1], axis=1)
    jobs = np.minimum(rng.random(shape) ** (-1.0 / BATCH_TAIL), LARGEST_BATCH).astype(np.int64)
    resized, twice = rng.random((2, *shape))
    factor = np.where(resized < RESIZED_SHARE, np.where(twice < 0.5, 2.0, 0.5), 1.0)
    sizes = size[:, None] * factor
    sizes = np.where((sizes < 1) | (sizes > processors), size[:, None], np.ceil(sizes))
    return np.nonzero(takes_place)[0], sizes[takes_place], jobs[takes_place], batch_s[takes_place]


def _expand_batches(
    rng: np.random.Generator,
    session: np.ndarray,
    size: np.ndarray,
    jobs: np.ndarray,
    batch_s: np.ndarray,
    start_s: np.ndarray,
    request_s: np.ndarray,
    user: np.ndarray,
    application: np.ndarray,
) -> Jobs:
    """Expand batches to jobs and chain the batches of each session in time."""
    batch = np.repeat(np.arange(len(jobs)), jobs)
    first = np.cumsum(jobs) - jobs  # index of each batch's first job
    crashed, run_s = _draw_job_run_times(rng, batch_s[batch])
    run_s = np.minimum(run_s, request_s[session[batch]])
    offset_s = _offsets(rng, batch, first, len(batch))
    lasts_s = np.maximum.reduceat(offset_s + run_s, first)  # until the batch's last job ends
    begins_s, follows = _chain(rng, session, lasts_s, start_s)
    rows = session[batch]
    return Jobs(
        session=rows,
        batch=batch,
        follows=follows[batch],
        submit_s=begins_s[batch] + offset_s,
        run_s=run_s,
        request_s=request_s[rows],
        processors=size[batch],
        user=user[rows],
        application=application[rows],
        crashed=crashed,
    )


def _draw_job_run_times(rng: np.random.Generator, typical_s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return which jobs crash, and run times in whole seconds, at least 1."""
    crashed = rng.random(len(typical_s)) < CRASH_SHARE
    part = np.where(crashed, rng.random(len(typical_s)) ** 3, 1.0)
    run_s = typical_s * np.exp(JOB_SIGMA * rng.standard_normal(len(typical_s))) * part
    return crashed, np.maximum(np.rint(run_s), 1.0)


def _offsets(rng: np.random.Generator, batch: np.ndarray, first: np.ndarray, count: int) -> np.ndarray:
    """Return seconds from the first submission of a batch to each submission."""
    pace_s = GAP_MEDIAN_S * np.exp(GAP_SIGMA * rng.standard_normal(len(first)))  # submitted by a script, or by hand
    gap_s = np.floor(np.minimum(pace_s[batch] * rng.standard_exponential(count), WEEK_S))
    since_s = np.cumsum(gap_s)
    return since_s - since_s[first][batch]


def _chain(
    rng: np.random.Generator, session: np.ndarray, lasts_s: np.ndarray, start_s: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the start of each batch (end of the previous batch plus think time), and whether a batch precedes."""
    think_s = np.rint(THINK_MEDIAN_S * np.exp(THINK_SIGMA * rng.standard_normal(len(session)))) + 1.0
    until_next_s = np.cumsum(lasts_s + think_s) - (lasts_s + think_s)
    first = np.searchsorted(session, session)  # index of the session's first batch
    return start_s[session] + until_next_s - until_next_s[first], first < np.arange(len(session))
