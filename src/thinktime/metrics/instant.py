"""Who waits, runs and has ended at an instant, after all that happens at it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from thinktime.metrics.status import REJECTED


def states_at(columns: Mapping[str, np.ndarray], time_s: float) -> dict[str, np.ndarray]:
    """`queued`, `running`, `ended`, `rejected`: of every job whether it is so; one still to come is nothing."""
    submitted, rejected = columns["submit_s"] <= time_s, columns["status"] == REJECTED
    started, ended = columns["start_s"] <= time_s, columns["end_s"] <= time_s  # never, where there is none
    return {
        "queued": submitted & ~started & ~rejected,
        "running": started & ~ended,
        "ended": started & ended,
        "rejected": submitted & rejected,
    }
