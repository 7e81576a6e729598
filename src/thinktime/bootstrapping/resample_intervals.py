"""Intervals from resamples: percentile and BCa, for a measure of one scheduler or a paired difference of two.

Resampling draws users. Therefore the acceleration of BCa comes from the jackknife over users: the original log is
simulated without each user, or without each of several random groups of users. (For sums of independent shares, a = Σ
u³ / (6 (Σ u²)^1.5) is the same for users and for groups of them.) The bias of BCa comes from the share of resamples
below the original. If nearly all resamples are on one side of the original, this is not the bias of an estimator but
a change of the workload by resampling; a note states it. Another note flags a BCa interval that excludes the mean of
the resamples.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from thinktime.statistics import Interval, acceleration, drawn_interval, share_below
from thinktime.study.comparison.verdict import direction

FEWEST = 20  # resamples; with fewer there is no verdict: a tail of 2.5 % has half a resample
FAR = 0.05  # a smaller share of resamples on one side gets a note
NO_JACKKNIFE = "no jackknife over users (jackknife=0, one user, or a load other than 1), so no BCa but percentiles"


@dataclass(frozen=True, eq=False)
class Values:
    """A measure, or a difference, over the resamples."""

    original: float  # of the log itself; NaN where it has none
    drawn: np.ndarray  # float64[resamples], known values only
    left_out: np.ndarray  # float64[groups]: of the log without each group of users

    @property
    def below(self) -> float:
        """Share of resamples below the original."""
        return share_below(self.drawn, self.original) if len(self.drawn) and not math.isnan(self.original) else math.nan

    def interval(self, level: float, method: str) -> Interval:
        if len(self.drawn) < 2:
            nothing = "fewer than two resamples have a value"
            return Interval(self.original, math.nan, math.nan, level, method, len(self.drawn), nothing)
        if method == "percentile" or math.isnan(self.original):
            return drawn_interval(self.drawn, self.original, method="percentile", level=level)
        if not len(self.left_out):
            plain = drawn_interval(self.drawn, self.original, method="percentile", level=level)
            return replace(plain, note=NO_JACKKNIFE)
        a = acceleration([self.left_out])
        found = drawn_interval(self.drawn, self.original, method="bca", level=level, a=a)
        return found if found.note else replace(found, note=self._far())

    def _far(self) -> str:
        side = min(self.below, 1 - self.below)
        if side >= FAR:
            return ""
        where = "below" if self.below < 0.5 else "above"
        return f"the original is {where} {1 - side:.1%} of the resamples, which BCa treats as bias"

    def verdict(self, measure: str, level: float) -> str:
        """Return the verdict on a difference, by its percentile interval."""
        if len(self.drawn) < FEWEST:
            return "few"
        if not np.any(self.drawn):
            return "equal"
        return direction(measure, self.interval(level, "percentile"))

    def minus(self, other: Values) -> Values:
        """Return the paired difference; both must have all resamples."""
        left_out = self.left_out - other.left_out
        return Values(self.original - other.original, self.drawn - other.drawn, left_out)

    def known(self) -> Values:
        """Return the values without missing ones; an incomplete jackknife is dropped."""
        whole = self.left_out if not np.isnan(self.left_out).any() else np.empty(0)
        return Values(self.original, self.drawn[~np.isnan(self.drawn)], whole)

    def row(self, level: float) -> dict[str, float | str]:
        """Return the row of a table."""
        percentile, bca = self.interval(level, "percentile"), self.interval(level, "bca")
        n = len(self.drawn)
        return {
            "original": self.original,
            "resamples": n,
            "mean": float(np.mean(self.drawn)) if n else math.nan,
            "median": float(np.median(self.drawn)) if n else math.nan,
            "std": float(np.std(self.drawn, ddof=1)) if n > 1 else math.nan,
            "below_original": self.below,
            "percentile_low": percentile.low,
            "percentile_high": percentile.high,
            "bca_low": bca.low,
            "bca_high": bca.high,
            "note": bca.note,
        }
