"""What a scheduler is asked, and when. `schedule` is the pass; most policies need nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.job import Task

if TYPE_CHECKING:
    from reference.simulation import Simulation


class Policy:
    def accepts(self, task: Task) -> bool:
        """Asked at the submission: may the job join the queue?"""
        return True

    def ended(self, sim: Simulation) -> None:
        """Jobs have just ended and released their processors; nothing has been submitted since."""

    def changed(self, sim: Simulation) -> None:
        """On a cluster: nodes were closed or opened, or a job came back to the queue."""

    def submitted(self, task: Task, sim: Simulation) -> None:
        """The task is about to join the queue."""

    def schedule(self, sim: Simulation) -> None:
        """One pass: start what shall start now, with `sim.start`."""

    def next_wake(self, sim: Simulation) -> float | None:
        """The next instant after now at which a pass is wanted even if nothing ends or is submitted."""
        return None
