"""Best fit."""

from thinktime.allocators.allocator import Allocator


class BestFit(Allocator, name="best-fit"):
    """Fills the nodes with the least left first, so that whole nodes stay free for large jobs.

    `ranking` says what is left: `raw` is the sum of the free quantities, as in AccaSim, where kilobytes of memory
    outweigh cores; `normalized` is the sum of free / capacity, in which every resource weighs the same.
    """

    ranking: str = "raw"
