"""Duration of scheduling passes by queue length."""

from __future__ import annotations

import numpy as np

STEPS = 8  # classes of queue lengths per power of two; smaller lengths are single classes


def mean_by_queue(queued_jobs: np.ndarray, decision_s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean queue length and the mean duration of the passes in each class of queue lengths.

    Each small length is a class; large lengths are grouped, because single passes are noisy.
    """
    queued = np.asarray(queued_jobs, dtype=np.float64)
    fine = np.floor(STEPS * np.log2(np.maximum(queued, STEPS) / STEPS))  # 0 up to STEPS, then STEPS a doubling
    group = np.where(queued < STEPS, queued, STEPS + fine).astype(np.int64)
    passes = np.bincount(group)
    seen = passes > 0
    sizes, seconds = (np.bincount(group, weights=values)[seen] for values in (queued, decision_s))
    return sizes / passes[seen], seconds / passes[seen]


def mean_by_size(queued_jobs: np.ndarray, decision_s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the queue lengths that occurred and the mean duration at each: AccaSim's scalability curve."""
    queued = np.asarray(queued_jobs, dtype=np.int64)
    passes = np.bincount(queued)
    sizes = np.flatnonzero(passes)
    return sizes, np.bincount(queued, weights=decision_s)[sizes] / passes[sizes]


def smoothed(values: np.ndarray, parts: int = 30) -> np.ndarray:
    """By a Savitzky-Golay filter of third order whose window is one of `parts` parts of the curve, as AccaSim's; a
    curve of fewer points than parts stays as it is."""
    if parts <= 1 or len(values) < max(parts, 5):
        return np.asarray(values, dtype=np.float64)
    from scipy.signal import savgol_filter

    window = len(values) // parts
    found: np.ndarray = savgol_filter(values, max(window + (window + 1) % 2, 5), 3)
    return found


def growth(queued_jobs: np.ndarray, decision_s: np.ndarray) -> float:
    """Return the slope of the least-squares line: seconds per additional waiting job."""
    queued = np.asarray(queued_jobs, dtype=np.float64)
    spread = queued - queued.mean() if len(queued) else queued
    square = float(np.sum(spread**2))
    return float(np.sum(spread * decision_s) / square) if square > 0 else float("nan")
