"""Adjusted arrivals: recorded delays, counted from what the user waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thinktime.users.user_model import UserModel

if TYPE_CHECKING:
    from thinktime.workload import Workload


class Adjusted(UserModel, name="adjusted"):
    """A batch comes its recorded think time after the last end it waited for, or follows the batch before it.

    Zakay and Feitelson, "Preserving user behavior characteristics in trace-based simulation", 2014. A batch is jobs of
    a session that overlap; `threshold_min` is the gap, in minutes, that ends a session. If nothing was left to wait
    for when the previous batch had been submitted, the recorded inter-arrival time counts from there.
    """

    threshold_min: float = 60.0

    def plan(self, workload: Workload, seed: int) -> dict[str, Any]:
        from thinktime.users.batch_plans import batch_plan

        plan, found = batch_plan(workload, self.threshold_min)
        return {**plan, "think_s": found.think_s, "inter_arrival_s": found.inter_arrival_s}
