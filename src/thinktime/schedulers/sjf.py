"""Shortest job first."""

from thinktime.schedulers.scheduler import Scheduler


class SJF(Scheduler, name="sjf"):
    """Starts the job with the shortest estimate; a job that does not fit blocks the others, unless `skip`."""

    skip: bool = False
