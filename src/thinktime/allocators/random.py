"""Random nodes."""

from __future__ import annotations

from typing import ClassVar

from thinktime.allocators.allocator import Allocator
from thinktime.support.json_types import JsonDict
from thinktime.support.random_streams import checked_seed, name_hash


class Random(Allocator, name="random"):
    """Draws nodes with equal probability. Each job has its own random stream, so all schedulers see the same draws."""

    random: ClassVar[bool] = True

    def engine_options(self, seed: int) -> JsonDict:
        """Return the key of the stream: the seed and the hash of the stream's name, as text to keep all 64 bits."""
        return {"seed_low": str(checked_seed(seed)), "seed_high": str(name_hash("allocator", self.name))}
