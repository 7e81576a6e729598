"""List policies: sort the queue, start from the head.

fcfs, sjf, ljf, edf and priority are the same policy with another order. Without `skip` the first job that
does not fit blocks all behind it. With `skip` it is passed over, and everything that fits is started in one
sweep (greedy list scheduling, Graham 1966).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from reference.eligible import Eligible
from reference.orders import in_order, known
from reference.policy import Policy

if TYPE_CHECKING:
    from reference.simulation import Simulation

ORDER_OF = {"fcfs": "arrival", "sjf": "estimate", "ljf": "longest", "edf": "deadline"}


class ListPolicy(Policy):
    schedulers = (*ORDER_OF, "priority")

    @classmethod
    def make(cls, name: str, options: dict[str, Any], on_nodes: Mapping[type[Policy], type[Policy]]) -> Policy:
        order = known(options.pop("key")) if name == "priority" else ORDER_OF[name]
        return cls(order, **options)

    def __init__(
        self, order: str, skip: bool = False, deadline_factor: float = 1.0, eligible: str | None = None
    ) -> None:
        self.order = order
        self.eligible = Eligible(eligible, deadline_factor)
        self.skip = skip
        self.deadline_factor = deadline_factor

    def schedule(self, sim: Simulation) -> None:
        started = sim.started
        self.start_in_order(sim)
        self.eligible.passed(sim, sim.started > started)

    def start_in_order(self, sim: Simulation) -> None:
        considered = self.eligible.among(sim.queue, sim)
        for task in in_order(considered, self.order, sim.now, self.deadline_factor, sim.values):
            if sim.fits(task):
                sim.start(task)
            elif not self.skip:
                return

    def next_wake(self, sim: Simulation) -> float | None:
        return self.eligible.next_question(sim)
