"""Estimates as users give them: few values, most of them round, the longest one the most popular.

The distribution is that of Tsafrir, Etsion and Feitelson (2005): twenty popular estimates (estimate_head.py) and a tail
of odd ones whose number grows with the number of jobs and whose shares fall by a power law. The authors hand the
estimates out from the longest job down: each takes one at random of those left that are not too short. Here every job
draws on its own, with the probabilities that this procedure has for many jobs, so that jobs may come as a stream.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from thinktime.errors import InputError
from thinktime.generate.popular_estimates import HEAD_SHARE, head
from thinktime.support.equality import ByContent
from thinktime.support.random_streams import stream

#: how many different estimates so many jobs have, linear between the points
JOBS_KNOWN = (0, 20, 200, 1000, 10_000, 70_000, 250_000)
ESTIMATES_KNOWN = (0, 10, 20, 35, 90, 340, 565)
TAIL_POWER = -2.267  # share of rank r, from 21 on, is r to this, scaled to the share of the tail
CURVE, CURVE_POWER = 12.1039, -0.6026  # how the tail's times lie between 0 and the maximum
OFFSETS_S = (0, 30, -30, 20, -20, 10, -10)  # from the minute, where another estimate has it already

#: maxima in hours that are tried where none is given, the first that the run times allow is taken
MAXIMA_H = (1, 2, 4, 8, 12, 18, 24, 36, 48, 60, 72, 96, 120, 168, 240, 336, 504, 720, 1440)


@dataclass(frozen=True, eq=False)
class EstimateBins(ByContent):
    """The estimates that users give, ascending, and their shares of the jobs."""

    time_s: np.ndarray
    share: np.ndarray

    @classmethod
    def drawn(cls, jobs: int, maximum_s: int, popular: Mapping[int, float], rng: np.random.Generator) -> EstimateBins:
        """Of so many jobs."""
        found = head(maximum_s, popular, rng)
        different = round(float(np.interp(jobs, JOBS_KNOWN, ESTIMATES_KNOWN)))
        times = tail_times(different - len(found), different, maximum_s, set(found))
        shares = np.arange(21.0, 21 + len(times)) ** TAIL_POWER
        rest = 1.0 - sum(found.values()) if popular else 1.0 - HEAD_SHARE
        shares *= rest / max(shares.sum(), 1e-12)
        found |= dict(zip(times, rng.permutation(shares).tolist(), strict=True))
        ascending = sorted(found)
        every = np.array([found[time] for time in ascending])
        return cls(np.array(ascending, dtype=np.float64), every / every.sum())


def tail_times(count: int, different: int, maximum_s: int, taken: set[int]) -> list[int]:
    """Whole minutes, or ten seconds beside one; denser at the short end."""
    a, found = 1.0 + CURVE * max(different, 1) ** CURVE_POWER, list[int]()
    for x in np.arange(1, max(count, 0) + 1) / max(count, 1):
        minute = round(float((a - 1.0) * x / (a - x) * maximum_s / 60.0)) * 60
        near = [minute + offset for offset in OFFSETS_S]
        free = [time for time in near if 0 < time < maximum_s and time not in taken and time not in found]
        found += free[:1]
    return found


@dataclass(frozen=True, eq=False)
class EstimateModel(ByContent):
    """Which estimates jobs take: those from its run time on, each with its weight."""

    bins: EstimateBins
    weight: np.ndarray  # of each bin

    @classmethod
    def fitted(
        cls, run_s: np.ndarray, *, jobs: int, seed: int, maximum_s: int | None = None, popular: Mapping[int, float]
    ) -> EstimateModel:
        """For jobs with run times like these. `maximum_s=None` takes the first of MAXIMA_H that works."""
        if maximum_s is not None:
            return cls._with(run_s, jobs, seed, maximum_s, popular)
        longest_s = max(float(run_s.max(initial=0.0)), *popular, 0)
        for hours in MAXIMA_H:
            try:
                if hours * 3600 >= longest_s:
                    return cls._with(run_s, jobs, seed, hours * 3600, popular)
            except InputError:
                continue
        raise InputError(
            f"the run times, up to {longest_s:,.0f} s, do not fit below any usual longest estimate:"
            " give the longest estimate, or the shares of popular ones"
        )

    @classmethod
    def _with(
        cls, run_s: np.ndarray, jobs: int, seed: int, maximum_s: int, popular: Mapping[int, float]
    ) -> EstimateModel:
        bins = EstimateBins.drawn(jobs, maximum_s, popular, stream(seed, "generate.estimates", "bins"))
        return cls(bins, weights_of(bins, run_s))

    def draw(self, run_s: np.ndarray, uniform: np.ndarray) -> np.ndarray:
        """An estimate for each run time, none shorter."""
        longest_first = np.cumsum(self.weight[::-1])
        allowed = len(self.bins.time_s) - np.searchsorted(self.bins.time_s, run_s)  # from the longest down
        row = np.searchsorted(longest_first, uniform * longest_first[allowed - 1], side="right")
        return self.bins.time_s[::-1][np.minimum(row, allowed - 1)]


def weights_of(bins: EstimateBins, run_s: np.ndarray) -> np.ndarray:
    """What is left of a bin falls with every longer job by the same factor as of all others that are open then.

    So a job's choice among the bins from its run time on goes by share / what the jobs longer than the bin left over.
    """
    run = np.sort(run_s)[::-1]
    order = np.arange(len(run))
    open_ = len(run) * _share_from(bins, run) - order  # estimates left for each job, from the longest job down
    if run.size and open_.min() < 1.0 - 1e-9:
        worst = int(np.argmin(open_))
        raise InputError(
            f"{100 * (worst + 1) / len(run):.3g} % of the jobs run {run[worst]:,.0f} s or longer, but only"
            f" {100 * _share_from(bins, run[worst : worst + 1])[0]:.3g} % of the estimates are as long:"
            f" give a longest estimate above {bins.time_s[-1]:,.0f} s, or its share among the popular ones"
        )
    used = np.append(0.0, np.cumsum(-np.log1p(-1.0 / np.maximum(open_, 1.0 + 1e-9))))
    longer = len(run) - np.searchsorted(run[::-1], bins.time_s, side="right")  # jobs that a bin is too short for
    log_weight = np.log(np.maximum(bins.share, 1e-300)) + used[longer]
    return np.where(bins.share > 0, np.exp(log_weight - log_weight.max()), 0.0)


def _share_from(bins: EstimateBins, time_s: np.ndarray) -> np.ndarray:
    """Of the estimates that are at least so long."""
    from_here = np.append(np.cumsum(bins.share[::-1])[::-1], 0.0)
    return from_here[np.searchsorted(bins.time_s, time_s)]
