"""Job states of Slurm, and the status that the Standard Workload Format has for each."""

from __future__ import annotations

import math
import re

COMPLETED, FAILED, CANCELLED, UNKNOWN = 1.0, 0.0, 5.0, math.nan
RESIZING = "RESIZING"  # a part of a job that changed its size while it ran
#: state → status; NaN: the job has not ended.
STATUS = {
    "COMPLETED": COMPLETED,
    "FAILED": FAILED,
    "TIMEOUT": FAILED,
    "NODE_FAIL": FAILED,
    "OUT_OF_MEMORY": FAILED,
    "BOOT_FAIL": FAILED,
    "LAUNCH_FAILED": FAILED,
    "RECONFIG_FAIL": FAILED,
    "DEADLINE": FAILED,
    "PREEMPTED": FAILED,
    "REQUEUED": FAILED,
    "REQUEUE_FED": FAILED,
    "REQUEUE_HOLD": FAILED,
    "SPECIAL_EXIT": FAILED,
    RESIZING: FAILED,
    "CANCELLED": CANCELLED,
    "REVOKED": CANCELLED,
    "PENDING": UNKNOWN,
    "CONFIGURING": UNKNOWN,
    "RUNNING": UNKNOWN,
    "SUSPENDED": UNKNOWN,
    "STOPPED": UNKNOWN,
    "SIGNALING": UNKNOWN,
    "STAGE_OUT": UNKNOWN,
    "COMPLETING": UNKNOWN,
    "POWER_UP_NODE": UNKNOWN,
    "RESV_DEL_HOLD": UNKNOWN,
    "EXPEDITING": UNKNOWN,
}
#: States of a job that still had to end when the log was written.
UNFINISHED = frozenset(state for state, status in STATUS.items() if math.isnan(status))
#: States in which a job that has not run ends with Start = End.
WITHOUT_RUN = frozenset({"CANCELLED", "DEADLINE", "REVOKED", "BOOT_FAIL", "PREEMPTED", "FAILED", "NODE_FAIL"})
_SHORT = {
    "CD": "COMPLETED",
    "F": "FAILED",
    "TO": "TIMEOUT",
    "NF": "NODE_FAIL",
    "OOM": "OUT_OF_MEMORY",
    "BF": "BOOT_FAIL",
    "DL": "DEADLINE",
    "PR": "PREEMPTED",
    "RQ": "REQUEUED",
    "RS": RESIZING,
    "CA": "CANCELLED",
    "RV": "REVOKED",
    "PD": "PENDING",
    "CF": "CONFIGURING",
    "R": "RUNNING",
    "S": "SUSPENDED",
    "ST": "STOPPED",
    "CG": "COMPLETING",
}
_STATE = re.compile(r"(?P<state>[A-Z][A-Z_]*)(?P<cut>\+?)(?: by (?P<by>\S+))?", re.I)


def parse_state(text: str) -> tuple[str, float] | None:
    """Return the state and the uid that cancelled the job (NaN if none); None if the text is not a state.

    `CANCELLED by 1010`, `CA` and `CANCELLED+`, which sacct writes without -P, are all CANCELLED.
    """
    match = _STATE.fullmatch(text.strip())
    if match is None:
        return None
    state, by = match["state"].upper(), match["by"]
    if match["cut"]:
        state = next((known for known in STATUS if known.startswith(state)), state)
    uid = float(by) if by and by.isdigit() and len(by) < 16 else math.nan
    return _SHORT.get(state, state), uid
