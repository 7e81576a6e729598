"""When the jobs of a trace were submitted and started: for formats that hold such marks."""

from __future__ import annotations

import numpy as np

from thinktime.tracing.events import Trace, ticks

KINDS = ("submit", "start")  # by number
_WORDS = {"submit_s": "submitted", "start_s": "started"}


def marks(trace: Trace, rows: np.ndarray) -> list[tuple[int, int, str]]:
    """(ticks, number of the kind, text) of the jobs in these rows, inside the window, in the order of time."""
    found: list[tuple[int, int, str]] = []
    for number, (column, word) in enumerate(_WORDS.items()):
        times_s = trace.jobs[column][rows]
        inside = (times_s >= max(trace.window[0], 0)) & (times_s < trace.window[1])
        jobs, moments = trace.jobs["job"][rows][inside].tolist(), ticks(times_s[inside]).tolist()
        found += [(time, number, f"job {job:.0f} {word}") for time, job in zip(moments, jobs, strict=True)]
    return sorted(found)
