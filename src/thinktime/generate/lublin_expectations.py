"""Expected values of the model of Lublin and Feitelson, from its formulas.

They give the factor on inter-arrival times for a requested load; tests compare samples with them.
"""

from __future__ import annotations

import math

import numpy as np

from thinktime.generate.lublin_constants import LONGEST_LOG_GAP, LONGEST_LOG_RUN, Constants
from thinktime.generate.lublin_jobs import for_machine


def mean_gap_s(kind: Constants) -> float:
    """Return the mean time between two submissions of this kind."""
    return _part_mean(kind.a_gap * kind.rush, kind.b_gap, LONGEST_LOG_GAP) / _gamma_share_at_most(
        kind.a_gap * kind.rush, kind.b_gap, LONGEST_LOG_GAP
    )


def mean_run_s(kind: Constants, size: np.ndarray) -> np.ndarray:
    """Return the mean run time of these sizes, with both gammas truncated."""
    first = np.clip(kind.pa * size + kind.pb, 0.0, 1.0)
    weights = ((first, kind.a1, kind.b1), (1.0 - first, kind.a2, kind.b2))
    total = sum(share * _part_mean(a, b, LONGEST_LOG_RUN) for share, a, b in weights)
    return np.asarray(total / sum(share * _gamma_share_at_most(a, b, LONGEST_LOG_RUN) for share, a, b in weights))


def size_shares(kind: Constants, processors: int) -> np.ndarray:
    """Return the probability of every size; index 0 is unused."""
    kind = for_machine(kind, processors)
    found = np.zeros(processors + 1)
    sizes = np.arange(1, processors + 1)
    edges = np.log2(np.append(sizes - 0.5, np.inf))  # exponents between two edges round to one size
    found[1:] += (1.0 - kind.serial - kind.power2) * np.diff(_below(kind, edges))
    powers = np.arange(math.floor(math.log2(processors)) + 1)
    rounded = np.append(powers - 0.5, np.inf)
    rounded[0] = -np.inf
    found[2**powers] += kind.power2 * np.diff(_below(kind, rounded))
    found[1] += kind.serial
    return found


def mean_area(kind: Constants, processors: int) -> float:
    """Return the mean processor-seconds of a job."""
    size = np.arange(1.0, processors + 1)
    return float(np.sum(size_shares(kind, processors)[1:] * size * mean_run_s(kind, size)))


def natural_load(kinds: dict[str, Constants], processors: int) -> float:
    """Return the offered load with the published inter-arrival times."""
    return sum(mean_area(kind, processors) / mean_gap_s(kind) for kind in kinds.values()) / processors


def _below(kind: Constants, exponent: np.ndarray) -> np.ndarray:
    """Return the probability that the two-stage uniform is at most this."""
    return kind.small * _uniform(exponent, kind.low, kind.medium) + (1.0 - kind.small) * _uniform(
        exponent, kind.medium, kind.high
    )


def _uniform(x: np.ndarray, low: float, high: float) -> np.ndarray:
    return np.clip((x - low) / (high - low), 0.0, 1.0) if high > low else (x >= low).astype(np.float64)


def _gamma_share_at_most(a: float, b: float, most: float) -> float:
    """Return the probability that gamma(a, b) is at most `most`."""
    from scipy.special import gammainc

    return float(gammainc(a, most / b))


def _part_mean(a: float, b: float, most: float) -> float:
    """Return E[e^x; x <= most] of gamma(a, b), for b below 1."""
    from scipy.special import gammainc

    return float((1.0 - b) ** -a * gammainc(a, most * (1.0 / b - 1.0)))
