"""RAND: sizes drawn uniformly from smallest to largest, a number, the share ceil(N / P), or all but one (LB4OMP)."""

from __future__ import annotations

import numpy as np

from reference.applications.technique import Facts, Technique, ceil_divided


class RandomChunks(Technique):
    def __init__(self, facts: Facts, smallest: int = 1, largest: int | str = "share") -> None:
        self.smallest, self.largest = smallest, largest
        super().__init__(facts)

    def begin(self) -> None:
        self.draws = np.random.Generator(np.random.Philox(key=np.array(self.facts.key, dtype=np.uint64)))
        words = {"share": ceil_divided(self.facts.tasks, self.facts.cores), "all": self.facts.tasks - 1}
        largest = words[self.largest] if isinstance(self.largest, str) else self.largest
        self.sizes = max(1, largest - self.smallest + 1)

    def chunk(self, core: int, remaining: int) -> int:
        return self.smallest + int(self.draws.random() * self.sizes)
