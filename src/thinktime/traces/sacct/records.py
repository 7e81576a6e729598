"""The records of sacct files: read, split, understood, and handed on in blocks."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from os import PathLike
from pathlib import Path

import numpy as np
import polars as pl

from thinktime.errors import InputError
from thinktime.traces.header import Header
from thinktime.traces.reader import Block, Records, refuse_encoding
from thinktime.traces.sacct import json_jobs
from thinktime.traces.sacct.account_notes import array_notes, clock_notes, cluster_notes
from thinktime.traces.sacct.fields import LINE
from thinktime.traces.sacct.het_jobs import JOINED, join_components
from thinktime.traces.sacct.job_blocks import (
    cluster_hash,
    grouped_frames,
    joined_tables,
    long_enough,
    without_empty_attributes,
)
from thinktime.traces.sacct.job_columns import JobColumns
from thinktime.traces.sacct.job_counts import JobCounts
from thinktime.traces.sacct.job_ids import JobId
from thinktime.traces.sacct.job_table import JobTable
from thinktime.traces.sacct.layout import Layout, find_layout
from thinktime.traces.sacct.lines import LineCounts, RecordSplitter, require_columns
from thinktime.traces.sacct.options import SacctOptions
from thinktime.traces.sacct.resized_jobs import separate_parts
from thinktime.traces.sacct.seen_records import SeenRecords, record_hash
from thinktime.traces.sacct.settled_jobs import SettledJobs
from thinktime.traces.sacct.steps import is_step, step_use
from thinktime.traces.sacct.text_columns import TextColumns
from thinktime.traces.sacct.times import ADVICE
from thinktime.traces.unpack import read_blocks

BLOCK_BYTES = 8 << 20
HELD_JOBS = 1 << 16  # before the first block: the first submission among these is time 0
STEP, REPEATED, CONTINUED = "job step", "record seen before", "line continues the text of the record before"
EARLIER = "earlier attempt of a requeued job"
Change = Callable[[JobTable], JobTable]
ANONYMOUS = "sacct"  # name of a log whose file is not named


class SacctRecords(Records):
    """One pass over one or several files, in the order given.

    `anonymise` changes every table of jobs; then neither the name nor the hash of the file is kept, and no text of
    malformed lines.
    """

    def __init__(
        self, sources: Sequence[str | PathLike[str]], options: SacctOptions, anonymise: Change | None = None
    ) -> None:
        super().__init__(Path(sources[0]))
        self._sources, self._options, self._anonymise = [Path(source) for source in sources], options, anonymise
        self._settled = SettledJobs(options, self.account)
        self._lines = LineCounts()
        self._seen = SeenRecords()
        self._columns = JobColumns(options)
        self.types = self._columns.types
        self._content = hashlib.sha256()
        self._orders: dict[str, None] = {}
        self._jobs = JobCounts()

    def blocks(self) -> Iterator[Block]:
        """Yield blocks; time 0 is the first submission of the first 65,536 jobs."""
        held: list[JobTable] = []
        tables = self._each_table()
        most = np.inf if self._options.attempts == "last" else HELD_JOBS
        for table in tables:
            held.append(table)
            if sum(map(len, held)) >= most:
                break
        else:
            self._finish()
            yield from self._begin(self._last_attempts(held))
            return
        yield from self._begin(held)
        for table in tables:
            yield self._columns.block(table)
        self._finish()

    def whole(self) -> Block:
        """Return all jobs; time 0 is the first submission."""
        tables = self._last_attempts(list(self._each_table()))
        self._finish()
        blocks = list(self._begin([joined_tables(tables)]))
        return without_empty_attributes(blocks[0], self.types)

    def _begin(self, tables: list[JobTable]) -> Iterator[Block]:
        """Set time 0 and the header, and yield the first tables."""
        firsts = [np.min(table.numbers["submit"]) for table in tables if len(table)]
        if not firsts:
            raise InputError(self._why_nothing())
        self._columns.origin_s = float(min(firsts))
        self.header = self._header()
        for table in tables:
            if len(table):
                yield self._columns.block(table)

    def _each_table(self) -> Iterator[JobTable]:
        for source in self._sources:
            frames = grouped_frames(self._frames(source))
            for frame in frames:
                table = self._table(TextColumns(frame))
                if table is not None and len(table):
                    yield table
        self.sha256 = self._content.hexdigest()

    def _frames(self, source: Path) -> Iterator[pl.DataFrame]:
        """Yield the records of a file as texts, steps included."""
        blocks = self._hashed(source)
        head = next(blocks, b"")
        refuse_encoding(source, head)
        if json_jobs.is_json(head):
            yield from self._json_frames(source, head, blocks)
            return
        head, blocks = long_enough(head, blocks)
        lines = head.decode("utf-8", "replace").removeprefix("\ufeff").split("\n")[:101]
        if not any(line.strip() for line in lines):
            raise InputError(f"{source} is empty: run sacct with a longer time window (--starttime), as administrator")
        layout = find_layout(str(source), lines[:-1] or lines, *self._given())  # the last line may be cut
        require_columns(layout, str(source))
        self._note_order(layout)
        splitter = RecordSplitter(layout, self._lines)
        for block in chain([head], blocks):
            yield from splitter.feed(block)
        yield from splitter.finish()

    def _given(self) -> tuple[str | None, str | None]:
        return self._options.columns, self._options.delimiter

    def _hashed(self, source: Path) -> Iterator[bytes]:
        for block in read_blocks(source, BLOCK_BYTES):
            self._content.update(block)
            yield block

    def _json_frames(self, source: Path, head: bytes, blocks: Iterator[bytes]) -> Iterator[pl.DataFrame]:
        rows = self._with_ids(json_jobs.rows(source.name, b"".join([head, *blocks])))
        for first in range(0, len(rows), 1 << 16):
            part = rows[first : first + (1 << 16)]
            line = np.arange(self._lines.lines + 1, self._lines.lines + len(part) + 1, dtype=np.float64)
            self._lines.lines += len(part)
            self._lines.records += len(part)
            names = list(dict.fromkeys(name for row in part for name in row))
            columns = {name: pl.Series(name, [row.get(name, "") for row in part], pl.String) for name in names}
            yield pl.DataFrame(columns).with_columns(pl.Series(LINE, line))

    def _with_ids(self, rows: list[json_jobs.Row]) -> list[json_jobs.Row]:
        """Count rows without a job id as malformed."""
        for row in rows:
            if JobId.parse(row["JobID"]) is None:
                self._lines.lines += 1
                self._lines.bad(self._lines.lines, "no job id", str(row["JobID"]))
        return [row for row in rows if JobId.parse(row["JobID"]) is not None]

    def _note_order(self, layout: Layout) -> None:
        if layout.order not in ("header", "argument") and layout.order not in self._orders:
            self._orders[layout.order] = None
            self.account.note(f"the file has no header; its columns are in the order of {layout.order}")

    def _table(self, texts: TextColumns) -> JobTable | None:
        """Return the jobs of a frame: steps, repeated records and components settled."""
        id_name = "JobID" if "JobID" in texts else "JobIDRaw"
        step = is_step(texts, id_name)
        use = step_use(texts, step, id_name)
        self._jobs.orphans += use.orphans
        self.account.jobs += len(texts)
        self.account.drop(STEP, int(np.count_nonzero(step)))
        jobs = texts.filter(~step)
        if len(jobs) == 0:
            return None
        found = self._settled.table(jobs, use)
        if found is None:
            return None
        table = separate_parts(self._without_repeated(found))
        if self._options.het_jobs == "join":
            table, joined = join_components(table)
            self._jobs.joined += joined
            self.account.drop(JOINED, joined)
        table = table if self._anonymise is None else self._anonymise(table)
        self._jobs.add(table)
        return JobTable(table.numbers, self._columns.needed_texts(table.texts))

    def _without_repeated(self, table: JobTable) -> JobTable:
        """Drop records that an earlier file or window has, too: same id, submission and start."""
        parts = [table.texts["job_id"].hash().to_numpy(), table.numbers["submit"], table.numbers["start"]]
        if "cluster" in table.texts:
            parts.append(table.texts["cluster"].fill_null("").hash().to_numpy())
        hashes, ended = record_hash(*parts), self._has_ended(table)
        fresh = np.ones(len(table), bool)
        fresh[ended] = self._seen.new(hashes[ended])
        self.account.drop(REPEATED, int(np.count_nonzero(~fresh)))
        return table.filter(fresh)

    def _has_ended(self, table: JobTable) -> np.ndarray:
        """Return the jobs whose record is final; a later file may have the end of one that still ran."""
        return ~np.isnan(table.numbers["status"]) | (self._options.running == "drop")

    def _last_attempts(self, tables: list[JobTable]) -> list[JobTable]:
        """Keep the last record of each run, and of each job number, if asked to."""
        if not tables:
            return tables
        if self._options.running == "keep":
            table = joined_tables(tables)
            keys = record_hash(*(table.numbers[name] for name in ("job", "submit", "start")), cluster_hash(table))
            tables = [self._last_of_each(table, keys, (table.numbers["run_s"], self._has_ended(table)), REPEATED)]
        if self._options.attempts == "last":
            table = joined_tables(tables)
            resized = table.numbers["resized"] * table.numbers["line"]  # a part is no attempt
            keys = record_hash(table.numbers["job"], cluster_hash(table), resized)
            tables = [self._last_of_each(table, keys, (table.numbers["start"], table.numbers["submit"]), EARLIER)]
        return tables

    def _last_of_each(self, table: JobTable, keys: np.ndarray, order: tuple[np.ndarray, ...], reason: str) -> JobTable:
        """Return the last row of each key; the last array of `order` counts most."""
        rows = np.lexsort((*order, keys))
        last = np.ones(len(table), bool)
        last[rows[:-1]] = keys[rows[:-1]] != keys[rows[1:]]
        self.account.drop(reason, int(np.count_nonzero(~last)))
        return table.filter(last)

    def _header(self) -> Header:
        """Return the header of a log: start time, zone, computer, and how the times were read."""
        clock = self._settled.clock
        lines = [" Version: 2.2", " Conversion: thinktime, from output of Slurm's sacct"]
        if self._jobs.clusters:
            lines.append(f" Computer: {' '.join(self._jobs.clusters)}")
        lines.append(f" UnixStartTime: {int(self._columns.origin_s)}")
        if clock.zone is not None:
            lines.append(f" TimeZoneString: {clock.zone}")
        elif clock.counts.local:
            lines.append(" TimeZoneString: UTC")
            lines.append(" Note: times are those of the clock where sacct ran, because no zone was given")
        return Header.parse(lines)

    def _finish(self) -> None:
        """Complete the account: lines = comments + blanks + malformed + jobs."""
        account, lines = self.account, self._lines
        account.lines, account.comments, account.blanks = lines.lines, lines.headers, lines.blanks
        account.malformed += lines.malformed
        account.faults = sorted([*account.faults, *lines.shown], key=lambda fault: int(fault["line"]))[:1000]
        if self._anonymise is not None:
            self.name, self.sha256 = ANONYMOUS, ""
            account.faults = [{**fault, "text": ""} for fault in account.faults]
        account.jobs += lines.continued
        account.drop(CONTINUED, lines.continued)
        self._notes()

    def _notes(self) -> None:
        """Put into words what the reader has assumed."""
        more, clock, tables = self.account.more, self._settled.clock, self._settled
        times = clock.counts
        if times.repeated_hour:
            more["jobs_in_repeated_hour"] = times.repeated_hour
        if self._lines.realigned:
            more["realigned"] = self._lines.realigned
        for sentence in (
            *clock_notes(clock, tables.hours_and_minutes),
            *self._jobs.notes(self._lines.realigned, tables.limits_unknown),
            *array_notes(more),
            *cluster_notes(len(self._jobs.clusters)),
        ):
            self.account.note(sentence)

    def _why_nothing(self) -> str:
        account = self.account
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in account.dropped.items())
        bad = account.faults[:1]
        if bad and "time" in bad[0]["reason"]:
            return f"{self.name}: times are not understood ({bad[0]['text']}): {ADVICE}"
        seen = f" (line {bad[0]['line']}: {bad[0]['reason']}: {bad[0]['text'][:60]})" if bad else ""
        found = reasons or ("no record" if not account.malformed else f"{account.malformed:,} malformed lines")
        return (
            f"{self.name} has no job that ran: {found}{seen}. Run sacct as administrator (--allusers) with a longer"
            " window (--starttime)"
        )
