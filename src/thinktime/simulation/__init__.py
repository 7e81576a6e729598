"""Simulations: a workload, a platform and policies in, a result out."""

from thinktime.simulation.fair_start import fair_starts
from thinktime.simulation.recorded_schedule import recorded
from thinktime.simulation.simulate import simulate
from thinktime.simulation.simulation import Simulation, State
from thinktime.simulation.stream import simulate_stream

__all__ = ["Simulation", "State", "fair_starts", "recorded", "simulate", "simulate_stream"]
