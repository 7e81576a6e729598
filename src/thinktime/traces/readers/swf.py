"""The Standard Workload Format: 18 numbers per job, a header of comments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from thinktime.traces.column_names import COLUMNS
from thinktime.traces.log import LogScan
from thinktime.traces.reader import Block, Reader, Records
from thinktime.traces.unpack import BLOCK_BYTES

_NUMBERS = re.compile(rb"\s*(?:[-+]?[0-9.][0-9.eE+-]*\s+){17}[-+]?[0-9.]")


class SwfReader(Reader, name="swf"):
    """Reads the Standard Workload Format.

    Parameters
    ----------
    block_bytes : int
        Unpacked bytes per block.
    """

    endings: ClassVar[tuple[str, ...]] = (".swf",)
    lowest: ClassVar[dict[str, float]] = {"block_bytes": 1}

    block_bytes: int = BLOCK_BYTES

    @classmethod
    def recognises(cls, head: bytes) -> bool:
        """Return whether the first line that is neither blank nor a comment begins with 18 numbers."""
        for line in head.splitlines():
            if line.strip() and not line.lstrip().startswith(b";"):
                return _NUMBERS.match(line) is not None
        return b";" in head

    def canonical(self) -> dict[str, Any]:
        """Return no option: the size of blocks does not change what is read."""
        return {}

    def records(self, source: Path) -> Records:
        return SwfRecords(source, self.block_bytes)


class SwfRecords(Records):
    """A scan of one log."""

    def __init__(self, source: Path, block_bytes: int) -> None:
        super().__init__(source)
        self._scan = LogScan(source, block_bytes)

    def blocks(self) -> Iterator[Block]:
        begun = False
        for _ in self._scan.blocks():
            fields, line, _ = self._scan.drain()
            if len(line) == 0:
                continue
            if not begun:  # the header ends at the first job
                self.header, begun = self._scan.header(), True
            self._count()
            yield _block_of(fields, line)
        self._finish()

    def whole(self) -> Block:
        """Return all jobs, scanned into one set of columns."""
        for _ in self._scan.blocks():
            self._scan.require_memory()
        self.header = self._scan.header()
        self._finish()
        fields, line, self.spellings = self._scan.drain()
        return _block_of(fields, line)

    def _count(self) -> None:
        account, counts = self.account, self._scan.counts
        account.lines, account.comments, account.blanks = counts["lines"], counts["comments"], counts["blanks"]
        account.jobs, account.malformed = counts["jobs"], counts["malformed"]
        if account.malformed > len(account.faults):
            account.faults = self._scan.malformed()
        self.sha256 = self._scan.sha256

    def _finish(self) -> None:
        self._scan.require_jobs()
        self._count()


def _block_of(fields: list[np.ndarray], line: np.ndarray) -> Block:
    """Return the raw fields under readable names; −1 becomes NaN."""
    columns = {name: np.where(values == -1, np.nan, values) for name, values in zip(COLUMNS, fields, strict=True)}
    return {**columns, "line": line}
