"""Simulations: a workload, a platform and policies in, a result out."""

from thinktime.simulate.simulation import Simulation, State, simulate
from thinktime.simulate.stream import simulate_stream

__all__ = ["Simulation", "State", "simulate", "simulate_stream"]
