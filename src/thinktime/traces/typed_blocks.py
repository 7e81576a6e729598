"""From blocks of any lists, arrays or series to float64 columns with types, checked column by column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.errors import InputError
from thinktime.spec import suggestion
from thinktime.traces.attributes import LARGEST_WHOLE, ColumnType, TypedColumns, as_series
from thinktime.traces.column_names import NAMED, NAMES, STANDARD, WHOLE
from thinktime.traces.reader import Block

if TYPE_CHECKING:
    import polars as pl

#: What a simulation needs of a log.
NEEDED = ("submit_s", "run_s")
SIZES = ("processors", "allocated_processors", "requested_processors")


class TypedBlocks:
    """Checks the blocks of one source and turns them into float64 columns; `types` grows with the blocks.

    All blocks must have the same columns, of the same types. −1 is a missing value, as in SWF, except in `submit_s`
    and in attributes.
    """

    def __init__(self, what: str, labels: Mapping[str, Sequence[str]] | None = None) -> None:
        self._what = what  # the source, for errors
        self._columns = TypedColumns()
        self._columns.expect(labels or {})
        self._names: tuple[str, ...] | None = None  # of the first block
        self._by_name = dict[str, bool]()  # named column → whether its values are texts
        self._rows = 0  # of earlier blocks

    @property
    def types(self) -> dict[str, ColumnType]:
        return self._columns.types

    def convert(self, given: object) -> Block:
        """Return the columns of a block as float64 arrays."""
        block = self._checked(given)
        try:
            columns = {name: self._column(name, values) for name, values in block.items()}
        except InputError as error:
            raise InputError(f"{self._what}: {error}") from None
        lengths = {name: len(values) for name, values in columns.items()}
        if len(set(lengths.values())) > 1:
            listed = ", ".join(f"{name} {length}" for name, length in lengths.items())
            raise InputError(f"{self._what}: the columns differ in length ({listed}): give one value per job")
        self._rows += next(iter(lengths.values()), 0)
        return columns

    def _checked(self, given: object) -> Mapping[str, Any]:
        """Return a mapping with the columns of the first block; raise InputError for anything else."""
        if hasattr(given, "get_columns") and hasattr(given, "to_dict"):  # a polars data frame
            given = {series.name: series for series in given.get_columns()}
        if not isinstance(given, Mapping):
            raise InputError(
                f"{self._what}: a block is {_shown(given)}: give a mapping of column names to lists or arrays, such as"
                ' {"submit_s": [0, 5], "run_s": [10, 10], "processors": [2, 4]}'
            )
        names = tuple(given)
        if self._names is None:
            self._names = require_needed(self._what, names)
        for name in [*self._names, *names]:
            if name not in self._names or name not in names:
                where = "appears in" if name in names else "is missing from"
                raise InputError(
                    f"{self._what}: the column {name} {where} the block after {self._rows:,} jobs: give all blocks the"
                    " same columns, None for a missing value"
                )
        return given

    def _column(self, name: str, values: Any) -> np.ndarray:
        if name not in STANDARD:
            return self._columns.add({name: values})[name]
        series = as_series(name, values, wanted_of(name))
        if name in NAMED and self._has_names(name, series):
            return self._columns.named(name, series)
        return self._numbers(name, series)

    def _has_names(self, name: str, series: pl.Series) -> bool:
        """Return whether a column such as `user` holds names; all blocks must agree."""
        import polars as pl

        if series.null_count() == len(series):
            return self._by_name.get(name, False) and series.dtype == pl.String
        texts = series.dtype == pl.String
        if self._by_name.setdefault(name, texts) != texts:
            one, other = ("names", "numbers") if self._by_name[name] else ("numbers", "names")
            raise InputError(f"the column {name} holds {one}, then {other}: give one type")
        return texts

    def _numbers(self, name: str, series: pl.Series) -> np.ndarray:

        if series.null_count() == len(series):
            return np.full(len(series), np.nan)
        if not series.dtype.is_numeric():
            raise InputError(f"the column {name} holds {_kind_word(series)}: give {wanted_of(name)}")
        numbers = floats_of(series)
        bad = impossible(name, numbers)
        if bad.any():
            row = int(np.flatnonzero(bad)[0])
            wanted = "whole numbers" if name in NAMES else "finite numbers"
            wanted += " up to 2^53" if name in WHOLE and np.isfinite(numbers[row]) else ""
            raise InputError(
                f"job record {self._rows + row + 1} has {numbers[row]:g} in the column {name}: give {wanted}"
            )
        return numbers if name == "submit_s" else without_minus_one(numbers)


def floats_of(series: pl.Series) -> np.ndarray:
    import polars as pl

    return series.cast(pl.Float64).fill_null(np.nan).to_numpy()


def impossible(name: str, numbers: np.ndarray) -> np.ndarray:
    """Return the rows with a value that this column never has: infinite, too large, or a fraction of a name."""
    bad = np.isinf(numbers)
    if name in WHOLE:
        bad |= np.abs(numbers) > LARGEST_WHOLE
    if name in NAMES:
        bad |= ~np.isnan(numbers) & (numbers != np.floor(numbers))
    return bad


def without_minus_one(numbers: np.ndarray) -> np.ndarray:
    """Return the numbers with NaN in place of −1."""
    unknown = numbers == -1
    return np.where(unknown, np.nan, numbers) if unknown.any() else numbers


def require_needed(what: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the columns; raise InputError if a simulation could not use them."""
    for name in NEEDED:
        if name not in names:
            raise InputError(f"{what} has no column {name} (in seconds){suggestion(name, names)}: name one so")
    if not set(SIZES) & set(names):
        raise InputError(f"{what} has no column processors{suggestion('processors', names)}: name one so")
    return tuple(names)


def wanted_of(name: str) -> str:
    """Return what a column of a log takes, for errors."""
    if name == "submit_s":
        return "numbers of seconds (for dates, the seconds since the first one)"
    unit = " of seconds" if name.endswith("_s") else " of KB" if name.endswith("_kb") else ""
    return f"numbers{unit}{' or names' if name in NAMED else ''}"


def _kind_word(series: pl.Series) -> str:
    import polars as pl

    return {pl.String: "texts", pl.Boolean: "truth values"}.get(series.dtype.base_type(), str(series.dtype))


def _shown(given: object) -> str:
    text = repr(given)
    return text if len(text) <= 60 else f"a {type(given).__name__}"
