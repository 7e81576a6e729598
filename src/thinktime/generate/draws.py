"""Endless sequences of random draws that do not depend on how many are taken at a time.

A sequence is cut into chunks of fixed length, and every chunk has a named stream of its own. Whoever takes ten
draws and then twenty gets the same numbers as whoever takes thirty, and memory holds one chunk.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from thinktime.support.random_streams import stream

CHUNK = 8192  # draws made from one stream; another value makes other workloads

#: From a stream and a number of draws to an array whose first axis has so many rows, or fewer if some are refused.
Make = Callable[[np.random.Generator, int], np.ndarray]


class Draws:
    """The sequence `stream(seed, *names, 0)`, `stream(seed, *names, 1)`, …; `make` says what is drawn."""

    def __init__(self, make: Make, seed: int, *names: str | int) -> None:
        self._make, self._seed, self._names = make, seed, names
        self._chunk, self._rest = 0, make(stream(seed, *names, "shape"), 0)

    def take(self, count: int) -> np.ndarray:
        """The next `count` draws."""
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
    """Rows of `width` uniform numbers."""
    return lambda rng, count: rng.random((count, width))
