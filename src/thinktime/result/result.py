"""The result of one simulation: what became of every job, the timeline, and how it came about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics import (
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
    core_seconds,
    counted_columns,
    cycle_distance,
    fairness,
    find_cautions,
    given_back_share,
    inside_metrics,
    lateness_by_user,
    long_windows,
    mean_lateness,
    per_user,
    plugin_metrics,
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
from thinktime.result import node_use
from thinktime.result.attempts import Attempts, with_attempts
from thinktime.result.canonical_json import digest_of, digest_of_columns
from thinktime.result.columns import (
    DECISION_COLUMNS,
    JOB_COLUMNS,
    TIMELINE_COLUMNS,
    check_columns,
    decisions_frame,
    empty_decisions,
    empty_timeline,
    jobs_frame,
    ordered,
    read_only,
    report_frame,
    timeline_frame,
    users_frame,
)
from thinktime.result.directory import save_load
from thinktime.result.given_back import run_of_gift, runs_of
from thinktime.result.placements import PLACEMENT_COLUMNS, empty_placements, nodes_texts, placements_frame
from thinktime.spec import from_stored, one_of

if TYPE_CHECKING:
    import polars as pl

    from thinktime.platforms import Cluster
    from thinktime.workload import Workload


@dataclass(frozen=True, eq=False)
class Result:
    """One row a job in the workload's order; a run is its hash, so equal runs compare equal."""

    columns: Mapping[str, np.ndarray]  # JOB_COLUMNS; float64 with NaN for missing, status uint8
    processors: int  # of the machine
    spec: Mapping[str, Any] = field(default_factory=dict)  # what was simulated; JSON-able
    timeline_columns: Mapping[str, np.ndarray] = field(default_factory=empty_timeline)
    account: Mapping[str, Any] = field(default_factory=dict)  # the reader's
    statistics: Mapping[str, Any] = field(default_factory=dict)  # the engine's: events, passes, engine_s, …
    claims: Mapping[str, Any] = field(default_factory=dict)  # of a loaded run: what run.json says of the results
    decisions_columns: Mapping[str, np.ndarray] = field(default_factory=empty_decisions)  # timing: in no digest
    placement_columns: Mapping[str, np.ndarray] = field(default_factory=empty_placements)  # spans of nodes
    attempts_made: Attempts = field(default_factory=Attempts.none)  # runs that were aborted
    report_columns: Mapping[str, Mapping[str, np.ndarray]] = field(default_factory=dict)  # tables of plugins
    trusted: bool = True  # whether `tasks` may start the simulator that the spec names; a loaded run is not

    def __post_init__(self) -> None:
        check_columns("job", self.columns, JOB_COLUMNS)
        check_columns("timeline", self.timeline_columns, TIMELINE_COLUMNS)
        check_columns("decision", self.decisions_columns, DECISION_COLUMNS)
        check_columns("placement", self.placement_columns, PLACEMENT_COLUMNS)
        # The digests are computed once: what they are of must not change.
        object.__setattr__(self, "columns", read_only(self.columns))
        object.__setattr__(self, "timeline_columns", read_only(self.timeline_columns))
        object.__setattr__(self, "decisions_columns", read_only(self.decisions_columns))
        object.__setattr__(self, "placement_columns", read_only(self.placement_columns))

    def __len__(self) -> int:
        return len(self.columns["job"])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result):
            return NotImplemented
        return (self.digest, self.content_digest) == (other.digest, other.content_digest)

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        told = f"; {self.cautions.short()}" if self.cautions else ""
        return f"<Result {self.digest[:12]}: {len(self)} jobs on {self.processors} processors{told}>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from thinktime.metrics.as_html import result_table

        return result_table(self)

    @cached_property
    def digest(self) -> str:
        """sha256 of the spec: the name of this run. The same inputs and version give the same digest."""
        return digest_of(self.spec)

    @cached_property
    def content_digest(self) -> str:
        """sha256 of the jobs' columns, and of their nodes: what came out."""
        placed = {f"placed_{name}": self.placement_columns[name] for name in PLACEMENT_COLUMNS if self.has_nodes}
        return digest_of_columns({**self.columns, **placed}, [*ordered(self.columns), *placed])

    @cached_property
    def jobs(self) -> pl.DataFrame:
        """One row a job; the status as a word, missing values as nulls; on a cluster, `nodes` as `g0-[0-3,7]`."""
        frame = jobs_frame(self.columns)
        if self.cluster is None or not self.has_nodes:
            return frame
        return frame.with_columns(nodes_texts(self.placement_columns, len(self), self.cluster))

    @cached_property
    def cluster(self) -> Cluster | None:
        """The nodes that the run had; None on a machine that is only counted."""
        machine = self.spec.get("machine")
        if not isinstance(machine, Mapping) or machine.get("name") != "cluster":
            return None
        return from_stored("platform", dict(machine))  # type: ignore[return-value]

    @property
    def has_nodes(self) -> bool:
        """Whether it is known where jobs ran."""
        return len(self.placement_columns["row"]) > 0

    @cached_property
    def placements(self) -> pl.DataFrame:
        """On a cluster: `job`, `node` and `units`, one row a node of a job; empty where no nodes are known."""
        import polars as pl

        if self.cluster is None:
            return pl.DataFrame(schema={"job": pl.Int64, "node": pl.String, "units": pl.Int64})
        return placements_frame(self.placement_columns, self.columns["job"], self.cluster)

    @cached_property
    def attempts(self) -> pl.DataFrame:
        """Runs that were aborted, in their order: `job, start_s, end_s, processors, outcome, saved_s, nodes`."""
        return self.attempts_made.frame(self.columns["job"], self.cluster)

    @cached_property
    def reports(self) -> dict[str, pl.DataFrame]:
        """What the plugins found, by the name of the table; empty without plugins. `node` is a place in the
        configuration."""
        return {name: report_frame(columns) for name, columns in self.report_columns.items()}

    @cached_property
    def timeline(self) -> pl.DataFrame:
        """The state after each instant at which something happened; it holds until the next row."""
        return timeline_frame(self.timeline_columns)

    @cached_property
    def decisions(self) -> pl.DataFrame:
        """The time of every scheduler pass; empty unless `decisions=True` recorded them."""
        return decisions_frame(self.decisions_columns)

    def summary(self, **window: Any) -> Summary:
        """The metrics of the run; `window`, `warmup_s`, `cooldown_s`, `exclude`, `exclude_users`, `tau_s`
        and `quantiles` as `metrics.summarize` takes them."""
        asked = tuple(sorted(window.items(), key=lambda item: item[0]))
        if not _hashable(asked):
            return self._summarize(window)
        if asked not in self._summaries:
            self._summaries[asked] = self._summarize(window)
        return self._summaries[asked]

    @cached_property
    def _summaries(self) -> dict[Any, Summary]:
        """By what was asked for: a run is summarised for its file, its printing and its pictures."""
        return {}

    def _summarize(self, window: dict[str, Any]) -> Summary:
        given = {"stopped_s": self._stopped_s, "context": self._context, **window}
        summary = summarize(self._measured, self.timeline_columns, self.processors, **given)
        if "inside" in self.report_columns:
            summary = summary.with_values(self._inside_values(summary))
        if not self.spec.get("plugins"):
            return summary
        again = self.attempts_made.requeued().utilisation(self.processors, *summary.settings["window_s"])
        used = {"utilisation": (summary["utilisation"] or 0.0) + again}
        return summary.with_values(used | plugin_metrics(self.attempts_made.columns, self.report_columns, self._span_s))

    @cached_property
    def cautions(self) -> Cautions:
        """What happened to the jobs of the whole run that changes what its metrics mean: how many were killed,
        rejected, left unfinished, and so on, which metrics that concerns, and what it does to them."""
        return find_cautions(self._measured, self._context)

    @cached_property
    def _context(self) -> Context:
        return with_attempts(Context.of(self.spec, self.account, self.statistics), self.attempts_made, len(self))

    @property
    def _span_s(self) -> tuple[float, float]:
        """From the first submission to the last end that is known."""
        first_s = self.columns["submit_s"].min(initial=np.inf)
        return float(first_s), float(np.nanmax(self.columns["end_s"], initial=first_s))

    @cached_property
    def work_s(self) -> np.ndarray:
        """By job: how long it worked, in all its runs; `run_s`, unless plugins made it boot, restart or go on."""
        if "overhead_s" not in self.columns:
            return self.columns["run_s"]
        saved = self.attempts_made.by_job(self.attempts_made.columns["saved_s"], len(self))
        return self.columns["run_s"] - self.columns["overhead_s"] + saved

    @property
    def _measured(self) -> dict[str, np.ndarray]:
        """What metrics look at: a job is as long as its work, however many runs that took."""
        return {**self.columns, "run_s": self.work_s}

    def _inside_values(self, summary: Summary) -> dict[str, float | int]:
        """What is known of the insides of jobs; and cores that were given back early are not in use."""
        values = inside_metrics(self.timeline_columns, self.report_columns["inside"], self.processors)
        if "given_back" in self.report_columns:
            free = self.report_columns["given_back"]["time_s"], runs_of(self).end_s[run_of_gift(self)]
            given = given_back_share(*free, self.processors, summary.settings["window_s"])
            values["utilisation"] = summary["utilisation"] - given  # type: ignore[operator]
        return values

    def core_seconds(self) -> CoreSeconds:
        """Of a run whose jobs are looked into: where the core-seconds went, cause by cause."""
        if "inside" not in self.report_columns:
            raise InputError("nothing is known of the insides of these jobs: simulate with applications=tt.Loop(…)")
        if len(self) and not len(self.timeline_columns["time_s"]):
            raise InputError(
                "the run has no timeline, which says how many cores were free: simulate with timeline=True"
            )
        return core_seconds(self.timeline_columns, self.report_columns["inside"], self.processors)

    def tasks(
        self, window: tuple[float | None, float | None] | None = None, jobs: Iterable[int] | None = None
    ) -> Iterator[dict[str, np.ndarray]]:
        """Which core did which task when, in blocks of columns `job, row, run_start_s, task, chunk, core, start_s,
        end_s`; cut to a window, which may be open at a side (None), of all jobs or of some. A job that was not looked
        into is one task on each of its cores; otherwise its aborted runs are there as well."""
        from thinktime.result.tasks import tasks

        return tasks(self, window, jobs)

    def core_names(self) -> list[tuple[str, int, int]]:
        """The hosts of the platform, in the order of their cores: name, first core, number of cores."""
        from thinktime.result.tasks import core_names

        return core_names(self)

    @property
    def _stopped_s(self) -> float | None:
        return self.statistics.get("clock_s") if self.statistics.get("stopped") else None

    def per_user(self, *, tau_s: float = TAU_S, **window: Any) -> pl.DataFrame:
        """One row a user: jobs, mean wait, mean bounded slowdown, processor-seconds; of the jobs that `summary`
        counts with the same `window`, `warmup_s`, `cooldown_s` and `exclude`."""
        counted = counted_columns(self._measured, stopped_s=self._stopped_s, **window)
        return users_frame(per_user(counted, tau_s))

    def fairness(
        self, fair_start_s: np.ndarray | None = None, *, tau_s: float = TAU_S, **window: Any
    ) -> dict[str, float | int]:
        """How evenly users fared (Jain, Gini, worst tenth); with `tt.fair_starts` of the same workload, also by how
        much jobs missed their fair starts."""
        counted = counted_columns(self._measured, stopped_s=self._stopped_s, **window)
        fair = None if fair_start_s is None else _of_rows(fair_start_s, len(self), counted["row"])
        return fairness(counted, fair, tau_s)

    def lateness(self, relative_to: Workload | Result | None = None, by: str = "all") -> Lateness | UserLateness:
        """By how much jobs were submitted later than recorded, or than in another workload or run of the same jobs:
        of all jobs, or `by="user"` with `percentiles` over users."""
        one_of("by", by, ("all", "user"))
        recorded_s = self._submissions_of(relative_to) if relative_to is not None else self.columns["recorded_submit_s"]
        if by == "user":
            return lateness_by_user(self.columns["submit_s"], recorded_s, self.columns["user"])
        return mean_lateness(self.columns["submit_s"], recorded_s)

    def _submissions_of(self, other: Workload | Result) -> np.ndarray:
        columns = other.columns if isinstance(other, Result) else _workload("relative_to", other).columns
        if not np.array_equal(columns["job"], self.columns["job"], equal_nan=True):
            raise InputError(f"{other!r} has other jobs than this run: give the workload that was simulated")
        return columns["submit_s"]

    def saturation(self) -> Saturation:
        """Whether the machine was offered more than it can do: outstanding jobs that grow from week to week."""
        return saturation(*accepted(self.columns))

    def activity(self) -> pl.DataFrame:
        """One row a user: jobs, length of activity (first to last submission), ended jobs a day."""
        return users_frame(activity(self.columns))

    def long_windows(self, lengths_s: Sequence[float] = LENGTHS_S, begin_s: float = BEGIN_S) -> list[LongWindow]:
        """Throughput and utilisation over windows of `lengths_s` that begin `begin_s` after the first submission."""
        return long_windows(self.columns, self.processors, lengths_s, begin_s)

    def cycle_distance(self, workload: Workload) -> CycleDistance:
        """How far the run's submissions by hour of the week are from the workload's, by the workload's clock."""
        _workload("workload", workload)
        profiles = (weekly_profile(week_s(workload, times_s)) for times_s in (self.columns["submit_s"], None))
        return cycle_distance(*profiles)

    def slowdown_box(self, *, without_one: bool = False) -> Box:
        """Quartiles and mean of the jobs' slowdowns; `without_one` leaves out who never waited, as AccaSim does."""
        found = slowdown(response(self.columns["submit_s"], self.columns["end_s"]), self.work_s)
        return slowdown_box(found, without_one=without_one)

    def queue_box(self, *, weighting: str = "event") -> Box:
        """Quartiles and mean of the number of waiting jobs: once an `event`, as AccaSim counts, or by `time`."""
        return queue_box(self.timeline_columns["queued_jobs"], self.timeline_columns["time_s"], weighting=weighting)

    def load_ratio(self, resource: str | None = None) -> LoadRatio:
        """On a cluster, after each instant: the share of nodes in use, and of what these have, in use; of one resource,
        or of the plain sum of all, as AccaSim draws it."""
        return node_use.load_ratio(self, resource)

    def resource_efficiency(self, resource: str | None = None) -> np.ndarray:
        """On a cluster, for every job: what it holds / (that + what is free on its nodes once it has started)."""
        return node_use.resource_efficiency(self, resource)

    def save(self, directory: str | Path, overwrite: bool = False, **summary_options: Any) -> None:
        """Write a run directory: all of it, or nothing. run.json holds the summary that the options ask for."""
        save_load.save(self, directory, overwrite, **summary_options)

    @classmethod
    def load(cls, directory: str | Path, *, trust: bool = False) -> Result:
        """Return the run that `save` wrote. With `trust`, `tasks` may start the simulator that run.json names."""
        return cls(**save_load.load(directory), trusted=trust)

    def write_csv(self, path: str | Path) -> None:
        """The jobs as CSV, with the names of `jobs`."""
        from thinktime.result.exports.swf_csv import write_csv

        write_csv(self, path)

    def write_swf(self, path: str | Path, header: Mapping[str, str] | None = None) -> None:
        """The simulated schedule as SWF; `header` adds fields such as UnixStartTime."""
        from thinktime.result.exports.swf_csv import write_swf

        write_swf(self, path, header)

    def write_batsim(self, path: str | Path) -> None:
        """The schedule as Batsim's `_jobs.csv`, which evalys reads."""
        from thinktime.result.exports.batsim import write_batsim

        write_batsim(self, path)

    def write_accasim(self, path: str | Path, benchmark: str | Path | None = None) -> None:
        """On a cluster, the schedule as AccaSim's schedule file; `benchmark` adds the file of its time points, of a run
        with `decisions=True`."""
        from thinktime.result.exports.accasim import write_accasim

        write_accasim(self, path, benchmark)


def _workload(argument: str, given: Any) -> Workload:
    from thinktime.workload import Workload

    if not isinstance(given, Workload):
        raise InputError(f"{argument} is {given!r}: give the workload that was simulated")
    return given


def _of_rows(fair_start_s: np.ndarray, jobs: int, rows: np.ndarray) -> np.ndarray:
    if len(fair_start_s) != jobs:
        raise InputError(f"{len(fair_start_s)} fair starts for {jobs} jobs: give those of the same workload")
    return np.asarray(fair_start_s)[rows]


def _hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True
