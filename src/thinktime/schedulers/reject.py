"""Reject everything."""

from thinktime.schedulers.scheduler import Scheduler


class Reject(Scheduler, name="reject"):
    """Rejects every job at submission, to measure the cost of the simulator without scheduling."""
