"""The oracle: what a simulation means, in plain Python that can be read aloud. Start with `simulation.py`."""

from reference.job import Job, Outcome
from reference.simulation import simulate

__all__ = ["Job", "Outcome", "simulate"]
