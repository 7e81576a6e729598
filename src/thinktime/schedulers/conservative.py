"""Conservative backfilling."""

from thinktime.schedulers.scheduler import Scheduler


class Conservative(Scheduler, name="conservative"):
    """Gives each job the earliest start that delays no earlier reservation.

    With `compress`, reservations move forward when jobs end early.
    """

    compress: bool = True
