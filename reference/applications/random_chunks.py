"""RAND: sizes drawn uniformly from smallest to largest, by default from 1 to ceil(N / P)."""

from __future__ import annotations

import numpy as np

from reference.applications.technique import Facts, Technique


class RandomChunks(Technique):
    def __init__(self, facts: Facts, smallest: int = 1, largest: int | None = None) -> None:
        self.smallest, self.largest = smallest, largest
        super().__init__(facts)

    def begin(self) -> None:
        self.draws = np.random.Generator(np.random.Philox(key=np.array(self.facts.key, dtype=np.uint64)))
        largest = -(-self.facts.tasks // self.facts.cores) if self.largest is None else self.largest
        self.sizes = max(1, largest - self.smallest + 1)

    def chunk(self, core: int, remaining: int) -> int:
        return self.smallest + int(self.draws.random() * self.sizes)
