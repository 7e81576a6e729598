"""Shortest job first."""

from thinktime.schedulers.scheduler import Scheduler


class SJF(Scheduler, name="sjf"):
    """Starts the job with the shortest estimate; one that does not fit holds up the others, unless `skip`."""

    skip: bool = False
