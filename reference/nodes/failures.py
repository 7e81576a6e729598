"""Failures: nodes break and are repaired; jobs on a broken node are lost, or go back to the queue.

A job that goes back keeps its place in the order of arrival. With checkpoints it has less to do: what it had done up
to its last checkpoint is saved, and starting again costs `restart`, which is not work and is not paid twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reference.job import Task

if TYPE_CHECKING:
    from reference.nodes.simulation import NodeSimulation


@dataclass(frozen=True)
class Failures:
    table: Sequence[tuple[float, int, float]] = ()  # (from, node, until)
    lose: bool = False
    checkpoint: float = 0.0  # seconds between checkpoints; 0 = none
    restart: float = 0.0

    def events(self) -> list[tuple[float, int, int, bool]]:
        """(time, order of announcement, node, whether it breaks), the first one last."""
        events = []
        for i, (start, node, end) in enumerate(self.table):
            events += [(start, 2 * i, node, True), (end, 2 * i + 1, node, False)]
        return sorted(events, reverse=True)

    def strike(self, task: Task, sim: NodeSimulation) -> None:
        if self.lose:
            sim.kill(task)
            return
        worked = sim.worked(task)
        sim.requeue(task, worked // self.checkpoint * self.checkpoint if self.checkpoint else 0.0, self.restart)
