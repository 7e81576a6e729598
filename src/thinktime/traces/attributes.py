"""Attributes: further columns of a workload, with a type each.

A column is a float64 array with NaN for a missing value. A text column holds codes: code k stands for label k − 1, and
labels are in order of first appearance, so that a stream can append.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from thinktime.errors import InputError
from thinktime.traces.column_names import RESERVED, RESERVED_BEGINNINGS

if TYPE_CHECKING:
    import polars as pl

Kind: TypeAlias = Literal["number", "whole", "truth", "text"]
KINDS: tuple[Kind, ...] = get_args(Kind)
#: Kind → its values in words.
WORDS: dict[Kind, str] = {"number": "numbers", "whole": "whole numbers", "truth": "truth values", "text": "texts"}

#: The largest whole number up to which float64 is exact.
LARGEST_WHOLE = 2.0**53


@dataclass(frozen=True)
class ColumnType:
    """The type of a column: `number`, `whole`, `truth` or `text`.

    Parameters
    ----------
    kind : str
        `"number"` (Float64 in data frames), `"whole"` (Int64), `"truth"` (Boolean) or `"text"` (String).
    labels : tuple of str
        Of a text: code k stands for `labels[k - 1]`. A column of whole numbers such as `user` has labels if the names
        of its numbers are known.
    """

    kind: Kind
    labels: tuple[str, ...] = ()

    def texts(self, values: np.ndarray) -> np.ndarray:
        """Return the labels of codes, `values`, as an object array; None for a missing value or an unknown code."""
        table = np.array([None, *self.labels, None], dtype=object)
        codes = np.nan_to_num(values)
        return table[np.where((codes >= 1) & (codes <= len(self.labels)), codes, 0).astype(np.int64)]

    def series(self, name: str, values: np.ndarray) -> pl.Series:
        """Return `values` as a polars series called `name`, with nulls: String, Boolean, Int64 or Float64."""
        import polars as pl

        numbers = pl.Series(name, np.asarray(values, dtype=np.float64)).fill_nan(None)
        if self.kind == "text":
            labels = pl.Series(name, [*self.labels], dtype=pl.String)
            return labels.gather((numbers - 1).cast(pl.UInt32)).alias(name)
        return numbers.cast({"number": pl.Float64, "whole": pl.Int64, "truth": pl.Boolean}[self.kind])

    def compacted(self, values: np.ndarray) -> tuple[np.ndarray, ColumnType]:
        """Return codes and type with only the labels that occur in `values`, in order of first appearance."""
        if self.kind != "text":
            return values, self
        known = values[~np.isnan(values)].astype(np.int64)
        used, first = np.unique(known, return_index=True)
        order = used[np.argsort(first)]
        new = np.full(len(self.labels) + 1, np.nan)
        new[order] = np.arange(1, len(order) + 1)
        codes = new[np.nan_to_num(values).astype(np.int64)]
        return codes, ColumnType("text", tuple(self.labels[code - 1] for code in order))


#: Name of a column → its values as they were given: a list, an array, a polars or pandas series.
GivenColumns: TypeAlias = Mapping[str, Any]


def typed_columns(given: GivenColumns) -> tuple[dict[str, np.ndarray], dict[str, ColumnType]]:
    """Return float64 columns and their types from lists, arrays or series of texts, truth values or numbers.

    None and NaN are missing values. Raise InputError for a reserved name or for values of several types.
    """
    columns = TypedColumns()
    return columns.add(given), columns.types


class TypedColumns:
    """Columns that come block by block: `types` grows with the labels of the texts.

    A column takes the type of its first value; whole numbers become numbers when a fraction follows.
    """

    def __init__(self) -> None:
        self.types: dict[str, ColumnType] = {}
        self._without_values = set[str]()  # columns of which no value is known yet
        self._codes: dict[str, dict[str, int]] = {}  # column → label → code

    def add(self, given: GivenColumns) -> dict[str, np.ndarray]:
        """Return the attributes of a block as float64 arrays."""
        return {name: self._attribute(require_attribute_name(name), values) for name, values in given.items()}

    def named(self, name: str, texts: Any) -> np.ndarray:
        """Return the numbers of a standard column such as `user` whose values are names."""
        codes = self._encoded(name, as_series(name, texts))
        self._set_labels(name, "whole")
        return codes

    def expect(self, labels: Mapping[str, Sequence[str]]) -> None:
        """Give the first labels of some columns, in the order of their codes."""
        self._codes |= {name: {label: code for code, label in enumerate(each, 1)} for name, each in labels.items()}

    def _attribute(self, name: str, given: Any) -> np.ndarray:
        series = as_series(name, given)
        self._settle(name, _kind(series))
        if self.types[name].kind != "text" or _kind(series) is None:
            return _floats(series)
        codes = self._encoded(name, series)
        self._set_labels(name, "text")
        return codes

    def _set_labels(self, name: str, kind: Kind) -> None:
        """Set the labels of a column if a block has brought new ones."""
        known = self.types.get(name)
        if known is None or known.kind != kind or len(known.labels) != len(self._codes[name]):
            self.types[name] = ColumnType(kind, tuple(self._codes[name]))

    def _settle(self, name: str, kind: Kind | None) -> None:
        """Set the type of a column, or check that a block has the type of the blocks before."""
        known = self.types.get(name)
        if known is None or (name in self._without_values and kind is not None):
            self.types[name] = ColumnType(kind or "number")
            (self._without_values.add if kind is None else self._without_values.discard)(name)
        elif (known.kind, kind) == ("whole", "number"):
            self.types[name] = ColumnType("number")
        elif kind not in (None, known.kind) and (known.kind, kind) != ("number", "whole"):
            raise _several_types(name, known.kind, str(kind))

    def _encoded(self, name: str, texts: pl.Series) -> np.ndarray:
        """Return the codes of texts; new labels get the next codes."""
        import polars as pl

        codes = self._codes.setdefault(name, {})
        labels = texts.drop_nulls().unique(maintain_order=True)
        numbers = [float(codes.setdefault(label, len(codes) + 1)) for label in labels]
        found = texts.replace_strict(labels, numbers, default=None, return_dtype=pl.Float64)
        return found.fill_null(np.nan).to_numpy()


def require_attribute_name(name: str) -> str:
    """Return the name of an attribute; raise InputError if it is reserved or not an identifier."""
    if not isinstance(name, str) or not (name.isidentifier() and name.isascii()):
        raise InputError(f"an attribute is called {name!r}: use letters, digits and _, beginning with a letter")
    if name in RESERVED or iskeyword(name) or name.startswith(RESERVED_BEGINNINGS):
        raise InputError(f"an attribute is called {name!r}, a reserved name: choose another, such as my_{name}")
    return name


# --- from any list, array or series to a polars series of String, Boolean, Int64 or Float64 ----------------------


ANY_KIND = "texts, numbers or truth values"


def as_series(name: str, given: Any, wanted: str = ANY_KIND) -> pl.Series:
    """Return the values as a series of String, Boolean, Int64, Float64 or Null; NaN becomes null.

    `wanted` is what errors ask for.
    """
    import polars as pl

    try:
        series = given if isinstance(given, pl.Series) else _series_of(name, given, wanted)
    except UnicodeEncodeError as error:
        text = error.object[:40].encode("utf-8", "backslashreplace").decode()
        raise InputError(f"the column {name} holds {text!r}, which is not Unicode: decode it as latin-1") from None
    if series.dtype in (pl.Categorical, pl.Enum):
        series = series.cast(pl.String)
    if series.dtype.is_float() or series.dtype.is_decimal():
        return series.cast(pl.Float64).fill_nan(None)
    if series.dtype.is_integer():
        return _exact_wholes(name, series)
    if series.dtype in (pl.String, pl.Boolean, pl.Null):
        return series
    raise InputError(f"the column {name} holds {series.dtype}: give {wanted}")


def _series_of(name: str, given: Any, wanted: str) -> pl.Series:
    import polars as pl

    values = given if isinstance(given, np.ndarray) else _array_of(name, given)
    if values.ndim != 1:
        raise InputError(f"the column {name} has {values.ndim} dimensions: give one value per job")
    if values.dtype.kind in "biuf":
        return pl.Series(name, values)
    if values.dtype.kind == "U":
        return pl.Series(name, values.tolist(), dtype=pl.String)
    if values.dtype.kind == "O":
        return _series_of_objects(name, values.tolist(), wanted)
    raise InputError(f"the column {name} holds {values.dtype}: give {wanted}")


def _array_of(name: str, given: Any) -> np.ndarray:
    """Return a pandas series or another sequence as an array, item by item so that NumPy converts nothing."""
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise InputError(f"the column {name} is {given!r}: give a list or an array with one value per job")
    dtype = getattr(given, "dtype", None)
    if isinstance(dtype, np.dtype) and dtype.kind in "biuf":
        return np.asarray(given)
    values = list(given)
    found = np.empty(len(values), dtype=object)
    found[:] = values
    return found


def _series_of_objects(name: str, values: list[Any], wanted: str) -> pl.Series:
    import polars as pl

    kinds_of_values = set(map(type, values))
    if not kinds_of_values <= _PLAIN_NUMBERS and not kinds_of_values <= _PLAIN_OTHERS:
        values = [None if _missing(value) else value for value in values]
        kinds_of_values = set(map(type, values))
    kinds = {_KINDS.get(kind, "strange") for kind in kinds_of_values} - {"missing"}
    if "strange" in kinds:
        strange = next(value for value in values if type(value) not in _KINDS)
        raise InputError(f"the column {name} holds {strange!r}: give {wanted}, None for missing")
    if len(kinds - {"whole"}) > 1 or (len(kinds) > 1 and "number" not in kinds):
        raise _several_types(name, *sorted(map(str, kinds))[:2])
    if "whole" in kinds and _has_inexact_whole(values):
        raise _too_large(name)
    kind: Any = "number" if "number" in kinds else next(iter(kinds), None)
    return pl.Series(name, values, dtype=pl.Null if kind is None else _polars_types()[kind], strict=False)


def _has_inexact_whole(values: list[Any]) -> bool:
    wholes = [value for value in values if isinstance(value, int | np.integer)]
    return bool(max(wholes) > LARGEST_WHOLE or min(wholes) < -LARGEST_WHOLE)


def _missing(value: object) -> bool:
    number = isinstance(value, float | np.floating | Decimal)
    return value is None or (number and value != value) or type(value).__name__ in ("NAType", "NaTType")


def _exact_wholes(name: str, series: pl.Series) -> pl.Series:
    import polars as pl

    if (series.cast(pl.Float64).abs() > LARGEST_WHOLE).any():
        raise _too_large(name)
    return series.cast(pl.Int64)


def _floats(series: pl.Series) -> np.ndarray:
    import polars as pl

    return series.cast(pl.Float64).fill_null(np.nan).to_numpy()


def _kind(series: pl.Series) -> Kind | None:
    """Return the kind of a series; None if it has no value."""
    if series.null_count() == len(series):
        return None
    return next(kind for kind, dtype in _polars_types().items() if dtype == series.dtype)


def _polars_types() -> dict[Kind, Any]:
    import polars as pl

    return {"number": pl.Float64, "whole": pl.Int64, "truth": pl.Boolean, "text": pl.String}


def _several_types(name: str, one: str, other: str) -> InputError:
    return InputError(
        f"the column {name} holds values of two types, {one} and {other}: give one type, None for missing"
    )


def _too_large(name: str) -> InputError:
    return InputError(f"the column {name} has whole numbers above 2^53, which are not exact: give them as texts")


#: Types of values among which polars finds the missing ones.
_PLAIN_NUMBERS, _PLAIN_OTHERS = {int, float, type(None)}, {str, int, bool, type(None)}
#: Type of a Python or NumPy value → kind of a column.
_KINDS: dict[type, Kind | Literal["missing"]] = {
    bool: "truth",
    np.bool_: "truth",
    int: "whole",
    **dict.fromkeys((np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64), "whole"),
    **dict.fromkeys((float, np.float16, np.float32, np.float64, Decimal), "number"),
    **dict.fromkeys((str, np.str_), "text"),
    type(None): "missing",
}
