"""Saturation: whether outstanding jobs keep growing. Zakay and Feitelson 2014, section 6.3.

1. Outstanding jobs (arrived, not yet ended) are counted at the beginning of each week in which jobs arrive.
2. Each count is replaced by the least of itself and all later ones: what falls again later was a fluctuation.
3. The last 20 % of the values are dropped: fluctuations near the end have no time to fall.
4. A straight line is fitted by least squares. A slope below one job per week is stable, anything else saturated.

A run of less than ten weeks still fills up from an empty machine; it is judged by its waits (`waits_grow`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from thinktime.metrics.status import REJECTED
from thinktime.support.shown import short_html
from thinktime.support.time_units import WEEK_S

DROPPED = 0.2  # of the weeks, at the end
MOST_COUNTS = 10_000  # 190 years of weeks
STABLE = 1.0  # jobs per week: the slope must stay below
ENOUGH_WEEKS = 10  # with at least these weeks, outstanding jobs decide; with fewer, waits
FEWEST = 100  # jobs, to judge by waits
GROWTH = 2.0  # times: the mean wait of the last quarter against that of the second
LONG = 0.1  # of the span of the submissions: waits that grew beyond it are a queue that does not drain
WAITS_GREW = "waits grew from quarter to quarter"


@dataclass(frozen=True, eq=False)
class Saturation:
    """The result of the test; its truth value is the verdict: `if run.saturation(): …`."""

    outstanding: np.ndarray  # int64[weeks]: jobs at the beginning of each week
    lasting: np.ndarray  # int64[weeks]: the least from each week on
    used: int  # weeks that the line is fitted to
    slope: float  # jobs per week
    every_weeks: int = 1  # between two counts; more only for a log of centuries, which one wrong time makes of any log

    @property
    def saturated(self) -> bool:
        return self.slope >= STABLE

    def __bool__(self) -> bool:
        return self.saturated

    def __repr__(self) -> str:
        verdict = "saturated" if self.saturated else "stable"
        steps = "weeks" if self.every_weeks == 1 else f"steps of {self.every_weeks:,} weeks"
        return (
            f"<Saturation: {verdict}, {self.slope:+.3g} jobs per week over {self.used} of {len(self.lasting)} {steps}>"
        )

    def _repr_html_(self) -> str:
        return short_html(self)


def outstanding_jobs(submit_s: np.ndarray, end_s: np.ndarray, at_s: np.ndarray) -> np.ndarray:
    """int64: jobs submitted by each time and not ended by then; an end that is missing never comes."""
    submitted, ended = np.sort(submit_s[~np.isnan(submit_s)]), np.sort(end_s[~np.isnan(end_s)])
    return np.searchsorted(submitted, at_s, side="right") - np.searchsorted(ended, at_s, side="right")


def saturation(submit_s: np.ndarray, end_s: np.ndarray) -> Saturation:
    """The verdict on a run. Rejected jobs are not to be among those given: they never are outstanding."""
    known = submit_s[~np.isnan(submit_s)]
    if not len(known):
        return saturation_of(np.empty(0, dtype=np.int64))
    weeks = int((known.max() - known.min()) // WEEK_S) + 1
    every = -(-weeks // MOST_COUNTS)
    counted_s = known.min() + every * WEEK_S * np.arange(-(-weeks // every))
    return saturation_of(outstanding_jobs(submit_s, end_s, counted_s), every)


def accepted(columns: Mapping[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Submissions and ends of the jobs of a run that were not rejected."""
    taken = columns["status"] != REJECTED
    return columns["submit_s"][taken], columns["end_s"][taken]


def saturation_of(outstanding: np.ndarray, every_weeks: int = 1) -> Saturation:
    """The verdict on counts of outstanding jobs, taken once a week or less often."""
    lasting = np.minimum.accumulate(outstanding[::-1])[::-1]
    used = len(lasting) - int(DROPPED * len(lasting))
    return Saturation(outstanding, lasting, used, slope_of(lasting[:used]) / every_weeks, every_weeks)


def slope_of(values: np.ndarray) -> float:
    """By least squares, per step; 0 for fewer than two values."""
    if len(values) < 2:
        return 0.0
    step = np.arange(len(values)) - (len(values) - 1) / 2
    return float(step @ values / (step @ step))


def saturated_because(columns: Mapping[str, np.ndarray]) -> str:
    """Return how saturation shows; empty if the run is stable."""
    growth = saturation(*accepted(columns))
    if len(growth.outstanding) >= ENOUGH_WEEKS:
        return growth_in_words(growth)
    return WAITS_GREW if waits_grow(columns) else ""


def growth_in_words(growth: Saturation) -> str:
    """Of a run that is long enough; empty if it is stable."""
    shown = len(growth.outstanding) >= ENOUGH_WEEKS and growth.saturated
    return f"outstanding jobs grew by {growth.slope:,.3g} per week" if shown else ""


def waits_grow(columns: Mapping[str, np.ndarray]) -> bool:
    """Whether the waits of each quarter of the jobs exceed those before, and the last are far above the second, or long
    compared with the whole run."""
    wait, submit = columns["start_s"] - columns["submit_s"], columns["submit_s"]
    started = ~np.isnan(wait)
    jobs = int(np.count_nonzero(started))
    if not jobs:
        return False
    quarters = [float(np.mean(part)) if len(part) else 0.0 for part in np.array_split(wait[started], 4)]
    return means_grow(quarters, jobs, float(np.ptp(submit[started])), float(np.mean(columns["run_s"])))


def means_grow(quarters: Sequence[float], jobs: int, span_s: float, run_s: float) -> bool:
    """The verdict on the mean waits of four quarters of the started jobs.

    `span_s` is the time between the first and the last of their submissions, `run_s` the mean run time of all jobs.
    """
    first, second, third, last = quarters
    bound = min(GROWTH * second, LONG * span_s)
    return jobs >= FEWEST and first < second < third < last and last > bound and last > run_s
