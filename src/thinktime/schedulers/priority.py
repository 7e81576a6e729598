"""List scheduling by any key."""

from thinktime.schedulers.keys import Key
from thinktime.schedulers.native import NativeKey
from thinktime.schedulers.scheduler import Scheduler


class Priority(Scheduler, name="priority"):
    """Starts jobs in the order of a key; the smallest value comes first.

    The `key` is a named one (WFP3, UNICEF, F1–F4, area, expansion factor, …), composed (`-tt.key.wait /
    tt.key.estimate`) or compiled (`tt.native(function)`). `eligible` is a condition such as `wait > 600`: a pass skips
    the jobs that do not fulfil it. It is evaluated at every pass, and after 1, 2, 4, … minutes if no other event is
    left.
    """

    key: str | Key | NativeKey = "wfp3"
    skip: bool = False
    deadline_factor: float = 1.0
    eligible: str | Key | NativeKey | None = None
