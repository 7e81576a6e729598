"""What decisions cost, by the number of jobs that wait for them."""

from __future__ import annotations

import numpy as np

STEPS = 8  # classes of queue sizes from one power of two to the next; below that every size is its own class


def mean_by_queue(queued_jobs: np.ndarray, decision_s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mean queue size and the mean time of the passes in each class of queue sizes.

    Small queues are classes of their own; large ones are taken together, as the noise of single passes hides
    what there is to see.
    """
    queued = np.asarray(queued_jobs, dtype=np.float64)
    fine = np.floor(STEPS * np.log2(np.maximum(queued, STEPS) / STEPS))  # 0 up to STEPS, then STEPS a doubling
    group = np.where(queued < STEPS, queued, STEPS + fine).astype(np.int64)
    passes = np.bincount(group)
    seen = passes > 0
    sizes, seconds = (np.bincount(group, weights=values)[seen] for values in (queued, decision_s))
    return sizes / passes[seen], seconds / passes[seen]
