"""List policies: sort the queue, start from the head.

fcfs, sjf, ljf, edf and priority are the same policy with another order. Without `skip` the first job that
does not fit blocks all behind it. With `skip` it is passed over, and everything that fits is started in one
sweep (greedy list scheduling, Graham 1966).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.orders import in_order, key
from reference.policy import Policy

if TYPE_CHECKING:
    from reference.job import Task
    from reference.simulation import Simulation

ORDER_OF = {"fcfs": "arrival", "sjf": "estimate", "ljf": "longest", "edf": "deadline"}


class ListPolicy(Policy):
    def __init__(
        self, order: str, skip: bool = False, deadline_factor: float = 1.0, eligible: str | None = None
    ) -> None:
        self.order = order
        self.eligible = eligible  # a composed condition; None: everybody may be considered
        self.again_after = 60.0  # seconds until the condition is asked again if nothing else happens
        self.again_at = -1.0
        self.skip = skip
        self.deadline_factor = deadline_factor

    def schedule(self, sim: Simulation) -> None:
        started = sim.started
        self.start_in_order(sim)
        asked_in_vain = sim.now == self.again_at and sim.started == started
        self.again_after = 2 * self.again_after if asked_in_vain else 60.0
        self.again_at = sim.now + self.again_after

    def start_in_order(self, sim: Simulation) -> None:
        considered = [task for task in sim.queue if self.may_be_considered(task, sim.now)]
        for task in in_order(considered, self.order, sim.now, self.deadline_factor):
            if sim.fits(task):
                sim.start(task)
            elif not self.skip:
                return

    def may_be_considered(self, task: Task, now: float) -> bool:
        return self.eligible is None or key(self.eligible, task, now, self.deadline_factor) != 0

    def next_wake(self, sim: Simulation) -> float | None:
        """Nothing else will happen, and the condition may come to hold as time passes: after 1, 2, 4, … minutes."""
        if self.eligible is None or not sim.queue or not sim.nothing_else_will_happen() or self.again_after > 1e9:
            return None
        return self.again_at
