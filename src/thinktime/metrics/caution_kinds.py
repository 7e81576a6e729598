"""Kinds of cautions: what can happen to jobs that changes the meaning of metrics, one row per kind.

Every view of a result reads this table: the text to show, the metrics to mark, and the effect on them.
"""

from __future__ import annotations

from typing import NamedTuple

from thinktime.metrics.catalogue import CATALOGUE


class Kind(NamedTuple):
    """One row of KINDS."""

    name: str  # key in JSON
    label: str  # short, behind a count: `13,069 killed`
    noun: str  # what is counted, in the plural
    one: str  # predicate of a single one
    many: str  # predicate of several
    effect: str  # on the metrics
    groups: frozenset[str]  # of the metrics that it changes, in the catalogue
    strict: bool = False  # `strict=True` raises
    warned: bool = False  # `simulate` warns, because no rule requested it
    uncounted: bool = False  # such jobs are in no mean
    per_run: bool = False  # a run has it or not

    def changes(self, metric: str) -> bool:
        """Whether this kind changes what a metric means."""
        return CATALOGUE.about(metric).group in self.groups

    @property
    def metrics(self) -> list[str]:
        """Names of the metrics that this kind changes."""
        return sorted(name for name, row in CATALOGUE.every_run().items() if row.group in self.groups)


_QUEUE = frozenset({"queue", "loss_of_capacity"})
_OF_JOBS = frozenset({"wait", "response", "slowdown"})
_OF_MACHINE = frozenset({"utilisation", "offered_load", "throughput", "makespan"})
_LOAD = frozenset({"utilisation", "offered_load"})

_ROWS = (
    Kind(
        "unfinished",
        "unfinished",
        "jobs",
        "never ended",
        "never ended",
        "the means are of the other jobs only, so waits, responses and slowdowns are too low",
        _OF_JOBS | _OF_MACHINE,
        strict=True,
        warned=True,
        uncounted=True,
    ),
    Kind(
        "never_submitted",
        "never submitted",
        "jobs",
        "was never submitted by the user model",
        "were never submitted by the user model",
        "not in any metric; load, queue and waits are lower than if all jobs had been submitted",
        _OF_JOBS | _OF_MACHINE | _QUEUE,
        strict=True,
        warned=True,
        uncounted=True,
    ),
    Kind(
        "stopped",
        "not ended",
        "jobs",
        "had not ended when the run was stopped as requested",
        "had not ended when the run was stopped as requested",
        "the means are of the jobs that ended before, which favours short jobs and short waits",
        _OF_JOBS | _OF_MACHINE,
        uncounted=True,
    ),
    Kind(
        "rejected",
        "rejected",
        "jobs",
        "was rejected",
        "were rejected",
        "not in any mean; the other jobs met less load, so utilisation, queue and waits are lower than with all jobs",
        _OF_JOBS | _OF_MACHINE | _QUEUE,
        strict=True,
        uncounted=True,
    ),
    Kind(
        "killed",
        "killed",
        "jobs",
        "was killed at its estimate",
        "were killed at their estimate",
        "run times, responses and utilisation are lower than with full runs, and slowdowns are relative to the cut run"
        " times",
        _OF_JOBS | _OF_MACHINE | _QUEUE,
        strict=True,
    ),
    Kind(
        "killed_by_scheduler",
        "killed by the scheduler",
        "jobs",
        "was killed by the scheduler",
        "were killed by the scheduler",
        "counted as ended when they were killed, so responses, slowdowns and offered load are of unfinished work",
        frozenset({"response", "slowdown", "offered_load", "throughput"}),
        strict=True,
    ),
    Kind(
        "lost",
        "lost",
        "jobs",
        "was lost to an aborted run",
        "were lost to aborted runs",
        "counted as ended at the abortion, so responses, slowdowns and offered load are of unfinished work",
        frozenset({"response", "slowdown", "offered_load", "throughput"}),
        strict=True,
    ),
    Kind(
        "requeued",
        "requeued",
        "runs",
        "was aborted and its job queued again",
        "were aborted and their jobs queued again",
        "waits and responses include the aborted runs, and the utilisation counts work that was done twice",
        _OF_JOBS | frozenset({"utilisation", "makespan"}),
    ),
    Kind(
        "saturated",
        "saturated",
        "runs",
        "is saturated",
        "are saturated",
        "the queue was still growing at the end, so mean waits, slowdowns and queue lengths depend on the length of the"
        " log",
        _OF_JOBS | _QUEUE | frozenset({"makespan"}),
        per_run=True,
    ),
    Kind(
        "load_scaled",
        "load scaled",
        "runs",
        "has a crudely scaled load",
        "have a crudely scaled load",
        "waits, slowdowns and utilisation may differ from those of a log that was recorded under this load",
        _OF_JOBS | _OF_MACHINE | _QUEUE,
        per_run=True,
    ),
    Kind(
        "over_estimate",
        "over estimate",
        "jobs",
        "ran longer than its estimate",
        "ran longer than their estimate",
        "waits and slowdowns would differ if these jobs kept to their estimates",
        _OF_JOBS | _QUEUE,
    ),
    Kind(
        "no_estimate",
        "no estimate",
        "jobs",
        "had no estimate, so its run time was used",
        "had no estimate, so their run times were used",
        "the scheduler knew these run times exactly, so waits and slowdowns would differ with estimates by users",
        _OF_JOBS | _QUEUE,
    ),
    Kind(
        "clipped",
        "clipped",
        "jobs",
        "was cut to the size of the machine",
        "were cut to the size of the machine",
        "waits, slowdowns, offered load and utilisation are of smaller jobs than recorded",
        _OF_JOBS | _QUEUE | _LOAD,
    ),
    Kind(
        "repaired",
        "changed",
        "jobs",
        "was changed on reading",
        "were changed on reading",
        "waits, slowdowns, offered load and utilisation are of the changed values",
        _OF_JOBS | _LOAD,
    ),
    Kind(
        "left_out",
        "left out",
        "jobs of the log",
        "was left out on reading",
        "were left out on reading",
        "not in the offered load, the utilisation and the throughput",
        _LOAD | frozenset({"throughput"}),
    ),
    Kind(
        "implausible",
        "implausible",
        "jobs of the log",
        "has an implausible time",
        "have implausible times",
        "a single one can decide means, makespan, offered load and utilisation",
        _OF_JOBS | _OF_MACHINE | _QUEUE,
    ),
    Kind(
        "malformed",
        "unreadable",
        "lines of the log",
        "could not be read",
        "could not be read",
        "not in the offered load, the utilisation and the throughput",
        _LOAD | frozenset({"throughput"}),
    ),
)

#: name → its row, the most important first
KINDS: dict[str, Kind] = {row.name: row for row in _ROWS}
