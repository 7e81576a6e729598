"""Benchmarks of the engine: each carries a goal, a rate, an event count and a mean wait.

The rate says how fast, the counts and the wait say that it was still the same simulation.
"""

from thinktime.bench.engine import GOALS, Measurement, main, measure

__all__ = ["GOALS", "Measurement", "main", "measure"]
