"""A workload: jobs in memory, after a named filter; what is simulated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.errors import InputError
from thinktime.support.equality import ByContent
from thinktime.traces.header import Header
from thinktime.traces.spellings import Spellings
from thinktime.traces.time_zone import TimeZone

if TYPE_CHECKING:
    import polars as pl

#: The columns of a workload in SWF's order. Times in seconds, memory in KB per processor.
COLUMNS = (
    "job",
    "submit_s",
    "wait_s",
    "run_s",
    "allocated_processors",
    "cpu_s",
    "used_memory_kb",
    "requested_processors",
    "requested_time_s",
    "requested_memory_kb",
    "status",
    "user",
    "group",
    "executable",
    "queue",
    "partition",
    "preceding_job",
    "think_time_s",
)

#: Columns that hold whole numbers: Int64 in the data frame. The others are Float64.
WHOLE = frozenset(COLUMNS) - {c for c in COLUMNS if c.endswith("_s")}


#: Source of the machine's size in the account → in words.
SIZE_SOURCES = {
    "MaxProcs": "MaxProcs in the log's header",
    "MaxNodes": "MaxNodes in the log's header",
    "argument": "given when the log was read",
}
#: Columns whose values name something, and the largest number that is exact in float64.
NAMES = frozenset({"job", "user", "group", "executable", "queue", "partition", "preceding_job"})
LARGEST_NAME = 2.0**53


@dataclass(frozen=True, eq=False)
class Workload(ByContent):
    """Struct of arrays, sorted by submit time (ties keep the log's order).

    `columns` maps every name of COLUMNS, and `processors` (what the processor policy chose) and `line`
    (1-based line in the source, NaN where there is none), to a float64 array; a missing value is NaN. The arrays
    are read-only: for other values make another workload, with `dataclasses.replace`. Two workloads are equal if their
    jobs, name, header and source are.
    """

    columns: Mapping[str, np.ndarray]
    name: str = "workload"
    header: Header | None = None  # an ordered multi-map; None for a generated workload
    #: what the reader or generator did; JSON-able
    account: Mapping[str, Any] = field(default_factory=dict, compare=False)
    #: log, sha256, filter, processor policy; or seed
    source: Mapping[str, Any] = field(default_factory=dict)
    #: by line: how the log spells some numbers
    spellings: Spellings | None = field(default=None, repr=False, compare=False)

    @classmethod
    def from_columns(cls, *, name: str = "workload", **columns: Any) -> Workload:
        """A workload from arrays or lists under the names of COLUMNS and `processors`; what is not given is missing.

        Jobs are sorted by submit time and numbered from 1 unless they have numbers.
        """
        unknown = set(columns) - {*COLUMNS, "processors", "line"}
        if unknown or "submit_s" not in columns:
            what = f"{sorted(unknown)[0]!r} is no column" if unknown else "submit_s is missing"
            raise InputError(f"{what}: give submit_s and any of {', '.join((*COLUMNS, 'processors'))}")
        given = {name: _numbers(name, values) for name, values in columns.items()}
        if len({values.shape for values in given.values()}) > 1 or given["submit_s"].ndim != 1:
            lengths = ", ".join(f"{name} {values.size}" for name, values in given.items())
            raise InputError(f"the columns differ in length ({lengths}): give one value a job")
        order = np.argsort(given["submit_s"], kind="stable")
        missing = np.full(len(order), np.nan)
        given.setdefault("job", np.argsort(order).astype(np.float64) + 1)
        every = {name: given[name][order] if name in given else missing for name in (*COLUMNS, "processors", "line")}
        return cls(columns=every, name=name)

    def __post_init__(self) -> None:
        """Columns are held read-only, so that what was computed from them stays true; nothing is copied."""
        object.__setattr__(self, "columns", {name: _read_only(values) for name, values in self.columns.items()})

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Arrays come out of a pickle writeable."""
        self.__dict__.update(state)
        self.__post_init__()

    def __repr__(self) -> str:
        return f"<Workload {self.name}: {len(self)} jobs, {self.users.size} users>"

    def __len__(self) -> int:
        return len(self.columns["submit_s"])

    def __getitem__(self, column: str) -> np.ndarray:
        return self.columns[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def select(self, rows: np.ndarray) -> Workload:
        """The same workload with some rows: a mask or indices."""
        return replace(self, columns={name: values[rows] for name, values in self.columns.items()})

    @property
    def frame(self) -> pl.DataFrame:
        """The workload as a polars data frame; missing values are nulls."""
        import polars as pl

        series = [pl.Series(name, values).fill_nan(None) for name, values in self.columns.items()]
        whole = [name for name in self.columns if name in WHOLE or name in ("processors", "line")]
        return pl.DataFrame(series).with_columns(pl.col(whole).cast(pl.Int64))

    @property
    def recorded_start_s(self) -> np.ndarray:
        """When the job started on the original machine; missing where the log has no wait."""
        return self["submit_s"] + self["wait_s"]

    @property
    def recorded_end_s(self) -> np.ndarray:
        return self.recorded_start_s + self["run_s"]

    @property
    def users(self) -> np.ndarray:
        """The users' numbers, ascending."""
        known = self["user"]
        return np.unique(known[~np.isnan(known)])

    @property
    def span_s(self) -> float:
        """From the first submission to the last recorded end (submit + run where no wait is known)."""
        if len(self) == 0:
            return 0.0
        end = self["submit_s"] + np.nan_to_num(self["wait_s"]) + np.nan_to_num(self["run_s"])
        span = np.fmax.reduce(end) - np.fmin.reduce(self["submit_s"])
        return float(span) if np.isfinite(span) else 0.0

    def offered_load(self, processors: float) -> float:
        """Work of all jobs over what so many processors can do in the span; NaN for an empty span."""
        work = float(np.nansum(self["processors"] * self["run_s"]))
        capacity = processors * self.span_s
        return work / capacity if capacity > 0 else float("nan")

    @property
    def machine_processors(self) -> int | None:
        """Processors of the recorded machine: from the header, else the largest allocation; None if unknown."""
        size: int | None = self.account.get("machine_processors")
        return size

    def machine_size(self) -> tuple[int, str]:
        """Return the processors of the recorded machine and where the number comes from.

        Raises
        ------
        InputError
            If the log does not say: the largest job is a lower bound only.
        """
        size, because = self.machine_processors, self.account.get("machine_because")
        if size and self.account.get("generated"):
            return size, "what the workload was generated for"
        if size and because in SIZE_SOURCES:
            return size, SIZE_SOURCES[because]
        raise size_unknown(self.name, f" (its largest job used {size:,})" if size else "")

    @property
    def unix_start_s(self) -> float | None:
        """The instant of submit time 0, in seconds since 1970 (UTC)."""
        start = self.header.unix_start_s if self.header else None
        return None if start is None else start + float(self.source.get("time_shift_s", 0.0))

    def local_s(self, column: str = "submit_s", zone: str | None = None) -> np.ndarray:
        """Seconds since 1970-01-01 00:00 on the machine's clock, by the log's zone or a named one."""
        start = self.unix_start_s
        if start is None:
            raise InputError(f"{self.name} has no UnixStartTime, so its local times are unknown: add it to the header")
        return self._zone(zone).local_s(start + self[column])

    def local_time(self, column: str = "submit_s", zone: str | None = None) -> np.ndarray:
        """The same as numpy dates, to the second; missing times are NaT."""
        seconds = self.local_s(column, zone)
        dates = np.floor(np.nan_to_num(seconds)).astype("int64").astype("datetime64[s]")
        dates[np.isnan(seconds)] = np.datetime64("NaT")
        return dates

    def _zone(self, name: str | None) -> TimeZone:
        found = TimeZone.named(name) if name else self.header.time_zone() if self.header else None
        if found is None and name:
            raise InputError(f"{name!r} is no time zone: write a name like Europe/Stockholm")
        if found is None:
            raise InputError(f"{self.name} says no time zone: name one, such as zone='Europe/Stockholm'")
        return found


def size_unknown(log: str, hint: str = "") -> InputError:
    """Return the error for a log that does not tell the size of its machine."""
    return InputError(
        f"{log} does not say how many processors its machine has{hint}: give the number (machine=, --processors)"
    )


def _numbers(column: str, values: Any) -> np.ndarray:
    """As float64. Names of users and of other things are whole numbers: a part of one would be lost later."""
    try:
        found = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"the column {column} holds other things than numbers: give one number a job") from None
    if column in NAMES and found.ndim == 1:
        bad = np.flatnonzero(~np.isnan(found) & ~((np.abs(found) <= LARGEST_NAME) & (found == np.floor(found))))
        if bad.size:
            more = f", the first of {bad.size:,} such values" if bad.size > 1 else ""
            raise InputError(
                f"row {bad[0]} of the column {column} has {found[bad[0]]:g}{more}:"
                " give whole numbers, NaN for a missing one"
            )
    return found


def _read_only(values: np.ndarray) -> np.ndarray:
    """A view of the array: who made it may still write to it, whoever has the view may not."""
    view = np.asarray(values).view()
    view.flags.writeable = False
    return view
