"""A run directory written block by block while the simulation runs, in constant memory.

The directory gets its name when `finish` has written everything; after `abandon`, an error or a kill there is none.
`Result.load` reads it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics import Accumulator, Cautions, Context, Summary
from thinktime.result.columns import JOB_COLUMNS
from thinktime.result.directory.parquet_stream import (
    CORE_FIELDS,
    INSIDE_FIELDS,
    PLACEMENT_FIELDS,
    TIMELINE_FIELDS,
    Field,
    ParquetStream,
    attribute_field,
    job_field,
)
from thinktime.result.directory.save_load import JOBS_FILE, PLACEMENTS_FILE, TIMELINE_FILE, write_run_file
from thinktime.result.directory.staging import staged_directory
from thinktime.support.json_types import JsonTable
from thinktime.traces.attributes import ColumnType, Kind

INSIDE_FILE, CORES_FILE = "report_inside.parquet", "report_cores.parquet"
INSIDES = {INSIDE_FILE: INSIDE_FIELDS, CORES_FILE: CORE_FIELDS}


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
        inside: bool = False,  # with an application level
        **summary_options: Any,
    ) -> None:
        self.processors, self.spec = processors, spec
        self.summary_options = summary_options
        self.accumulator = Accumulator(processors, application=inside, **summary_options)
        self._stack = contextlib.ExitStack()
        self._place = self._stack.enter_context(staged_directory(directory, overwrite))
        self._names, self._types = (*JOB_COLUMNS, *more), dict[str, ColumnType]()
        fields = tuple(job_field(name) for name in self._names)
        self._jobs = self._stack.enter_context(ParquetStream(self._place / JOBS_FILE, fields))
        self._others: dict[str, ParquetStream] = {}  # by file
        for file, kinds in (INSIDES if inside else {}).items():
            self._stream(file, kinds)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Leaving without `finish` abandons the run."""
        if kind is None:
            self.abandon()
        else:
            self._stack.__exit__(kind, error, at)

    def add(self, columns: Mapping[str, np.ndarray], types: Mapping[str, ColumnType] | None = None) -> None:
        """Add a block of jobs: one row group of jobs.parquet. `types` are those of the attributes."""
        self.accumulator.add(columns)
        if types and not self._types:
            self._add_attributes(types)
        for name, kind in (types or {}).items():
            self._require_kind(name, kind.kind)
        self._types |= types or {}
        self._jobs.write({name: columns[name] for name in (*self._names, *self._types)}, self._types)

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

    def add_placements(self, spans: Mapping[str, np.ndarray]) -> None:
        """Add the spans of nodes of the next block of jobs; `row` counts among these."""
        self._stream(PLACEMENTS_FILE, PLACEMENT_FIELDS).write({**spans, "row": spans["row"] + self._jobs.rows})

    def add_insides(self, inside: Mapping[str, np.ndarray], cores: Mapping[str, np.ndarray]) -> None:
        """Add the application level and the cores of the next block of jobs; `row` counts among these."""
        if self.accumulator.application:
            self.accumulator.application.add(inside)
        self._stream(INSIDE_FILE, INSIDE_FIELDS).write(inside)
        self._stream(CORES_FILE, CORE_FIELDS).write({**cores, "row": cores["row"] + self._jobs.rows})

    def add_timeline(self, columns: Mapping[str, np.ndarray]) -> None:
        """Add a block of the timeline."""
        if self.accumulator.application:
            self.accumulator.application.add_timeline(columns)
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


class _Abandoned(Exception):  # noqa: N818 - tells the stack to clean up, never seen outside
    pass
