"""Generate workloads from models: the package's own, Lublin and Feitelson's, and AccaSim's generator."""

from thinktime.generate.accasim import DATA_SETS, AccaSim, published_data_sets
from thinktime.generate.default import Default, default_blocks, default_workload
from thinktime.generate.estimates import with_estimates
from thinktime.generate.generator import Generator
from thinktime.generate.lublin import Lublin

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
