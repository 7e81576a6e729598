"""Fairness: how evenly waits are spread over users, and which jobs miss their fair start.

Jain's index of n values is (Σ x)² / (n Σ x²): 1 if all are equal, 1/n if one has everything (Jain, Chiu and
Hawe, DEC-TR-301, 1984). Gini's coefficient is the mean absolute difference of two values over twice the mean:
0 if all are equal. The worst tenth are the tenth of the users, rounded up, with the largest means.

A job misses its fair start by max(0, start − fair start); fair starts are defined in
`thinktime.simulation.fair_start` (Sabin, Kochhar and Sadayappan, "Job fairness in non-preemptive job
scheduling", ICPP 2004; Leung, Sabin and Sadayappan 2010).
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics import jobs
from thinktime.metrics.users import per_user

TENTH = 0.1


def jain_index(values: np.ndarray) -> float:
    """(Σ x)² / (n Σ x²), of values that are not negative; 1 if all are zero."""
    if not len(values):
        return math.nan
    squares = float(np.sum(values**2))
    return float(np.sum(values)) ** 2 / (len(values) * squares) if squares > 0 else 1.0


def gini(values: np.ndarray) -> float:
    """Σ_i (2 i − n − 1) x_i / (n Σ x), x ascending and i from 1; 0 if all are zero."""
    if not len(values):
        return math.nan
    n, total = len(values), float(np.sum(values))
    weights = 2 * np.arange(1, n + 1) - n - 1
    return float(np.sum(weights * np.sort(values))) / (n * total) if total > 0 else 0.0


def worst_tenth(values: np.ndarray) -> float:
    """The mean of the largest tenth of the values, rounded up to whole values."""
    if not len(values):
        return math.nan
    count = math.ceil(len(values) * TENTH - 1e-9)
    return float(np.mean(np.sort(values)[-count:]))


def fair_start_misses(start_s: np.ndarray, fair_start_s: np.ndarray) -> np.ndarray:
    """max(0, start − fair start) of every job in seconds; NaN where either is missing."""
    if len(start_s) != len(fair_start_s):
        raise InputError(f"fair_start_s must have one value per job ({len(start_s)}, got {len(fair_start_s)})")
    return np.maximum(start_s - fair_start_s, 0.0)


def fairness(
    counted: Mapping[str, np.ndarray], fair_start_s: np.ndarray | None = None, tau_s: float = jobs.TAU_S
) -> dict[str, float | int]:
    """Return fairness over the users with a counted job; with fair starts (one per counted job), also over jobs."""
    table = per_user(counted, tau_s)
    found: dict[str, float | int] = {"users": len(table["user"])}
    for name, column in (("wait", "mean_wait_s"), ("bounded_slowdown", "mean_bounded_slowdown")):
        found |= _evenness(name, table[column], "_s" if column.endswith("_s") else "")
    return found if fair_start_s is None else found | _misses(counted["start_s"], fair_start_s)


def _evenness(name: str, means: np.ndarray, unit: str) -> dict[str, float | int]:
    """Return Jain and Gini of the users' means, and the worst tenth compared with all."""
    overall = float(np.mean(means)) if len(means) else math.nan
    worst = worst_tenth(means)
    return {
        f"{name}_jain": jain_index(means),
        f"{name}_gini": gini(means),
        f"user_{name}_mean{unit}": overall,
        f"worst_tenth_{name}_mean{unit}": worst,
        f"worst_tenth_{name}_ratio": worst / overall if overall > 0 else math.nan,
    }


def _misses(start_s: np.ndarray, fair_start_s: np.ndarray) -> dict[str, float | int]:
    missed = fair_start_misses(start_s, fair_start_s)
    known = missed[~np.isnan(missed)]
    empty = not len(known)
    return {
        "fair_start_miss_mean_s": math.nan if empty else float(np.mean(known)),
        "fair_start_miss_max_s": math.nan if empty else float(np.max(known)),
        "fair_start_miss_share": math.nan if empty else float(np.mean(known > 0)),
    }
