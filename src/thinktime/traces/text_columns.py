"""From columns of texts, as in a CSV file, to numbers, truth values, names and texts.

The first block decides about the type of a column that may have several; a later value that does not fit raises
`AnotherType`, and a log that is read as a whole is then read again with that column as texts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from thinktime.errors import InputError
from thinktime.traces.attributes import Kind
from thinktime.traces.column_names import NAMES, STANDARD
from thinktime.traces.reader import RecordAccount
from thinktime.traces.typed_blocks import NAMED, floats_of, impossible

if TYPE_CHECKING:
    import polars as pl

#: Texts that mean a missing number, in lower case.
MISSING = ("na", "n/a", "nan", "null", "none", "-")
TRUTH = {"true": True, "false": False}
_DATE = re.compile(r"\s*(?:\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?[-/.]\d\d?[-/.]\d{2,4}|\d\d?:\d\d)")
_DECIMAL_COMMA = re.compile(r"\s*-?\d+,\d*\s*")
_WHOLE = r"^-?(0|[1-9][0-9]{0,15})$"


class AnotherTypeError(InputError):
    """A value does not fit the type that the first block gave to its column."""

    def __init__(self, message: str, columns: frozenset[str]) -> None:
        super().__init__(message)
        self.columns = columns


class TextColumns:
    """Converts tables of texts to series, block by block; rows with a wrong value go into the account."""

    def __init__(
        self, what: str, reader: str, account: RecordAccount, kinds: Mapping[str, Kind], decimal: str = "."
    ) -> None:
        self._what, self._reader, self._account, self._decimal = what, reader, account, decimal
        self._kinds: dict[str, Kind] = dict(kinds)  # column → type, given or found in the first block
        self._misfits: dict[str, str] = {}  # column → why a value of this block does not fit

    def convert(self, table: Mapping[str, pl.Series], line: np.ndarray) -> tuple[dict[str, pl.Series], np.ndarray]:
        """Return the series of the well-formed rows, and their line numbers."""
        found, faults, self._misfits = dict[str, "pl.Series"](), dict[int, str](), {}
        for name, texts in table.items():
            found[name], bad = self._column(name, texts, line)
            for row in bad.tolist():
                faults.setdefault(row, f"{name} is {_reason(name)}: {texts[row]}")
        if self._misfits:
            raise AnotherTypeError(next(iter(self._misfits.values())), frozenset(self._misfits))
        if not faults:
            return found, line
        good = np.ones(len(line), bool)
        good[[*faults]] = False
        self._refuse_if_nothing_is_left(good, faults)
        for row, text in sorted(faults.items()):
            reason, _, value = text.partition(": ")
            self._account.fault(int(line[row]), reason, value)
        return {name: series.filter(good) for name, series in found.items()}, line[good]

    def _refuse_if_nothing_is_left(self, good: np.ndarray, faults: Mapping[int, str]) -> None:
        if self._account.jobs == 0 and not good.any():
            first = faults[min(faults)]
            raise InputError(f"no row of {self._what} can be used ({first[:80]}): {_advice(first)}")

    def _column(self, name: str, texts: pl.Series, line: np.ndarray) -> tuple[pl.Series, np.ndarray]:
        """Return the series and the rows with wrong values."""
        kind = self._kinds.get(name) or self._found_kind(name, texts)
        if kind == "text":
            return texts, np.empty(0, np.int64)
        if kind == "truth":
            return self._fitting(name, texts, _truth(texts), line)
        numbers = self._numbers(texts)
        if name not in STANDARD or name in NAMED:
            return self._fitting(name, texts, _whole_if(numbers, kind), line)
        return numbers, np.flatnonzero(_unread(texts, numbers) | impossible(name, floats_of(numbers)))

    def _found_kind(self, name: str, texts: pl.Series) -> Kind | None:
        """Return the type of the values, and remember it; None (numbers) as long as there is no value."""
        if name in STANDARD and name not in NAMED:
            return "number"
        if texts.null_count() == len(texts):
            return None
        self._kinds[name] = kind = self._kind_of(texts, names=name in NAMED)
        return kind

    def _kind_of(self, texts: pl.Series, names: bool) -> Kind:
        known = texts.drop_nulls()
        if known.str.contains(_WHOLE).all():
            return "whole"
        if names:
            return "text"
        if known.str.to_lowercase().is_in([*TRUTH]).all():
            return "truth"
        zeros = known.str.contains(r"^-?0[0-9]").any()  # 007 is a name
        return "text" if zeros or _unread(known, self._numbers(known)).any() else "number"

    def _fitting(self, name: str, texts: pl.Series, found: pl.Series, line: np.ndarray) -> tuple[pl.Series, np.ndarray]:
        """Return the series; note a value of another type than those before."""
        bad = np.flatnonzero(_unread(texts, found))
        if bad.size:
            was = _PLURALS[self._kinds.get(name, "number")]
            self._misfits[name] = (
                f"line {int(line[bad[0]])} of {self._what} has {texts[int(bad[0])]!r} in the column {name}, which had"
                f" {was} before: read the column as texts, {self._reader}:as_text={name}"
            )
        return found, np.empty(0, np.int64)

    def _numbers(self, texts: pl.Series) -> pl.Series:
        """Return the numbers; null where a text is not a number."""
        import polars as pl

        points = texts.str.replace(",", ".", literal=True) if self._decimal == "," else texts
        numbers = points.cast(pl.Float64, strict=False)
        if numbers.null_count() == texts.null_count():
            return numbers
        return numbers.fill_null(points.str.strip_chars().cast(pl.Float64, strict=False))


def _whole_if(numbers: pl.Series, kind: Kind | None) -> pl.Series:
    """Return whole numbers as Int64 if all are whole; otherwise the numbers as they are."""
    import polars as pl

    if kind != "whole":
        return numbers
    whole = numbers.cast(pl.Int64, strict=False)
    return whole if (whole.cast(pl.Float64) == numbers).all() else numbers


def _truth(texts: pl.Series) -> pl.Series:
    import polars as pl

    return texts.str.strip_chars().str.to_lowercase().replace_strict(TRUTH, default=None, return_dtype=pl.Boolean)


def _unread(texts: pl.Series, found: pl.Series) -> np.ndarray:
    """Return the rows whose text is neither missing nor understood."""
    if found.null_count() == texts.null_count():
        return np.zeros(len(texts), bool)
    odd = found.is_null() & texts.is_not_null()
    return (odd & ~texts.str.strip_chars().str.to_lowercase().is_in([*MISSING, ""]).fill_null(False)).to_numpy()


def _advice(fault: str) -> str:
    """Return what to do about a column without any number."""
    name, value = fault.partition(" ")[0], fault.partition(": ")[2]
    if _DATE.match(value):
        return "give seconds instead of dates, or define a reader that converts them (tt.OwnReader)"
    if _DECIMAL_COMMA.fullmatch(value):
        return "for a decimal comma, add decimal=comma to the reader"
    if name == "status":
        return "give 1 (completed), 0 (failed) or 5 (cancelled), or rename the column to keep its texts"
    return "check the column"


def _reason(name: str) -> str:
    return "not a whole number" if name in NAMES else "not a number"


_PLURALS: dict[Kind, str] = {"number": "numbers", "whole": "numbers", "truth": "truth values", "text": "texts"}


def checked_names(reader: str, names: str, columns: Sequence[str]) -> list[str]:
    """Return the columns in `a+b`; raise InputError for one that the file does not have."""
    found = [name for name in names.split("+") if name]
    for name in found:
        if name not in columns:
            raise InputError(f"{reader}:as_text names the column {name!r}, which the file does not have")
    return found
