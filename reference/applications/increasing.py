"""Chunks that grow from batch to batch of P equal ones (Philip and Das 1997; formulas as in LB4OMP).

FISS: B stages, from N / ((2 + B) P) by 2 N (1 - B / (2 + B)) / (P B (B - 1)) a stage, both rounded down. VISS: from
c = N / (X P), and increments that halve: c (2 - 1/2^k) in batch k.
"""

from __future__ import annotations

from reference.applications.technique import Batches, Facts, Technique, ceil_divided


class FixedIncrease(Technique):
    def __init__(self, facts: Facts, stages: int = 3) -> None:
        self.stages = stages
        super().__init__(facts)

    def begin(self) -> None:
        tasks, cores, stages = self.facts.tasks, self.facts.cores, self.stages
        self.first = max(1, tasks // ((2 + stages) * cores))
        # 1 - B / (2 + B) = 2 / (2 + B), so that all stays whole
        self.step = 4 * tasks // ((2 + stages) * cores * stages * (stages - 1))
        self.batches = Batches(cores)

    def chunk(self, core: int, remaining: int) -> int:
        return self.first + self.batches.next()[0] * self.step


class VariableIncrease(Technique):
    def __init__(self, facts: Facts, divisor: int = 4) -> None:
        self.divisor = divisor
        super().__init__(facts)

    def begin(self) -> None:
        self.first = max(1, self.facts.tasks // (self.divisor * self.facts.cores))
        self.batches = Batches(self.facts.cores)

    def chunk(self, core: int, remaining: int) -> int:
        batch, _ = self.batches.next()
        return 2 * self.first - ceil_divided(self.first, 2 ** min(batch, 62))
