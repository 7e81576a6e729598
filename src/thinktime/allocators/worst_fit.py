"""Worst fit."""

from thinktime.allocators.allocator import Allocator


class WorstFit(Allocator, name="worst-fit"):
    """Fills the nodes with the most left first, so that jobs share as few nodes as they can.

    `ranking` says what is left, as in `BestFit`.
    """

    ranking: str = "raw"
