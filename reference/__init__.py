"""The oracle: the semantics of a simulation in plain, readable Python. Start with `simulation.py`."""

from reference.job import Job, Outcome
from reference.simulation import simulate

__all__ = ["Job", "Outcome", "simulate"]
