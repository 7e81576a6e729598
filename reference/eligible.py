"""The jobs that a pass considers: those that fulfil a condition when the pass begins.

Where nothing else will happen the condition is asked again after 1, 2, 4, … minutes, because it may come to hold as
time passes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.job import Task
from reference.orders import key

if TYPE_CHECKING:
    from reference.simulation import Simulation

LONGEST = 1e9  # seconds; after that no job becomes eligible by waiting


class Eligible:
    def __init__(self, condition: str | None, deadline_factor: float) -> None:
        self.condition = condition  # a composed one; None: all jobs are considered
        self.deadline_factor = deadline_factor
        self.again_after = 60.0  # seconds until it is asked again if nothing else happens
        self.again_at = -1.0

    def among(self, tasks: list[Task], sim: Simulation) -> list[Task]:
        return [task for task in tasks if self.holds(task, sim)]

    def holds(self, task: Task, sim: Simulation) -> bool:
        return self.condition is None or key(self.condition, task, sim.now, self.deadline_factor, sim.values) != 0

    def passed(self, sim: Simulation, started: bool) -> None:
        """Called after a pass, with whether a job has started."""
        asked_in_vain = sim.now == self.again_at and not started
        self.again_after = 2 * self.again_after if asked_in_vain else 60.0
        self.again_at = sim.now + self.again_after

    def next_question(self, sim: Simulation) -> float | None:
        if self.condition is None or not sim.queue or not sim.nothing_else_will_happen() or self.again_after > LONGEST:
            return None
        return self.again_at
