"""EASY as AccaSim 1.0 to 1.1.3 really does it (class EASYBackfilling), which is not EASY.

There is at most one reservation: a blocked job and a time. A pass does this.

1. If there is a reservation and its time has come (time <= now), try to start the blocked job. If it starts,
   the reservation is gone. If it does not fit, it stays blocked, keeps the old reserved time, and is
   therefore tried again at every later pass.
2. If there is no reservation (now, or after step 1), start the others from the head of the queue (order of
   arrival) while they fit. The first that does not fit becomes the blocked job. Its reserved time is
   computed here, once: the first instant at which the expected ends of the running jobs, those started in
   this pass included, leave enough processors for it.
3. If there is a reservation, try every other waiting job behind the blocked one in order of arrival, and
   start each that fits. It is not compared with the reserved time: the released code passes an empty list of
   reserved nodes, so its test can exclude nothing.

In effect: first-fit backfilling around a head that sleeps until its reserved time, even if it would fit
earlier, and that may find its processors taken when it wakes.

A reserved time is not an event: the blocked job is tried at the first end or submission from then on. Only when
nothing runs and nothing will be submitted any more is there a pass at the reserved time itself (AccaSim's
clock then counts second by second until it is reached).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.easy import shadow_and_extra
from reference.job import Task
from reference.policy import Policy

if TYPE_CHECKING:
    from reference.simulation import Simulation


class EasyAccasim(Policy):
    def __init__(self) -> None:
        self.blocked: Task | None = None
        self.reserved = 0.0  # the blocked job is not tried before this time

    def changed(self, sim: Simulation) -> None:
        self.blocked = None

    def schedule(self, sim: Simulation) -> None:
        if self.blocked is not None and self.reserved <= sim.now and sim.fits(self.blocked):
            sim.start(self.blocked)
            self.blocked = None
        if self.blocked is None:
            self.start_heads(sim)
        if self.blocked is not None:
            self.fill(sim)

    def start_heads(self, sim: Simulation) -> None:
        while sim.queue and sim.fits(sim.queue[0]):
            sim.start(sim.queue[0])
        if sim.queue:
            self.blocked = sim.queue[0]
            self.reserved = self.reserved_time(self.blocked, sim)

    def reserved_time(self, head: Task, sim: Simulation) -> float:
        return shadow_and_extra(head, sim)[0]

    def fill(self, sim: Simulation) -> None:
        for task in list(sim.queue):
            if task is not self.blocked and sim.fits(task):
                sim.start(task)

    def next_wake(self, sim: Simulation) -> float | None:
        if self.blocked is not None and self.reserved > sim.now and sim.nothing_else_will_happen():
            return self.reserved
        return None
