"""Allocators decide where: on which nodes of a cluster. One policy, one file; importing this package registers them."""

from thinktime.allocators.allocator import Allocator
from thinktime.allocators.best_fit import BestFit
from thinktime.allocators.contiguous import Contiguous
from thinktime.allocators.coolest_first import CoolestFirst
from thinktime.allocators.first_fit import FirstFit
from thinktime.allocators.own import OwnAllocator
from thinktime.allocators.random import Random
from thinktime.allocators.worst_fit import WorstFit

__all__ = ["Allocator", "BestFit", "Contiguous", "CoolestFirst", "FirstFit", "OwnAllocator", "Random", "WorstFit"]
