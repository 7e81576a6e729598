"""Adjusted arrivals: recorded think times, counted from simulated ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thinktime.support.json_types import JsonDict
from thinktime.users.user_model import UserModel

if TYPE_CHECKING:
    from thinktime.workload import Workload


class Adjusted(UserModel, name="adjusted"):
    """Submits a batch its recorded think time after the last end that it waited for.

    Zakay and Feitelson, "Preserving user behavior characteristics in trace-based simulation", 2014. A batch is a set of
    overlapping jobs of a session; `threshold_min` is the gap, in minutes, that ends a session. A batch that waited for
    no job comes its recorded inter-arrival time after the batch before it.
    """

    threshold_min: float = 60.0

    def plan(self, workload: Workload, seed: int) -> JsonDict:
        from thinktime.users.batch_plans import batch_plan

        plan, found = batch_plan(workload, self.threshold_min)
        return {**plan, "think_s": found.think_s, "inter_arrival_s": found.inter_arrival_s}

    def streamed(self) -> JsonDict:
        return {"threshold_s": 60.0 * self.threshold_min}
