"""Processor policies: which of a job's two processor fields counts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from thinktime.spec import one_of
from thinktime.workload.jobs import Jobs, Tally


def _first_positive(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    chosen = np.where(first > 0, first, second)
    return np.where(chosen > 0, chosen, np.nan)


def _largest(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    chosen = np.fmax(first, second)
    return np.where(chosen > 0, chosen, np.nan)


#: Name → (requested, allocated) → processors; missing where neither field is positive.
PROCESSORS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "requested": _first_positive,  # field 8 if positive, else field 5
    "allocated": lambda requested, allocated: _first_positive(allocated, requested),
    "max": _largest,
}


def choose_processors(jobs: Jobs, policy: str) -> np.ndarray:
    one_of("processors", policy, PROCESSORS)
    return PROCESSORS[policy](jobs["requested_processors"], jobs["allocated_processors"])


def whole_processors(jobs: Jobs, tally: Tally) -> Jobs:
    """A job cannot run on 2.5 processors: it gets 3. The log's own two fields stay as they are."""
    chosen = jobs["processors"]
    whole = np.ceil(chosen)
    tally.repair("processors rounded up to a whole number", int(np.count_nonzero(chosen < whole)))
    return {**jobs, "processors": whole}
