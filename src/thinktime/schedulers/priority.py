"""List scheduling by any key."""

from thinktime.schedulers.keys import Key
from thinktime.schedulers.native import NativeKey
from thinktime.schedulers.scheduler import Scheduler


class Priority(Scheduler, name="priority"):
    """Starts jobs by a key that the field uses (see `ORDERS`: WFP3, UNICEF, F1–F4, area, expansion factor, …), that
    you compose (`-tt.key.wait / tt.key.estimate`) or that you compile (`tt.native(function)`). The smallest goes first.

    With `eligible`, a condition such as `wait > 600`, a job for which it does not hold is passed over, as if it had
    not come yet. It is asked at every submission and end, and when nothing else is left to happen after 1, 2, 4, …
    minutes.
    """

    key: str | Key | NativeKey = "wfp3"
    skip: bool = False
    deadline_factor: float = 1.0
    eligible: str | Key | NativeKey | None = None
