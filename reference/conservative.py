"""Conservative backfilling: every job gets a reservation when it is submitted. Feitelson and Weil 1998.

A waiting job has a slot: the reserved start. At the submission it gets the earliest slot at which its
processors are free for its whole expected length, with the running jobs (until their expected ends) and
the slots of all waiting jobs in place. It keeps the slot; a pass starts every waiting job whose slot has come, in
order of joining.

When jobs end, usually earlier than expected, the plan is compressed: each waiting job, in order of joining,
is taken out and put back at its earliest slot. It cannot get a later one, because its old place is still
free. (Only a job of zero expected length can: it needs its processors at the instant of its slot, but holds
no place in the plan.) Without `compress` slots never change; what an early end leaves free is for jobs
submitted later.

Without `compress` a slot can come at an instant at which nothing ends and nothing is submitted: the job that
was expected to end there ended earlier. So the policy asks for a pass at the next slot.

Under extend-blind the ends of running jobs are not known, and no promise can be kept. There the whole plan
is made anew at every pass, with overrunning jobs "ending now"; `compress` has no meaning, and no pass is
asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.job import Task
from reference.overrun import seen_end
from reference.policy import Policy
from reference.profile import Profile

if TYPE_CHECKING:
    from reference.simulation import Simulation


class Conservative(Policy):
    schedulers = ("conservative",)

    def __init__(self, compress: bool = True) -> None:
        self.compress = compress

    def ended(self, sim: Simulation) -> None:
        if not self.compress or sim.overrun == "extend-blind":
            return
        plan = planned(sim)
        for task in sim.queue:
            plan.give_back(task.slot, task.slot + task.expected_length, task.processors)
            put_into_plan(task, plan)

    def submitted(self, task: Task, sim: Simulation) -> None:
        if sim.overrun != "extend-blind":
            put_into_plan(task, planned(sim))

    def schedule(self, sim: Simulation) -> None:
        if sim.overrun == "extend-blind":
            plan_anew(sim)
        for task in list(sim.queue):
            if task.slot <= sim.now and sim.fits(task):
                sim.start(task)

    def next_wake(self, sim: Simulation) -> float | None:
        if sim.overrun == "extend-blind":
            return None
        return min((task.slot for task in sim.queue if task.slot > sim.now), default=None)


def planned(sim: Simulation) -> Profile:
    """Return the free processors from now on, without those of running jobs and slots."""
    taken = taken_by_running(sim)
    taken += [(task.slot, task.slot + task.expected_length, task.processors) for task in sim.queue]
    return Profile(sim.processors, sim.now, taken)


def plan_anew(sim: Simulation) -> None:
    plan = Profile(sim.processors, sim.now, taken_by_running(sim))
    for task in sim.queue:
        put_into_plan(task, plan)


def taken_by_running(sim: Simulation) -> list[tuple[float, float, int]]:
    return [(task.start, seen_end(task, sim.now), task.processors) for task in sim.running]


def put_into_plan(task: Task, plan: Profile) -> None:
    task.slot = plan.earliest(task.processors, task.expected_length)
    plan.take(task.slot, task.slot + task.expected_length, task.processors)
