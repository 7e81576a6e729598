"""From a log file to a workload: scan, settle partial executions, remove, filter, choose processors, sort."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike

import numpy as np

from thinktime.errors import InputError
from thinktime.spec import one_of
from thinktime.traces import RawLog, find_log, read_log
from thinktime.workload.reading import account, filters, partial_executions, remove_conditions
from thinktime.workload.reading.implausible_times import Implausible
from thinktime.workload.reading.job_columns import (
    PROCESSORS,
    Jobs,
    Tally,
    choose_processors,
    from_raw,
    keep,
    machine_size,
    select,
    whole_processors,
)
from thinktime.workload.workload import Workload


def read_swf(
    path: str | PathLike[str],
    *,
    filter: str = "base",
    processors: str | None = None,
    remove: str | Sequence[str] = (),
    duplicates: str = "keep",
    machine: int | None = None,
    name: str | None = None,
) -> Workload:
    """The workload of a log in the Standard Workload Format, with the reader's account.

    `filter` names which jobs are kept (FILTERS), `processors` which field counts (PROCESSORS; by default the
    one that belongs to the filter, `requested` for our own). `remove` takes archive-style conditions such as
    `user=374 and job>14968 and job<28553`; `duplicates="drop"` keeps only the first line of a job number;
    `machine` is the size of the machine where the header is wrong or silent.
    """
    reading = Reading(filter, processors, remove, machine)
    one_of("duplicates", duplicates, ("keep", "drop"))
    log = read_log(find_log(path))
    tally, jobs = Tally(), from_raw(log.fields, log.line)
    size = machine_size(log.header, jobs["allocated_processors"], machine)
    jobs = partial_executions.settle(jobs, log.header.preemption, tally)
    order = account.of_order(jobs)
    jobs = _first_lines(jobs, tally) if duplicates == "drop" else jobs
    jobs, shift_s = reading.apply(jobs, log.name, size[0], tally)
    jobs = sort_by_submit(jobs)
    workload = Workload(columns=jobs, name=name or log.name, header=log.header, spellings=log.spellings)
    source = {**reading.to_dict(), "log": log.name, "sha256": log.sha256, "time_shift_s": shift_s}
    full = _account(log, workload, tally, size) | order | reading.to_dict()
    return replace(workload, account=full, source=source)


def as_workload(log: Workload | str | PathLike[str]) -> Workload:
    """Return a workload as it is; read the log of a name or path with the defaults of `read_swf`."""
    if isinstance(log, Workload):
        return log
    if not isinstance(log, str | PathLike):
        raise InputError(f"log must be a workload, or the name or path of a log (got {type(log).__name__})")
    return read_swf(log)


def sort_by_submit(jobs: Jobs) -> Jobs:
    """Stable: ties keep the log's order. A sorted log is not copied."""
    submit = jobs["submit_s"]
    if not np.any(np.isnan(submit)) and np.all(submit[1:] >= submit[:-1]):
        return jobs
    return select(jobs, np.argsort(submit, kind="stable"))


class Reading:
    """How a log is to be read: filter, processor policy, conditions to remove; checked when made."""

    def __init__(self, filter: str, processors: str | None, remove: str | Sequence[str], machine: int | None) -> None:
        self.filter_name, self.filter = filter, filters.lookup(filter)
        self.processors = processors if processors is not None else self.filter.processors
        one_of("processors", self.processors, PROCESSORS)
        self.remove = [remove_conditions.check(text) for text in ([remove] if isinstance(remove, str) else remove)]
        if machine is not None and not machine > 0:
            raise InputError(f"machine is {machine!r}: it must be a positive number of processors")

    def apply(
        self, jobs: Jobs, log: str, machine: int | None, tally: Tally, shift_s: float | None = None
    ) -> tuple[Jobs, float]:
        """The jobs as read, and the seconds by which their submit times were shifted (given or found)."""
        jobs = {**jobs, "processors": choose_processors(jobs, self.processors)}
        for text in self.remove:
            jobs = keep(jobs, ~remove_conditions.matches(text, jobs), f"removed: {text}", tally)
        jobs = filters.drop(jobs, self.filter, tally)
        shift_s = self._shift(jobs) if shift_s is None else shift_s
        context = filters.Context(log, float("inf") if machine is None else machine, shift_s)
        repaired = whole_processors(filters.repair(jobs, self.filter, context, tally), tally)
        tally.repaired_jobs += filters.changed_jobs(jobs, repaired)
        return repaired, shift_s

    def _shift(self, jobs: Jobs) -> float:
        shifts = self.filter.shifts_time and len(jobs["line"]) > 0
        return float(np.min(jobs["submit_s"])) if shifts else 0.0

    def to_dict(self) -> dict[str, object]:
        return {"filter": self.filter_name, "processors": self.processors, "remove": list(self.remove)}


def _first_lines(jobs: Jobs, tally: Tally) -> Jobs:
    _, first = np.unique(jobs["job"], return_index=True)
    kept = np.isnan(jobs["job"])
    kept[first] = True
    return keep(jobs, kept, "job number seen before", tally)


def _account(log: RawLog, workload: Workload, tally: Tally, size: tuple[int | None, str]) -> dict[str, object]:
    odd = Implausible()
    odd.add(workload.columns)
    return {
        "log": log.name,
        "sha256": log.sha256,
        **account.of_lines(log.counts, log.malformed, tally),
        **account.of_header(log.header, log.counts["jobs"]),
        **odd.account(),
        **account.of_jobs(workload, size[0]),
        **account.of_machine(log.header, size, account.largest_request(workload.columns)),
    }
