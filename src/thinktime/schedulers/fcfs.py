"""First come, first served."""

from thinktime.schedulers.scheduler import Scheduler


class FCFS(Scheduler, name="fcfs"):
    """Starts jobs in order of arrival; the first that does not fit holds up the others, unless `skip`."""

    skip: bool = False
