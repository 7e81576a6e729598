"""A policy given as a function: what a scheduler in Python may answer, and in which order it happens.

    decide(sim) -> Answer

The function sees the queue and the running jobs as they are when the pass begins. Then

1. jobs are rejected, killed and requeued, in the order of the answer. A rejected or killed job has ended now, and its
   user hears of it now. A requeued job waits again in its old place; it cannot start in this pass;
2. jobs start, in the order of the answer. They may use what the jobs of step 1 have released.

If users submit for this instant because of step 1, there is another round with another pass. Nothing else makes one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from reference.policy import Policy

if TYPE_CHECKING:
    from reference.simulation import Simulation

Nodes = tuple[tuple[int, int], ...]  # (node, units), or () for those that the allocator chooses


class Action(NamedTuple):
    what: str  # reject, kill or requeue
    index: int  # type: ignore[assignment] # hides tuple.index
    saved: float = 0.0  # of a requeued job: seconds of its work that are kept
    restart: float = 0.0  # and seconds that starting again costs


@dataclass(frozen=True)
class Answer:
    starts: Sequence[tuple[int, Nodes]] = ()
    actions: Sequence[Action] = ()


class Own(Policy):
    schedulers = ("own",)

    def __init__(self, decide: Callable[[Any], Answer]) -> None:
        self.decide = decide

    def schedule(self, sim: Simulation) -> None:
        if not sim.queue:
            return
        answer = self.decide(sim)
        waiting = {task.index: task for task in sim.queue}
        running = {task.index: task for task in sim.running}
        for what, index, saved, restart in answer.actions:
            if what == "reject":
                sim.refuse(waiting[index])
            elif what == "kill":
                sim.kill(running[index])
            else:
                sim.requeue(running[index], saved, restart)
        for index, nodes in answer.starts:
            sim.start(waiting[index], nodes) if nodes else sim.start(waiting[index])  # type: ignore[call-arg]
