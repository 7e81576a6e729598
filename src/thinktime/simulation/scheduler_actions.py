"""What a scheduler in Python did to jobs besides starting them: rejections, kills and requeues, with their reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from thinktime.result.actions import ACTION_TABLE, ACTIONS

if TYPE_CHECKING:
    from thinktime._engine import Run

Columns = dict[str, np.ndarray]


def action_tables(engine: Run, job: np.ndarray) -> dict[str, Columns]:
    """Return the table of actions, one row each in their order; empty if the scheduler only started jobs."""
    found = engine.actions()
    if not len(found["row"]):
        return {}
    row = found["row"]
    return {
        ACTION_TABLE: {
            "row": row,
            "job": job[row],
            "time_s": found["time_s"],
            "action": np.array(ACTIONS)[found["action"]],
            "reason": np.array(engine.action_reasons())[found["reason"]],
        }
    }


def streamed_actions(found: Columns | None, job: np.ndarray) -> dict[str, Columns]:
    """Return the actions on the finished jobs of a stream, with numbers instead of words; empty if there are none."""
    if found is None or not len(found["row"]):
        return {}
    return {ACTION_TABLE: {**found, "job": job[found["row"]]}}


def reasons_of(engine: Run) -> dict[str, dict[str, int]]:
    """Return action → reason → number, for the actions that happened."""
    reasons, counts = engine.action_reasons(), engine.action_counts()
    found = {
        action: {reason: count for reason, count in zip(reasons, each, strict=False) if count}
        for action, each in zip(ACTIONS, counts, strict=False)
    }
    return {action: each for action, each in found.items() if each}
