"""Application models: what happens inside a job."""

from thinktime.applications.fixed import Fixed
from thinktime.applications.techniques import Technique, technique_of

__all__ = ["Fixed", "Technique", "technique_of"]
