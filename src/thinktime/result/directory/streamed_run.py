"""A run directory written block by block while the simulation runs, in constant memory.

The directory gets its name when `finish` has written everything; after `abandon`, an error or a kill there is none.
`Result.load` reads it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics import Accumulator, Cautions, Context, Summary
from thinktime.metrics.run_data import NO_TABLES
from thinktime.result.actions import ACTION_TABLE, ACTIONS
from thinktime.result.attempts import ATTEMPT_COLUMNS, Attempts
from thinktime.result.columns import JOB_COLUMNS, report_frame
from thinktime.result.directory.parquet_stream import (
    BYTE_ARRAY,
    CORE_FIELDS,
    DECISION_FIELDS,
    DOUBLE,
    INSIDE_FIELDS,
    INT64,
    PLACEMENT_FIELDS,
    TIMELINE_FIELDS,
    Field,
    ParquetStream,
    attribute_field,
    job_field,
)
from thinktime.result.directory.save_load import (
    ATTEMPT_NODES_FILE,
    ATTEMPTS_FILE,
    DECISIONS_FILE,
    JOBS_FILE,
    PLACEMENTS_FILE,
    TIMELINE_FILE,
    write_run_file,
)
from thinktime.result.directory.staging import staged_directory
from thinktime.result.given_back import run_giving_back, runs_of
from thinktime.result.runs import ABORTED_CORES, work_s
from thinktime.support.json_types import JsonTable
from thinktime.traces.attributes import ColumnType, Kind

Columns = Mapping[str, np.ndarray]
INSIDES = {"report_inside.parquet": INSIDE_FIELDS, "report_cores.parquet": CORE_FIELDS}
ATTEMPT_FIELDS = tuple(Field(name, DOUBLE if name.endswith("_s") else INT64) for name in ATTEMPT_COLUMNS)
ACTION_FIELDS = (
    Field("row", INT64),
    Field("job", INT64),
    Field("time_s", DOUBLE),
    Field("action", BYTE_ARRAY, ACTIONS),
    attribute_field("reason", "text"),
)
#: Tables whose column `row` is the row of a job, or the number of an aborted run.
ROWS_OF_JOBS, ROWS_OF_ATTEMPTS = ("cores", "given_back"), (ABORTED_CORES,)


class StreamedRun:
    """`with StreamedRun(directory, 100, spec) as run: run.add(block); …; run.finish(account, statistics)`."""

    def __init__(
        self,
        directory: str | Path,
        processors: int,
        spec: JsonTable,
        *,
        overwrite: bool = False,
        more: tuple[str, ...] = (),  # columns of jobs besides JOB_COLUMNS
        of_aborted: str = "",  # one of these, which a run without aborted runs does not have
        inside: bool = False,  # with an application level
        variants: bool = False,  # which has several models
        **summary_options: Any,
    ) -> None:
        self.processors, self.spec = processors, spec
        self.summary_options = summary_options
        self.accumulator = Accumulator(processors, application=inside, **summary_options)
        self._stack = contextlib.ExitStack()
        self._place = self._stack.enter_context(staged_directory(directory, overwrite))
        self._names, self._types = (*JOB_COLUMNS, *more), dict[str, ColumnType]()
        fields = tuple(job_field(name) for name in self._names)
        self._jobs = self._stack.enter_context(ParquetStream(self._place / JOBS_FILE, fields, optional=of_aborted))
        self._of_aborted = of_aborted
        self._others: dict[str, ParquetStream] = {}  # by file
        self._attempts = 0  # rows so far
        for file, kinds in (INSIDES if inside else {}).items():
            more_kinds = (Field("variant", INT64),) if variants and kinds is INSIDE_FIELDS else ()
            self._stream(file, (*kinds, *more_kinds))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Leaving without `finish` abandons the run."""
        if kind is None:
            self.abandon()
        else:
            self._stack.__exit__(kind, error, at)

    def add(
        self,
        columns: Mapping[str, np.ndarray],
        *,
        placements: Columns | None = None,
        attempts: Attempts | None = None,
        tables: Mapping[str, Columns] = NO_TABLES,
        types: Mapping[str, ColumnType] | None = None,
        reasons: tuple[str, ...] = (),
    ) -> None:
        """Add a block of jobs: one row group of jobs.parquet.

        Parameters
        ----------
        columns
            The columns of Result.
        placements, attempts
            Their spans of nodes and aborted runs; `row` counts among these jobs.
        tables
            Tables of plugins and of the application level: rows to append. In `ROWS_OF_JOBS`, `row` counts among these
            jobs; in `ROWS_OF_ATTEMPTS`, among these aborted runs.
        types
            Those of the attributes.
        reasons
            What the numbers in the column `reason` of the table of actions mean.
        """
        made = attempts or Attempts.none()
        self._add_measures(JobsOfBlock(columns, made, tables))
        if placements is not None:
            self._stream(PLACEMENTS_FILE, PLACEMENT_FIELDS).write(_shifted(placements, self._jobs.rows))
        self._add_tables({name: rows for name, rows in tables.items() if name != ACTION_TABLE})
        if ACTION_TABLE in tables:
            self._add_actions(tables[ACTION_TABLE], ColumnType("text", reasons))
        self._add_attempts(made)
        self._take_types(types or {})
        self._jobs.write({name: columns[name] for name in (*self._names, *self._types)}, self._types)

    def _take_types(self, types: Mapping[str, ColumnType]) -> None:
        if types and not self._types:
            self._add_attributes(types)
        for name, kind in types.items():
            self._require_kind(name, kind.kind)
        self._types |= types

    def _add_attributes(self, types: Mapping[str, ColumnType]) -> None:
        """Add the attributes to the file; whole numbers are stored as floats, because fractions may follow."""
        self._types = dict(types)
        stored: dict[str, Kind] = {
            name: "number" if each.kind == "whole" else each.kind for name, each in types.items()
        }
        self._jobs.add_fields([attribute_field(name, kind) for name, kind in stored.items()])

    def _require_kind(self, name: str, kind: str) -> None:
        known = self._types[name].kind
        if kind != known and {kind, known} != {"number", "whole"}:
            raise InputError(
                f"the attribute {name} holds {kind} values, and {known} or missing ones in earlier blocks: give the"
                " first block a value of its type, or simulate without streaming"
            )

    def _add_measures(self, block: JobsOfBlock) -> None:
        self.accumulator.add({**block.columns, "run_s": work_s(block)}, block.attempts_made.columns)
        again = block.attempts_made.requeued().columns
        self.accumulator.add_area(again["start_s"], again["end_s"], again["processors"])
        if "given_back" in block.report_columns:
            end_s = runs_of(block).end_s[run_giving_back(block)]
            self.accumulator.add_area(block.report_columns["given_back"]["time_s"], end_s, -1.0)

    def _add_tables(self, tables: Mapping[str, Columns]) -> None:
        self.accumulator.add_tables(tables)
        for name, rows in tables.items():
            before = self._jobs.rows if name in ROWS_OF_JOBS else self._attempts if name in ROWS_OF_ATTEMPTS else 0
            file = f"report_{name}.parquet"
            if all(values.dtype.kind in "iuf" for values in rows.values()):
                self._stream(file, _report_fields(rows)).write(_shifted(rows, before) if before else rows)
            else:
                report_frame(rows).write_parquet(self._place / file)  # an own plugin reports once, at the end

    def _add_actions(self, rows: Columns, reasons: ColumnType) -> None:
        file = f"report_{ACTION_TABLE}.parquet"
        numbered = {**_shifted(rows, self._jobs.rows), "reason": rows["reason"] + 1.0}
        self._stream(file, ACTION_FIELDS).write(numbered, {"reason": reasons})

    def _add_attempts(self, made: Attempts) -> None:
        if len(made):
            self._stream(ATTEMPTS_FILE, ATTEMPT_FIELDS).write(_shifted(made.columns, self._jobs.rows))
            self._stream(ATTEMPT_NODES_FILE, PLACEMENT_FIELDS).write(_shifted(made.spans, self._attempts))
            self._attempts += len(made)

    def add_decisions(self, columns: Columns) -> None:
        """Add the durations of scheduling passes."""
        if len(columns["time_s"]):
            self._stream(DECISIONS_FILE, DECISION_FIELDS).write(columns)

    def add_timeline(self, columns: Mapping[str, np.ndarray]) -> None:
        """Add a block of the timeline."""
        self.accumulator.add_timeline(columns)
        self._stream(TIMELINE_FILE, TIMELINE_FIELDS).write(columns)

    def _stream(self, file: str, fields: tuple[Field, ...]) -> ParquetStream:
        """Return the stream of a file; open it on first use."""
        if file not in self._others:
            self._others[file] = self._stack.enter_context(ParquetStream(self._place / file, fields))
        return self._others[file]

    def cautions(self, account: JsonTable, statistics: JsonTable) -> Cautions:
        """Return the cautions of the jobs added so far."""
        return self.accumulator.summary(Context.of(self.spec, account, statistics)).cautions

    def finish(self, account: JsonTable, statistics: JsonTable) -> Summary:
        """Write run.json and publish the directory."""
        summary = self.accumulator.summary(Context.of(self.spec, account, statistics))
        if self._of_aborted and not self._attempts:
            self._jobs.leave_out()
        for stream in (self._jobs, *self._others.values()):
            stream.close()
        facts = {
            "attributes": {name: kind.kind for name, kind in self._types.items()},
            "content_digest": None,
            "jobs": self._jobs.rows,
            "processors": self.processors,
            "summary_options": self.summary_options,
            "timeline_rows": self._others[TIMELINE_FILE].rows if TIMELINE_FILE in self._others else 0,
        }
        write_run_file(self._place, self.spec, facts, account, statistics, summary.to_dict())
        self._stack.close()
        return summary

    def abandon(self) -> None:
        """Remove what was written; do nothing after `finish`."""
        with contextlib.suppress(_Abandoned), self._stack:
            if self._place.exists():
                raise _Abandoned


class JobsOfBlock(NamedTuple):
    """The arrays of some jobs, for functions of results."""

    columns: Columns
    attempts_made: Attempts
    report_columns: Mapping[str, Columns]

    def __len__(self) -> int:
        return len(self.columns["job"])


def _shifted(table: Columns, rows: int) -> Columns:
    return {**table, "row": table["row"] + rows}


def _report_fields(table: Columns) -> tuple[Field, ...]:
    """Return the fields of a table of numbers; job numbers are whole."""
    whole = {name for name, values in table.items() if values.dtype.kind in "iu" or name == "job"}
    return tuple(Field(name, INT64 if name in whole else DOUBLE) for name in table)


class _Abandoned(Exception):  # noqa: N818 - tells the stack to clean up, never seen outside
    pass
