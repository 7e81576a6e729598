"""Users with hours of activity, whose sessions continue while responses are quick."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from thinktime.errors import InputError
from thinktime.spec import is_number
from thinktime.support.json_types import JsonDict
from thinktime.support.time_units import HOUR_S, LATEST_S, MONDAY_S
from thinktime.users.user_model import UserModel

if TYPE_CHECKING:
    from thinktime.workload import Workload


class DistributionBased(UserModel, name="distribution-based"):
    """Users are active by day or by night, on weekdays or weekends; they continue a session while responses are quick.

    Zakay and Feitelson 2014. A share `by_day` of the users is active from `day_begins_h` to `day_ends_h`, the others in
    the other hours, all shifted by up to `shift_h`; a share `on_weekdays` from Monday to Friday, the others on
    weekends. A batch that becomes available outside these hours waits for them. Inside, the user continues with
    probability `goes_on` / (`impatience` × response time in minutes + 1), after a delay drawn from the user's delays
    inside sessions; otherwise after a delay between sessions of less than `longest_break_h`. The header of the log
    gives the time of day; without it, give `monday_s`, the log's time of a Monday 00:00 in seconds.
    """

    whole_log: ClassVar[str] = "draw from the delays of the whole log"
    random: ClassVar[bool] = True
    highest: ClassVar[Mapping[str, float]] = {
        "by_day": 1.0,
        "on_weekdays": 1.0,
        "goes_on": 1.0,
        "day_begins_h": 24.0,
        "day_ends_h": 24.0,
        "shift_h": 24.0,
    }

    threshold_min: float = 60.0
    by_day: float = 0.7
    day_begins_h: float = 7.5
    day_ends_h: float = 17.5
    shift_h: float = 1.0
    on_weekdays: float = 0.8
    goes_on: float = 0.8
    impatience: float = 0.05
    longest_break_h: float = 8.0
    monday_s: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.day_ends_h < self.day_begins_h:
            raise InputError(
                f"day_ends_h of {self.name} is {self.day_ends_h:g}, before day_begins_h, {self.day_begins_h:g}:"
                " let the day end after it begins"
            )
        if self.monday_s is not None:
            if not is_number(self.monday_s) or not abs(self.monday_s) <= LATEST_S:
                raise InputError(f"monday_s of {self.name} is {self.monday_s!r}: give a time of the log in seconds")
            object.__setattr__(self, "monday_s", float(self.monday_s))

    def plan(self, workload: Workload, seed: int) -> JsonDict:
        import numpy as np

        from thinktime.users.batch_plans import batch_plan, delays, pool, streams_of_users

        plan, found = batch_plan(workload, self.threshold_min)
        for kind, delay_s in delays(found).items():
            inside = np.where(found.in_session, delay_s, np.nan)
            short = delay_s < HOUR_S * self.longest_break_h
            between = np.where(~found.in_session & short, delay_s, np.nan)
            plan |= pool(f"inside_{kind}", inside, found.user, len(found.users), pooled=True)
            plan |= pool(f"between_{kind}", between, found.user, len(found.users), pooled=True)
        return {**plan, **self._engine_numbers(workload), "stream": streams_of_users(seed, self.name, found.users)}

    def _engine_numbers(self, workload: Workload) -> dict[str, float]:
        return {
            "monday_s": monday_of(workload) if self.monday_s is None else self.monday_s,
            "by_day": self.by_day,
            "day_begins_s": HOUR_S * self.day_begins_h,
            "day_ends_s": HOUR_S * self.day_ends_h,
            "shift_s": HOUR_S * self.shift_h,
            "on_weekdays": self.on_weekdays,
            "goes_on": self.goes_on,
            "impatience": self.impatience,
        }


def monday_of(workload: Workload) -> float:
    """Return a time of the workload at which a Monday began, by the local clock at its first submission."""
    if not len(workload):
        return 0.0
    if workload.source.get("clock") == "local" and workload.source.get("starts") == "Monday 00:00":
        return 0.0
    try:
        local_s = workload.local_s("submit_s")[0]
    except InputError as unknown:
        raise InputError(
            f"{workload.name} does not record the time of day, which these users need: give monday_s ({unknown})"
        ) from unknown
    return float(workload["submit_s"][0] - (local_s - MONDAY_S))
