"""Chunks of one size, calculated once.

FSC (Kruskal and Weiss 1985): K = (sqrt(2) N h / (sigma P sqrt(ln P)))^(2/3), the size at which the overhead h of more
chunks and the imbalance of larger ones cost the same. mFSC (Banicescu, as in DLS4LB) needs neither h nor sigma: it
makes about as many chunks as factoring would.
"""

from __future__ import annotations

import math

from reference.applications.technique import Technique, ceil_divided, rounded_up, whole


class FixedSizeChunking(Technique):
    def begin(self) -> None:
        facts = self.facts
        share = ceil_divided(facts.tasks, facts.cores)
        below = facts.deviation_s * facts.cores * math.sqrt(math.log(facts.cores))
        if below == 0:  # tasks do not vary, or there is only one core: nothing to balance
            self.size = share
            return
        above = math.sqrt(2.0) * facts.tasks * facts.overhead_s
        self.size = rounded_up((above / below) ** (2.0 / 3.0), share)  # larger ones would leave cores without any

    def chunk(self, core: int, remaining: int) -> int:
        return self.size


class ModifiedFixedSizeChunking(Technique):
    def begin(self) -> None:
        share = ceil_divided(self.facts.tasks, self.facts.cores)
        self.size = 1 if share <= 1 else whole(0.55 + share * math.log(2.0) / math.log(share), self.facts.tasks)

    def chunk(self, core: int, remaining: int) -> int:
        return self.size
