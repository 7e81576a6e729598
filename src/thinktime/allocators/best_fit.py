"""Best fit."""

from thinktime.allocators.allocator import Allocator


class BestFit(Allocator, name="best-fit"):
    """Fills the nodes with the least free resources first, so that whole nodes stay free for large jobs.

    `ranking` measures what is free: `raw` is the sum of the free amounts, as in AccaSim, where kilobytes of memory
    outweigh cores; `normalized` is the sum of free / capacity, in which every resource has the same weight.
    """

    ranking: str = "raw"
