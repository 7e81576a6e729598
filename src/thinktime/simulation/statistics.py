"""What a run cost: events, passes, decision time, memory."""

from __future__ import annotations

import resource
import sys
from typing import Any


def statistics_of(engine: Any, engine_s: float) -> dict[str, Any]:
    """The engine's counters. `decision_s` is an estimate, as one scheduler pass in 64 is timed,
    unless decisions are kept: then all are."""
    counters = engine.statistics()
    return {
        "events": counters["events"],
        "passes": counters["passes"],
        "instants": counters["instants"],
        "decision_s": counters["decision_s"],
        "timed_passes": counters["timed_passes"],
        "engine_s": engine_s,
        "peak_rss_mb": peak_rss_mb(),
    }


def peak_rss_mb() -> float:
    """The most memory this process has held, in MB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
