"""First come, first served."""

from thinktime.schedulers.scheduler import Scheduler


class FCFS(Scheduler, name="fcfs"):
    """Starts jobs in the order of arrival; a job that does not fit blocks the others, unless `skip`."""

    skip: bool = False
