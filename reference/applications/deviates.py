"""Random numbers of a law, one after the other from a stream of whole numbers of 64 bits."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np


class Stream:
    """Philox with a key of two words."""

    def __init__(self, low: int, high: int) -> None:
        self.bits = np.random.Philox(key=np.array([low, high % 2**64], dtype=np.uint64))

    def open_uniform(self) -> float:
        """In (0, 1), never an end."""
        return (float(int(self.bits.random_raw()) >> 12) + 0.5) * 2.0**-52

    def normal(self) -> float:
        """By inversion; the standard library has Wichura's algorithm."""
        return NormalDist().inv_cdf(self.open_uniform())

    def exponential(self) -> float:
        return -math.log(self.open_uniform())

    def gamma(self, shape: float) -> float:
        if shape >= 1:
            return self.large_gamma(shape)
        return self.large_gamma(shape + 1.0) * math.pow(self.open_uniform(), 1.0 / shape)

    def large_gamma(self, shape: float) -> float:
        """Marsaglia and Tsang 2000."""
        d = shape - 1.0 / 3.0
        c = 1.0 / math.sqrt(9.0 * d)
        while True:
            x, u = self.normal(), self.open_uniform()
            root = 1.0 + c * x
            if root <= 0:
                continue
            v = root * root * root
            if math.log(u) < 0.5 * x * x + d - d * v + d * math.log(v):
                return d * v
