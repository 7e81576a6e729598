"""Columns of texts to columns of numbers. Each distinct text is parsed once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import polars as pl

from thinktime.traces.sacct.fields import LINE
from thinktime.traces.sacct.times import FIRST_S, LAST_S, parse_time

_NOT_SPECIAL = 1 << 31  # larger numbers may be Slurm's words for unset

_NOT_EPOCH = 10**11  # larger numbers are dates in another form, such as 20240501100000


class TextColumns:
    """The texts of some records by field name. A field that the file does not have is None."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.frame = frame

    def __len__(self) -> int:
        return len(self.frame)

    def __contains__(self, name: str) -> bool:
        return name in self.frame.columns

    def get(self, name: str) -> pl.Series | None:
        """Return the texts of a field without blanks around them."""
        return self.frame[name].str.strip_chars() if name in self else None

    @property
    def line(self) -> np.ndarray:
        return self.frame[LINE].to_numpy()

    def filter(self, mask: np.ndarray) -> TextColumns:
        return self if mask.all() else TextColumns(self.frame.filter(pl.Series(mask)))

    def numbers(self, name: str, parse: Callable[[str], float | None]) -> np.ndarray:
        """Return the numbers of a field; NaN where it has none, or where the file does not have the field."""
        texts = self.get(name)
        return np.full(len(self), np.nan) if texts is None else numbers_of(texts, parse)

    def first_known(self, names: Sequence[str], parse: Callable[[str], float | None]) -> np.ndarray:
        """Return the number of the first of these fields that has a positive one."""
        found = np.full(len(self), np.nan)
        for name in names:
            if name in self and not np.all(found > 0):
                found = np.where(found > 0, found, self.numbers(name, parse))
        return np.where(found > 0, found, np.nan)

    def is_one_of(self, name: str, words: frozenset[str]) -> np.ndarray:
        """Return where a field, in lower case, is one of these words; nowhere if the file does not have it."""
        texts = self.get(name)
        if texts is None:
            return np.zeros(len(self), bool)
        return texts.str.to_lowercase().is_in(list(words)).to_numpy()


def numbers_of(texts: pl.Series, parse: Callable[[str], float | None]) -> np.ndarray:
    """Return the parsed texts; NaN for None. Clock times and digits, of which there are many, are read together."""
    found = _read_together(texts, parse)
    rest = np.flatnonzero(np.isnan(found))
    if rest.size:
        others = texts.gather(rest)
        distinct = others.unique()
        values = [np.nan if (value := parse(text)) is None else float(value) for text in distinct]
        found[rest] = others.replace_strict(distinct, values, return_dtype=pl.Float64).to_numpy()
    return found


def _read_together(texts: pl.Series, parse: Callable[[str], float | None]) -> np.ndarray:
    """Return the numbers of plain digits, and of HH:MM:SS if `parse` reads it as seconds; NaN for other texts."""
    numbers = texts.cast(pl.Int64, strict=False)
    numbers = numbers.set((numbers < 0) | (numbers >= _NOT_SPECIAL), None)
    unit = parse("1000")
    found = numbers.cast(pl.Float64) * (np.nan if unit is None else unit / 1000.0)
    if parse("01:00:01") == 3601.0:
        clock = (texts.str.to_time("%H:%M:%S", strict=False).cast(pl.Int64) // 10**9).cast(pl.Float64)
        found = found.fill_null(clock.set(texts.str.len_bytes() != 8, None))
    return found.fill_null(np.nan).to_numpy().copy()


def whole_numbers(texts: pl.Series) -> np.ndarray:
    """Return the digits at the beginning as numbers; NaN where there are none."""
    return texts.str.extract(r"^(\d{1,18})").cast(pl.Int64, strict=False).cast(pl.Float64).fill_null(np.nan).to_numpy()


def times_of(texts: pl.Series) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return seconds since 1970, where they are of the local clock, and where the text is not a time."""
    clock = texts.str.to_datetime("%Y-%m-%dT%H:%M:%S", strict=False, time_unit="ms").dt.epoch("s")
    digits = texts.cast(pl.Int64, strict=False)
    digits = digits.set((digits < 0) | (digits >= _NOT_EPOCH), None)
    seconds = clock.fill_null(digits).cast(pl.Float64).fill_null(np.nan).to_numpy().copy()
    local = clock.is_not_null().to_numpy().copy()
    bad = np.zeros(len(texts), bool)
    rest = np.flatnonzero(np.isnan(seconds))
    if rest.size:
        others = texts.gather(rest)
        parsed = {text: parse_time(text) for text in others.unique()}
        for row, text in zip(rest.tolist(), others, strict=True):
            time = parsed[text]
            bad[row] = time is None
            if time is not None:
                seconds[row], local[row] = time
    absurd = ~((seconds >= FIRST_S) & (seconds <= LAST_S))
    seconds[absurd] = np.nan
    return seconds, local, bad
