"""Splits the text of a sacct file into records: a data frame of texts, one column per field.

Lines with the right number of delimiters go to polars together. The others (a delimiter or a newline inside a text,
quotes, noise) are looked at one by one.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from thinktime.errors import InputError
from thinktime.support.json_types import JsonDict
from thinktime.traces.sacct.fields import LINE
from thinktime.traces.sacct.job_ids import PATTERN as JOB_ID
from thinktime.traces.sacct.layout import Layout, header_layout
from thinktime.traces.sacct.patterns import begins_record
from thinktime.traces.sacct.realign import Realigner

MOST_LINE_BYTES = 4 << 20  # of one line
MOST_LINES_OF_RECORD = 2000  # a text with newlines, such as a script in SubmitLine
MOST_SHOWN = 1000  # malformed lines in the account
_UNIT = 0x1F  # stands for a delimiter of several bytes


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


class RecordSplitter:
    """Splits blocks of bytes. `feed` and `finish` return frames of texts with a column `line`."""

    def __init__(self, layout: Layout, counts: LineCounts) -> None:
        self.counts = counts
        self._tail = b""
        self._skipping = False  # inside a line that is too long
        self._in_header = layout.order == "header"  # nothing before the header is a record
        self._pending: list[str] = []  # lines of a record that is not complete
        self._was_quoted = False  # the last record was CSV with quotes
        self._pending_line = 0
        self._use(layout)

    def _use(self, layout: Layout) -> None:
        self.layout = layout
        self._realigner = Realigner(layout.columns, layout.delimiter)
        self._names = layout.names
        self._single = len(layout.delimiter.encode()) == 1
        self._separator = ord(layout.delimiter) if self._single else _UNIT

    def feed(self, block: bytes) -> Iterator[pl.DataFrame]:
        """Yield the records of the complete lines so far."""
        if self._skipping:
            _, newline, block = block.partition(b"\n")
            self._skipping = not newline
        text = self._tail + block
        end = text.rfind(b"\n") + 1
        self._tail = text[end:]
        if end > 0:
            yield from self._sections(text[:end])
        if len(self._tail) > MOST_LINE_BYTES:
            self._tail, self._skipping = b"", True
            self.counts.lines += 1
            self.counts.bad(self.counts.lines, f"line longer than {MOST_LINE_BYTES >> 20} MiB", "")

    def finish(self) -> Iterator[pl.DataFrame]:
        """Yield the record of a last line without a newline; count what is left."""
        if self._tail:
            yield from self._sections(self._tail + b"\n")
            self._tail = b""
        if self._pending:
            self._give_up()

    def _sections(self, text: bytes) -> Iterator[pl.DataFrame]:
        """Yield the records between header lines; a header may change the columns."""
        text = _clean(text)
        for section, header in _split_at_headers(text, self.layout):
            if section:
                yield from self._records(section)
            if header is not None:
                if self._pending:
                    self._give_up()
                self.counts.lines += 1
                self.counts.headers += 1
                self._in_header = False
                if header != self.layout:
                    self._use(header)

    def _records(self, text: bytes) -> Iterator[pl.DataFrame]:
        first_line = self.counts.lines + 1
        text = text if self._single else self._with_one_byte_delimiters(text)
        starts, ends, delimiters = _count_delimiters(text, self._separator)
        self.counts.lines += len(starts)
        width = len(self.layout.columns) - 1 + self.layout.trailing
        regular = delimiters == width
        if self._in_header:
            regular[:] = False
        blank = starts == ends
        frames = []
        if regular.any():
            good, suspicious = self._regular(text, starts, ends, regular, first_line)
            frames.append(good)
            regular[suspicious] = False
        odd = ~regular & ~blank
        inside = self._may_be_inside(blank, odd)
        self.counts.blanks += int(np.count_nonzero(blank & ~inside))
        if odd.any() or inside.any():
            frames.append(self._irregular(text, starts, ends, np.flatnonzero(odd | inside), first_line))
        elif self._pending and not blank.all():
            self._give_up()
        frame = pl.concat(frames).sort(LINE) if len(frames) > 1 else frames[0] if frames else None
        if frame is not None and len(frame):
            self.counts.records += len(frame)
            yield frame

    def _may_be_inside(self, blank: np.ndarray, odd: np.ndarray) -> np.ndarray:
        """Return the blank lines that follow an odd line: they may belong to its text."""
        before = np.maximum.accumulate(np.where(blank, -1, np.arange(len(blank))))
        return blank & np.where(before < 0, bool(self._pending), odd[before])

    def _with_one_byte_delimiters(self, text: bytes) -> bytes:
        unit = bytes([_UNIT])
        return text.replace(unit, b" ").replace(self.layout.delimiter.encode(), unit)

    def _regular(
        self, text: bytes, starts: np.ndarray, ends: np.ndarray, regular: np.ndarray, first_line: int
    ) -> tuple[pl.DataFrame, np.ndarray]:
        """Return the frame of regular lines that begin like a record, and the indices of those that do not."""
        names = [*self._names, *(["\x00end"] if self.layout.trailing else [])]
        frame = pl.read_csv(
            _chosen_lines(text, starts, ends, regular),
            has_header=False,
            separator=chr(self._separator),
            quote_char=None,
            schema=dict.fromkeys(names, pl.String),
        ).fill_null("")
        rows = np.flatnonzero(regular)
        if len(frame) != len(rows):  # polars and we disagree about lines: look at each
            return self._empty(), rows
        if self.layout.quoted:
            frame = frame.with_columns(pl.all().str.strip_chars('"'))
        good = pl.col(self._names[self.layout.id_column]).str.strip_chars().str.contains(JOB_ID)
        if self.layout.trailing:
            good = good & (pl.col("\x00end") == "")
        mask = frame.select(good)[:, 0].to_numpy()
        frame = frame.select(self._names).with_columns(pl.Series(LINE, (rows + first_line).astype(np.float64)))
        return (frame if mask.all() else frame.filter(pl.Series(mask))), rows[~mask]

    def _irregular(
        self, text: bytes, starts: np.ndarray, ends: np.ndarray, odd: np.ndarray, first_line: int
    ) -> pl.DataFrame:
        """Return the records of the other lines: shifted columns, and texts with newlines."""
        records: list[list[str]] = []
        lines: list[int] = []
        for k in odd.tolist():
            line = text[starts[k] : ends[k]].decode("utf-8")
            self._take(first_line + k, self._restored(line), records, lines)
        texts: list[Sequence[str]] = list(zip(*records, strict=True)) if records else [()] * len(self._names)
        columns = {name: pl.Series(name, values, pl.String) for name, values in zip(self._names, texts, strict=True)}
        return pl.DataFrame(columns).with_columns(pl.Series(LINE, np.array(lines, np.float64)))

    def _restored(self, line: str) -> str:
        return line if self._single else line.replace(chr(_UNIT), self.layout.delimiter)

    def _take(self, number: int, line: str, records: list[list[str]], lines: list[int]) -> None:
        """Add a line to the pending record, or begin another one with it."""
        if self._in_header:
            self._take_before_header(number, line)
            return
        adjacent = self._pending and number == self._pending_line + len(self._pending)
        if self._pending and not adjacent:
            self._give_up()
        if not line.strip():
            self._take_blank(line)
            return
        if self._pending and (texts := self._aligned("\n".join([*self._pending, line]))) is not None:
            self._accept(texts, self._pending_line, len(self._pending) + 1, records, lines)
            return
        if (texts := self._aligned(line)) is not None:
            if self._pending:
                self._give_up()
            self._pending_line = number
            self._accept(texts, number, 1, records, lines)
            return
        if self._pending and (self._begins_record(line) or len(self._pending) >= MOST_LINES_OF_RECORD):
            self._give_up()
        if not self._pending and not self._begins_record(line):
            self.counts.bad(number, self._reason(line), line)
            return
        self._pending_line = self._pending_line if self._pending else number
        self._pending.append(line)

    def _take_before_header(self, number: int, line: str) -> None:
        """Count a comment of a script as such; other lines before the header are malformed."""
        if line.lstrip().startswith("#"):
            self.counts.headers += 1
        elif line.strip():
            self.counts.bad(number, "before the header", line)
        else:
            self.counts.blanks += 1

    def _take_blank(self, line: str) -> None:
        """Add a blank line to the pending record, such as one of a script in SubmitLine."""
        if self._pending and len(self._pending) < MOST_LINES_OF_RECORD:
            self._pending.append(line)
        else:
            self.counts.blanks += 1

    def _accept(self, texts: list[str], number: int, used: int, records: list[list[str]], lines: list[int]) -> None:
        records.append(texts)
        lines.append(number)
        self.counts.continued += used - 1
        self.counts.realigned += not self._was_quoted  # CSV with quotes is as it should be
        self._pending = []

    def _aligned(self, text: str) -> list[str] | None:
        """Return one text per column; None if the line is not a record."""
        fields = text.split(self.layout.delimiter)
        if self.layout.trailing and fields[-1].strip() == "":
            fields = fields[:-1]
        quoted = self._unquoted(text) if '"' in text and self.layout.delimiter in ",;\t" else None
        self._was_quoted = quoted is not None
        return self._realigner.align(fields if quoted is None else quoted)

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

    def _give_up(self) -> None:
        """Count the lines of a record that was never completed."""
        line, filled = self._pending[0], sum(bool(each.strip()) for each in self._pending)
        self.counts.bad(self._pending_line, self._reason("\n".join(self._pending)), line, filled)
        self.counts.blanks += len(self._pending) - filled
        self._pending = []

    def _empty(self) -> pl.DataFrame:
        return pl.DataFrame(schema={**dict.fromkeys(self._names, pl.String), LINE: pl.Float64})


def _clean(text: bytes) -> bytes:
    """Return valid UTF-8 with plain line ends; a line that is not UTF-8 is read as latin-1."""
    text = text.replace(b"\r\n", b"\n") if b"\r" in text else text
    text = text.removeprefix(b"\xef\xbb\xbf")
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return b"\n".join(map(_utf8_line, text.split(b"\n")))
    return text


def _utf8_line(line: bytes) -> bytes:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("latin-1").encode("utf-8")
    return line


def _split_at_headers(text: bytes, layout: Layout) -> Iterator[tuple[bytes, Layout | None]]:
    """Yield the text before each header line with the header's layout, and the text after the last."""
    done = at = 0
    lower = text.lower()  # a table that other programs have written may begin with jobid
    while (at := lower.find(b"jobid", at)) >= 0:
        start, end = text.rfind(b"\n", 0, at) + 1, text.find(b"\n", at)
        line = text[start:end].decode("utf-8")
        header = header_layout(line, layout.delimiter) or header_layout(line)
        if header is not None:
            yield text[done:start], header
            done = end + 1
        at = end + 1
    yield text[done:], None


def _count_delimiters(text: bytes, separator: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return where each line begins and ends, and how many delimiters it has."""
    data = np.frombuffer(text, np.uint8)
    ends = np.flatnonzero(data == 10)
    starts = np.concatenate([[0], ends[:-1] + 1])
    places = np.flatnonzero(data == separator)
    return starts, ends, np.searchsorted(places, ends) - np.searchsorted(places, starts)


def _chosen_lines(text: bytes, starts: np.ndarray, ends: np.ndarray, chosen: np.ndarray) -> bytes:
    """Return the chosen lines as one text."""
    if chosen.all():
        return text
    edges = np.diff(np.concatenate([[0], chosen.view(np.int8), [0]]))
    first, after = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    return b"".join(text[starts[a] : ends[b - 1] + 1] for a, b in zip(first, after, strict=True))


def require_columns(layout: Layout, name: str) -> None:
    """Raise InputError if a workload cannot be made of these columns."""
    names = {column.name for column in layout.columns}
    missing = [
        what
        for what, one_of in {
            "Submit": {"Submit"},
            "ElapsedRaw (or Elapsed, or Start and End)": {"ElapsedRaw", "Elapsed"},
            "NCPUS (or AllocCPUS, AllocTRES, ReqCPUS)": {
                *("NCPUS", "AllocCPUS", "AllocTRES", "ReqCPUS", "ReqTRES", "NNodes", "AllocNodes", "ReqNodes")
            },
        }.items()
        if not names & one_of and not (what.startswith("Elapsed") and {"Start", "End"} <= names)
    ]
    if missing:
        have = ", ".join(column.name for column in layout.columns[:12])
        raise InputError(
            f"{name} has no column {' and no column '.join(missing)} (it has {have}{', …' if len(names) > 12 else ''}):"
            " run sacct with more fields; `thinktime import sacct-command` prints a command"
        )
