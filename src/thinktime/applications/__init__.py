"""Application models simulate the tasks inside a job. The registry finds every file in this folder."""

from thinktime.applications.application import Application, ApplicationContext
from thinktime.applications.techniques import Technique, technique_of

__all__ = ["Application", "ApplicationContext", "Technique", "technique_of"]
