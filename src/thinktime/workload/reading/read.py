"""From a log file to a workload: scan, merge partial executions, remove, filter, choose processors, sort."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from thinktime.errors import InputError
from thinktime.spec import as_spec, one_of
from thinktime.traces import Header, find_log
from thinktime.traces.header import PROCESSOR_FIELD
from thinktime.traces.reader import Reader, Records, opened, reader_of
from thinktime.workload.reading import account, filters, partial_executions, remove_conditions
from thinktime.workload.reading.implausible_times import Implausible
from thinktime.workload.reading.job_columns import (
    PROCESSORS,
    Completion,
    Jobs,
    ProcessorField,
    Tally,
    choose_processors,
    keep,
    select,
    whole_processors,
)
from thinktime.workload.reading.machine_size import machine_size
from thinktime.workload.workload import Workload

Duplicates: TypeAlias = Literal["keep", "drop"]
#: In accounts: the sizes are those of the column `processors` of the log.
GIVEN = "given"


def read(
    source: str | PathLike[str],
    *,
    reader: Reader | str | None = None,
    filter: str = "base",
    processors: ProcessorField | None = None,
    remove: str | Sequence[str] = (),
    duplicates: Duplicates = "keep",
    machine: int | None = None,
    name: str | None = None,
) -> Workload:
    """Read a log: SWF, CSV, Parquet, Batsim's JSON, Slurm's accounting, or the format of an own reader.

    Parameters
    ----------
    source : str or path
        A file, plain or packed (.gz, .xz, .bz2, .zip); or the name of a log in `$THINKTIME_LOGS` or the cache, in any
        case and with or without its ending; or the first characters of such a name, if only one log begins so.
    reader : Reader or str, optional
        The format, such as `"swf"` or `"my_module:MyReader"` (default: by the content of the file, then by the ending
        of its name).
    filter : str
        Which jobs are kept and repaired: `"base"` (run time ≥ 0 and allocated processors > 0, default), or the filter
        of another simulator or paper, such as `"accasim"`. `thinktime.workload.FILTERS` has all.
    processors : {"requested", "allocated", "max"}, optional
        Which column is the size of a job: `"requested"`, `"allocated"` or `"max"` (default: the column `processors` of
        a log that has one, else `ProcessorField` of its header, else that of the filter, `"requested"` for `"base"`).
    remove : str or sequence of str
        Conditions of jobs to remove, as the archive writes them: `"user=374 and job>14968 and job<28553"`.
    duplicates : {"keep", "drop"}
        `"keep"` (default) all records of a job number, or `"drop"` all but the first.
    machine : int, optional
        Processors of the machine, where the header is wrong or does not say.
    name : str, optional
        Name of the workload (default: that of the file).

    Returns
    -------
    Workload
        Jobs sorted by submit time; `account` says what became of every line. Columns that have no meaning in
        simulations are attributes.

    Raises
    ------
    InputError
        If there is no such log, or if no reader recognises it.

    Examples
    --------
    >>> import thinktime as tt
    >>> tt.write_swf(tt.default_workload(jobs=200), "log.swf.gz")
    >>> log = tt.read("log.swf.gz", remove="user=3")
    >>> log
    <Workload log: 198 jobs, 12 users>
    >>> log.account["dropped"]
    {'removed: user=3': 2}
    """
    reading = Reading(filter, processors, remove, machine)
    one_of("duplicates", duplicates, ("keep", "drop"))
    return read_records(open_records(source, reader), reading, duplicates, machine, name)


def read_swf(
    path: str | PathLike[str],
    *,
    filter: str = "base",
    processors: ProcessorField | None = None,
    remove: str | Sequence[str] = (),
    duplicates: Duplicates = "keep",
    machine: int | None = None,
    name: str | None = None,
) -> Workload:
    """Read a log in the Standard Workload Format: `tt.read` with `reader="swf"`.

    Parameters
    ----------
    path : str or path
        A file or the name of a log, as in `tt.read`.
    filter, processors, remove, duplicates, machine, name
        As in `tt.read`.

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
    >>> tt.read_swf("log.swf.gz")
    <Workload log: 200 jobs, 13 users>
    """
    return read(
        path,
        reader="swf",
        filter=filter,
        processors=processors,
        remove=remove,
        duplicates=duplicates,
        machine=machine,
        name=name,
    )


def as_workload(log: Workload | str | PathLike[str]) -> Workload:
    """Return a workload as it is; read the log of a name or path with the defaults of `tt.read`."""
    if isinstance(log, Workload):
        return log
    if not isinstance(log, str | PathLike):
        raise InputError(f"the workload must be a Workload, or the name or path of a log (got {type(log).__name__})")
    return read(log)


def open_records(source: str | PathLike[str], reader: Reader | str | None) -> Records:
    """Find the log, choose its reader, and open it."""
    given = None if reader is None else as_spec(Reader, reader)
    if given is not None and not given.opens_files:
        return opened(given, Path(source))
    path = find_log(source)
    return opened(reader_of(path, given), path)


def read_records(
    records: Records, reading: Reading, duplicates: str, machine: int | None, name: str | None
) -> Workload:
    """Return the workload of all records: settle partial executions, filter, sort, and account for every line."""
    tally, jobs = Tally(), Completion().complete(records.whole())
    tally.dropped.update(records.account.dropped)
    size = machine_size(records.header, jobs, machine)
    jobs = partial_executions.settle(jobs, records.header.preemption, tally)
    order = account.of_order(jobs)
    jobs = _first_lines(jobs, tally) if duplicates == "drop" else jobs
    jobs, shift_s = reading.apply(jobs, records, size[0], tally)
    jobs = sort_by_submit(jobs)
    workload = Workload(
        columns=jobs,
        name=name or records.name,
        header=records.header,
        spellings=records.spellings,
        types=records.types,
    )
    how = {"reader": records.reader, **reading.to_dict()}
    source = {**how, "log": records.name, "sha256": records.sha256, "time_shift_s": shift_s}
    full = _account(records, workload, tally, size) | order | how
    return replace(workload, account=full, source=source)


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
        self._any_column = processors is None and self.filter.processors == "requested"
        self.processors = processors if processors is not None else self.filter.processors
        one_of("processors", self.processors, PROCESSORS)
        self.remove = [remove_conditions.check(text) for text in ([remove] if isinstance(remove, str) else remove)]
        if machine is not None and not machine > 0:
            raise InputError(f"machine must be a positive number of processors (got {machine!r})")

    def apply(
        self,
        jobs: Jobs,
        records: Records,
        machine: int | None,
        tally: Tally,
        shift_s: float | None = None,
    ) -> tuple[Jobs, float]:
        """Return the jobs as read, and the seconds by which their submit times were shifted (given or found)."""
        if self._any_column:  # the log may have chosen
            self.processors = GIVEN if "processors" in jobs else _field_of(records.header) or self.filter.processors
        if self.processors != GIVEN:
            jobs = {**jobs, "processors": choose_processors(jobs, self.processors)}
        for text in self.remove:
            jobs = keep(jobs, ~remove_conditions.matches(text, jobs, records.types), f"removed: {text}", tally)
        jobs = filters.drop(jobs, self.filter, tally)
        shift_s = self._shift(jobs) if shift_s is None else shift_s
        context = filters.Context(records.name, float("inf") if machine is None else machine, shift_s)
        repaired = whole_processors(filters.repair(jobs, self.filter, context, tally), tally)
        tally.repaired_jobs += filters.changed_jobs(jobs, repaired)
        return repaired, shift_s

    def _shift(self, jobs: Jobs) -> float:
        shifts = self.filter.shifts_time and len(jobs["line"]) > 0
        return float(np.min(jobs["submit_s"])) if shifts else 0.0

    def to_dict(self) -> dict[str, object]:
        return {"filter": self.filter_name, "processors": self.processors, "remove": list(self.remove)}


def _field_of(header: Header) -> str | None:
    """Return the processor policy that the header names."""
    said = (header.first(PROCESSOR_FIELD) or "").lower()
    return said if said in PROCESSORS else None


def _first_lines(jobs: Jobs, tally: Tally) -> Jobs:
    _, first = np.unique(jobs["job"], return_index=True)
    kept = np.isnan(jobs["job"])
    kept[first] = True
    return keep(jobs, kept, "job number seen before", tally)


def _account(records: Records, workload: Workload, tally: Tally, size: tuple[int | None, str]) -> dict[str, object]:
    odd = Implausible()
    odd.add(workload.columns)
    return {
        "log": records.name,
        "sha256": records.sha256,
        **account.of_records(records.account, tally),
        **account.of_header(records.header, records.account.jobs),
        **odd.account(),
        **account.of_jobs(workload, size[0]),
        **account.of_machine(records.header, size, account.largest_request(workload.columns)),
    }
