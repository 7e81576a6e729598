"""EASY: promise the head a start; let later jobs pass only if the promise holds. Lifka 1995.

Start jobs from the head of the queue while they fit. The first that does not fit is the blocked head. Its
promise:

    shadow   the first instant at which the expected ends of the running jobs leave enough processors for it
    extra    the processors that are free at the shadow, counting all ends of that instant, minus the head's

Then look at the others one by one. Start a job that fits now if it ends by the shadow, or if it needs no
more than the extra processors, which it then uses up.

With a condition `eligible`, only the jobs that fulfil it when the pass begins are considered: the other jobs are
neither the head nor candidates.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from reference.eligible import Eligible
from reference.job import Task
from reference.orders import in_order, known
from reference.overrun import seen_end
from reference.policy import Policy

if TYPE_CHECKING:
    from reference.simulation import Simulation


class Easy(Policy):
    """
    order           of the queue: it decides which job is the head
    backfill_order  in which the others are tried; None = the queue's order
    extra_nodes     False: only jobs that end by the shadow may pass
    recompute       False: the promise is computed once, when a job becomes the blocked head, and kept as
                    long as this very job is the head (the extra processors go on shrinking)
    count_ties      False: the promise counts ends only up to the one that suffices, not all of its instant
    eligible        a condition on the jobs that are considered; None = all are
    """

    schedulers = ("easy",)

    @classmethod
    def make(cls, name: str, options: dict[str, Any], on_nodes: Mapping[type[Policy], type[Policy]]) -> Policy:
        from reference.easy_accasim import EasyAccasim

        compat = options.pop("compat", None)
        if compat is not None:
            chosen = {"accasim-1.0": EasyAccasim}[compat]
            return on_nodes.get(chosen, chosen)()
        known(options.get("order", "arrival"))
        known(options.get("backfill_order") or "arrival")
        return super().make(name, options, on_nodes)

    def __init__(
        self,
        order: str = "arrival",
        backfill_order: str | None = None,
        extra_nodes: bool = True,
        recompute: bool = True,
        count_ties: bool = True,
        deadline_factor: float = 1.0,
        eligible: str | None = None,
    ) -> None:
        self.order = order
        self.backfill_order = backfill_order or order
        self.extra_nodes = extra_nodes
        self.recompute = recompute
        self.count_ties = count_ties
        self.deadline_factor = deadline_factor
        self.eligible = Eligible(eligible, deadline_factor)
        self.head: Task | None = None  # the blocked head of the last pass
        self.shadow = 0.0  # its promise
        self.extra = 0

    def schedule(self, sim: Simulation) -> None:
        started = sim.started
        self.start_and_promise(self.eligible.among(sim.queue, sim), sim)
        self.eligible.passed(sim, sim.started > started)

    def next_wake(self, sim: Simulation) -> float | None:
        return self.eligible.next_question(sim)

    def start_and_promise(self, considered: list[Task], sim: Simulation) -> None:
        waiting = in_order(considered, self.order, sim.now, self.deadline_factor, sim.values)
        while waiting and sim.fits(waiting[0]):
            sim.start(waiting.pop(0))
        if not waiting:
            self.head = None
            return
        self.promise(waiting[0], sim)
        self.backfill(waiting[1:], sim)

    def promise(self, head: Task, sim: Simulation) -> None:
        if self.recompute or head is not self.head:
            self.head = head
            self.shadow, self.extra = shadow_and_extra(head, sim, self.count_ties)

    def backfill(self, others: list[Task], sim: Simulation) -> None:
        for task in in_order(others, self.backfill_order, sim.now, self.deadline_factor, sim.values):
            if not sim.fits(task):
                continue
            if sim.now + task.expected_length <= self.shadow:
                sim.start(task)
            elif self.extra_nodes and task.processors <= self.extra:
                self.extra -= task.processors
                sim.start(task)


def shadow_and_extra(head: Task, sim: Simulation, count_ties: bool = True) -> tuple[float, int]:
    """Walk over the expected ends until the head fits, and then over those of the same instant."""
    free, shadow = sim.really_free(), sim.now
    for task in sorted(sim.running, key=lambda task: (task.expected_end, task.started)):
        end = seen_end(task, sim.now)
        if free >= head.processors and (end > shadow or not count_ties):
            break
        free, shadow = free + task.processors, end
    return shadow, free - head.processors
