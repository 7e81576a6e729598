"""Means over independent replications, in sigmas of their own spread."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

SIGMAS = 5.0


def sigmas(values: Iterable[float], expected: float) -> float:
    """How many standard errors the mean is from what is expected."""
    found = np.array(list(values))
    return abs(found.mean() - expected) / (found.std(ddof=1) / np.sqrt(len(found)))


def agrees(measure: Callable[[int], float], expected: float, seeds: int = 25) -> bool:
    """Whether the mean over the seeds is within five of its standard errors."""
    return sigmas((measure(seed) for seed in range(1, seeds + 1)), expected) < SIGMAS
