"""Fluid users: the periods of activity come from the log, their work from the simulation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from thinktime.support.json_types import JsonDict
from thinktime.users.user_model import LONGEST_DAYS, UserModel

if TYPE_CHECKING:
    from thinktime.workload import Workload


class Fluid(UserModel, name="fluid"):
    """Users are active as in the log; a batch that becomes available between sessions waits for the next one.

    Zakay and Feitelson 2014. A session lasts from its first submission until `stays_min` minutes after its last. Inside
    it, a batch comes after a delay drawn from the user's delays inside sessions (0 if the user has none). After the
    last session of a user, the sessions repeat, shifted by whole periods of `repeat_days` days.
    """

    whole_log: ClassVar[str] = "repeat the sessions of the whole log and draw from all its delays"
    random: ClassVar[bool] = True
    lowest: ClassVar[Mapping[str, float]] = {"repeat_days": 1e-4}
    highest: ClassVar[Mapping[str, float]] = {"repeat_days": LONGEST_DAYS}

    threshold_min: float = 60.0
    repeat_days: float = 7.0
    stays_min: float = 0.0

    def plan(self, workload: Workload, seed: int) -> JsonDict:
        import numpy as np

        from thinktime.users.batch_plans import batch_plan, delays, periods, pool, streams_of_users

        plan, found = batch_plan(workload, self.threshold_min)
        for kind, delay_s in delays(found).items():
            inside = np.where(found.in_session, delay_s, np.nan)
            plan |= pool(f"inside_{kind}", inside, found.user, len(found.users))
        return {
            **plan,
            **periods(found.sessions, self.repeat_days, 60.0 * self.stays_min),
            "stream": streams_of_users(seed, self.name, found.users),
        }
