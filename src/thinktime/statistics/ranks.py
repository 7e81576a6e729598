"""Tests that look at ranks and signs only, so that one extreme block decides nothing.

Wilcoxon's signed-rank test asks whether the differences lie around 0; exact for up to 50 blocks without ties
and zeros, else normal, where zeros are ranked but belong to neither side (Pratt). The sign test asks whether A
is below B as often as above. Holm corrects several p-values so that one wrong rejection among all of them stays
as rare as the level states.
Friedman's test asks whether any of several configurations differs, by their average ranks over the blocks; two
of them differ if their average ranks are further apart than Nemenyi's critical difference
q · √(k (k + 1) / (6 n)), which critical-difference diagrams show.

Wilcoxon, Biometrics Bulletin 1945; Pratt, JASA 1959; Holm, Scandinavian Journal of Statistics 1979; Friedman,
JASA 1937; Nemenyi 1963; Demšar, "Statistical comparisons of classifiers over multiple data sets", JMLR 2006.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from thinktime.errors import InputError
from thinktime.statistics.interval import check_share, sample

TIE = 1e-9  # ranks that differ by rounding
MOST_EXACT = 50  # blocks up to which Wilcoxon's distribution is computed exactly


@dataclass(frozen=True)
class Test:
    """A two-sided test of the differences of pairs against zero."""

    __test__ = False  # pytest: not a test case

    name: str
    statistic: float
    p_value: float
    n: int  # differences that are not zero
    note: str = ""


@dataclass(frozen=True)
class Ranks:
    """Several configurations ranked in every block; rank 1 is the lowest value."""

    average: tuple[float, ...]  # by configuration
    statistic: float  # Friedman's χ², corrected for ties
    p_value: float
    critical_difference: float  # of average ranks, Nemenyi
    level: float
    blocks: int

    @property
    def significant(self) -> bool:
        """Whether Friedman's test shows a difference; otherwise ranks distinguish nothing."""
        return self.p_value <= 1 - self.level

    def apart(self, first: float, second: float) -> bool:
        """Whether two average ranks differ by more than the critical difference."""
        return self.significant and abs(first - second) > self.critical_difference + TIE

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def wilcoxon(differences: ArrayLike) -> Test:
    """Wilcoxon's signed-rank test; W is the smaller of the two rank sums."""
    array = sample(differences, least=1, what="Wilcoxon's test")
    n = int(np.count_nonzero(array))
    if n == 0:
        return Test("wilcoxon", 0.0, 1.0, 0, "all differences are zero")
    from scipy import stats

    ranks = np.where(array != 0, stats.rankdata(np.abs(array)), 0.0)  # zeros take ranks, but no side (Pratt)
    smaller = min(float(ranks[array > 0].sum()), float(ranks[array < 0].sum()))
    if n <= MOST_EXACT:
        return Test("wilcoxon", smaller, _exact_p(ranks[ranks > 0], smaller), n, _least_p(n))
    found = stats.wilcoxon(array, zero_method="pratt", method="approx")
    return Test("wilcoxon", float(found.statistic), float(found.pvalue), n, _least_p(n))


def _exact_p(ranks: np.ndarray, smaller: float) -> float:
    """Share of all choices of signs whose smaller rank sum is as small. Ranks are halves at worst, so twice them are
    whole, and the number of choices with each sum follows by adding rank after rank; ties do no harm."""
    doubled = np.rint(2 * ranks).astype(np.int64)
    choices = np.zeros(int(doubled.sum()) + 1)
    choices[0] = 1.0
    for rank in doubled:
        choices[rank:] += choices[: len(choices) - rank].copy()
    return min(1.0, 2.0 * float(choices[: round(2 * smaller) + 1].sum()) / 2.0 ** len(ranks))


def sign_test(differences: ArrayLike) -> Test:
    """The sign test: how many differences are above zero, of those that are not zero."""
    array = sample(differences, least=1, what="the sign test")
    above, n = int(np.count_nonzero(array > 0)), int(np.count_nonzero(array))
    if n == 0:
        return Test("sign", 0.0, 1.0, 0, "all differences are zero")
    from scipy import stats

    return Test("sign", float(above), float(stats.binomtest(above, n).pvalue), n, _least_p(n))


def _least_p(n: int) -> str:
    return f"with {n} differences no p-value below {2.0 ** (1 - n):.2g} is possible" if n < 6 else ""


def holm(p_values: ArrayLike) -> np.ndarray:
    """Holm's adjusted p-values, in the order given: compare them with the level as they are."""
    p = sample(p_values, least=1, what="Holm's correction")
    if ((p < 0) | (p > 1)).any():
        raise InputError(f"p-values must be between 0 and 1 (got {p[(p < 0) | (p > 1)][0]:g})")
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted


def average_ranks(table: ArrayLike) -> np.ndarray:
    """The mean rank of each column over the rows; equal values share the mean of their ranks."""
    from scipy import stats

    return stats.rankdata(_as_rank_table(table), axis=1).mean(axis=0)


def friedman(table: ArrayLike, level: float = 0.95) -> Ranks:
    """Apply Friedman's test to a table with one row per block and one column per configuration."""
    values = _as_rank_table(table)
    if values.shape[1] < 3:
        raise InputError(
            f"Friedman's test needs at least 3 configurations (got {values.shape[1]}): compare two as pairs"
        )
    from scipy import special, stats

    rows, columns = values.shape
    ranks = stats.rankdata(values, axis=1)
    average = ranks.mean(axis=0)
    between = rows**2 * float(np.sum((average - (columns + 1) / 2) ** 2)) * (columns - 1)
    within = float(np.sum(ranks**2)) - rows * columns * (columns + 1) ** 2 / 4
    statistic = between / within if within > 0 else 0.0
    p_value = float(special.chdtrc(columns - 1, statistic))
    return Ranks(tuple(average.tolist()), statistic, p_value, nemenyi(columns, rows, level), level, rows)


def nemenyi(configurations: int, blocks: int, level: float = 0.95) -> float:
    """The critical difference of average ranks: q is the studentised range with infinite freedom over √2."""
    check_share("level", level)
    from scipy import stats

    q = float(stats.studentized_range.ppf(level, configurations, np.inf)) / math.sqrt(2)
    return q * math.sqrt(configurations * (configurations + 1) / (6 * blocks))


def _as_rank_table(table: ArrayLike) -> np.ndarray:
    values = np.asarray(table, dtype=np.float64)
    if values.ndim != 2 or values.shape[0] < 2 or not np.isfinite(values).all():
        raise InputError(f"a table must have two or more rows of finite values (got shape {values.shape})")
    return values
