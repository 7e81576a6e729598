"""Local time of submissions, where the workload says which clock its times follow.

A generated workload counts from a Monday 00:00 by its own statement. A log has the instant of its time 0 and
its zone in the header, and the workload converts. Anything else has no known clock, and figures say so.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from thinktime.errors import InputError

MONDAY_S = 4 * 86400.0  # 1970-01-05 00:00 was the first Monday after second 0


def local_week_s(workload: Any) -> np.ndarray | None:
    """Submit times in seconds of local time since a Monday 00:00, or None where the clock is not known."""
    if workload.source.get("clock") == "local" and workload.source.get("starts") == "Monday 00:00":
        return workload["submit_s"]
    try:
        return workload.local_s("submit_s") - MONDAY_S
    except (InputError, AttributeError):  # the header lacks the start or the zone; or it is no log at all
        return None
