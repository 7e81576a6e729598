"""Longest job first."""

from thinktime.schedulers.scheduler import Scheduler


class LJF(Scheduler, name="ljf"):
    """Starts the job with the longest estimate; a job that does not fit blocks the others, unless `skip`."""

    skip: bool = False
