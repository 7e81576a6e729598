"""The end of a run: its counters, and the warning or error if jobs did not complete."""

from __future__ import annotations

import resource
import sys
import warnings
from typing import TYPE_CHECKING

from thinktime.errors import OutcomeWarning, StrictError
from thinktime.metrics import Cautions
from thinktime.support.json_types import JsonDict

if TYPE_CHECKING:
    from thinktime._engine import Run


def judge(found: Cautions, strict: bool, result: object = None, level: int = 3) -> None:
    """Warn of incomplete jobs that no option asked for; with `strict`, raise if any job did not complete."""
    require_complete(found, strict, result)
    for each in found.warned():
        warnings.warn(each.sentence, OutcomeWarning, stacklevel=level)


def require_complete(found: Cautions, strict: bool, result: object = None) -> None:
    """Raise StrictError if `strict` and a job did not complete, other than by a requested stop."""
    if strict and (bad := found.strict()):
        raise StrictError(
            f"{' '.join(bad.sentences())} A strict run accepts completed jobs only: leave out strict (--strict) to keep"
            " this one.",
            result,
        )


def statistics_of(engine: Run, engine_s: float) -> JsonDict:
    """Return the counters of the engine.

    `decision_s` is estimated from the timed passes; with `decisions=True` every pass is timed.
    """
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
    """Return the peak memory of this process in MB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
