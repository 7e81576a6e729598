"""Earliest deadline first."""

from thinktime.schedulers.scheduler import Scheduler


class EDF(Scheduler, name="edf"):
    """Starts the job with the earliest deadline: submit + `deadline_factor` × estimate (logs have no deadlines).

    A job that does not fit blocks the others, unless `skip`.
    """

    deadline_factor: float = 1.0
    skip: bool = False
