"""List scheduling by any key."""

from thinktime.schedulers.scheduler import Scheduler


class Priority(Scheduler, name="priority"):
    """Starts jobs by a key that the field uses (see `ORDERS`): WFP3, UNICEF, F1–F4, area, expansion factor, …"""

    key: str = "wfp3"
    skip: bool = False
    deadline_factor: float = 1.0
