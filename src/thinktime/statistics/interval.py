"""Intervals: an estimate with its lower and upper end, and Student's interval for a mean.

Student's interval is mean ± t · s / √n for n independent values. It is exact for normal values and good for
means of many jobs, which are nearly normal. With bounds it is taken on a log or logit scale (`bounds.py`).
Fewer than five values have no interval: their spread is hardly known, and skew values are covered far too rarely.
Student (Gosset), "The probable error of a mean", Biometrika 1908.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from thinktime.errors import InputError
from thinktime.spec import is_number
from thinktime.statistics.bounds import UNBOUNDED, Bounds

FEWEST = 5  # values; with fewer there is no interval
TOO_FEW = f"fewer than {FEWEST} values: no interval, because their spread is poorly known"
ALL_EQUAL = "all values are equal, so the interval has no width"
METHODS = {"linear": "t", "log": "t on the log scale", "logit": "t on the logit scale"}


@dataclass(frozen=True)
class Interval:
    """An estimate with its lower and upper end."""

    estimate: float
    low: float
    high: float
    level: float  # of confidence, e.g. 0.95
    method: str
    n: int  # number of values
    note: str = ""  # what a reader must know

    @property
    def known(self) -> bool:
        """Whether there are ends; with fewer than five values there are none."""
        return not math.isnan(self.low)

    @property
    def half_width(self) -> float:
        return (self.high - self.low) / 2

    def __contains__(self, value: float) -> bool:
        """An interval without ends excludes nothing."""
        return not (value < self.low or value > self.high)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def sample(values: ArrayLike, least: int = 2, what: str = "an interval") -> np.ndarray:
    """Return the values as an array; raise InputError unless they are enough finite numbers."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1:
        raise InputError(f"a sample must have one dimension (got {array.ndim})")
    if len(array) < least:
        raise InputError(f"{what} needs at least {least} values (got {len(array)}): make more runs")
    if not np.isfinite(array).all():
        bad = int(np.flatnonzero(~np.isfinite(array))[0])
        raise InputError(f"value {bad} of the sample is {array[bad]}: remove missing and infinite values")
    return array


def check_share(what: str, value: float) -> float:
    """Return a number strictly between 0 and 1; raise InputError otherwise."""
    if not is_number(value) or not 0 < value < 1:
        raise InputError(f"{what} must be a number between 0 and 1, such as 0.95 (got {value!r})")
    return float(value)


def t_interval(values: ArrayLike, level: float = 0.95, bounds: Bounds = UNBOUNDED) -> Interval:
    """Return Student's interval for the mean of independent values, within the bounds of the values."""
    array, level = sample(values), check_share("level", level)
    mean, method = float(np.mean(array)), METHODS[bounds.scale]
    if len(array) < FEWEST:
        return Interval(mean, math.nan, math.nan, level, method, len(array), TOO_FEW)
    half = t_quantile(0.5 + level / 2, len(array) - 1) * standard_error(array)
    note = ALL_EQUAL if np.ptp(array) == 0 else ""
    return Interval(mean, *bounds.ends(mean, half), level, method, len(array), note)


def standard_error(array: np.ndarray) -> float:
    """Return s / √n; exactly zero for equal values, without rounding errors."""
    return float(np.std(array, ddof=1)) / math.sqrt(len(array)) if np.ptp(array) > 0 else 0.0


def t_quantile(share: float, freedom: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(freedom, share))


def normal_quantile(share: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(share))
