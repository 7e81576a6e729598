"""Bounds: what values a quantity can have, and the scale on which its interval is symmetric.

Student's interval mean ± h ignores bounds: of five waits it may reach below zero, of five utilisations above one.
Here the interval is taken on a scale without bounds, by the delta method: log (mean − least) with half-width
h / (mean − least) if there is a lower bound only, the logit of the mean's place between the bounds if there are
two. Then it is mapped back. The estimate stays the arithmetic mean; for small h the interval is Student's.

Casella and Berger, "Statistical Inference", 2nd edition, 2002, section 5.5.4 (delta method); Agresti, "Categorical
Data Analysis", 3rd edition, 2013, section 3.1 (intervals on the logit scale).
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Bounds:
    """The least and the greatest possible value; infinite where there is none."""

    least: float = -math.inf
    most: float = math.inf

    @property
    def scale(self) -> str:
        """`linear`, `log` or `logit`: where an interval of the mean is symmetric."""
        if math.isinf(self.least):
            return "linear"
        return "log" if math.isinf(self.most) else "logit"

    def ends(self, mean: float, half: float) -> tuple[float, float]:
        """The ends of the interval whose half-width on the linear scale would be `half`."""
        if half == 0 or self.scale == "linear":
            return mean - half, mean + half
        if not self.least < mean < self.most:  # rounding; the values themselves are within the bounds
            return max(mean - half, self.least), min(mean + half, self.most)
        return self._log(mean, half) if self.scale == "log" else self._logit(mean, half)

    def _log(self, mean: float, half: float) -> tuple[float, float]:
        above = mean - self.least
        factor = math.exp(min(half / above, 700.0))  # beyond, exp overflows
        return self.least + above / factor, self.least + above * factor

    def _logit(self, mean: float, half: float) -> tuple[float, float]:
        width = self.most - self.least
        share = (mean - self.least) / width
        odds, factor = share / (1 - share), math.exp(min(half / width / (share * (1 - share)), 700.0))
        low, high = odds / factor, odds * factor
        return self.least + width * low / (1 + low), self.least + width * high / (1 + high)


UNBOUNDED = Bounds()
