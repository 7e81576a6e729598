"""Chunks that shrink by the same amount each.

TSS (Tzen and Ni 1993): from f = ceil(N / 2P) down to l = 1 in n = ceil(2N / (f + l)) chunks, so each is
d = (f - l) / (n - 1) smaller than the one before. Their d is a whole number, which is 0 if N < 8 P^2 or so: then all
chunks are f; `decrement="exact"` keeps the fraction. TFSS (Chronopoulos, Andonie, Benche and Grosu 2001): batches of P
equal chunks, the mean of the next P of TSS.
"""

from __future__ import annotations

import math

from reference.applications.technique import Batches, Facts, Technique, ceil_divided


class Trapezoid(Technique):
    def __init__(self, facts: Facts, decrement: str = "whole") -> None:
        self.exact = decrement == "exact"
        super().__init__(facts)

    def begin(self) -> None:
        facts = self.facts
        self.first = ceil_divided(facts.tasks, 2 * facts.cores)
        chunks = max(2, ceil_divided(2 * facts.tasks, self.first + 1))
        step = (self.first - 1) / (chunks - 1)
        self.step = step if self.exact else float(math.floor(step))
        self.asked = 0

    def chunk(self, core: int, remaining: int) -> int:
        self.asked += 1
        return self.size(float(self.asked - 1))

    def size(self, k: float) -> int:
        """Of chunk k; k and a half lies between two chunks. Not less than 1."""
        height = self.first - k * self.step
        return max(1, math.floor(height + 0.5 if self.exact else height))


class TrapezoidFactoring(Trapezoid):
    def begin(self) -> None:
        super().begin()
        self.batches = Batches(self.facts.cores)

    def chunk(self, core: int, remaining: int) -> int:
        batch, _ = self.batches.next()
        return self.size(float(batch * self.facts.cores) + (self.facts.cores - 1) / 2.0)
