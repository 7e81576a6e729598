"""Throughput and utilisation over long windows inside a run, away from its beginning and its end.

A run with feedback ends in a tail in which the last users work off what is left; windows that end before it compare
runs fairly. The defaults are those of Madon, Da Costa and Pierson 2024, Fig. 9: 4, 6 and 8 months (of 30 days) that
begin two weeks after the first submission.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics.machine import first, last, throughput, utilisation
from thinktime.metrics.window import check_cut
from thinktime.support.shown import short_html, short_repr
from thinktime.support.time_units import DAY_S

MONTH_S = 30 * DAY_S
LENGTHS_S = (4 * MONTH_S, 6 * MONTH_S, 8 * MONTH_S)
BEGIN_S = 14 * DAY_S


@dataclass(frozen=True)
class LongWindow:
    """One window; both borders in the run's own time."""

    t1_s: float
    t2_s: float
    throughput_per_day: float  # ended jobs
    utilisation: float  # share of the machine
    used_processors: float  # mean
    complete: bool  # the run has a job that ended at or after the window's end

    def __repr__(self) -> str:
        return short_repr(self)

    def _repr_html_(self) -> str:
        return short_html(self)


def long_windows(
    columns: Mapping[str, np.ndarray],
    processors: int,
    lengths_s: Sequence[float] = LENGTHS_S,
    begin_s: float = BEGIN_S,
) -> list[LongWindow]:
    """One window a length; all begin `begin_s` after the first submission."""
    check_cut("begin_s", begin_s)
    if isinstance(lengths_s, str) or not isinstance(lengths_s, Iterable):
        raise InputError(f"lengths_s is {lengths_s!r}: give a list of windows' lengths in seconds")
    for length_s in lengths_s:
        check_cut("a window's length", length_s)
    t1 = first(columns["submit_s"]) + begin_s
    return [_window(columns, processors, t1, t1 + length_s) for length_s in lengths_s]


def _window(columns: Mapping[str, np.ndarray], processors: int, t1: float, t2: float) -> LongWindow:
    used = utilisation(columns["start_s"], columns["end_s"], columns["processors"], processors, t1, t2)
    per_day = throughput(columns["end_s"], t1, t2) * DAY_S
    return LongWindow(t1, t2, per_day, used, used * processors, complete=last(columns["end_s"]) >= t2)
