"""Infinite sequences of random draws that do not depend on how many are taken at a time.

A sequence consists of chunks of fixed length, each from its own named stream. Taking ten draws and then twenty gives
the same numbers as taking thirty. Memory holds one chunk.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from thinktime.support.random_streams import stream

CHUNK = 8192  # draws per stream; changing it changes the workloads

#: Draw `count` rows from a stream; fewer if some are rejected.
Make = Callable[[np.random.Generator, int], np.ndarray]


class Draws:
    """Draws by `make` from `stream(seed, *names, 0)`, `stream(seed, *names, 1)`, …"""

    def __init__(self, make: Make, seed: int, *names: str | int) -> None:
        self._make, self._seed, self._names = make, seed, names
        self._chunk, self._rest = 0, make(stream(seed, *names, "shape"), 0)

    def take(self, count: int) -> np.ndarray:
        """Return the next `count` draws."""
        parts, missing = [self._rest[:count]], count - len(self._rest[:count])
        self._rest = self._rest[count:]
        while missing > 0:
            chunk = self._make(stream(self._seed, *self._names, self._chunk), CHUNK)
            parts.append(chunk[:missing])
            self._rest = chunk[missing:]
            self._chunk += 1
            missing -= len(parts[-1])
        return np.concatenate(parts)


def uniforms(width: int) -> Make:
    """Draw rows of `width` uniform numbers."""
    return lambda rng, count: rng.random((count, width))
