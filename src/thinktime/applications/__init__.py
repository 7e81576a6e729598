"""Application models: what happens inside a job."""

from thinktime.applications.application import Application, Beneath
from thinktime.applications.fixed import Fixed
from thinktime.applications.loop import Loop
from thinktime.applications.other_simulator import OtherSimulator
from thinktime.applications.simgrid import SimGrid
from thinktime.applications.techniques import Technique, technique_of

__all__ = ["Application", "Beneath", "Fixed", "Loop", "OtherSimulator", "SimGrid", "Technique", "technique_of"]
