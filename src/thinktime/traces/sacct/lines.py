"""Splits the text of a sacct file into records: a data frame of texts, one column per field.

Lines with the right number of delimiters go to polars together. The others (a delimiter or a newline inside a text,
quotes, noise) are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from thinktime.errors import InputError
from thinktime.traces.sacct.fields import LINE
from thinktime.traces.sacct.job_ids import PATTERN as JOB_ID
from thinktime.traces.sacct.layout import Layout, header_layout
from thinktime.traces.sacct.odd_lines import LineCounts, OddLines

MOST_LINE_BYTES = 4 << 20  # of one line
_UNIT = 0x1F  # stands for a delimiter of several bytes


class RecordSplitter:
    """Splits blocks of bytes. `feed` and `finish` return frames of texts with a column `line`."""

    def __init__(self, layout: Layout, counts: LineCounts) -> None:
        self.counts = counts
        self._tail = b""
        self._skipping = False  # inside a line that is too long
        self._in_header = layout.order == "header"  # nothing before the header is a record
        self._use(layout)

    def _use(self, layout: Layout) -> None:
        self.layout = layout
        self._odd = OddLines(layout, self.counts)
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
        yield from self._last()

    def _sections(self, text: bytes) -> Iterator[pl.DataFrame]:
        """Yield the records between header lines; a header may change the columns."""
        text = _clean(text)
        for section, header in _split_at_headers(text, self.layout):
            if section:
                yield from self._records(section)
            if header is not None:
                yield from self._last()
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
        frames.append(self._take_odd(text, starts, ends, np.flatnonzero(odd | inside), first_line))
        frames = [each for each in frames if len(each)]
        frame = pl.concat(frames).sort(LINE) if len(frames) > 1 else frames[0] if frames else None
        if frame is not None:
            self.counts.records += len(frame)
            yield frame

    def _may_be_inside(self, blank: np.ndarray, odd: np.ndarray) -> np.ndarray:
        """Return the blank lines that follow an odd line: they may belong to its text."""
        before = np.maximum.accumulate(np.where(blank, -1, np.arange(len(blank))))
        return blank & np.where(before < 0, self._odd.next_line is not None, odd[before])

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

    def _take_odd(
        self, text: bytes, starts: np.ndarray, ends: np.ndarray, odd: np.ndarray, first_line: int
    ) -> pl.DataFrame:
        """Return the records of the other lines: shifted columns, and texts with newlines."""
        for k in odd.tolist():
            line = self._restored(text[starts[k] : ends[k]].decode("utf-8"))
            if self._in_header:
                self._take_before_header(first_line + k, line)
            else:
                self._odd.take(first_line + k, line)
        if self._odd.next_line != first_line + len(starts):  # no record goes on in the next block
            self._odd.settle()
        return self._odd.frame()

    def _restored(self, line: str) -> str:
        return line if self._single else line.replace(chr(_UNIT), self.layout.delimiter)

    def _take_before_header(self, number: int, line: str) -> None:
        """Count a comment of a script as such; other lines before the header are malformed."""
        if line.lstrip().startswith("#"):
            self.counts.headers += 1
        elif line.strip():
            self.counts.bad(number, "before the header", line)
        else:
            self.counts.blanks += 1

    def _last(self) -> Iterator[pl.DataFrame]:
        """Yield the record that does not go on."""
        self._odd.settle()
        frame = self._odd.frame()
        if len(frame):
            self.counts.records += len(frame)
            yield frame

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
