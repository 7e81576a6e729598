"""Worst fit."""

from thinktime.allocators.allocator import Allocator


class WorstFit(Allocator, name="worst-fit"):
    """Fills the nodes with the most free resources first, so that jobs share as few nodes as possible.

    `ranking` measures what is free, as in `BestFit`.
    """

    ranking: str = "raw"
