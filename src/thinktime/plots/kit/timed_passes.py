"""The timed scheduling passes of runs, and a sentence about how many they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.plots.kit import style
from thinktime.plots.kit.run_names import thousands

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NO_PASSES = "no run has timed scheduling passes"


def timed_passes(run: Any) -> Mapping[str, np.ndarray] | None:
    """Return the columns of `Result.decisions`; None if the run has none."""
    passes = getattr(run, "decisions_columns", None)
    return passes if passes is not None and len(passes["queued_jobs"]) else None


def say_sampled(figure: Figure, runs: Mapping[str, Any]) -> None:
    """Write below the figure how many passes were timed, if not all."""
    sampled = [run for run in runs.values() if timed_passes(run) and not getattr(run, "every_pass_timed", True)]
    if sampled:
        style.caption(figure, f"Sample: {_counts(sampled)}; decisions=True times all.")


def _counts(runs: list[Any]) -> str:
    """`440 of 56,262 passes`, or the ranges over several runs."""
    timed = [len(run.decisions_columns["queued_jobs"]) for run in runs]
    passes = [int(run.statistics.get("passes", 0)) for run in runs]
    return f"{_range_of(timed)} of {_range_of(passes)} passes{' per run' if len(runs) > 1 else ''}"


def _range_of(counts: list[int]) -> str:
    low, high = min(counts), max(counts)
    return thousands(low) if low == high else f"{thousands(low)}–{thousands(high)}"
