"""The four ends a job can come to, as the codes that arrays hold and the words that people read."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

COMPLETED = 0  # ran to its end
KILLED = 1  # cut at its estimate
REJECTED = 2  # never queued, e.g. larger than the machine
UNFINISHED = 3  # the simulation was stopped before the job ended

#: STATUS_NAMES[code] is the word for the code.
STATUS_NAMES = ("completed", "killed", "rejected", "unfinished")


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
