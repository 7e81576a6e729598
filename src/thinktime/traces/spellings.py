"""Unusual spellings of numbers in a log (`142.00`) and text after field 18, kept for the writer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from thinktime.support.equality import ByContent

#: The number of the "field" that holds text after field 18.
EXTRAS = 18


@dataclass(frozen=True, eq=False, repr=False)
class Spellings(ByContent):
    """Texts keyed by (line of the log, field 0 to 17, or EXTRAS), sorted by that key."""

    line: np.ndarray  # int64
    field: np.ndarray  # uint8
    end: np.ndarray  # int64: text k is blob[end[k-1]:end[k]]
    blob: bytes

    def __len__(self) -> int:
        return len(self.line)

    def text(self, k: int) -> str:
        begin = int(self.end[k - 1]) if k else 0
        return self.blob[begin : int(self.end[k])].decode("latin-1")

    def texts(self) -> list[str]:
        return [self.text(k) for k in range(len(self))]

    def extras(self) -> dict[int, str]:
        """Return line → text after field 18."""
        return {int(self.line[k]): self.text(int(k)) for k in np.flatnonzero(self.field == EXTRAS)}

    @classmethod
    def empty(cls) -> Spellings:
        return cls(np.empty(0, np.int64), np.empty(0, np.uint8), np.empty(0, np.int64), b"")

    @classmethod
    def of(cls, table: Sequence) -> Spellings:
        """Return the spellings from the engine's (line, field, end, blob)."""
        return cls(*table)
