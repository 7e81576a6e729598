"""Distances between two workloads, by measure; 0 means no difference.

Curves over users, and shares of days: Kolmogorov-Smirnov distance, the largest difference between the two distribution
functions, so that workloads with different numbers of users compare. Weekly profiles: total variation. Similarity over
distances in sessions: mean absolute difference of the curves. Tables II to IV: largest absolute difference of the six
shares. Stack depth, and counts of jobs and users: absolute difference of the logarithms, so that 0.1 is about a tenth.
Hurst parameter, and excess similarity over shuffled sessions: absolute difference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from thinktime.description.attributes import ATTRIBUTES
from thinktime.description.by_user import MARGINALS
from thinktime.description.week import cycle_distance

if TYPE_CHECKING:
    from thinktime.description.description import Description
    from thinktime.description.job_similarity import Similarity

NOT_KNOWN = float("nan")


@dataclass(frozen=True)
class Measure:
    """A measure of a workload; `value` is its number in tables, NaN if missing."""

    name: str
    words: str
    where: str  # in Zakay and Feitelson 2014
    how: str  # the distance
    value: Callable[[Description], float]
    distance: Callable[[Description, Description], float]


def ks_distance(a: np.ndarray, b: np.ndarray) -> float:
    """The largest difference between the distribution functions of two samples."""
    if not len(a) or not len(b):
        return NOT_KNOWN
    at = np.union1d(a, b)
    below = (np.searchsorted(np.sort(each), at, side="right") / len(each) for each in (a, b))
    return float(np.abs(next(below) - next(below)).max())


def log_distance(a: float, b: float) -> float:
    """|ln a − ln b|; 0 for two zeros, infinite for one."""
    if a == b:
        return 0.0
    return abs(float(np.log(a) - np.log(b))) if a > 0 and b > 0 else (NOT_KNOWN if np.isnan(a + b) else np.inf)


def curve_distance(a: np.ndarray, b: np.ndarray) -> float:
    """The mean absolute difference where both are known."""
    gap = np.abs(a - b)
    return float(np.nanmean(gap)) if not np.isnan(gap).all() else NOT_KNOWN


def shares_of(found: Similarity, statistic: str = "pooled") -> np.ndarray:
    """The six numbers of a row of Tables II to IV."""
    rows = (found.shares(0, 1, statistic), found.shares(1, 2, statistic))
    return np.array([value for row in rows for value in (row.larger, row.equal, row.smaller)])


# --- the measures ---------------------------------------------------------------------------------------------


def _scalar(name: str, words: str, where: str, value: Callable[[Description], float], logarithmic: bool) -> Measure:
    how = "log difference" if logarithmic else "difference"
    gap = log_distance if logarithmic else (lambda a, b: abs(a - b))
    return Measure(name, words, where, how, value, lambda one, other: gap(value(one), value(other)))


def _marginal(name: str) -> Measure:
    def values(found: Description) -> np.ndarray:
        return found.marginals.get(name, np.empty(0))

    def median(found: Description) -> float:
        return float(np.median(values(found))) if len(values(found)) else NOT_KNOWN

    words = f"{MARGINALS[name][0]} (median)"
    return Measure(name, words, "Fig. 4", "KS", median, lambda a, b: ks_distance(values(a), values(b)))


def _week() -> Measure:
    def busiest(found: Description) -> float:
        return NOT_KNOWN if found.week is None else float(found.week.max())

    def gap(one: Description, other: Description) -> float:
        if one.week is None or other.week is None:
            return NOT_KNOWN
        return cycle_distance(one.week, other.week).total_variation

    return Measure("week", "weekly cycle (busiest hour)", "Fig. 4", "total variation", busiest, gap)


TABLES = {"processors": "Table II", "estimate": "Table III", "run": "Table IV"}  # of the shares of similar users


class _OfAttribute:
    """Quantities of one attribute of jobs; NaN where a description does not have them."""

    def __init__(self, attribute: str) -> None:
        self.name = attribute

    def same_session(self, found: Description) -> float:
        return found.similarity[self.name].same_session if self.name in found.similarity else NOT_KNOWN

    def excess(self, found: Description) -> float:
        return found.similarity[self.name].excess if self.name in found.similarity else NOT_KNOWN

    def curve(self, found: Description) -> np.ndarray:
        known = self.name in found.similarity
        return found.similarity[self.name].curve() if known else np.full(found.settings.distances, np.nan)

    def shares(self, found: Description) -> np.ndarray:
        return shares_of(found.similarity[self.name]) if self.name in found.similarity else np.full(6, np.nan)

    def depth(self, found: Description) -> float:
        return found.stack_depth[self.name].mean if self.name in found.stack_depth else NOT_KNOWN

    def concentration(self, found: Description) -> float:
        return found.concentration[self.name].mean if self.name in found.concentration else NOT_KNOWN

    def days(self, found: Description) -> np.ndarray:
        return found.concentration[self.name].shares if self.name in found.concentration else np.empty(0)


def _by_attribute(attribute: str) -> list[Measure]:
    of, words = _OfAttribute(attribute), ATTRIBUTES[attribute]
    return [
        Measure(
            f"similarity.{attribute}",
            f"alike in a session: {words}",
            "Fig. 1",
            "mean difference",
            of.same_session,
            lambda a, b: curve_distance(of.curve(a), of.curve(b)),
        ),
        Measure(
            f"similarity_shares.{attribute}",
            f"users alike nearby: {words}",
            TABLES[attribute],
            "largest difference",
            lambda found: float(of.shares(found)[0]),
            lambda a, b: float(np.abs(of.shares(a) - of.shares(b)).max()),
        ),
        _scalar(
            f"similarity_excess.{attribute}", f"alike beyond chance: {words}", "Fig. 2", of.excess, logarithmic=False
        ),
        _scalar(f"stack_depth.{attribute}", f"stack depth: {words}", "Table VI", of.depth, logarithmic=True),
        Measure(
            f"concentration.{attribute}",
            f"daily concentration: {words}",
            "Fig. 5",
            "KS",
            of.concentration,
            lambda a, b: ks_distance(of.days(a), of.days(b)),
        ),
    ]


def _hurst(found: Description) -> float:
    return found.hurst.h if found.hurst else NOT_KNOWN


def _measures_by_name() -> dict[str, Measure]:
    every = [
        _scalar("job_count", "jobs", "", lambda found: float(found.jobs), logarithmic=True),
        _scalar("user_count", "users", "", lambda found: float(found.users) or NOT_KNOWN, logarithmic=True),
        *(_marginal(name) for name in MARGINALS),
        _week(),
        *(measure for attribute in ATTRIBUTES for measure in _by_attribute(attribute)),
        _scalar("hurst", "Hurst parameter", "Table VII", _hurst, logarithmic=False),
    ]
    return {measure.name: measure for measure in every}


#: measures by name, in the order of the paper
MEASURES = _measures_by_name()
