"""Reads a log in constant memory: blocks of columns in file order, for logs larger than memory.

A stream has the same jobs as `read`. Jobs are sorted inside a block. A log whose submit times decrease from one block
to the next, or whose partial executions must be merged, raises InputError with the line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from os import PathLike

import numpy as np

from thinktime.errors import InputError
from thinktime.support.json_types import JsonDict
from thinktime.traces import Header
from thinktime.traces.attributes import ColumnType
from thinktime.traces.own import GivenRecords
from thinktime.traces.reader import Block, Reader, Records
from thinktime.traces.readers.swf import SwfReader
from thinktime.traces.unpack import BLOCK_BYTES
from thinktime.workload.reading import account, partial_executions
from thinktime.workload.reading.implausible_times import Implausible
from thinktime.workload.reading.job_columns import Completion, Jobs, ProcessorField, Tally, keep
from thinktime.workload.reading.machine_size import machine_size
from thinktime.workload.reading.read import Reading, open_records, sort_by_submit
from thinktime.workload.workload import SIZE_SOURCES, Workload, size_unknown

#: What to do with a log that cannot be streamed, for the command line and for Python.
IN_MEMORY = "read this log in memory: leave out --stream, or use tt.read"
#: What the account says about how the log was read.
READING = ("sha256", "reader", "filter", "processors", "remove")
SORT_OR_IN_MEMORY = f"sort the log first, or {IN_MEMORY}"


def stream(
    source: str | PathLike[str],
    *,
    reader: Reader | str | None = None,
    filter: str = "base",
    processors: ProcessorField | None = None,
    remove: str | Sequence[str] = (),
    machine: int | None = None,
) -> LogStream:
    """Read a log in any known format block by block, in constant memory.

    Parameters
    ----------
    source : str or path
        A file or the name of a log, as in `tt.read`.
    reader, filter, processors, remove, machine
        As in `tt.read`.

    Returns
    -------
    LogStream
        Iterate over it once: blocks are dicts of columns. Its `account` and `types` grow with the blocks.

    Raises
    ------
    InputError
        If there is no such log. During iteration: if the log must be read as a whole, because it is not sorted or
        its partial executions are merged.

    Examples
    --------
    >>> import thinktime as tt
    >>> tt.write_swf(tt.default_workload(jobs=200), "log.swf.gz")
    >>> stream = tt.stream("log.swf.gz", reader="swf:block_bytes=4096")
    >>> sum(len(block["job"]) for block in stream)
    200
    """
    return LogStream(open_records(source, reader), Reading(filter, processors, remove, machine), machine)


def stream_swf(
    path: str | PathLike[str],
    *,
    filter: str = "base",
    processors: ProcessorField | None = None,
    remove: str | Sequence[str] = (),
    machine: int | None = None,
    block_bytes: int = BLOCK_BYTES,
) -> LogStream:
    """Read a log in the Standard Workload Format block by block: `tt.stream` with `reader="swf"`.

    Parameters
    ----------
    path : str or path
        A file or the name of a log, as in `tt.read`.
    filter, processors, remove, machine
        As in `tt.read`.
    block_bytes : int
        Unpacked bytes per block (default 1 MiB).

    Returns
    -------
    LogStream
        Iterate over it once: blocks are dicts of columns. Its `account` grows with the blocks.

    Raises
    ------
    InputError
        As `tt.stream`.

    Examples
    --------
    >>> import thinktime as tt
    >>> tt.write_swf(tt.default_workload(jobs=200), "log.swf.gz")
    >>> stream = tt.stream_swf("log.swf.gz", block_bytes=4096)
    >>> sum(len(block["job"]) for block in stream)
    200
    """
    how = Reading(filter, processors, remove, machine)
    return LogStream(open_records(path, SwfReader(block_bytes=block_bytes)), how, machine)


def as_stream(log: LogStream | str | PathLike[str] | Iterable[object]) -> LogStream:
    """Return a stream as it is; open the log of a name or path; take the blocks of an iterable as they are."""
    if isinstance(log, LogStream):
        return log
    if isinstance(log, str | PathLike):
        return stream(log)
    if isinstance(log, Workload):
        raise InputError("log is a Workload, whose jobs are in memory: use tt.simulate, or give blocks of columns")
    if isinstance(log, Mapping):
        raise InputError("log is a mapping of columns: give an iterable of such blocks, for example [block]")
    if not isinstance(log, Iterable):
        raise InputError(
            f"log must be tt.stream(…), the name or path of a log, or an iterable of blocks of columns (got {log!r})"
        )
    return LogStream(GivenRecords(log), Reading("all", None, (), None), None, "sort the blocks, or use tt.simulate")


class LogStream:
    """Blocks of jobs. Iterate once; `account`, `header` and `types` are complete after the iteration."""

    def __init__(
        self,
        records: Records,
        reading: Reading,
        machine: int | None,
        instead: str = f"sort the log first, or {IN_MEMORY}",
    ) -> None:
        self.name, self._instead = records.name, instead
        self._records, self._reading, self._argument = records, reading, machine
        self._blocks, self._first, self._begun = records.blocks(), list[Block](), False
        self._completion = Completion()
        self._tally, self._implausible = Tally(), Implausible()
        self._unsorted = self._negative = self._left_alone = 0
        self._last_line_submit_s = self._last_submit_s = -np.inf
        self._last_burst = (np.nan, np.nan)  # number and status of the last line so far
        self._largest = 0.0  # largest request or allocation of a kept job
        self._shift_s: float | None = None

    def __repr__(self) -> str:
        return f"<LogStream of {self.name}: {self._records.account.jobs:,} jobs read>"

    def __iter__(self) -> Iterator[Jobs]:
        if self._begun:
            raise InputError(f"{self.name} has already been read: open another stream with tt.stream")
        self._begun = True
        for raw in chain(self._first, self._blocks):
            self._first.clear()
            block = self._read(self._completion.complete(raw))
            if len(block["line"]):
                yield block

    @property
    def header(self) -> Header:
        """The header of the log; reads the first block if none has been read."""
        if not self._begun and not self._first:
            self._first.extend(islice(self._blocks, 1))
        return self._records.header

    @property
    def types(self) -> Mapping[str, ColumnType]:
        """The types of attributes and named columns, as far as the log has been read."""
        return self._records.types

    def machine_size(self) -> tuple[int, str]:
        """Return the processors of the recorded machine and where the number comes from; reads the log's header.

        Raises
        ------
        InputError
            If the header does not say.
        """
        size, because = machine_size(self.header, None, self._argument)
        if size is None:
            raise size_unknown(self.name)
        return size, SIZE_SOURCES[because]

    @property
    def source(self) -> JsonDict:
        """How the log was read, for the spec of a run; complete after the iteration."""
        account = self.account
        return {name: account[name] for name in READING if name in account}

    @property
    def account(self) -> JsonDict:
        """The reader's account so far, without duplicates: these would need all job numbers in memory."""
        header, counts = self._records.header, self._records.account
        size = machine_size(header, None, self._argument)
        return {
            "log": self.name,
            "sha256": self._records.sha256,
            "reader": self._records.reader,
            **self._reading.to_dict(),
            **account.of_records(counts, self._whole_tally()),
            **self._implausible.account(),
            **account.of_header(header, counts.jobs),
            "unsorted": self._unsorted,
            "negative_submit": self._negative,
            "statuses_2_to_4_left_alone": self._left_alone,
            "time_shift_s": self._shift_s or 0.0,
            **account.of_machine(header, size, self._largest),
        }

    def _whole_tally(self) -> Tally:
        """Return the tally with the records that the reader has dropped."""
        return replace(self._tally, dropped={**self._records.account.dropped, **self._tally.dropped})

    def _read(self, jobs: Jobs) -> Jobs:
        jobs = self._settle(jobs)
        self._count_order(jobs["submit_s"])
        size = self._machine()
        jobs, shift_s = self._reading.apply(jobs, self._records, size, self._tally, self._shift_s)
        if len(jobs["line"]) == 0:
            return jobs
        self._shift_s = shift_s
        self._largest = max(self._largest, account.largest_request(jobs))
        self._require_order(jobs)
        jobs = sort_by_submit(jobs)
        self._implausible.add(jobs)
        return jobs

    def _machine(self) -> int | None:
        """Return the machine's size. None if the header does not say: then no allocation is cut."""
        size, _ = machine_size(self._records.header, None, self._argument)
        if size is None and self._reading.filter.caps and self._reading.processors != "allocated":
            raise InputError(
                f"the header of {self.name} does not say how large the machine is, and filter"
                f" {self._reading.filter_name} caps jobs at that size: give it (machine=, --processors), or {IN_MEMORY}"
            )
        return size

    def _settle(self, jobs: Jobs) -> Jobs:
        """Drop bursts line by line; raise InputError if they must be merged, which needs all lines of a job."""
        burst, preemption = partial_executions.is_burst(jobs), self._records.header.preemption
        if preemption == "Double":
            return keep(jobs, ~burst, partial_executions.DROPPED, self._tally)
        if preemption == "Yes":
            self._refuse_bursts(jobs, burst)
        if preemption is None:
            self._refuse_bursts(jobs, partial_executions.continued(jobs, self._last_burst))
            self._last_burst = float(jobs["job"][-1]), float(jobs["status"][-1])
        self._left_alone += int(np.count_nonzero(burst))
        return jobs

    def _refuse_bursts(self, jobs: Jobs, burst: np.ndarray) -> None:
        if burst.any():
            line, status = (int(jobs[name][burst][0]) for name in ("line", "status"))
            raise InputError(
                f"line {line} of {self.name} is a burst (status {status}) of a job with several lines, and merging"
                f" needs the whole log: {IN_MEMORY}"
            )

    def _count_order(self, submit: np.ndarray) -> None:
        if submit.size == 0:
            return
        times = np.nan_to_num(np.concatenate([[self._last_line_submit_s], submit]), nan=-1.0, neginf=-np.inf)
        self._unsorted += int(np.count_nonzero(times[1:] < times[:-1]))
        self._negative += int(np.count_nonzero(~(submit >= 0)))
        self._last_line_submit_s = float(times[-1])

    def _require_order(self, jobs: Jobs) -> None:
        submit = jobs["submit_s"]
        early = np.flatnonzero(submit < self._last_submit_s)
        if early.size:
            line = int(jobs["line"][early[0]])
            raise InputError(
                f"line {line} of {self.name} was submitted at {submit[early[0]]:g} s, before jobs on"
                f" earlier lines (up to {self._last_submit_s:g} s): {self._instead}"
            )
        self._last_submit_s = float(np.fmax.reduce(submit, initial=self._last_submit_s))
