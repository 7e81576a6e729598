"""The base of generators: specs that yield jobs block by block, in constant memory.

A generator yields blocks of columns in order of submission, possibly without end. This module stops at the number of
jobs, numbers them, and makes a workload or a file. The same seed gives the same bytes for any block size.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.generate.generated_account import GeneratedAccount
from thinktime.generate.generated_stream import GeneratedStream
from thinktime.spec import Spec
from thinktime.support.random_streams import checked_seed
from thinktime.traces import Header
from thinktime.traces.column_names import COLUMNS
from thinktime.workload.reading.stream import LogStream
from thinktime.workload.workload import Workload
from thinktime.workload.writing import header_lines, write_swf_blocks

#: one column block: every name of COLUMNS, `processors` and `line`, as float64
Block = dict[str, np.ndarray]
NAMES = (*COLUMNS, "processors", "line")
ROWS = 65_536  # jobs per written block
MOST_JOBS = 10**9

#: Generated times count from Monday, 3 January 2000, 00:00.
MONDAY = 946_857_600
Progress = Callable[[int], None]  # receives the number of jobs done


class Generator(Spec, kind="generator"):
    """Base of generators: `workload(seed=1)` in memory, `stream(seed=1)` in blocks, `write_swf(path)` as a file."""

    @property
    def machine_processors(self) -> int:
        """Return the size of the machine that the jobs are for."""
        raise NotImplementedError

    @property
    def length(self) -> int | None:
        """Return the number of jobs; None if it is known only at the end."""
        raise NotImplementedError

    def raw_blocks(self, seed: int) -> Iterator[Block]:
        """Yield some columns in order of submission; may exceed `length`."""
        raise NotImplementedError

    def source(self, seed: int) -> dict[str, Any]:
        """Return the provenance of the jobs as JSON values."""
        return {"generator": self.name, "seed": seed, **{k: v for k, v in self.canonical().items() if v is not None}}

    def header(self) -> Header | None:
        """Return the header of a log with these jobs."""
        return Header.parse(header_of(self.name, self.machine_processors, MONDAY))

    def blocks(self, *, seed: int = 1, rows: int | None = None) -> Iterator[Block]:
        """Yield blocks of columns in order of submission, of at most `rows` jobs each if given."""
        checked_seed(seed)
        made = first_jobs(self.raw_blocks(seed), self.length)
        return made if rows is None else in_rows(made, whole("rows", rows))

    def stream(self, *, seed: int = 1) -> LogStream:
        """Return the jobs of `workload` as a stream, for `simulate_stream`."""
        return GeneratedStream(self, seed)

    def workload(self, *, seed: int = 1) -> Workload:
        """Return all jobs as a workload."""
        columns = joined(list(self.blocks(seed=seed)))
        return self.without_jobs(seed, columns, account_of(columns, self.machine_processors))

    def without_jobs(self, seed: int, columns: Block | None = None, account: dict[str, Any] | None = None) -> Workload:
        """Return the workload with these columns, or without jobs."""
        said = account or {"generated": True, "machine_processors": self.machine_processors}
        return Workload(columns or joined([]), self.name, self.header(), said, self.source(seed))

    def write_swf(self, path: str | PathLike[str], *, seed: int = 1, progress: Progress | None = None) -> int:
        """Write SWF in constant memory, compressed by the ending of the name; return the number of jobs."""
        blocks = with_progress(self.blocks(seed=seed, rows=ROWS), progress)
        return write_swf_blocks(blocks, path, self.header_lines(seed))

    def header_lines(self, seed: int) -> list[str]:
        """Return the header of a file with these jobs; counts them if their number is not known."""
        jobs = self.length if self.length is not None else sum(len(b["job"]) for b in self.blocks(seed=seed))
        return header_lines(self.without_jobs(seed), [f"made by the generator {self.text()}"], jobs=jobs)


def with_progress(blocks: Iterable[Block], progress: Progress | None) -> Iterator[Block]:
    """Yield the blocks; report each when the next is requested."""
    done = 0
    for block in blocks:
        yield block
        done += len(block["job"])
        if progress:
            progress(done)


def first_jobs(blocks: Iterable[Block], jobs: int | None) -> Iterator[Block]:
    """Yield complete blocks, numbered from 1, up to this number of jobs."""
    done = 0
    for block in blocks:
        block = block if jobs is None else {name: values[: jobs - done] for name, values in block.items()}
        yield completed(block, done + 1)
        done += len(block["submit_s"])
        if done == jobs:
            return


def completed(block: Block, first_job: int) -> Block:
    """Return the block with every column: number the jobs, fill missing columns with NaN."""
    count = len(block["submit_s"])
    missing = np.full(count, np.nan)
    given = {"job": np.arange(first_job, first_job + count, dtype=np.float64), **block}
    return {name: given.get(name, missing) for name in NAMES}


def in_rows(blocks: Iterable[Block], rows: int) -> Iterator[Block]:
    """Yield the same jobs in blocks of `rows`; the last may be smaller."""
    kept: list[Block] = []
    count = 0
    for block in blocks:
        kept.append(block)
        count += len(block["job"])
        if count >= rows:
            whole_block = joined(kept)
            full = count - count % rows
            for k in range(0, full, rows):
                yield _rows(whole_block, k, k + rows)
            kept, count = [_rows(whole_block, full, count)], count - full
    if count:
        yield joined(kept)


def _rows(block: Block, begin: int, end: int) -> Block:
    return {name: values[begin:end] for name, values in block.items()}


def joined(blocks: list[Block]) -> Block:
    return {name: np.concatenate([np.empty(0), *(block[name] for block in blocks)]) for name in NAMES}


def account_of(columns: Block, processors: int) -> dict[str, Any]:
    """Return the account of all jobs."""
    account = GeneratedAccount(processors)
    account.add(columns)
    return account.to_dict()


def header_of(computer: str, processors: int, unix_start_s: int) -> list[str]:
    """Return header lines of a log in local time without daylight saving."""
    return [
        " Version: 2.2",
        f" Computer: {computer}",
        f" UnixStartTime: {unix_start_s}",
        " TimeZone: 0",
        f" MaxNodes: {processors}",
        f" MaxProcs: {processors}",
    ]


def whole(what: str, value: object, most: int | None = None) -> int:
    """Return a whole number of at least 1; raise InputError otherwise."""
    try:
        number = 0 if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = 0
    if number < 1:
        raise InputError(f"{what} must be a whole number of at least 1 (got {value!r})")
    if most is not None and number > most:
        raise InputError(f"{what} must be a whole number of at most {most:,} (got {value!r})")
    return number


def between(what: str, value: object, low: float, high: float, why: str = "") -> float:
    """Return a number from `low` to `high`; raise InputError otherwise."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise InputError(f"{what} must be a number between {low} and {high}{why} (got {value!r})")
    return float(value)
