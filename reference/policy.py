"""What a scheduler is asked, and when. `schedule` is the pass; most policies need nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from reference.job import Task

if TYPE_CHECKING:
    from reference.simulation import Simulation


class Policy:
    schedulers: ClassVar[tuple[str, ...]] = ()  # the schedulers that this class implements, by name

    @classmethod
    def make(cls, name: str, options: dict[str, Any], on_nodes: Mapping[type[Policy], type[Policy]]) -> Policy:
        """Return the policy with these options."""
        return on_nodes.get(cls, cls)(**options)

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
        """One pass: start jobs now, with `sim.start`."""

    def next_wake(self, sim: Simulation) -> float | None:
        """The next instant after now that needs a pass even if nothing ends or is submitted."""
        return None
