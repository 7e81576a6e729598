"""Chunks that are a share of what remains.

GSS (Polychronopoulos and Kuck 1987): ceil(R / P). TAP (Lucco 1992): that share T = R / P, less what the variation of
the tasks makes advisable: T + v^2/2 - v sqrt(2T + v^2/4) with v = alpha sigma / mu.
"""

from __future__ import annotations

import math

from reference.applications.technique import Facts, Technique, ceil_divided, rounded_up


class Guided(Technique):
    def chunk(self, core: int, remaining: int) -> int:
        return ceil_divided(remaining, self.facts.cores)


class Taper(Technique):
    def __init__(self, facts: Facts, alpha: float = 1.3) -> None:
        self.alpha = alpha
        super().__init__(facts)

    def begin(self) -> None:
        mean, deviation = self.facts.mean_s, self.facts.deviation_s
        self.v = self.alpha * deviation / mean if mean > 0 else 0.0

    def chunk(self, core: int, remaining: int) -> int:
        share, v = remaining / self.facts.cores, self.v
        return rounded_up(share + v * v / 2.0 - v * math.sqrt(2.0 * share + v * v / 4.0), remaining)
