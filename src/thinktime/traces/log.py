"""A raw log: the fields as in the file, −1 for unknown; every line is counted."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike, fspath

import numpy as np

import thinktime._engine as _engine
from thinktime.errors import InputError
from thinktime.support.equality import ByContent
from thinktime.support.json_types import JsonDict
from thinktime.support.memory import memory_bytes
from thinktime.traces.find import log_name
from thinktime.traces.header import Header
from thinktime.traces.reader import printable
from thinktime.traces.spellings import Spellings
from thinktime.traces.unpack import BLOCK_BYTES, read_blocks

MOST_BYTES_WITHOUT_JOB = 64 << 20  # at the beginning of a log
BYTES_PER_JOB = 2 * 19 * 8  # the columns, and a copy of them while they are filtered
#: Why a line is malformed, by the engine's number of the fault.
FAULTS = ("fewer than 18 fields", "not a number", "overflow", "line longer than 1 MiB")


@dataclass(frozen=True, eq=False, repr=False)
class RawLog(ByContent):
    """All job lines of a log. `fields[k]` is SWF's field k + 1, float64, −1 for unknown."""

    name: str
    fields: list[np.ndarray]
    line: np.ndarray  # 1-based line in the file
    spellings: Spellings
    header: Header
    comments: tuple[tuple[int, str], ...]  # (line, text) of comments after the first job
    counts: dict[str, int]  # lines = comments + blanks + malformed + jobs
    malformed: list[JsonDict]  # line, reason, text; the first 1000
    sha256: str  # of the uncompressed content

    def __len__(self) -> int:
        return len(self.line)


class LogScan:
    """A log that is read block by block; `drain` returns what was scanned since the last call."""

    def __init__(self, path: str | PathLike[str], block_bytes: int = BLOCK_BYTES) -> None:
        self.path = fspath(path)
        self.name = log_name(self.path)
        self._block_bytes = block_bytes
        self._scanner = _engine.SwfScanner()
        self._hash = hashlib.sha256()
        self._bytes = 0

    def blocks(self) -> Iterator[None]:
        """Scan the file; yield after every block."""
        for block in read_blocks(self.path, self._block_bytes):
            self._hash.update(block)
            self._scanner.feed(block)
            self._bytes += len(block)
            if self._bytes > MOST_BYTES_WITHOUT_JOB:
                self._require_a_job()
            yield
        self._scanner.finish()
        yield

    def drain(self) -> tuple[list[np.ndarray], np.ndarray, Spellings]:
        """Return fields, lines and spellings of the rows scanned since the last call."""
        fields, line, spellings = self._scanner.drain()
        return fields, line, Spellings.of(spellings)

    @property
    def counts(self) -> dict[str, int]:
        counts = self._scanner.counts()
        return {key: counts[key] for key in ("lines", "comments", "blanks", "malformed", "jobs")}

    @property
    def sha256(self) -> str:
        return self._hash.hexdigest()

    def header(self) -> Header:
        """Return the comments before the first job; complete after the first job line."""
        return Header.parse(text for _, text in self._comments(header=True))

    def later_comments(self) -> tuple[tuple[int, str], ...]:
        return tuple(self._comments(header=False))

    def malformed(self) -> list[JsonDict]:
        errors = Spellings.of(self._scanner.errors())
        return [
            {
                "line": int(errors.line[k]),
                "reason": FAULTS[errors.field[k]],
                "text": printable(errors.text(k)),
            }
            for k in range(len(errors))
        ]

    def require_jobs(self) -> None:
        """Raise InputError if the file is empty or has no job line."""
        if self._bytes == 0:
            raise InputError(f"{self.path} is empty: a log has 18 numbers per job")
        if self._scanner.counts()["jobs"] == 0:
            raise InputError(f"{self.path} is not an SWF log: {self._why_no_log()}")

    def _require_a_job(self) -> None:
        """Raise InputError for a long input without a job line, such as an endless pipe."""
        if self._scanner.counts()["first_job_line"] == 0:
            raise InputError(
                f"{self.path} is not an SWF log: its first {self._bytes >> 20} MiB hold no line of 18 numbers; name a"
                " file in the Standard Workload Format"
            )

    def require_memory(self) -> None:
        """Raise InputError before the columns of the jobs fill the memory of this machine."""
        jobs, memory = self._scanner.counts()["jobs"], memory_bytes()
        if jobs * BYTES_PER_JOB > memory or self._bytes > memory:
            raise InputError(
                f"{self.path} has more than {jobs:,} jobs, which do not fit into the {memory >> 30} GiB of this"
                " machine: read it with --stream, or use a part of it"
            )

    def _why_no_log(self) -> str:
        lines, bad = self.counts["lines"], self.malformed()
        seen = f" (line {bad[0]['line']} begins {bad[0]['text'][:40]!r})" if bad else ""
        return f"none of its {lines} lines has 18 numbers{seen}, so name a file in the Standard Workload Format"

    def _comments(self, header: bool) -> Iterator[tuple[int, str]]:
        comments = Spellings.of(self._scanner.comments())
        first_job = self._scanner.counts()["first_job_line"]
        for k in range(len(comments)):
            line = int(comments.line[k])
            if header == (first_job == 0 or line < first_job):
                yield line, _decoded(comments, k)


def read_log(path: str | PathLike[str]) -> RawLog:
    """Return the whole log."""
    scan = LogScan(path)
    for _ in scan.blocks():
        scan.require_memory()
    scan.require_jobs()
    fields, line, spellings = scan.drain()
    return RawLog(
        name=scan.name,
        fields=fields,
        line=line,
        spellings=spellings,
        header=scan.header(),
        comments=scan.later_comments(),
        counts=scan.counts,
        malformed=scan.malformed(),
        sha256=scan.sha256,
    )


def _decoded(table: Spellings, k: int) -> str:
    """Return a comment as UTF-8 if it is valid, else as latin-1."""
    text = table.text(k)
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return text
