"""No self-scheduling: every core gets one block. And its opposite: every request gets one task.

Both are as old as parallel loops; self-scheduling of single iterations: Tang and Yew 1986.
"""

from __future__ import annotations

from reference.applications.technique import Technique, ceil_divided


class Static(Technique):
    """Blocks of ceil(N / P) tasks: the last cores may get fewer, or none."""

    def chunk(self, core: int, remaining: int) -> int:
        return ceil_divided(self.facts.tasks, self.facts.cores)


class StaticBalanced(Technique):
    """The first N mod P requests get one task more than the others."""

    def begin(self) -> None:
        self.asked = 0

    def chunk(self, core: int, remaining: int) -> int:
        self.asked += 1
        return self.facts.tasks // self.facts.cores + (self.asked <= self.facts.tasks % self.facts.cores)


class SelfScheduling(Technique):
    def chunk(self, core: int, remaining: int) -> int:
        return 1
