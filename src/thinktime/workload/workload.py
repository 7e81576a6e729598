"""A workload: jobs in memory, after a named filter; what is simulated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from thinktime.drawing import draw
from thinktime.errors import InputError
from thinktime.support.equality import ByContent
from thinktime.support.html import facts_html
from thinktime.support.json_types import JsonDict, JsonTable
from thinktime.traces.attributes import LARGEST_WHOLE, ColumnType, GivenColumns, Kind, TypedColumns, typed_columns
from thinktime.traces.column_names import NAMED, NAMES, STANDARD, WHOLE
from thinktime.traces.header import Header
from thinktime.traces.spellings import Spellings
from thinktime.traces.time_zone import TimeZone

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

#: Source of the machine's size in the account → in words.
SIZE_SOURCES = {
    "MaxProcs": "MaxProcs in the log's header",
    "MaxNodes": "MaxNodes in the log's header",
    "argument": "given when the log was read",
}
#: Sources of a size that is a lower bound: processors in use at once, or of one job where waits are unknown.
LARGEST_USE, LARGEST_ALLOCATION = "largest simultaneous use", "largest allocation"
LOWER_BOUNDS = (LARGEST_USE, LARGEST_ALLOCATION)


@dataclass(frozen=True, eq=False, repr=False)
class Workload(ByContent):
    """Jobs in memory, sorted by submit time (ties keep the order of the log).

    Make one with `tt.read`, a generator such as `tt.Lublin`, or `Workload.from_columns`. `workload["run_s"]` is a
    column, `workload.frame` a data frame, `workload.plot()` a figure.

    Parameters
    ----------
    columns : mapping
        Column → float64 array, NaN for missing: the 18 fields of SWF, `processors` (chosen by the processor policy) and
        `line` (1-based line in the log); further columns are attributes. The arrays are read-only;
        `dataclasses.replace` makes another workload.
    name : str
        Name of the workload.
    header : Header, optional
        The header of the log.
    account : mapping
        What the reader or generator did; JSON-able.
    source : mapping
        Log, hash, filter and processor policy; or generator and seed.
    spellings : Spellings, optional
        How the log spells some numbers, for `tt.write_swf`.
    types : mapping
        Attribute → ColumnType. A column such as `user` has a type if the names of its numbers are known.
    """

    columns: Mapping[str, np.ndarray]
    name: str = "workload"
    header: Header | None = None  # an ordered multi-map; None for a generated workload
    #: what the reader or generator did; JSON-able
    account: JsonTable = field(default_factory=dict, compare=False)
    #: log, sha256, filter, processor policy; or seed
    source: JsonTable = field(default_factory=dict)
    #: unusual spellings of numbers, by line
    spellings: Spellings | None = field(default=None, repr=False, compare=False)
    #: of attributes, and of columns whose numbers have names
    types: Mapping[str, ColumnType] = field(default_factory=dict, repr=False)

    @classmethod
    def from_columns(
        cls,
        *,
        submit_s: ArrayLike,
        run_s: ArrayLike | None = None,
        processors: ArrayLike | None = None,
        requested_time_s: ArrayLike | None = None,
        user: ArrayLike | None = None,
        wait_s: ArrayLike | None = None,
        job: ArrayLike | None = None,
        status: ArrayLike | None = None,
        group: ArrayLike | None = None,
        executable: ArrayLike | None = None,
        queue: ArrayLike | None = None,
        partition: ArrayLike | None = None,
        allocated_processors: ArrayLike | None = None,
        requested_processors: ArrayLike | None = None,
        cpu_s: ArrayLike | None = None,
        used_memory_kb: ArrayLike | None = None,
        requested_memory_kb: ArrayLike | None = None,
        preceding_job: ArrayLike | None = None,
        think_time_s: ArrayLike | None = None,
        line: ArrayLike | None = None,
        attributes: GivenColumns | None = None,
        name: str = "workload",
    ) -> Workload:
        """Return a workload from arrays or lists, one value per job; NaN is a missing value.

        Jobs are sorted by submit time. A simulation needs `submit_s`, `run_s` and `processors`; reacting users also
        need `user` and `wait_s`.

        Parameters
        ----------
        submit_s : array
            Submit times in seconds.
        run_s, wait_s, cpu_s, think_time_s : array, optional
            Recorded times in seconds.
        processors : array, optional
            Sizes of the jobs, as simulated.
        requested_time_s : array, optional
            Estimates of the users in seconds.
        user, group, executable, queue, partition : array, optional
            Whole numbers, or names: these get numbers from 1, and `workload.texts("user")` returns them.
        preceding_job : array, optional
            Numbers of jobs.
        job : array, optional
            Numbers of the jobs (default: from 1, in the given order).
        status : array, optional
            1 completed, 0 failed, 5 cancelled.
        allocated_processors, requested_processors, used_memory_kb, requested_memory_kb : array, optional
            The fields of the Standard Workload Format; memory per processor.
        line : array, optional
            Lines of the jobs in their log.
        attributes : mapping, optional
            Further columns by name: lists, arrays or series of texts, numbers or truth values, None for a missing
            value. Schedulers, keys, plugins and results see them.
        name : str
            Name of the workload.

        Returns
        -------
        Workload

        Raises
        ------
        InputError
            If the arrays differ in length or hold other things than numbers.

        Examples
        --------
        >>> import thinktime as tt
        >>> tt.Workload.from_columns(submit_s=[0, 5], run_s=[10, 10], processors=[2, 4], user=[1, 1])
        <Workload workload: 2 jobs, 1 users>
        >>> log = tt.Workload.from_columns(submit_s=[0, 5], attributes={"colour": ["red", None], "gpus": [1, 0]})
        >>> log.attributes, log.texts("colour").tolist()
        (('colour', 'gpus'), ['red', None])
        """
        columns = {
            "job": job,
            "submit_s": submit_s,
            "wait_s": wait_s,
            "run_s": run_s,
            "allocated_processors": allocated_processors,
            "cpu_s": cpu_s,
            "used_memory_kb": used_memory_kb,
            "requested_processors": requested_processors,
            "requested_time_s": requested_time_s,
            "requested_memory_kb": requested_memory_kb,
            "status": status,
            "user": user,
            "group": group,
            "executable": executable,
            "queue": queue,
            "partition": partition,
            "preceding_job": preceding_job,
            "think_time_s": think_time_s,
            "processors": processors,
            "line": line,
        }
        named, names = _named_columns({column: columns[column] for column in NAMED})
        numbers = {column: values for column, values in columns.items() if values is not None and column not in named}
        given = {column: _column_as_floats(column, values) for column, values in numbers.items()}
        own, types = typed_columns(attributes or {})
        given |= named | own
        if len({values.shape for values in given.values()}) > 1 or given["submit_s"].ndim != 1:
            lengths = ", ".join(f"{column} {values.size}" for column, values in given.items())
            raise InputError(f"the columns differ in length ({lengths}): give one value per job")
        order = np.argsort(given["submit_s"], kind="stable")
        missing = np.full(len(order), np.nan)
        given.setdefault("job", np.argsort(order).astype(np.float64) + 1)
        every = {column: given[column][order] if column in given else missing for column in (*columns, *own)}
        return cls(columns=every, name=name, types={**names, **types})

    def __post_init__(self) -> None:
        """Hold read-only views of the columns; nothing is copied."""
        object.__setattr__(self, "columns", {name: _read_only(values) for name, values in self.columns.items()})
        untyped = {name: ColumnType("number") for name in self.attributes if name not in self.types}
        object.__setattr__(self, "types", {**self.types, **untyped})

    def __setstate__(self, state: JsonDict) -> None:
        """Make the arrays read-only again: pickle restores them writeable."""
        self.__dict__.update(state)
        self.__post_init__()

    def __eq__(self, other: object) -> bool:
        """Return whether name, header, source and jobs are equal; texts are compared, not their codes."""
        if not isinstance(other, Workload):
            return NotImplemented
        return ByContent.__eq__(self._compacted(), other._compacted())

    __hash__ = ByContent.__hash__

    def _compacted(self) -> Workload:
        """Return the workload with labels in order of first appearance, as they are compared."""
        if not any(each.kind == "text" for each in self.types.values()):
            return self
        pairs = {name: each.compacted(self[name]) for name, each in self.types.items()}
        columns = {**self.columns, **{name: values for name, (values, _) in pairs.items()}}
        return replace(self, columns=columns, types={name: kind for name, (_, kind) in pairs.items()})

    def __repr__(self) -> str:
        return f"<Workload {self.name}: {len(self)} jobs, {self.users.size} users>"

    def _repr_html_(self) -> str:
        days = f"{self.span_s / 86400:,.1f} days"
        facts = {
            "jobs": f"{len(self):,}",
            "users": f"{self.users.size:,}",
            "span": days,
            "machine": "not known" if not self.machine_processors else f"{self.machine_processors:,} processors",
            "filter": self.source.get("filter", "none"),
        }
        return facts_html(f"Workload {self.name}", facts)

    def plot(self, figure: str = "workload_overview") -> Figure:
        """Return a figure of the workload, which shows itself in a notebook.

        Parameters
        ----------
        figure : str
            A function of `tt.plots` that takes one workload: `workload_overview` (default), `arrivals_by_hour`,
            `submissions_over_time`, `sizes_and_run_times`, …
        """
        return draw(figure, self)

    def __len__(self) -> int:
        """Return the number of jobs."""
        return len(self.columns["submit_s"])

    def __getitem__(self, column: str) -> np.ndarray:
        return self.columns[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def select(self, rows: np.ndarray) -> Workload:
        """Return the workload with some of its rows, given as a mask or as indices."""
        return replace(self, columns={name: values[rows] for name, values in self.columns.items()})

    @property
    def frame(self) -> pl.DataFrame:
        """The workload as a polars data frame; missing values are nulls, attributes have their types."""
        import polars as pl

        return pl.DataFrame([self.type_of(name).series(name, values) for name, values in self.columns.items()])

    def type_of(self, column: str) -> ColumnType:
        """Return the type of a column."""
        usual: Kind = "whole" if column in WHOLE else "number"
        return self.types.get(column) or ColumnType(usual)

    @property
    def attributes(self) -> tuple[str, ...]:
        """The names of the further columns."""
        return tuple(name for name in self.columns if name not in STANDARD)

    def with_attributes(self, attributes: GivenColumns) -> Workload:
        """Return the workload with further columns, one value per job in its order; a known attribute is replaced.

        Parameters
        ----------
        attributes : mapping
            As in `Workload.from_columns`.

        Examples
        --------
        >>> import thinktime as tt
        >>> log = tt.default_workload(jobs=3).with_attributes({"colour": ["red", None, "blue"]})
        >>> log.frame["colour"].to_list()
        ['red', None, 'blue']
        """
        columns, types = typed_columns(attributes)
        for name, values in columns.items():
            if len(values) != len(self):
                raise InputError(
                    f"the attribute {name} has {len(values)} values for {len(self)} jobs: give one per job"
                )
        return replace(self, columns={**self.columns, **columns}, types={**self.types, **types})

    def texts(self, column: str) -> np.ndarray:
        """Return a column of texts, or the names of a column such as `user`, as str; None for a missing value."""
        known = self.types.get(column)
        if known is None or not (known.labels or known.kind == "text"):
            named = [name for name, each in self.types.items() if each.labels or each.kind == "text"]
            has = f"texts are in {', '.join(named)}" if named else "no column has texts"
            raise InputError(f"the column {column} of {self.name} has no texts: {has}")
        return known.texts(self[column])

    @property
    def recorded_start_s(self) -> np.ndarray:
        """Start times on the recorded machine; NaN where the log has no wait."""
        return self["submit_s"] + self["wait_s"]

    @property
    def recorded_end_s(self) -> np.ndarray:
        """End times on the recorded machine; NaN where the log has no wait or run time."""
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
        """Return the work of all jobs over the capacity of this many processors in the span; NaN for an empty span."""
        work = float(np.nansum(self["processors"] * self["run_s"]))
        capacity = processors * self.span_s
        return work / capacity if capacity > 0 else float("nan")

    @property
    def machine_processors(self) -> int | None:
        """Processors of the recorded machine: from the header, else what was in use at once; None if unknown."""
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
        if size and because == LARGEST_USE:
            raise size_unknown(self.name, f" ({size:,} processors were in use at once, a lower bound)")
        raise size_unknown(self.name, f" (its largest job used {size:,})" if size else "")

    @property
    def unix_start_s(self) -> float | None:
        """The instant of submit time 0, in seconds since 1970 (UTC)."""
        start = self.header.unix_start_s if self.header else None
        return None if start is None else start + float(self.source.get("time_shift_s", 0.0))

    def local_s(self, column: str = "submit_s", zone: str | None = None) -> np.ndarray:
        """Return a column in seconds since 1970-01-01 00:00 on the clock at the machine.

        Parameters
        ----------
        column : str
            A column of times (default: submit_s).
        zone : str, optional
            Time zone, such as `"Europe/Stockholm"` (default: that of the header).
        """
        start = self.unix_start_s
        if start is None:
            raise InputError(f"{self.name} has no UnixStartTime, so its local times are unknown: add it to the header")
        return self._zone(zone).local_s(start + self[column])

    def local_time(self, column: str = "submit_s", zone: str | None = None) -> np.ndarray:
        """Return `local_s(column, zone)` as numpy dates to the second; missing times are NaT."""
        seconds = self.local_s(column, zone)
        dates = np.floor(np.nan_to_num(seconds)).astype("int64").astype("datetime64[s]")
        dates[np.isnan(seconds)] = np.datetime64("NaT")
        return dates

    def _zone(self, name: str | None) -> TimeZone:
        found = TimeZone.named(name) if name else self.header.time_zone() if self.header else None
        if found is None and name:
            raise InputError(f"no time zone is called {name!r}: give a name such as Europe/Stockholm")
        if found is None:
            raise InputError(f"the header of {self.name} has no time zone: give zone='Europe/Stockholm', for example")
        return found


def size_unknown(log: str, hint: str = "") -> InputError:
    """Return the error for a log that does not tell the size of its machine."""
    return InputError(
        f"{log} does not say how many processors its machine has{hint}: give the number (machine=, --processors)"
    )


def _named_columns(given: Mapping[str, ArrayLike | None]) -> tuple[dict[str, np.ndarray], dict[str, ColumnType]]:
    """Return the columns that hold texts as numbers, and their types with the texts as labels."""
    typed = TypedColumns()
    found = {column: typed.named(column, values) for column, values in given.items() if _has_texts(values)}
    return found, typed.types


def _has_texts(values: ArrayLike | None) -> bool:
    array = np.asarray(values)
    return array.dtype.kind == "U" or (array.dtype.kind == "O" and any(isinstance(each, str) for each in array.flat))


def _column_as_floats(column: str, values: ArrayLike) -> np.ndarray:
    """Return the values as float64; raise InputError if a column of names has other than whole numbers."""
    try:
        found = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"the column {column} holds other things than numbers: give one number per job") from None
    if column in NAMES and found.ndim == 1:
        bad = np.flatnonzero(~np.isnan(found) & ~((np.abs(found) <= LARGEST_WHOLE) & (found == np.floor(found))))
        if bad.size:
            more = f", the first of {bad.size:,} such values" if bad.size > 1 else ""
            raise InputError(
                f"row {bad[0]} of the column {column} has {found[bad[0]]:g}{more}:"
                " give whole numbers, NaN for a missing one"
            )
    return found


def _read_only(values: np.ndarray) -> np.ndarray:
    """Return a read-only view of the array."""
    view = np.asarray(values).view()
    view.flags.writeable = False
    return view
