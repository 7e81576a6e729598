"""The columns of a result: their names, order and types, and conversions to and from data frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sized
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics.status import STATUS_NAMES
from thinktime.result.placements import PLACEMENT_COLUMNS
from thinktime.traces.attributes import ColumnType, Kind, typed_columns

if TYPE_CHECKING:
    import polars as pl

#: One value per job. Times in seconds; NaN is missing; `status` is a code of metrics/status.py.
JOB_COLUMNS = (
    "job",
    "user",
    "submit_s",
    "start_s",
    "end_s",
    "processors",
    "run_s",  # the simulated duration on this machine
    "estimate_s",
    "status",
    "recorded_submit_s",  # the values of the log
    "recorded_start_s",
    "recorded_end_s",
    "session",
)  # with plugins also overhead_s: seconds of the last run without work (a boot, a restart)

#: Columns of JOB_COLUMNS that hold whole numbers: Int64 in data frames and Parquet.
WHOLE = frozenset(("job", "user", "processors", "session"))

#: One value per instant: the state after it, which holds until the next row.
TIMELINE_COLUMNS = ("time_s", "queued_jobs", "queued_processors", "running_jobs", "used_processors")

#: One value per timed scheduling pass: its instant, the queue before it, its duration in real time, the real time since
#: the last pass, and the memory of the process (0: unknown).
DECISION_COLUMNS = ("time_s", "queued_jobs", "decision_s", "rest_s", "memory_bytes")

#: Beginnings of further columns of whole numbers on a cluster: amounts per unit, the queue, amounts from pools.
WHOLE_BEGINNINGS = ("unit_", "pool_", "cluster_queue")


class JobArrays(NamedTuple):
    """The columns of the jobs, and the types of the attributes among them."""

    columns: dict[str, np.ndarray]
    types: dict[str, ColumnType]


def is_whole(name: str) -> bool:
    """Return whether the column is Int64 in data frames and Parquet."""
    return name in WHOLE or name.startswith(WHOLE_BEGINNINGS)


def read_only(columns: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return read-only views of the columns."""
    views = {name: np.asarray(values).view() for name, values in columns.items()}
    for view in views.values():
        view.flags.writeable = False
    return views


def check_columns(what: str, columns: Mapping[str, Sized], names: Iterable[str]) -> None:
    """Raise InputError unless all names are present and all columns have one length."""
    missing = [name for name in names if name not in columns]
    if missing:
        raise InputError(f"the {what} columns lack {', '.join(missing)}: a result needs {', '.join(names)}")
    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise InputError(f"the {what} columns differ in length ({listed}): give one value per row")


def jobs_frame(columns: Mapping[str, np.ndarray], types: Mapping[str, ColumnType] | None = None) -> pl.DataFrame:
    """Return the jobs as a data frame: missing values are null, the status is a word, attributes have their types."""
    import polars as pl

    words = pl.Series("status", STATUS_NAMES).gather(np.asarray(columns["status"], dtype=np.uint32))
    own = {name: kind.series(name, columns[name]) for name, kind in (types or {}).items()}
    known = {"status": words, **own}
    return pl.DataFrame([known.get(name, _series(name, columns[name])) for name in ordered(columns)])


def ordered(columns: Iterable[str]) -> list[str]:
    """Return the names of JOB_COLUMNS in their order, then all others."""
    return [*JOB_COLUMNS, *(name for name in columns if name not in JOB_COLUMNS)]


def _series(name: str, values: np.ndarray) -> pl.Series:
    import polars as pl

    series = pl.Series(name, np.asarray(values, dtype=np.float64)).fill_nan(None)
    return series.cast(pl.Int64) if is_whole(name) else series


def users_frame(columns: Mapping[str, np.ndarray]) -> pl.DataFrame:
    """Return a per-user table as a data frame."""
    import polars as pl

    whole = {name: pl.Int64 for name in columns if name in ("user", "jobs")}
    return pl.DataFrame({name: np.asarray(values) for name, values in columns.items()}).cast(whole)  # type: ignore[arg-type]


def groups_frame(columns: Mapping[str, np.ndarray], column: str, kind: ColumnType | None) -> pl.DataFrame:
    """Return a table with one row per value of a column, sorted by it, missing values last."""
    import polars as pl

    values = _series(column, columns[column]) if kind is None else kind.series(column, columns[column])
    others = [pl.Series(name, np.asarray(each)) for name, each in columns.items() if name != column]
    return pl.DataFrame([values, *others]).cast({"jobs": pl.Int64}).sort(column, nulls_last=True)


def timeline_frame(columns: Mapping[str, np.ndarray]) -> pl.DataFrame:
    """Return the timeline as a data frame."""
    return _frame(columns, TIMELINE_COLUMNS)


def decisions_frame(columns: Mapping[str, np.ndarray]) -> pl.DataFrame:
    """Return the scheduling passes as a data frame."""
    return _frame(columns, DECISION_COLUMNS)


def _frame(columns: Mapping[str, np.ndarray], names: Iterable[str]) -> pl.DataFrame:
    import polars as pl

    return pl.DataFrame([pl.Series(name, np.asarray(columns[name], dtype=_type_of_column(name))) for name in names])


def _type_of_column(name: str) -> type[np.float64] | type[np.int64]:
    """Return the types of the columns: seconds are floats, all others whole numbers."""
    return np.float64 if name.endswith("_s") else np.int64


def jobs_columns(frame: pl.DataFrame, kinds: Mapping[str, Kind] | None = None) -> JobArrays:
    """Return the arrays of a frame made by `jobs_frame`, and the types of the attributes, whose kinds are given."""
    import polars as pl

    check_columns("job", frame.to_dict(), [*JOB_COLUMNS, *(kinds or {})])
    own, types = attribute_columns({name: frame[name] for name in kinds or {}}, kinds or {})
    known = {"status": _codes(frame["status"]), **own}
    others = {name: _require_numeric(frame[name]).cast(pl.Float64) for name in frame.columns if name not in known}
    floats = {name: values.fill_null(np.nan).to_numpy() for name, values in others.items()}
    return JobArrays({name: known.get(name, floats.get(name)) for name in frame.columns}, types)  # type: ignore[misc]


def attribute_columns(
    series: Mapping[str, pl.Series], kinds: Mapping[str, Kind]
) -> tuple[dict[str, np.ndarray], dict[str, ColumnType]]:
    """Return attributes that were stored with these kinds; raise InputError if the values have other types."""
    columns, found = typed_columns(series)
    types = {}
    for name, kind in kinds.items():
        values = columns[name][~np.isnan(columns[name])]
        if not len(values) or _stored_as(kind, found[name].kind, values):
            types[name] = ColumnType(kind, found[name].labels)
        else:
            raise InputError(f"the column {name} holds {found[name].kind} values, not {kind} ones")
    return columns, types


def _stored_as(kind: str, found: str, values: np.ndarray) -> bool:
    """Return whether a kind may be stored so: a streamed run stores whole numbers as floats."""
    numbers = kind in ("number", "whole") and found in ("number", "whole")
    return found == kind or (numbers and (kind == "number" or bool((values % 1 == 0).all())))


def _codes(words: pl.Series) -> np.ndarray:
    """Return the codes of metrics/status.py for the words."""
    import polars as pl

    known = words.is_in(STATUS_NAMES).fill_null(False) if words.dtype == pl.String else pl.Series([not len(words)])
    if not known.all():
        strange = words.filter(~known)[0] if words.dtype == pl.String else words[0]
        raise InputError(f"the status {strange!r} is not one of {', '.join(STATUS_NAMES)}")
    return words.replace_strict(STATUS_NAMES, range(len(STATUS_NAMES)), return_dtype=pl.UInt8).to_numpy()


def _require_numeric(series: pl.Series) -> pl.Series:
    if not series.dtype.is_numeric():
        raise InputError(f"the column {series.name} holds {series.dtype}, not numbers")
    return series


def report_frame(columns: Mapping[str, np.ndarray]) -> pl.DataFrame:
    """Return a table of a plugin as a data frame: NaN is null, job numbers are whole."""
    import polars as pl

    frame = pl.DataFrame({name: np.asarray(values) for name, values in columns.items()})
    floats = [name for name, kind in frame.schema.items() if kind == pl.Float64]
    frame = frame.with_columns(pl.col(name).fill_nan(None) for name in floats)
    return frame.with_columns(pl.col("job").cast(pl.Int64)) if "job" in floats else frame


def report_columns(frame: pl.DataFrame) -> dict[str, np.ndarray]:
    """Return the arrays of a frame made by `report_frame`."""
    import polars as pl

    for column in frame:
        if not (column.dtype.is_numeric() or column.dtype in (pl.String, pl.Boolean)):
            raise InputError(f"the column {column.name} holds {column.dtype}, neither numbers nor texts")
        if column.dtype.is_integer() and column.null_count() and column.name != "job":
            raise InputError(f"the column {column.name} has empty cells")
    numbers = frame.with_columns(pl.col(pl.Float64).fill_null(np.nan))
    if "job" in frame.columns:
        numbers = numbers.with_columns(pl.col("job").cast(pl.Float64).fill_null(np.nan))
    return {name: numbers[name].to_numpy() for name in numbers.columns}


def timeline_columns(frame: pl.DataFrame) -> dict[str, np.ndarray]:
    """Return the arrays of a frame made by `timeline_frame`."""
    return _arrays_of_frame("timeline", frame, TIMELINE_COLUMNS)


def placement_columns(frame: pl.DataFrame) -> dict[str, np.ndarray]:
    """Return the arrays of placements.parquet."""
    return _arrays_of_frame("placement", frame, PLACEMENT_COLUMNS)


def decisions_columns(frame: pl.DataFrame) -> dict[str, np.ndarray]:
    """Return the arrays of a frame made by `decisions_frame`; runs of earlier versions lack the last two."""
    import polars as pl

    later = {"rest_s": pl.lit(0.0), "memory_bytes": pl.lit(0)}
    filled = frame.with_columns(**{name: zero for name, zero in later.items() if name not in frame.columns})
    return _arrays_of_frame("decision", filled, DECISION_COLUMNS)


def _arrays_of_frame(what: str, frame: pl.DataFrame, names: tuple[str, ...]) -> dict[str, np.ndarray]:
    import polars as pl

    check_columns(what, frame.to_dict(), names)
    kinds = {name: pl.Float64 if _type_of_column(name) is np.float64 else pl.Int64 for name in names}
    empty = [name for name in names if frame[name].null_count()]
    if empty:
        raise InputError(f"the column {empty[0]} has empty cells")
    return {name: _require_numeric(frame[name]).cast(kind).to_numpy() for name, kind in kinds.items()}


def empty_timeline() -> dict[str, np.ndarray]:
    """Return the timeline of a run that recorded none."""
    return {name: np.empty(0, _type_of_column(name)) for name in TIMELINE_COLUMNS}


def empty_decisions() -> dict[str, np.ndarray]:
    """Return the decisions of a run that recorded none."""
    return {name: np.empty(0, _type_of_column(name)) for name in DECISION_COLUMNS}
