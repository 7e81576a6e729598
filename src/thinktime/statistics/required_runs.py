"""Required runs: how many independent runs an answer needs, from the spread of those there are.

For a half-width h the number is the least n with t(n − 1) · s / √n ≤ h. To detect a difference d with a given
power (the share of studies that would find it) it is the least n with (t_α(n − 1) + t_β(n − 1)) · s / √n ≤ d.
s is itself an estimate: from few runs the answer is rough, and it is for runs like those there are.
Law, "Simulation Modeling and Analysis", 5th edition, 2015, section 9.4; Chow, Shao and Wang, "Sample Size
Calculations in Clinical Research", 2008, section 3.1 (with t instead of normal quantiles).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from thinktime.errors import InputError
from thinktime.statistics.interval import check_share, sample, t_quantile

MOST = 10**9  # runs; larger numbers are not computed


def runs_for_half_width(values: ArrayLike, half_width: float, level: float = 0.95) -> int:
    """Runs after which the interval of the mean is the mean ± `half_width`, in the values' own unit."""
    array = sample(values, what="a required number of runs")
    _require_above_zero("half_width", half_width)
    check_share("level", level)
    spread = float(np.std(array, ddof=1)) if np.ptp(array) > 0 else 0.0
    return _least(lambda n: t_quantile(0.5 + level / 2, n - 1) * spread / math.sqrt(n) <= half_width)


def runs_for_relative_half_width(values: ArrayLike, share: float, level: float = 0.95) -> int:
    """The same for a half-width that is this share of the mean."""
    array = sample(values, what="a required number of runs")
    mean = abs(float(np.mean(array)))
    if mean == 0:
        raise InputError("the mean of the sample is 0: give an absolute half-width")
    return runs_for_half_width(array, _require_above_zero("the relative half-width", share) * mean, level)


def runs_to_detect(differences: ArrayLike, difference: float, *, power: float = 0.8, level: float = 0.95) -> int:
    """Blocks after which a true mean difference of this size is found with this power."""
    array = sample(differences, what="a required number of runs")
    size = _require_above_zero("the difference", abs(difference))
    both = (0.5 + check_share("level", level) / 2, check_share("power", power))
    spread = float(np.std(array, ddof=1)) if np.ptp(array) > 0 else 0.0
    return _least(lambda n: sum(t_quantile(share, n - 1) for share in both) * spread / math.sqrt(n) <= size)


def _least(enough: Callable[[int], bool]) -> int:
    """Return the smallest number, at least 2, that is enough; if n is enough, so is n + 1."""
    high = 2
    while not enough(high):
        high *= 2
        if high > MOST:
            return MOST
    low = max(high // 2, 1)  # not enough, or below the least
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _require_above_zero(what: str, value: float) -> float:
    if not math.isfinite(value) or value <= 0:
        raise InputError(f"{what} must be above 0 (got {value})")
    return value
