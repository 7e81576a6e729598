"""The table of what a scheduler in Python did to jobs besides starting them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

#: Name of the table in `Result.reports`: row, job, time_s, action, reason.
ACTION_TABLE = "actions"
#: Actions by their numbers in the engine.
ACTIONS = ("rejected", "killed", "requeued")


def rejected_from_queue(reports: Mapping[str, Mapping[str, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Return rows and times of the jobs that the scheduler rejected after they had waited."""
    table = reports.get(ACTION_TABLE)
    if table is None:
        return np.empty(0, np.int64), np.empty(0)
    mine = table["action"] == ACTIONS[0]
    return table["row"][mine].astype(np.int64), table["time_s"][mine]
