"""Workloads that are made rather than recorded."""

from thinktime.generate.accasim import AccaSim
from thinktime.generate.default import Default, default_blocks, default_workload
from thinktime.generate.estimated import with_estimates
from thinktime.generate.generator import Generator
from thinktime.generate.lublin import Lublin
from thinktime.generate.published import DATA_SETS, published_data_sets

__all__ = [
    "DATA_SETS",
    "AccaSim",
    "Default",
    "Generator",
    "Lublin",
    "default_blocks",
    "default_workload",
    "published_data_sets",
    "with_estimates",
]
