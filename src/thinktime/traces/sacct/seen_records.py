"""Remembers records by a 64-bit hash, to count a record once that several files or windows have."""

from __future__ import annotations

import numpy as np


class SeenRecords:
    """Sorted arrays of hashes, merged as they grow: 8 bytes per record."""

    def __init__(self) -> None:
        self._runs: list[np.ndarray] = []

    def new(self, hashes: np.ndarray) -> np.ndarray:
        """Return which hashes are seen for the first time, and remember them."""
        fresh = np.zeros(len(hashes), bool)
        distinct, first = np.unique(hashes, return_index=True)
        fresh[first] = ~self._known(distinct)
        self._remember(distinct[fresh[first]])
        return fresh

    def _known(self, distinct: np.ndarray) -> np.ndarray:
        known = np.zeros(len(distinct), bool)
        for run in self._runs:
            place = np.searchsorted(run, distinct).clip(max=len(run) - 1)
            known |= run[place] == distinct
        return known

    def _remember(self, distinct: np.ndarray) -> None:
        if len(distinct):
            self._runs.append(distinct)
        while len(self._runs) > 1 and len(self._runs[-2]) < 2 * len(self._runs[-1]):
            last = self._runs.pop()
            self._runs[-1] = np.sort(np.concatenate([self._runs[-1], last]))


def record_hash(*columns: np.ndarray) -> np.ndarray:
    """Return one hash per row of float64 or uint64 columns; missing values are equal."""
    found = np.zeros(len(columns[0]), np.uint64)
    for values in columns:
        bits = values if values.dtype == np.uint64 else np.nan_to_num(values, nan=-1.0).view(np.uint64)
        found = _mixed(found ^ _mixed(bits + np.uint64(0x9E3779B97F4A7C15)))
    return found


def _mixed(bits: np.ndarray) -> np.ndarray:
    """Return the finaliser of SplitMix64."""
    with np.errstate(over="ignore"):
        bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))
