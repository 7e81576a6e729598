"""A summary in constant memory: blocks of jobs and of the timeline go in, the metrics of the whole run come out.

A metric is computed from running sums if its row of the catalogue says how. Quantiles need counts of different values,
and are missing if there are too many; the notes of the summary state what is not computed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from thinktime.metrics import machine
from thinktime.metrics.application_level import ApplicationSums
from thinktime.metrics.catalogue import CATALOGUE
from thinktime.metrics.count_cautions import Context, cautions, count_jobs
from thinktime.metrics.distinct_values import TOO_MANY, DistinctValues
from thinktime.metrics.jobs import TAU_S
from thinktime.metrics.lateness import Lateness, lateness, lateness_of_sums
from thinktime.metrics.metric import Metric
from thinktime.metrics.run_data import NO_ATTEMPTS, NO_TABLES, Columns
from thinktime.metrics.running_sums import Extent, Moments, Sum
from thinktime.metrics.saturation import ENOUGH_WEEKS, WAITS_GREW, accepted, growth_in_words, saturation_of
from thinktime.metrics.status import STATUS_NAMES
from thinktime.metrics.summarize import Values, notes
from thinktime.metrics.summary import Summary
from thinktime.metrics.table_sums import TableSums
from thinktime.metrics.timeline_sums import States, TimelineSums
from thinktime.metrics.user_sums import UserSums
from thinktime.metrics.wait_growth import WaitGrowth
from thinktime.metrics.window import (
    Window,
    check_exclude,
    check_tau,
    check_window,
    counted_jobs,
    last_instant,
    of_users,
    submitted_in,
)
from thinktime.support.time_units import HOUR_S, WEEK_S

HOURS = int(WEEK_S / HOUR_S)  # of a week
HOURS_OF_A_YEAR = 8766
NOT_IN_CONSTANT_MEMORY = "not computed in constant-memory mode"


class WeeklyJobs:
    """Submissions and ends by hour, from which outstanding jobs at the beginning of each week follow.

    Weeks begin with the first submission, which is not known at first; hours are fine enough to judge growth over
    ten weeks. After a year it is taken as known, and hours are added up to weeks. Runs of less than ten weeks are
    judged by their waits.
    """

    def __init__(self) -> None:
        self._submitted: dict[int, int] = {}  # hour, or first hour of a week → accepted jobs
        self._ended: dict[int, int] = {}
        self._origin: int | None = None  # the hour of the first submission, once it is taken as known
        self._waits = WaitGrowth()

    def add(self, columns: Mapping[str, np.ndarray]) -> None:
        for counts, times_s in zip((self._submitted, self._ended), accepted(columns), strict=True):
            hours, jobs = np.unique(np.floor(times_s[~np.isnan(times_s)] / HOUR_S), return_counts=True)
            for hour, count in zip(hours.astype(np.int64).tolist(), jobs.tolist(), strict=True):
                key = self._key(hour)
                counts[key] = counts.get(key, 0) + count
        if self._origin is None and len(self._submitted) > HOURS_OF_A_YEAR:
            self._fold()
        self._waits.add(columns)

    def _key(self, hour: int) -> int:
        return hour if self._origin is None else self._origin + (hour - self._origin) // HOURS * HOURS

    def _fold(self) -> None:
        self._origin = min(self._submitted)
        self._submitted, self._ended = (self._folded(counts) for counts in (self._submitted, self._ended))

    def _folded(self, counts: Mapping[int, int]) -> dict[int, int]:
        weeks: dict[int, int] = {}
        for hour, count in counts.items():
            weeks[self._key(hour)] = weeks.get(self._key(hour), 0) + count
        return weeks

    def saturated_because(self) -> str:
        if not self._submitted:
            return ""
        first, last = min(self._submitted), max(self._submitted)
        weeks = np.arange(first, last + 1, WEEK_S / HOUR_S)
        growth = saturation_of(_up_to(self._submitted, weeks) - _up_to(self._ended, weeks))
        if len(weeks) >= ENOUGH_WEEKS:
            return growth_in_words(growth)
        return WAITS_GREW if self._waits.grows() else ""


def _up_to(counts: Mapping[int, int], hours: np.ndarray) -> np.ndarray:
    """How many up to the beginning of each of these hours."""
    known = np.array(sorted(counts))
    total = np.concatenate([[0], np.cumsum([counts[hour] for hour in known.tolist()])])
    return total[np.searchsorted(known, hours, side="left")].astype(np.int64)


class Accumulator:
    """`add` blocks with the columns of Result, in any order of jobs; `summary` is that of all so far.

    A warm-up is given as a window: `window=(first_submit_s + warmup_s, None)`.
    """

    def __init__(
        self,
        processors: int,
        *,
        window: Window | None = None,
        exclude: Sequence[str] = ("rejected",),
        tau_s: float = TAU_S,
        exclude_users: Sequence[float] = (),
        application: bool = False,
    ) -> None:
        check_tau(tau_s)
        self.exclude_users = exclude_users
        self.processors: int = processors
        self.tau_s, self.exclude = tau_s, check_exclude(exclude)
        self.window = check_window(window)
        self.jobs: int = 0
        self.counted: int = 0
        self.states = dict.fromkeys(STATUS_NAMES, 0)
        self.excluded: dict[str, int] = {}
        self.terminations = 0
        self.kinds: dict[str, int] = {}  # of cautions, and `jobs`
        rows = CATALOGUE.every_run().values()
        self.moments = {row.per_job: Moments() for row in rows if row.per_job is not None}
        self.distinct = {row.per_job: DistinctValues() for row in rows if row.per_job is not None and row.is_quantile}
        self.users: UserSums = UserSums({row.per_user for row in rows if row.per_user is not None})
        self.late, self.recorded = Moments(), Extent()  # lateness; recorded submissions of the jobs that have one
        self.timeline = TimelineSums(processors, self.window)
        self.area, self.work = Sum(), Sum()  # processor-seconds used in the window; asked for by counted jobs
        # (start, end, processors) of what `add_area` was given after the last end so far; it counts if a job ends later
        self.after_last_end: tuple[np.ndarray, np.ndarray, np.ndarray] = (np.empty(0), np.empty(0), np.empty(0))
        self.submits, self.ends = Extent(), Extent()  # of all jobs
        self.weeks = WeeklyJobs()
        self.counted_submits, self.counted_ends = Extent(), Extent()
        # (start, processors) of jobs without an end: at most as many as the machine has processors
        self.running: list[tuple[np.ndarray, np.ndarray]] = []
        self.application: ApplicationSums | None = ApplicationSums(processors) if application else None
        self.plugins = TableSums(processors)
        # which tables the run has, without rows; one aborted run, if there are any
        self.tables: Mapping[str, Columns] = NO_TABLES
        self.attempts: Columns = NO_ATTEMPTS
        self.requeued = 0

    def add(self, columns: Mapping[str, np.ndarray], attempts: Columns = NO_ATTEMPTS) -> None:
        """One block of jobs: any columns of Result, of equal length, and their aborted runs."""
        t1, t2 = self._borders()
        kept, excluded = counted_jobs(columns, t1, t2, self.exclude, self.exclude_users)
        others = ~of_users(columns, self.exclude_users)
        self.jobs += len(kept)
        for reason, count in excluded.items():
            self.excluded[reason] = self.excluded.get(reason, 0) + count
        among = submitted_in(columns["submit_s"], t1, t2) & others
        for code, name in enumerate(STATUS_NAMES):
            self.states[name] += int(np.count_nonzero(columns["status"][among] == code))
        for name, count in count_jobs(columns, among, self._aborts(len(kept), attempts)).items():
            self.kinds[name] = self.kinds.get(name, 0) + count
        self.weeks.add(columns)
        self._add_machine(columns, t1, t2)
        self.terminations += machine.terminations(columns["end_s"][others], t1, t2)
        self._add_lateness(columns["submit_s"][among], columns["recorded_submit_s"][among])
        self._add_counted({name: values[kept] for name, values in columns.items()})

    def add_tables(self, tables: Mapping[str, Columns]) -> None:
        """Parts of the tables of plugins and of the application level, after the jobs of the same part."""
        self.plugins.add(tables, NO_ATTEMPTS, self._span_s())
        self.tables = {**self.tables, **{name: {} for name in tables}}
        if self.application and "inside" in tables:
            self.application.add(tables["inside"])

    def add_area(self, start_s: np.ndarray, end_s: np.ndarray, processors: np.ndarray | float) -> None:
        """Add processors that were in use besides the jobs' last runs; negative ones were released early."""
        more = (start_s, end_s, np.broadcast_to(processors, start_s.shape))
        start_s, end_s, used = (np.concatenate(parts) for parts in zip(self.after_last_end, more, strict=True))
        t1, t2 = self._borders()[0], self.chosen_window()[1]
        self.area.add(float(np.sum(used * machine.overlap(start_s, end_s, t1, t2))))
        left = (end_s > t2) & (self.window[1] is None)
        self.after_last_end = (np.maximum(start_s, t2)[left], end_s[left], used[left])

    def _aborts(self, jobs: int, attempts: Columns) -> Context:
        """Count the aborted runs of a block; return which of its jobs were lost or killed by the scheduler."""
        if not len(attempts["row"]):
            return Context()
        self.attempts = {name: values[:1] for name, values in attempts.items()}
        self.plugins.add({}, attempts, self._span_s())
        lost, ended = (np.bincount(attempts["row"], attempts["lost"] == fate, minlength=jobs) > 0 for fate in (1, 2))
        self.requeued += int(np.count_nonzero(attempts["lost"] == 0))
        return Context(lost=lost, ended=ended)

    def _span_s(self) -> tuple[float, float]:
        """From the first submission to the last end so far."""
        first_s = self.submits.first
        return first_s, first_s if math.isnan(self.ends.last) else max(first_s, self.ends.last)

    def _borders(self) -> tuple[float, float]:
        """The window with open ends: what lies before the first or after the last is empty."""
        t1, t2 = self.window
        return (-math.inf if t1 is None else t1, math.inf if t2 is None else t2)

    def _add_machine(self, columns: Mapping[str, np.ndarray], t1: float, t2: float) -> None:
        start, end, processors = columns["start_s"], columns["end_s"], columns["processors"]
        self.submits.add(columns["submit_s"])
        self.ends.add(end)
        running = ~np.isnan(start) & np.isnan(end)
        ended = ~np.isnan(start) & ~np.isnan(end)
        if running.any():
            self.running.append((start[running], processors[running]))
        overlap = machine.overlap(start[ended], end[ended], t1, t2)
        self.area.add(float(np.sum(processors[ended] * overlap)))

    def _add_counted(self, counted: Mapping[str, np.ndarray]) -> None:
        self.counted_submits.add(counted["submit_s"])
        self.counted_ends.add(counted["end_s"])
        self.work.add(float(np.nansum(counted["processors"] * counted["run_s"])))
        self.counted += len(counted["submit_s"])
        values = {quantity: quantity(counted, self.tau_s) for quantity in self.moments}
        for quantity, of_jobs in values.items():
            self.moments[quantity].add(of_jobs)
        for quantity, distinct in self.distinct.items():
            distinct.add(values[quantity])
        self.users.add(counted["user"], values)

    def _add_lateness(self, submit_s: np.ndarray, recorded_s: np.ndarray) -> None:
        late_s = lateness(submit_s, recorded_s)
        known = ~np.isnan(late_s)
        self.late.add(late_s[known])
        self.recorded.add(recorded_s[known])

    def add_timeline(self, rows: Columns) -> None:
        """Rows of the timeline, in the order of time, after the jobs of the same block."""
        self.timeline.add(rows, self.ends.last)
        if self.application:
            self.application.add_timeline(rows)

    def summary(self, context: Context | None = None) -> Summary:
        """Return the summary of everything added so far; `context` is what the columns do not state."""
        t1, t2 = self.chosen_window()
        self.plugins.end(self._span_s())
        values: Values = {name: row.of_sums(self) for name, row in CATALOGUE.of_run(self).items()}
        reasons = notes(values, t1, t2)
        reasons |= {name: _why_missing(CATALOGUE[name]) for name, value in values.items() if value is None}
        settings = {"window_s": (t1, t2), "warmup_s": 0.0, "cooldown_s": 0.0}
        settings |= {"tau_s": self.tau_s, "exclude": self.exclude}
        settings |= {"excluded_users": len(self.exclude_users)} if len(self.exclude_users) else {}
        known = replace(context or Context(), requeued=self.requeued)
        found = cautions(self.kinds, known, self.weeks.saturated_because())
        return Summary(values, settings, self.excluded, reasons, found)

    def chosen_window(self) -> tuple[float, float]:
        """Return the window, in which None is the first submission or the last end so far."""
        t1, t2 = self.window
        own_end = last_instant(self.ends.last, self.submits.last)
        return (self.submits.first if t1 is None else t1, own_end if t2 is None else t2)

    # --- formulas of the catalogue on sums --------------------------------------------------------------------

    def utilisation(self) -> float:
        used = self.area.total() + self._running_area(*self.chosen_window())
        return used / (self.processors * self._length_s())

    def throughput(self) -> float:
        """Return terminations per second."""
        return self.terminations / self._length_s()

    def makespan(self) -> float:
        return self.counted_ends.last - self.counted_submits.first

    def offered_load(self) -> float:
        arrivals = self.processors * (self.counted_submits.last - self.counted_submits.first)
        return self.work.total() / arrivals if arrivals > 0 else math.nan

    def of_timeline(self, quantity: str) -> States:
        """Return a quantity of the timeline in the window."""
        return self.timeline.of(quantity, *self.chosen_window())

    def lateness(self) -> Lateness:
        span_s = self.recorded.last - self.recorded.first
        return lateness_of_sums(self.late.count, self.late.mean(), span_s if self.late.count else 0.0)

    def _length_s(self) -> float:
        t1, t2 = self.chosen_window()
        return t2 - t1 if t2 > t1 else math.nan

    def _running_area(self, t1: float, t2: float) -> float:
        """Processor-seconds, inside the window, of the jobs that were still running when the run stopped."""
        areas = [p * machine.overlap(start, np.full(len(start), np.nan), t1, t2) for start, p in self.running]
        return math.fsum(float(np.sum(area)) for area in areas)


def _why_missing(row: Metric) -> str:
    return TOO_MANY if row.is_quantile else NOT_IN_CONSTANT_MEMORY
