"""Contiguous nodes."""

from thinktime.allocators.allocator import Allocator


class Contiguous(Allocator, name="contiguous"):
    """Takes the first block of neighbouring nodes, each with room for a unit, that holds all units of the job."""
