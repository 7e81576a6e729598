"""Longest job first."""

from thinktime.schedulers.scheduler import Scheduler


class LJF(Scheduler, name="ljf"):
    """Starts the job with the longest estimate; one that does not fit holds up the others, unless `skip`."""

    skip: bool = False
