"""Factoring: batches of P equal chunks, each batch a part of what remains when it begins.

FAC (Hummel, Schonberg and Flynn 1992) takes the part from mean and deviation of the tasks: ceil(R / (x P)) with x = 1
+ b^2 + b sqrt(b^2 + 2) in the first batch, x = 2 + b^2 + b sqrt(b^2 + 4) later, b = P sigma / (2 mu sqrt(R)). FAC2,
which needs neither, takes half: x = 2. WF (Hummel, Schmidt, Uma and Wein 1996) is FAC2 with each chunk multiplied by
the weight of its core, the weights being the relative speeds, with sum P.
"""

from __future__ import annotations

import math

from reference.applications.technique import Batches, Technique, ceil_divided, rounded, rounded_up


class Factoring(Technique):
    """FAC2."""

    def begin(self) -> None:
        self.batches = Batches(self.facts.cores)

    def chunk(self, core: int, remaining: int) -> int:
        batch, first = self.batches.next()
        if first:
            self.size = self.size_in(batch, remaining)
        return self.size

    def size_in(self, batch: int, remaining: int) -> int:
        return ceil_divided(remaining, 2 * self.facts.cores)


class ProbabilisticFactoring(Factoring):
    def size_in(self, batch: int, remaining: int) -> int:
        facts = self.facts
        b = facts.cores * facts.deviation_s / (2.0 * facts.mean_s * math.sqrt(remaining)) if facts.mean_s > 0 else 0.0
        least = 1.0 if batch == 0 else 2.0
        x = least + b * b + b * math.sqrt(b * b + 2.0 * least)
        return rounded_up(remaining / (x * facts.cores), remaining)


class WeightedFactoring(Factoring):
    def begin(self) -> None:
        super().begin()
        self.total_speed = 0.0
        for speed in self.facts.speeds:
            self.total_speed += speed

    def chunk(self, core: int, remaining: int) -> int:
        size = super().chunk(core, remaining)
        if not self.facts.speeds:
            return size
        return rounded(self.facts.speeds[core] * self.facts.cores / self.total_speed * size, remaining)
