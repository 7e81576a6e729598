"""Means over independent replications, in sigmas of their own spread."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from thinktime.traces.column_names import COLUMNS

SIGMAS = 5.0


def sigmas(values: Iterable[float], expected: float) -> float:
    """How many standard errors the mean is from what is expected."""
    found = np.array(list(values))
    return abs(found.mean() - expected) / (found.std(ddof=1) / np.sqrt(len(found)))


def agrees(measure: Callable[[int], Any], expected: float, seeds: int = 25) -> bool:
    """Whether the mean over the seeds is within five of its standard errors."""
    return sigmas((measure(seed) for seed in range(1, seeds + 1)), expected) < SIGMAS


def digest(blocks: Iterable[Mapping[str, np.ndarray]]) -> str:
    """Hash the columns of a workload that comes in blocks."""
    parts = list(blocks)
    total = hashlib.sha256()
    for name in COLUMNS:
        total.update(np.concatenate([part[name] for part in parts]).tobytes())
    return total.hexdigest()
