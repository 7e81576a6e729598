"""A metric: one row of the catalogue, with its formula and all that other parts of the program ask about it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, SupportsFloat

import numpy as np

from thinktime.metrics.distinct_values import DistinctValues
from thinktime.metrics.running_sums import Moments
from thinktime.spec import REGISTRY
from thinktime.statistics.bounds import UNBOUNDED, Bounds

if TYPE_CHECKING:
    from thinktime.metrics.accumulate import Accumulator
    from thinktime.metrics.application_level import ApplicationSums
    from thinktime.metrics.run_data import RunData

Columns = Mapping[str, np.ndarray]
Value = float | int

NOT_NEGATIVE = Bounds(0.0)
FROM_ONE = Bounds(1.0)  # bounded slowdowns, by definition
SHARE = Bounds(0.0, 1.0)

# Why a metric is undefined
NO_JOBS = "no job is counted"
NO_USER = "no counted job has a user"
NO_WINDOW = "the window has no length"
NO_TIMELINE = "no timeline in the window"
NO_SUBMISSIONS = "too few jobs were submitted in the window"
ONE_SUBMISSION = "all counted jobs were submitted at once"


class Reduction(NamedTuple):
    """From the values of jobs to one number."""

    name: str
    over: Callable[[np.ndarray], SupportsFloat]
    streamed: Callable[[Moments], float] | None = None  # from running sums
    counted: Callable[[DistinctValues], float | None] | None = None  # from counts of values
    by_block: bool = False  # whether blocks of one run are compared by it
    quantile: bool = False


MEAN = Reduction("mean", np.mean, Moments.mean, by_block=True)
MEDIAN = Reduction("median", np.median, counted=DistinctValues.median, by_block=True, quantile=True)
P95 = Reduction(
    "95th percentile",
    lambda values: np.quantile(values, 0.95),
    counted=lambda values: values.quantile(0.95),
    by_block=True,
    quantile=True,
)
MAXIMUM = Reduction("maximum", np.max, Moments.maximum)
DEVIATION = Reduction("standard deviation", np.std, Moments.std)


class KnownTables(Protocol):
    """What decides which metrics a run has: its tables, aborted runs and tasks inside jobs."""

    @property
    def tables(self) -> Mapping[str, Columns]: ...
    @property
    def attempts(self) -> Columns: ...
    @property
    def application(self) -> ApplicationSums | None: ...


class RunKind(NamedTuple):
    """The runs that have a metric."""

    label: str  # `all`, or what a run needs
    has: Callable[[KnownTables], bool]
    plugin: str = ""  # to simulate with
    application: bool = False  # they need an application model
    any_plugin_aborts: bool = False  # a user's own plugin that aborts jobs gives the same metrics


EVERY_RUN = RunKind("all", lambda run: True)


def with_plugin(name: str, table: str) -> RunKind:
    """Runs with a plugin, which are those that have one of its tables."""
    return RunKind(f"plugin {name}", lambda run: table in run.tables, name)


def rate_of_events(time_s: np.ndarray, amount: np.ndarray | float, t1: float, t2: float) -> float:
    """Return the sum over the events in a window, per second."""
    each = np.broadcast_to(np.asarray(amount, np.float64), time_s.shape)
    return float(each[(time_s >= t1) & (time_s < t2)].sum() / (t2 - t1))


ATTEMPTS = "attempts"  # the table of aborted runs


class Blocks(NamedTuple):
    """How the value of a run in constant memory follows from the values of parts of a table."""

    table: str
    combine: Callable[[float, float], float]  # (value so far, value of the next part)
    # (rows, last end so far) → which rows must be seen again with the next part, because their value may change
    again: Callable[[Columns, float], np.ndarray] | None = None


@dataclass(frozen=True, kw_only=True)
class Metric:
    """One row of the catalogue.

    The value comes from one of: `per_job` with `reduce`; `per_user` with `over_users`; `value`, a function of the run;
    `in_window`, a function of the run and a window, for quantities over time; `rate` adds how the metric is spread over
    time.
    """

    name: str  # key in summaries, JSON and studies
    label: str  # in tables
    unit: str = ""  # "" for a pure number
    formula: str = ""  # for the reference page
    group: str = ""  # what it is about: cautions apply to groups of metrics
    runs: RunKind = EVERY_RUN
    per_job: Callable[[Columns, float], np.ndarray] | None = None  # (columns of counted jobs, tau_s) → one per job
    reduce: Reduction = MEAN
    per_user: Callable[[Columns, float], np.ndarray] | None = None  # the same, of which each user has a mean
    over_users: Callable[[np.ndarray], float] | None = None  # from these means to the value
    value: Callable[[RunData], Value] | None = None
    in_window: Callable[[RunData, float, float], float] | None = None
    rate: Callable[[RunData, float, float], float] | None = None  # per second of a window; blocks of a run add up
    streamed: Callable[[Accumulator], Value] | None = None  # from running sums, for runs in constant memory
    blocks: Blocks | None = None  # the same, from parts of a table: `value` of each part, combined
    bounds: Bounds = NOT_NEGATIVE  # of possible values; decides the scale of intervals
    better: int = -1  # 1: a higher value is better, −1: a lower one, 0: neither
    main: bool = False  # printed by the command line
    default: bool = False  # compared by studies, and shown in the repr of a summary, unless others are named
    timeline: bool = False  # computed from the timeline
    undefined: str = NO_JOBS  # why the value is NaN, if it is

    def of(self, run: RunData) -> Value:
        """Return the value for a run."""
        if self.per_job is not None:
            values = run.per_job(self.per_job)
            return float(self.reduce.over(values)) if len(values) else math.nan
        if self.per_user is not None and self.over_users is not None:
            return self.over_users(run.by_user(self.per_user))
        if self.value is not None:
            return self.value(run)
        assert self.in_window is not None, f"{self.name} has no formula"
        return self.in_window(run, *run.window)

    def of_sums(self, sums: Accumulator) -> Value | None:
        """Return the value from running sums; None if it cannot be computed from them."""
        if self.streamed is not None:
            return self.streamed(sums)
        if self.blocks is not None:
            return sums.plugins.value(self)
        if self.per_user is not None and self.over_users is not None:
            return self.over_users(sums.users.means(self.per_user))
        if self.per_job is None:
            return None
        if self.reduce.counted is not None:
            return self.reduce.counted(sums.distinct[self.per_job])
        return self.reduce.streamed(sums.moments[self.per_job]) if self.reduce.streamed is not None else None

    @property
    def is_streamed(self) -> bool:
        if self.per_job is not None:
            return (self.reduce.streamed or self.reduce.counted) is not None
        return (self.streamed or self.blocks or self.per_user) is not None

    @property
    def is_quantile(self) -> bool:
        return self.per_job is not None and self.reduce.quantile

    @property
    def by_jobs(self) -> bool:
        """Whether blocks of jobs of one run have a value."""
        return self.per_job is not None and self.reduce.by_block

    @property
    def over_time(self) -> bool:
        """Whether spans of time of one run have a value."""
        return self.in_window is not None or self.rate is not None


class Catalogue(Mapping[str, Metric]):
    """name → its row: the rows of `catalogue/`, then those of the registered plugins."""

    def __init__(self, rows: Iterable[Metric]) -> None:
        self._rows = {row.name: row for row in rows}

    def __getitem__(self, name: str) -> Metric:
        return self._rows[name] if name in self._rows else _plugin_rows()[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._rows, **_plugin_rows()})

    def __len__(self) -> int:
        return len(self._rows | _plugin_rows())

    def about(self, name: str) -> Metric:
        """Return the row; for a name that is not in the catalogue, a row without bounds and direction."""
        if name in self:
            return self[name]
        return Metric(name=name, label=name, unit="s" if name.endswith("_s") else "", bounds=UNBOUNDED, better=0)

    def every_run(self) -> dict[str, Metric]:
        """Return the metrics that every run has."""
        return {name: row for name, row in self._rows.items() if row.runs.label == "all"}

    def main(self) -> list[str]:
        """Return the names of the metrics that the command line prints."""
        return [name for name, row in self._rows.items() if row.main]

    def default(self) -> tuple[str, ...]:
        """Return the names of the metrics that studies compare unless others are named."""
        return tuple(name for name, row in self._rows.items() if row.default)

    def of_run(self, run: KnownTables) -> dict[str, Metric]:
        """Return the metrics that a run has."""
        every = {**self._rows, **_plugin_rows()} if run.tables or len(run.attempts["row"]) else self._rows
        return {name: row for name, row in every.items() if row.runs.has(run)}


def _plugin_rows() -> dict[str, Metric]:
    plugins = [plugin for _, plugin in sorted(REGISTRY["plugin"].items())]
    return {row.name: row for plugin in plugins for row in getattr(plugin, "metrics", ())}
