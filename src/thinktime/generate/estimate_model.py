"""User estimates: few distinct values, mostly round, the maximum the most popular.

The distribution is that of Tsafrir, Etsion and Feitelson (2005): twenty popular estimates (popular_estimates.py) and a
tail whose length grows with the number of jobs and whose shares follow a power law. The authors assign estimates from
the longest job down, each at random among the remaining ones that are long enough. Here every job draws independently
with the asymptotic probabilities of this procedure, so jobs may come as a stream.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from thinktime.errors import InputError
from thinktime.generate.popular_estimates import HEAD_SHARE, head
from thinktime.support.equality import ByContent
from thinktime.support.random_streams import stream

#: number of jobs → number of distinct estimates, interpolated linearly
JOBS_KNOWN = (0, 20, 200, 1000, 10_000, 70_000, 250_000)
ESTIMATES_KNOWN = (0, 10, 20, 35, 90, 340, 565)
TAIL_POWER = -2.267  # share of rank r ≥ 21 ∝ r to this power
CURVE, CURVE_POWER = 12.1039, -0.6026  # positions of the tail between 0 and the maximum
OFFSETS_S = (0, 30, -30, 20, -20, 10, -10)  # added to a minute that is already taken

#: candidate maxima in hours; the first that the run times allow is used
MAXIMA_H = (1, 2, 4, 8, 12, 18, 24, 36, 48, 60, 72, 96, 120, 168, 240, 336, 504, 720, 1440)


@dataclass(frozen=True, eq=False, repr=False)
class EstimateBins(ByContent):
    """Distinct estimates, ascending, and their shares of jobs."""

    time_s: np.ndarray
    share: np.ndarray

    @classmethod
    def drawn(cls, jobs: int, maximum_s: int, popular: Mapping[int, float], rng: np.random.Generator) -> EstimateBins:
        """Draw the estimates for this number of jobs."""
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
    """Return whole minutes, or offsets of up to 30 s; denser at the short end."""
    a, found = 1.0 + CURVE * max(different, 1) ** CURVE_POWER, list[int]()
    for x in np.arange(1, max(count, 0) + 1) / max(count, 1):
        minute = round(float((a - 1.0) * x / (a - x) * maximum_s / 60.0)) * 60
        near = [minute + offset for offset in OFFSETS_S]
        free = [time for time in near if 0 < time < maximum_s and time not in taken and time not in found]
        found += free[:1]
    return found


@dataclass(frozen=True, eq=False, repr=False)
class EstimateModel(ByContent):
    """Draws an estimate for each job among those not shorter than its run time, by weight."""

    bins: EstimateBins
    weight: np.ndarray  # of each bin

    @classmethod
    def fitted(
        cls, run_s: np.ndarray, *, jobs: int, seed: int, maximum_s: int | None = None, popular: Mapping[int, float]
    ) -> EstimateModel:
        """Fit the weights to these run times. `maximum_s=None` uses the first feasible one of MAXIMA_H."""
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
            f"no usual maximum estimate fits run times up to {longest_s:,.0f} s:"
            " give the maximum estimate, or the shares of popular estimates"
        )

    @classmethod
    def _with(
        cls, run_s: np.ndarray, jobs: int, seed: int, maximum_s: int, popular: Mapping[int, float]
    ) -> EstimateModel:
        bins = EstimateBins.drawn(jobs, maximum_s, popular, stream(seed, "generate.estimates", "bins"))
        return cls(bins, weights_of(bins, run_s))

    def draw(self, run_s: np.ndarray, uniform: np.ndarray) -> np.ndarray:
        """Return an estimate for each run time, at least as long."""
        longest_first = np.cumsum(self.weight[::-1])
        allowed = len(self.bins.time_s) - np.searchsorted(self.bins.time_s, run_s)  # counted from the longest
        row = np.searchsorted(longest_first, uniform * longest_first[allowed - 1], side="right")
        return self.bins.time_s[::-1][np.minimum(row, allowed - 1)]


def weights_of(bins: EstimateBins, run_s: np.ndarray) -> np.ndarray:
    """Return the weight of each bin: its share divided by the fraction that longer jobs leave over.

    Each longer job reduces all bins open to it by the same factor.
    """
    run = np.sort(run_s)[::-1]
    order = np.arange(len(run))
    open_ = len(run) * _share_from(bins, run) - order  # estimates left for each job, longest first
    if run.size and open_.min() < 1.0 - 1e-9:
        worst = int(np.argmin(open_))
        raise InputError(
            f"{100 * (worst + 1) / len(run):.3g} % of the jobs run {run[worst]:,.0f} s or longer, but only"
            f" {100 * _share_from(bins, run[worst : worst + 1])[0]:.3g} % of the estimates are as long:"
            f" give a maximum estimate above {bins.time_s[-1]:,.0f} s, or its share in popular"
        )
    used = np.append(0.0, np.cumsum(-np.log1p(-1.0 / np.maximum(open_, 1.0 + 1e-9))))
    longer = len(run) - np.searchsorted(run[::-1], bins.time_s, side="right")  # jobs longer than each bin
    log_weight = np.log(np.maximum(bins.share, 1e-300)) + used[longer]
    return np.where(bins.share > 0, np.exp(log_weight - log_weight.max()), 0.0)


def _share_from(bins: EstimateBins, time_s: np.ndarray) -> np.ndarray:
    """Return the share of estimates that are at least this long."""
    from_here = np.append(np.cumsum(bins.share[::-1])[::-1], 0.0)
    return from_here[np.searchsorted(bins.time_s, time_s)]
