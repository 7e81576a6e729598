"""The four outcomes of a job, as codes in arrays and as words, and the state of jobs at an instant."""

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
    """Return masks `queued`, `running`, `ended` and `rejected`, after all events of the instant."""
    submitted, rejected = columns["submit_s"] <= time_s, columns["status"] == REJECTED
    started, ended = columns["start_s"] <= time_s, columns["end_s"] <= time_s  # never, where there is none
    return {
        "queued": submitted & ~started & ~rejected,
        "running": started & ~ended,
        "ended": started & ended,
        "rejected": submitted & rejected,
    }
