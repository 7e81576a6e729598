"""Conservative backfilling."""

from thinktime.schedulers.scheduler import Scheduler


class Conservative(Scheduler, name="conservative"):
    """Gives every job the earliest slot that delays nobody; with `compress`, slots move forward when jobs end."""

    compress: bool = True
