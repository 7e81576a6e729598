"""Lines that are not split at every delimiter: shifted columns, texts with newlines, quotes, noise.

A record with too few fields goes on in the next lines. One that is complete may still go on: sacct does not escape
newlines, so a line that does not begin a record and brings a delimiter may hold its last columns.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from thinktime.support.json_types import JsonDict
from thinktime.traces.sacct.fields import LINE
from thinktime.traces.sacct.layout import Layout
from thinktime.traces.sacct.patterns import begins_record
from thinktime.traces.sacct.realign import MOST_EXTRA, Realigner

MOST_LINES_OF_RECORD = 2000  # a text with newlines, such as a script in SubmitLine
MOST_SHOWN = 1000  # malformed lines in the account


@dataclass
class LineCounts:
    """lines = headers + blanks + malformed + continued + records."""

    lines: int = 0
    headers: int = 0
    blanks: int = 0
    malformed: int = 0
    continued: int = 0  # lines that continue the text of the line before
    records: int = 0
    realigned: int = 0  # records with a delimiter inside a text
    shown: list[JsonDict] = field(default_factory=list)

    def bad(self, line: int, reason: str, text: str, lines: int = 1) -> None:
        """Count lines that are no record; the first ones are shown."""
        self.malformed += lines
        if len(self.shown) < MOST_SHOWN:
            self.shown.append({"line": line, "reason": reason, "text": text[:200].encode("unicode_escape").decode()})


@dataclass(frozen=True)
class Aligned:
    """One text per column, and the number of lines that they take."""

    texts: list[str]
    lines: int
    quoted: bool  # CSV with quotes, which is as it should be


class OddLines:
    """Takes such lines one by one; `frame` returns the records found since the last call."""

    def __init__(self, layout: Layout, counts: LineCounts) -> None:
        self.layout, self.counts = layout, counts
        self._realigner = Realigner(layout.columns, layout.delimiter)
        self._records: list[list[str]] = []
        self._numbers: list[int] = []  # lines of the records
        self._pending: list[str] = []  # lines of a record that may go on
        self._first = 0  # number of the first of them
        self._complete: Aligned | None = None  # the record that the pending lines hold so far

    @property
    def next_line(self) -> int | None:
        """The line in which the pending record would go on."""
        return self._first + len(self._pending) if self._pending else None

    def take(self, number: int, line: str) -> None:
        """Add a line to the pending record, or begin another one with it."""
        if self._pending and number != self.next_line:
            self.settle()
        if not line.strip():
            self._take_blank(line)
        elif self._complete is not None and not self._begins_record(line) and self._aligned([line]) is None:
            self._extend(line)
        else:
            self._begin_or_complete(number, line)

    def settle(self) -> None:
        """Accept the record of the pending lines; count the lines after it, or all if there is none."""
        done, lines = self._complete, self._pending
        if done is not None:
            self._records.append(done.texts)
            self._numbers.append(self._first)
            self.counts.continued += done.lines - 1
            self.counts.realigned += not done.quoted
            for k, line in enumerate(lines[done.lines :], self._first + done.lines):
                self._count_noise(k, line)
        elif lines:
            filled = sum(bool(each.strip()) for each in lines)
            self.counts.bad(self._first, self._reason("\n".join(lines)), lines[0], filled)
            self.counts.blanks += len(lines) - filled
        self._pending, self._complete = [], None

    def frame(self) -> pl.DataFrame:
        """Return the records since the last call as columns of texts."""
        names = self.layout.names
        texts: list[Sequence[str]] = list(zip(*self._records, strict=True)) if self._records else [()] * len(names)
        columns = {name: pl.Series(name, values, pl.String) for name, values in zip(names, texts, strict=True)}
        found = pl.DataFrame(columns).with_columns(pl.Series(LINE, np.array(self._numbers, np.float64)))
        self._records, self._numbers = [], []
        return found

    def _take_blank(self, line: str) -> None:
        """Add a blank line to the pending record, such as one of a script in SubmitLine."""
        if self._pending and len(self._pending) < MOST_LINES_OF_RECORD:
            self._pending.append(line)
        else:
            self.counts.blanks += 1

    def _begin_or_complete(self, number: int, line: str) -> None:
        if self._complete is not None:
            self.settle()
        if self._pending and (whole := self._aligned([*self._pending, line])) is not None:
            self._pending.append(line)
            self._complete = whole
            return
        alone, begins = self._aligned([line]), self._begins_record(line)
        if self._pending and (alone is not None or begins or len(self._pending) >= MOST_LINES_OF_RECORD):
            self.settle()
        if not self._pending and alone is None and not begins:
            self._count_noise(number, line)
            return
        self._first = self._first if self._pending else number
        self._pending.append(line)
        self._complete = alone

    def _extend(self, line: str) -> None:
        """Add a line to a complete record, if its delimiters bring the last columns; hold it if it has none."""
        self._pending.append(line)
        delimiters = sum(each.count(self.layout.delimiter) for each in self._pending)
        if self.layout.delimiter in line:
            longer = self._aligned(self._pending)
            if longer is not None and "\n" not in longer.texts[-1]:
                self._complete = longer
        too_many = delimiters > len(self.layout.columns) + MOST_EXTRA
        if too_many or len(self._pending) >= MOST_LINES_OF_RECORD:
            self.settle()

    def _count_noise(self, number: int, line: str) -> None:
        if line.strip():
            self.counts.bad(number, self._reason(line), line)
        else:
            self.counts.blanks += 1

    def _aligned(self, lines: list[str]) -> Aligned | None:
        """Return one text per column; None if the lines are not a record."""
        text = "\n".join(lines)
        fields = text.split(self.layout.delimiter)
        if self.layout.trailing and fields[-1].strip() == "":
            fields = fields[:-1]
        quoted = self._unquoted(text) if '"' in text and self.layout.delimiter in ",;\t" else None
        texts = self._realigner.align(fields if quoted is None else quoted)
        return None if texts is None else Aligned(texts, len(lines), quoted is not None)

    def _unquoted(self, text: str) -> list[str] | None:
        """Return the fields of a line of CSV with quotes, if that gives the right number."""
        try:
            fields = next(csv.reader([text], delimiter=self.layout.delimiter), [])
        except csv.Error:
            return None
        fields = fields[:-1] if self.layout.trailing and fields and fields[-1] == "" else fields
        return fields if len(fields) == len(self.layout.columns) else None

    def _begins_record(self, line: str) -> bool:
        """Return whether the first fields of a line fit the first columns."""
        fields = line.split(self.layout.delimiter)
        known = list(zip(self.layout.columns, fields, strict=False))[: self.layout.id_column + 1]
        strict = [pair for pair in known if not pair[0].absorbs]
        return len(fields) > self.layout.id_column and all(begins_record(column, text) for column, text in strict)

    def _reason(self, line: str) -> str:
        if self._realigner.exhausted:
            return "too many lines with shifted columns before"
        number = len(line.split(self.layout.delimiter))
        width = len(self.layout.columns)
        if number - self.layout.trailing == width:
            return "a value does not fit its column"
        return f"{number} fields instead of {width}"
