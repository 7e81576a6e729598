"""Reject everything."""

from thinktime.schedulers.scheduler import Scheduler


class Reject(Scheduler, name="reject"):
    """Rejects every job at submission: what remains is the cost of the simulator itself."""
