"""Application models simulate the tasks inside a job. The registry finds every file in this folder."""

from thinktime.applications.application import Application, ApplicationContext
from thinktime.applications.native_technique import CHUNK_SIGNATURE, DONE_SIGNATURE, native_technique
from thinktime.applications.own_technique import OwnTechnique
from thinktime.applications.techniques import Technique, technique_of

__all__ = [
    "CHUNK_SIGNATURE",
    "DONE_SIGNATURE",
    "Application",
    "ApplicationContext",
    "OwnTechnique",
    "Technique",
    "native_technique",
    "technique_of",
]
