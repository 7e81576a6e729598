"""The hash of columns by content: the same for the same values, however they were read, stored or split into blocks.

Each column has a running hash. Whole numbers and numbers are alike; a text counts by its letters, not by its code.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import numpy as np

from thinktime.traces.attributes import ColumnType

_NUMBER = ColumnType("number")


class ContentHash:
    """A hash of columns that come block by block; `hexdigest` combines the columns by name.

    A column that a block lacks is missing in all its rows. A column without any value does not count: a stream cannot
    know that a column will stay empty.
    """

    def __init__(self) -> None:
        self.rows = 0
        self._columns: dict[str, hashlib._Hash] = {}
        self._kinds: dict[str, str] = {}
        self._filled: set[str] = set()  # columns with a value
        self._labels: dict[str, np.ndarray] = {}  # column → hash of each label, by code

    def add(self, columns: Mapping[str, np.ndarray], types: Mapping[str, ColumnType] | None = None) -> None:
        """Add a block of rows: columns of equal length."""
        rows = max(map(len, columns.values()), default=0)
        for name in [name for name in columns if name not in self._columns]:
            self._columns[name] = hashlib.sha256(_missing(self.rows))
        for name, column in self._columns.items():
            kind = (types or {}).get(name, _NUMBER)
            values = columns.get(name)
            column.update(_missing(rows) if values is None else self._bytes(name, values, kind))
            self._kinds[name] = kind.kind if kind.kind in ("text", "truth") else "number"
        self.rows += rows

    def hexdigest(self) -> str:
        """Return the sha256 over name, kind and hash of all columns with values, sorted by name."""
        lines = [f"{name} {self._kinds[name]} {self._columns[name].hexdigest()}\n" for name in sorted(self._filled)]
        return hashlib.sha256(f"{self.rows}\n{''.join(lines)}".encode()).hexdigest()

    def _bytes(self, name: str, values: np.ndarray, kind: ColumnType) -> memoryview:
        """Return one zero and one NaN for all; for a text the hash of its label."""
        found = np.asarray(values, dtype="<f8") + 0.0  # a copy, in which −0 is 0
        known = ~np.isnan(found)
        found[~known] = np.nan
        if name not in self._filled and known.any():
            self._filled.add(name)
        if kind.kind == "text":
            found[known] = self._hashes(name, kind.labels)[found[known].astype(np.int64) - 1]
        return np.ascontiguousarray(found).data

    def _hashes(self, name: str, labels: tuple[str, ...]) -> np.ndarray:
        """Return the hash of every label as the bits of a float64; labels are only ever appended."""
        known = self._labels.get(name, np.empty(0, "<f8"))
        if len(known) < len(labels):
            more = b"".join(hashlib.blake2b(label.encode(), digest_size=8).digest() for label in labels[len(known) :])
            known = self._labels[name] = np.concatenate([known, np.frombuffer(more, "<f8")])
        return known


def content_sha256(columns: Mapping[str, np.ndarray], types: Mapping[str, ColumnType] | None = None) -> str:
    """Return the hash of whole columns."""
    content = ContentHash()
    content.add(columns, types)
    return content.hexdigest()


def _missing(rows: int) -> bytes:
    return np.full(rows, np.nan, dtype="<f8").tobytes()
