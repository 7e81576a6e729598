"""The metrics of a result, by the formulas of `thinktime.metrics`."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal, overload

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics import (
    ApplicationSums,
    Box,
    Cautions,
    Context,
    CoreSeconds,
    CycleDistance,
    Lateness,
    LoadRatio,
    LongWindow,
    Saturation,
    Summary,
    UserLateness,
    accepted,
    activity,
    counted_columns,
    cycle_distance,
    fairness,
    find_cautions,
    given_back_share,
    lateness_by_user,
    long_windows,
    mean_lateness,
    per_user,
    per_value,
    queue_box,
    response,
    saturation,
    slowdown,
    slowdown_box,
    summarize,
    week_s,
    weekly_profile,
)
from thinktime.metrics.jobs import TAU_S
from thinktime.metrics.long_windows import BEGIN_S, LENGTHS_S
from thinktime.metrics.window import Window
from thinktime.result import node_use
from thinktime.result.arrays import ResultArrays
from thinktime.result.attempts import with_attempts
from thinktime.result.columns import groups_frame, users_frame
from thinktime.result.given_back import run_giving_back, runs_of
from thinktime.result.runs import work_s
from thinktime.result.summary_options import summary_options
from thinktime.result.tables import ResultTables
from thinktime.spec import one_of, suggestion
from thinktime.support.json_types import JsonDict

if TYPE_CHECKING:
    import polars as pl

    from thinktime.workload import Workload


class ResultMeasures(ResultTables):
    """The metrics of a result."""

    def summary(
        self,
        *,
        window: Window | None = None,
        warmup_s: float = 0.0,
        cooldown_s: float = 0.0,
        exclude: Sequence[str] = ("rejected",),
        exclude_users: Sequence[float] = (),
        tau_s: float = TAU_S,
        quantiles: bool = True,
    ) -> Summary:
        """Return all metrics of the run, with cautions about what happened to its jobs.

        Waits and slowdowns are of the jobs submitted in the window that ended; utilisation and throughput are of all
        jobs in the window.

        Parameters
        ----------
        window : (float or None, float or None), optional
            Begin and end in seconds; None is the first submission or the last end (default: the whole run).
        warmup_s, cooldown_s : float
            Seconds to leave out at the beginning and at the end of the window (default 0).
        exclude : sequence of str
            Statuses to leave out: `completed`, `killed`, `rejected`, … (default: rejected).
        exclude_users : sequence of float
            Users whose jobs count for utilisation and the queue only.
        tau_s : float
            Bound of the bounded slowdown (default 10).
        quantiles : bool
            Also compute medians and other quantiles (default True).

        Returns
        -------
        Summary
            `summary["wait_mean_s"]`, `print(summary)`, `summary.to_dict()`.

        Examples
        --------
        >>> import thinktime as tt
        >>> run = tt.simulate(tt.default_workload(jobs=200))
        >>> run.summary(warmup_s=3600)["jobs_counted"]
        199
        """
        given = summary_options(
            window=window,
            warmup_s=warmup_s,
            cooldown_s=cooldown_s,
            exclude=exclude,
            exclude_users=exclude_users,
            tau_s=tau_s,
            quantiles=quantiles,
        )
        asked = tuple(given.items())
        if not _hashable(asked):
            return self._summarize(given)
        if asked not in self._summaries:
            self._summaries[asked] = self._summarize(given)
        return self._summaries[asked]

    @cached_property
    def _summaries(self) -> dict[Hashable, Summary]:
        """Options → summary: a run is summarised for its file, its printing and its figures."""
        return {}

    def _summarize(self, options: JsonDict) -> Summary:
        span_s = self._span_s if self.spec.get("plugins") else None
        tables = {"tables": self.report_columns, "attempts": self.attempts_made.columns, "span_s": span_s}
        given = {"stopped_s": self._stopped_s, "context": self._context, **tables, **options}
        summary = summarize(self._measured, self.timeline_columns, self.processors, **given)
        return summary.with_values({"utilisation": self._utilisation(summary)})

    @cached_property
    def cautions(self) -> Cautions:
        """Counts of killed, rejected, unfinished and other jobs of the whole run, and the metrics that they change."""
        return find_cautions(self._measured, self._context)

    @cached_property
    def _context(self) -> Context:
        return with_attempts(Context.of(self.spec, self.account, self.statistics), self.attempts_made, len(self))

    @property
    def _span_s(self) -> tuple[float, float]:
        """From the first submission to the last known end."""
        first_s = self.columns["submit_s"].min(initial=np.inf)
        return float(first_s), float(np.nanmax(self.columns["end_s"], initial=first_s))

    @cached_property
    def work_s(self) -> np.ndarray:
        """Seconds of work per job in all its runs: `run_s` without boots, restarts and repeated work."""
        return work_s(self)

    @property
    def _measured(self) -> dict[str, np.ndarray]:
        """The columns for metrics: the length of a job is its work, however many runs that took."""
        return {**self.columns, "run_s": self.work_s}

    def _utilisation(self, summary: Summary) -> float | int | None:
        """The utilisation, without cores that were released early, and with the runs that were repeated."""
        used, window_s = summary["utilisation"], summary.settings["window_s"]
        if "given_back" in self.report_columns:
            free = self.report_columns["given_back"]["time_s"], runs_of(self).end_s[run_giving_back(self)]
            used = used - given_back_share(*free, self.processors, window_s)  # type: ignore[operator]
        if self.spec.get("plugins") or len(self.attempts_made):
            used = (used or 0.0) + self.attempts_made.requeued().utilisation(self.processors, *window_s)
        return used

    @property
    def _stopped_s(self) -> float | None:
        return self.statistics.get("clock_s") if self.statistics.get("stopped") else None

    def core_seconds(self) -> CoreSeconds:
        """Return the core-seconds of a run with an application model, by cause: work, overhead, idle, …"""
        if "inside" not in self.report_columns:
            raise InputError('core_seconds needs an application model: simulate with applications="loop"')
        if len(self) and not len(self.timeline_columns["time_s"]):
            raise InputError("core_seconds needs the timeline: simulate with timeline=True")
        return ApplicationSums.of(self.timeline_columns, self.report_columns["inside"], self.processors).core_seconds()

    def per_user(
        self,
        *,
        window: Window | None = None,
        warmup_s: float = 0.0,
        cooldown_s: float = 0.0,
        exclude: Sequence[str] = ("rejected",),
        exclude_users: Sequence[float] = (),
        tau_s: float = TAU_S,
    ) -> pl.DataFrame:
        """Return one row per user: jobs, mean wait, mean bounded slowdown, processor-seconds.

        Parameters
        ----------
        window, warmup_s, cooldown_s, exclude, exclude_users, tau_s
            As in `summary`, which counts the same jobs.

        Returns
        -------
        polars.DataFrame
        """
        counted = self._counted(window, warmup_s, cooldown_s, exclude, exclude_users)
        return users_frame(per_user(counted, tau_s))

    def by(
        self,
        column: str,
        *,
        window: Window | None = None,
        warmup_s: float = 0.0,
        cooldown_s: float = 0.0,
        exclude: Sequence[str] = ("rejected",),
        exclude_users: Sequence[float] = (),
        tau_s: float = TAU_S,
    ) -> pl.DataFrame:
        """Return one row per value of a column of `jobs`: jobs, mean wait, mean bounded slowdown, processor-seconds.

        Parameters
        ----------
        column : str
            An attribute of the jobs, or another column, such as `"user"` or `"processors"`.
        window, warmup_s, cooldown_s, exclude, exclude_users, tau_s
            As in `summary`, which counts the same jobs.

        Returns
        -------
        polars.DataFrame
            Sorted by the value; the jobs without a value are the last row.

        Examples
        --------
        >>> import thinktime as tt
        >>> columns = {"submit_s": [0, 0, 0], "run_s": [9, 9, 9], "processors": [1, 1, 1]}
        >>> log = tt.Workload.from_columns(**columns, attributes={"colour": ["red", "blue", "red"]})
        >>> tt.simulate(log, 1, "fcfs").by("colour")["mean_wait_s"].to_list()
        [9.0, 9.0]
        """
        if column not in self.columns or column == "status":
            known = [name for name in self.columns if name != "status"]
            raise InputError(
                f"no column to group jobs by is called {column!r}{suggestion(column, known)}: choose one of"
                f" {', '.join(known)}"
            )
        counted = self._counted(window, warmup_s, cooldown_s, exclude, exclude_users)
        return groups_frame(per_value(counted, column, tau_s), column, self.types.get(column))

    def fairness(
        self,
        fair_start_s: np.ndarray | None = None,
        *,
        window: Window | None = None,
        warmup_s: float = 0.0,
        cooldown_s: float = 0.0,
        exclude: Sequence[str] = ("rejected",),
        exclude_users: Sequence[float] = (),
        tau_s: float = TAU_S,
    ) -> dict[str, float | int]:
        """Return how evenly waits and slowdowns are spread over users: Jain's index, Gini's coefficient, worst tenth.

        Parameters
        ----------
        fair_start_s : array, optional
            `tt.fair_starts` of the same workload: adds by how much jobs missed their fair starts.
        window, warmup_s, cooldown_s, exclude, exclude_users, tau_s
            As in `summary`, which counts the same jobs.

        Returns
        -------
        dict
            Metric → value.

        Examples
        --------
        >>> import thinktime as tt
        >>> run = tt.simulate(tt.default_workload(jobs=200))
        >>> 0 < run.fairness()["wait_jain"] <= 1
        True
        """
        counted = self._counted(window, warmup_s, cooldown_s, exclude, exclude_users)
        fair = None if fair_start_s is None else _rows_of_fair_starts(fair_start_s, len(self), counted["row"])
        return fairness(counted, fair, tau_s)

    def _counted(
        self,
        window: Window | None,
        warmup_s: float,
        cooldown_s: float,
        exclude: Sequence[str],
        exclude_users: Sequence[float],
    ) -> dict[str, np.ndarray]:
        return counted_columns(
            self._measured,
            window=window,
            warmup_s=warmup_s,
            cooldown_s=cooldown_s,
            exclude=exclude,
            exclude_users=exclude_users,
            stopped_s=self._stopped_s,
        )

    @overload
    def lateness(self, relative_to: Workload | ResultArrays | None = None, by: Literal["all"] = "all") -> Lateness: ...
    @overload
    def lateness(self, relative_to: Workload | ResultArrays | None = None, *, by: Literal["user"]) -> UserLateness: ...
    def lateness(
        self, relative_to: Workload | ResultArrays | None = None, by: Literal["all", "user"] = "all"
    ) -> Lateness | UserLateness:
        """Return by how much jobs were submitted later than recorded, for users who react.

        Parameters
        ----------
        relative_to : Workload or Result, optional
            Compare with its submissions instead of the recorded ones; it must have the same jobs.
        by : str
            `"all"` (default) for all jobs together, `"user"` for every user, with `percentiles()` over users.

        Returns
        -------
        Lateness or UserLateness
        """
        one_of("by", by, ("all", "user"))
        recorded_s = self._submissions_of(relative_to) if relative_to is not None else self.columns["recorded_submit_s"]
        if by == "user":
            return lateness_by_user(self.columns["submit_s"], recorded_s, self.columns["user"])
        return mean_lateness(self.columns["submit_s"], recorded_s)

    def _submissions_of(self, other: Workload | ResultArrays) -> np.ndarray:
        columns = other.columns if isinstance(other, ResultArrays) else _as_workload("relative_to", other).columns
        if not np.array_equal(columns["job"], self.columns["job"], equal_nan=True):
            raise InputError(f"{other!r} has other jobs than this run: give the workload that was simulated")
        return columns["submit_s"]

    def saturation(self) -> Saturation:
        """Return whether the queue grows from week to week: more work is offered than the machine can do."""
        return saturation(*accepted(self.columns))

    def activity(self) -> pl.DataFrame:
        """Return one row per user: jobs, time from the first to the last submission, ended jobs per day."""
        return users_frame(activity(self.columns))

    def long_windows(self, lengths_s: Sequence[float] = LENGTHS_S, begin_s: float = BEGIN_S) -> list[LongWindow]:
        """Return throughput and utilisation over windows of several lengths.

        Parameters
        ----------
        lengths_s : sequence of float
            Lengths of the windows in seconds.
        begin_s : float
            Begin of all windows, in seconds after the first submission.
        """
        return long_windows(self.columns, self.processors, lengths_s, begin_s)

    def cycle_distance(self, workload: Workload) -> CycleDistance:
        """Return how far the submissions by hour of the week are from those of the workload.

        Parameters
        ----------
        workload : Workload
            The workload that was simulated; its clock decides about hours and days.
        """
        _as_workload("workload", workload)
        profiles = (weekly_profile(week_s(workload, times_s)) for times_s in (self.columns["submit_s"], None))
        return cycle_distance(*profiles)

    def slowdown_box(self, *, without_one: bool = False) -> Box:
        """Return quartiles and mean of the slowdowns.

        Parameters
        ----------
        without_one : bool
            Leave out the jobs that did not wait, as AccaSim does (default False).
        """
        found = slowdown(response(self.columns["submit_s"], self.columns["end_s"]), self.work_s)
        return slowdown_box(found, without_one=without_one)

    def queue_box(self, *, weighting: str = "event") -> Box:
        """Return quartiles and mean of the number of waiting jobs.

        Parameters
        ----------
        weighting : str
            Count each `"event"` once, as AccaSim does (default), or weight by `"time"`.
        """
        return queue_box(self.timeline_columns["queued_jobs"], self.timeline_columns["time_s"], weighting=weighting)

    def load_ratio(self, resource: str | None = None) -> LoadRatio:
        """Return, after each instant on a cluster, the share of nodes in use and the share of their capacity in use.

        Parameters
        ----------
        resource : str, optional
            One resource such as `"core"` (default: the sum of all resources, as AccaSim draws it).
        """
        return node_use.load_ratio(self, resource)

    def resource_efficiency(self, resource: str | None = None) -> np.ndarray:
        """Return, per job on a cluster: what it holds / (what it holds + what is free on its nodes at its start).

        Parameters
        ----------
        resource : str, optional
            One resource such as `"core"` (default: the sum of all resources).
        """
        return node_use.resource_efficiency(self, resource)


def _as_workload(argument: str, given: object) -> Workload:
    from thinktime.workload import Workload

    if not isinstance(given, Workload):
        raise InputError(f"{argument} is {given!r}: give the workload that was simulated")
    return given


def _rows_of_fair_starts(fair_start_s: np.ndarray, jobs: int, rows: np.ndarray) -> np.ndarray:
    if len(fair_start_s) != jobs:
        raise InputError(f"fair_start_s must have one value per job (got {len(fair_start_s)} for {jobs} jobs)")
    return np.asarray(fair_start_s)[rows]


def _hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True
