"""What all generators share: a spec that makes jobs block by block, of any number, in constant memory.

A generator yields blocks of columns in order of submission and need not end: the machinery here stops at the number
of jobs, numbers them, gives them estimates if asked for, and makes a workload or a file of them. The same seed gives
the same bytes, whatever the size of the blocks.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.spec import Spec
from thinktime.support.random_streams import checked_seed
from thinktime.traces import Header
from thinktime.workload.workload import COLUMNS, Workload
from thinktime.workload.writing import header_lines, write_swf_blocks

#: one column block: every name of COLUMNS, `processors` and `line`, as float64
Block = dict[str, np.ndarray]
NAMES = (*COLUMNS, "processors", "line")
ROWS = 65_536  # jobs of a block that is written
WEEK_S = 604_800.0
MOST_JOBS = 10**9

#: Generated times count from a Monday 00:00; in a log that is 3 January 2000.
MONDAY = 946_857_600
Hear = Callable[[int], None]  # is told how many jobs are done


class Generator(Spec, kind="generator"):
    """Base of the generators. `workload(seed=1)` is what a simulation takes; `blocks(seed=1)` is for many jobs."""

    @property
    def machine_processors(self) -> int:
        """Of the machine that the jobs are made for."""
        raise NotImplementedError

    @property
    def length(self) -> int | None:
        """How many jobs; None where that is known only at the end."""
        raise NotImplementedError

    def raw_blocks(self, seed: int) -> Iterator[Block]:
        """Some of the columns, in order of submission, with more jobs than `length` if need be."""
        raise NotImplementedError

    def source(self, seed: int) -> dict[str, Any]:
        """What the jobs are made from; JSON-able."""
        return {"generator": self.name, "seed": seed, **{k: v for k, v in self.canonical().items() if v is not None}}

    def header(self) -> Header | None:
        """Of a log that holds the jobs."""
        return Header.parse(header_of(self.name, self.machine_processors, MONDAY))

    # --- what users call ------------------------------------------------------------------------------------

    def blocks(self, *, seed: int = 1, rows: int | None = None) -> Iterator[Block]:
        """Columns of at most `rows` jobs each (as many as come at a time unless told), in order of submission."""
        checked_seed(seed)
        made = first_jobs(self.raw_blocks(seed), self.length)
        return made if rows is None else in_rows(made, whole("rows", rows))

    def workload(self, *, seed: int = 1) -> Workload:
        """All jobs in memory."""
        columns = joined(list(self.blocks(seed=seed)))
        return self.without_jobs(seed, columns, account_of(columns, self.machine_processors))

    def without_jobs(self, seed: int, columns: Block | None = None, account: dict[str, Any] | None = None) -> Workload:
        """The workload's name, header and source; with no columns, what is known of it before it is made."""
        said = account or {"generated": True, "machine_processors": self.machine_processors}
        return Workload(columns or joined([]), self.name, self.header(), said, self.source(seed))

    def write_swf(self, path: str | PathLike[str], *, seed: int = 1, hear: Hear | None = None) -> int:
        """SWF, packed as the name says, all of it or nothing, in constant memory; how many jobs."""
        jobs = self.length if self.length is not None else sum(len(b["job"]) for b in self.blocks(seed=seed))
        header = header_lines(self.without_jobs(seed), [f"made by the generator {self.text()}"], jobs=jobs)
        return write_swf_blocks(told(self.blocks(seed=seed, rows=ROWS), hear), path, header)


def told(blocks: Iterable[Block], hear: Hear | None) -> Iterator[Block]:
    """The blocks, with word of each when the next is asked for."""
    done = 0
    for block in blocks:
        yield block
        done += len(block["job"])
        if hear:
            hear(done)


def first_jobs(blocks: Iterable[Block], jobs: int | None) -> Iterator[Block]:
    """Complete blocks, numbered from 1, until there are so many jobs."""
    done = 0
    for block in blocks:
        block = block if jobs is None else {name: values[: jobs - done] for name, values in block.items()}
        yield completed(block, done + 1)
        done += len(block["submit_s"])
        if done == jobs:
            return


def completed(block: Block, first_job: int) -> Block:
    """With every column: numbered jobs, and NaN for what nobody made."""
    count = len(block["submit_s"])
    missing = np.full(count, np.nan)
    given = {"job": np.arange(first_job, first_job + count, dtype=np.float64), **block}
    return {name: given.get(name, missing) for name in NAMES}


def in_rows(blocks: Iterable[Block], rows: int) -> Iterator[Block]:
    """The same jobs in blocks of `rows`, the last with what is left."""
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
    """What was made: counts, and the offered load over the weeks begun."""
    area = float(columns["run_s"] @ columns["processors"])
    weeks = int(columns["submit_s"][-1] // WEEK_S) + 1
    return {
        "generated": True,
        "machine_processors": processors,
        "jobs": len(columns["job"]),
        "users": len(np.unique(columns["user"][~np.isnan(columns["user"])])),
        "weeks": weeks,
        "offered_load": area / (processors * weeks * WEEK_S),
        "requests_hit": int(np.sum(columns["run_s"] == columns["requested_time_s"])),
    }


def header_of(computer: str, processors: int, unix_start_s: int) -> list[str]:
    """Lines of a log whose times are local times without daylight saving."""
    return [
        " Version: 2.2",
        f" Computer: {computer}",
        f" UnixStartTime: {unix_start_s}",
        " TimeZone: 0",
        f" MaxNodes: {processors}",
        f" MaxProcs: {processors}",
    ]


# --- checks of parameters ------------------------------------------------------------------------------------


def whole(what: str, value: Any, most: int | None = None) -> int:
    """A whole number from 1 on, or a sentence."""
    try:
        number = 0 if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = 0
    if number < 1:
        raise InputError(f"{what} is {value!r}: choose a whole number from 1 on")
    if most is not None and number > most:
        raise InputError(f"{what} is {value!r}: choose a whole number up to {most:,}")
    return number


def between(what: str, value: Any, low: float, high: float, why: str = "") -> float:
    """A number from `low` to `high`, or a sentence."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise InputError(f"{what} is {value!r}: choose a number from {low} to {high}{why}")
    return float(value)
