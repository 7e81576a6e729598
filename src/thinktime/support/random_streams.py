"""Random streams: one master seed, many independent streams, each with a name.

A stream is a counter-based generator (Philox 4x64, Salmon et al. 2011) whose key is the seed and a hash of
the stream's name. Two streams share nothing, so a consumer that draws more does not shift the others, and
two schedulers see the same draws.
"""

from __future__ import annotations

import hashlib
import operator

import numpy as np

from thinktime.errors import InputError

SEEDS = 2**64  # a seed is one of the two 64-bit words of the key


def stream(seed: int, *names: str | int) -> np.random.Generator:
    """Return a generator at the beginning of the stream with this name: `stream(1, "users", 7)`."""
    key = np.array([checked_seed(seed), name_hash(*names)], dtype=np.uint64)
    return np.random.Generator(np.random.Philox(key=key))


def checked_seed(seed: int) -> int:
    """Return the seed; raise InputError if it is out of range."""
    try:
        value = -1 if isinstance(seed, bool) else operator.index(seed)
    except TypeError:
        value = -1
    if not 0 <= value < SEEDS:
        raise InputError(f"seed is {seed!r}: choose a whole number from 0 to 2**64 - 1")
    return value


def name_hash(*names: str | int) -> int:
    """Return 64 bits of SHA-256 over the parts of a name: the same on every platform and in every process."""
    text = "\x1f".join(str(name) for name in names)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")
