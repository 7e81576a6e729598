"""Nodes that are switched off when they have been idle for a while, and boot when a job is placed on them.

A job that is placed on nodes of which some are off, or still boot, has all of them from its start, and runs when the
last one has booted. So it is there for longer, and may meet a closure of the calendar that it would not meet otherwise.
Which nodes it gets depends on which are open to it, and how long it boots on which nodes it gets. Therefore it is
placed as if nothing had to boot; if its nodes have to boot, it is placed again with that delay, until it boots no
longer than that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from reference.nodes.cluster import Placement

NEVER = float("inf")


@dataclass
class Boots:
    boot: Sequence[float] = ()  # seconds, by node
    off_after: float = NEVER  # seconds of idling
    used: dict[int, int] = field(default_factory=dict)  # node → units of jobs on it
    idle_since: dict[int, float] = field(default_factory=dict)  # node without jobs → since when
    booted: dict[int, float] = field(default_factory=dict)  # node that was switched on → when it has booted
    down: set[int] = field(default_factory=set)  # broken nodes

    def begin(self, now: float) -> None:
        self.idle_since = dict.fromkeys(range(len(self.boot)), now)

    def wait(self, node: int, now: float) -> float:
        """How long a job that starts now would wait for the node."""
        if not self.boot or self.used.get(node, 0) or now < self.booted.get(node, now):
            return max(0.0, self.booted.get(node, now) - now)
        return (now + self.boot[node]) - now if now >= self.idle_since[node] + self.off_after else 0.0

    def longest(self, placement: Placement, now: float) -> float:
        return max((self.wait(node, now) for node, _ in placement), default=0.0)

    def start(self, placement: Placement, now: float) -> None:
        for node, units in placement if self.boot else ():
            if self.wait(node, now) > 0 and not now < self.booted.get(node, now):
                self.booted[node] = now + self.boot[node]
            self.used[node] = self.used.get(node, 0) + units

    def end(self, placement: Placement, now: float) -> None:
        for node, units in placement if self.boot else ():
            self.used[node] -= units
            self.idle_since[node] = max(now, self.booted.get(node, now))

    def broken(self, node: int) -> None:
        """Whatever it was doing."""
        self.booted.pop(node, None)
        self.down.add(node)

    def repaired(self, node: int, now: float) -> None:
        self.idle_since[node] = now
        self.down.discard(node)

    def coming(self, now: float) -> list[float]:
        """When nodes will have booted, or be switched off: instants with a pass."""
        idle = [node for node in self.idle_since if not self.used.get(node, 0) and node not in self.down]
        times = [*self.booted.values(), *(self.idle_since[node] + self.off_after for node in idle)]
        return [time for time in times if now < time < NEVER]
