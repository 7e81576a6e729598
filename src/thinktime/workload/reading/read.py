"""From a log file to a workload: scan, merge partial executions, remove, filter, choose processors, sort."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from typing import Literal

import numpy as np

from thinktime.errors import InputError
from thinktime.spec import one_of
from thinktime.traces import RawLog, find_log, read_log
from thinktime.workload.reading import account, filters, partial_executions, remove_conditions
from thinktime.workload.reading.implausible_times import Implausible
from thinktime.workload.reading.job_columns import (
    PROCESSORS,
    Jobs,
    ProcessorField,
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
    processors: ProcessorField | None = None,
    remove: str | Sequence[str] = (),
    duplicates: Literal["keep", "drop"] = "keep",
    machine: int | None = None,
    name: str | None = None,
) -> Workload:
    """Read a log in the Standard Workload Format.

    Parameters
    ----------
    path : str or path
        A file, plain or packed (.gz, .xz, .bz2, .zip); or the name of a log in `$THINKTIME_LOGS` or the cache, in any
        case and with or without its ending; or the first characters of such a name, if only one log begins so.
    filter : str
        Which jobs are kept and repaired: `"base"` (run time ≥ 0 and allocated processors > 0, default), or the filter
        of another simulator or paper, such as `"accasim"`. `thinktime.workload.FILTERS` has all.
    processors : {"requested", "allocated", "max"}, optional
        Which field is the size of a job: `"requested"`, `"allocated"` or `"max"` (default: that of the filter,
        `"requested"` for `"base"`).
    remove : str or sequence of str
        Conditions of jobs to remove, as the archive writes them: `"user=374 and job>14968 and job<28553"`.
    duplicates : {"keep", "drop"}
        `"keep"` (default) all lines of a job number, or `"drop"` all but the first.
    machine : int, optional
        Processors of the machine, where the header is wrong or does not say.
    name : str, optional
        Name of the workload (default: that of the file).

    Returns
    -------
    Workload
        Jobs sorted by submit time; `account` says what became of every line.

    Raises
    ------
    InputError
        If there is no such log, or if it is not an SWF log.

    Examples
    --------
    >>> import thinktime as tt
    >>> tt.write_swf(tt.default_workload(jobs=200), "log.swf.gz")
    >>> log = tt.read_swf("log.swf.gz", remove="user=3")
    >>> log
    <Workload log: 198 jobs, 12 users>
    >>> log.account["dropped"]
    {'removed: user=3': 2}
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
        raise InputError(f"the workload must be a Workload, or the name or path of a log (got {type(log).__name__})")
    return read_swf(log)


def sort_by_submit(jobs: Jobs) -> Jobs:
    """Return the jobs in submit order; ties keep the order of the log. A sorted log is not copied."""
    submit = jobs["submit_s"]
    if not np.any(np.isnan(submit)) and np.all(submit[1:] >= submit[:-1]):
        return jobs
    return select(jobs, np.argsort(submit, kind="stable"))


class Reading:
    """How a log is read: filter, processor policy, conditions of jobs to remove; checked on construction."""

    def __init__(self, filter: str, processors: str | None, remove: str | Sequence[str], machine: int | None) -> None:
        self.filter_name, self.filter = filter, filters.lookup(filter)
        self.processors = processors if processors is not None else self.filter.processors
        one_of("processors", self.processors, PROCESSORS)
        self.remove = [remove_conditions.check(text) for text in ([remove] if isinstance(remove, str) else remove)]
        if machine is not None and not machine > 0:
            raise InputError(f"machine must be a positive number of processors (got {machine!r})")

    def apply(
        self, jobs: Jobs, log: str, machine: int | None, tally: Tally, shift_s: float | None = None
    ) -> tuple[Jobs, float]:
        """Return the jobs as read, and the seconds by which their submit times were shifted (given or found)."""
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
