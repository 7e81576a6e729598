"""What the model of Lublin and Feitelson offers on average, from its formulas and not from a sample.

It says by which factor inter-arrival times must be stretched for a wanted load, and tests compare samples with it.
"""

from __future__ import annotations

import math

import numpy as np

from thinktime.generate.lublin_constants import LONGEST_LOG_GAP, LONGEST_LOG_RUN, Constants
from thinktime.generate.lublin_jobs import for_machine


def mean_gap_s(kind: Constants) -> float:
    """Between two submissions of this kind."""
    return _part_mean(kind.a_gap * kind.rush, kind.b_gap, LONGEST_LOG_GAP) / _share(
        kind.a_gap * kind.rush, kind.b_gap, LONGEST_LOG_GAP
    )


def mean_run_s(kind: Constants, size: np.ndarray) -> np.ndarray:
    """Of jobs of these sizes. The longest are drawn again, with the mixture, so both parts are cut."""
    first = np.clip(kind.pa * size + kind.pb, 0.0, 1.0)
    weights = ((first, kind.a1, kind.b1), (1.0 - first, kind.a2, kind.b2))
    total = sum(share * _part_mean(a, b, LONGEST_LOG_RUN) for share, a, b in weights)
    return np.asarray(total / sum(share * _share(a, b, LONGEST_LOG_RUN) for share, a, b in weights))


def size_shares(kind: Constants, processors: int) -> np.ndarray:
    """Probability of every size, index 0 unused."""
    kind = for_machine(kind, processors)
    found = np.zeros(processors + 1)
    sizes = np.arange(1, processors + 1)
    edges = np.log2(np.append(sizes - 0.5, np.inf))  # a real exponent between two edges rounds to the size
    found[1:] += (1.0 - kind.serial - kind.power2) * np.diff(_below(kind, edges))
    powers = np.arange(math.floor(math.log2(processors)) + 1)
    rounded = np.append(powers - 0.5, np.inf)
    rounded[0] = -np.inf
    found[2**powers] += kind.power2 * np.diff(_below(kind, rounded))
    found[1] += kind.serial
    return found


def mean_area(kind: Constants, processors: int) -> float:
    """Processor-seconds of a job."""
    size = np.arange(1.0, processors + 1)
    return float(np.sum(size_shares(kind, processors)[1:] * size * mean_run_s(kind, size)))


def natural_load(kinds: dict[str, Constants], processors: int) -> float:
    """Of the machine, with the published inter-arrival times."""
    return sum(mean_area(kind, processors) / mean_gap_s(kind) for kind in kinds.values()) / processors


def _below(kind: Constants, exponent: np.ndarray) -> np.ndarray:
    """Probability that the two-stage uniform is at most this."""
    return kind.small * _uniform(exponent, kind.low, kind.medium) + (1.0 - kind.small) * _uniform(
        exponent, kind.medium, kind.high
    )


def _uniform(x: np.ndarray, low: float, high: float) -> np.ndarray:
    return np.clip((x - low) / (high - low), 0.0, 1.0) if high > low else (x >= low).astype(np.float64)


def _share(a: float, b: float, most: float) -> float:
    """Probability that gamma(a, b) is at most `most`."""
    from scipy.special import gammainc

    return float(gammainc(a, most / b))


def _part_mean(a: float, b: float, most: float) -> float:
    """E[e^x; x <= most] of gamma(a, b), for b below 1."""
    from scipy.special import gammainc

    return float((1.0 - b) ** -a * gammainc(a, most * (1.0 / b - 1.0)))
