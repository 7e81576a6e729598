"""Workloads that are made rather than recorded."""

from thinktime.generate.accasim import AccaSim
from thinktime.generate.default import Default, default_blocks, default_workload
from thinktime.generate.estimated import with_estimates
from thinktime.generate.generator import Generator
from thinktime.generate.lublin import Lublin

__all__ = ["AccaSim", "Default", "Generator", "Lublin", "default_blocks", "default_workload", "with_estimates"]
