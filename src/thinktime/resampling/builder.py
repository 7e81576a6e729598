"""Build a resampled log week by week: present users, arriving users, and their jobs.

Request weeks in order. The builder keeps the active users, the table of all appearances and, if submissions are
shaken, the jobs that later weeks may still overtake.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from thinktime.resampling.appearances import Instances, Population, joined, no_instances
from thinktime.resampling.options import Options
from thinktime.resampling.passes import emit, last_week_of
from thinktime.resampling.perturb import bodies, displacement_s, units_of
from thinktime.resampling.pools import KINDS
from thinktime.support.time_units import WEEK_S
from thinktime.traces.attributes import ColumnType, TypedColumns
from thinktime.traces.column_names import COLUMNS
from thinktime.workload.user_sessions.groups import UNKNOWN_USER, known_end_s
from thinktime.workload.workload import Workload


class Picked(NamedTuple):
    """Jobs of the resampled log, sorted by submit time."""

    row: np.ndarray  # int64: source row
    user: np.ndarray  # float64
    submit_s: np.ndarray
    order: np.ndarray  # int64[jobs, 4]: log, user, pass, position; breaks ties of submit times

    def select(self, rows: np.ndarray) -> Picked:
        return Picked(*(values[rows] for values in self))


class LogBuilder:
    """One resampled log while its weeks are drawn."""

    def __init__(self, populations: Sequence[Population], options: Options, seed: int) -> None:
        self._seed, self._options, self._users = seed, options, 0
        self._logs = [_Log(each, options, seed) for each in populations]
        for log, below in zip(self._logs, np.cumsum([0, *(len(log.body) for log in self._logs)]), strict=False):
            log.body += below  # SourceColumns concatenates the rows of the logs
        self._late: Picked | None = None  # shaken jobs that later weeks may overtake

    def jobs(self, begin: int, end: int, last: bool = True) -> Picked:
        """Return the jobs of the weeks [begin, end); `last` if no weeks follow."""
        self._admit([log.newcomers(begin, end) for log in self._logs])
        found = [log.pick(number, begin, end, self._options, self._seed) for number, log in enumerate(self._logs)]
        picked = found[0] if len(found) == 1 else Picked(*map(np.concatenate, zip(*found, strict=True)))
        if not self._options.shaking_s:
            return picked.select(np.argsort(picked.submit_s, kind="stable"))
        return self._in_order(picked, end, last)

    def _admit(self, newcomers: Sequence[Instances]) -> None:
        """Add users; number them by week and, within a week, by log."""
        order = np.argsort(np.concatenate([new.week for new in newcomers]), kind="stable")
        number = np.empty(len(order), dtype=np.int64)
        number[order] = self._users + 1 + np.arange(len(order))
        parts = np.split(number, np.cumsum([len(new) for new in newcomers])[:-1])
        for log, new, own in zip(self._logs, newcomers, parts, strict=True):
            log.admit(new, own)
        self._users += len(order)

    def _in_order(self, picked: Picked, end: int, last: bool) -> Picked:
        """Return the shaken jobs that no later week can precede; keep the others."""
        if self._late is not None:
            picked = Picked(*map(np.concatenate, zip(self._late, picked, strict=True)))
        picked = picked.select(np.lexsort((*picked.order.T[::-1], picked.submit_s)))
        settled = len(picked.row) if last else np.searchsorted(picked.submit_s, end * WEEK_S - self._options.shaking_s)
        self._late = picked.select(slice(settled, None))  # type: ignore[arg-type]
        return picked.select(slice(0, settled))  # type: ignore[arg-type]

    def replicas(self) -> dict[str, np.ndarray]:
        """Return the table of all appearances so far."""
        parts = [log.replicas(number) for number, log in enumerate(self._logs)]
        table = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        order = np.argsort(table["appearance"], kind="stable")
        del table["appearance"]
        return {name: values[order] for name, values in table.items()}


class _Log:
    """The state of one of the mixed logs."""

    def __init__(self, population: Population, options: Options, seed: int) -> None:
        self.population, self.pools = population, population.pools
        self.body = bodies(self.pools, options.locality, seed, population.log)
        self.unit = units_of(self.pools, options.shake) if options.shake else None
        self.keep_ids = options.keep_ids
        self.seed, self.arrivals = seed, population.arrivals(seed)
        self.admitted: list[Instances] = []
        self.numbers: list[np.ndarray] = []
        self.active, self.active_number = no_instances(), np.empty(0, dtype=np.int64)

    def newcomers(self, begin: int, end: int) -> Instances:
        later = self.arrivals.weeks(begin, end)
        return joined([self.population.first(self.seed), later]) if begin == 0 else later

    def admit(self, new: Instances, number: np.ndarray) -> None:
        self.admitted.append(new)
        self.numbers.append(number)
        self.active = joined([self.active, new])
        self.active_number = np.concatenate([self.active_number, number])

    def pick(self, log: int, begin: int, end: int, options: Options, seed: int) -> Picked:
        jobs = emit(self.pools, self.active, begin, end)
        number = self.active_number[jobs.instance]
        source_s = self.pools.workload["submit_s"][self.pools.rows[jobs.place]]
        submit_s = source_s - self.pools.origin_s + jobs.shift * WEEK_S
        if self.unit is not None and options.shake:
            moved = displacement_s(jobs, number, self.unit, options.shake, options.shaking_s, seed)
            submit_s = np.maximum(submit_s + moved, 0.0)
        user = self._source_user(jobs.instance) if self.keep_ids else number.astype(np.float64)
        order = np.empty((len(number), 4 if options.shaking_s else 0), dtype=np.int64)
        if options.shaking_s:
            order[:] = np.stack([np.full(len(number), log), number, jobs.number, jobs.place], axis=1)
        self._forget(end)
        return Picked(self.body[jobs.place], user, submit_s, order)

    def _source_user(self, instance: np.ndarray) -> np.ndarray:
        user = self.pools.user[self.active.trace[instance]]
        return np.where(user == UNKNOWN_USER, np.nan, user)

    def _forget(self, week: int) -> None:
        """Drop users without jobs from that week on."""
        stays = last_week_of(self.pools, self.active) >= week
        if not stays.all():
            self.active, self.active_number = self.active.select(stays), self.active_number[stays]

    def replicas(self, log: int) -> dict[str, np.ndarray]:
        of, number = joined(self.admitted), np.concatenate(self.numbers)
        source = self.pools.user[of.trace].astype(np.int64)
        return {
            "appearance": number,
            "user": source if self.keep_ids else number,
            "source_user": source,
            "replica": occurrence(of.trace),
            "kind": np.array(KINDS)[of.kind],
            "log": np.full(len(of), log),
            "week": of.week,
            "start_week": of.start_week,
            "shift_weeks": of.week - of.start_week,
        }


def occurrence(values: np.ndarray) -> np.ndarray:
    """Return int64: for each entry, the number of earlier equal entries."""
    order = np.argsort(values, kind="stable")
    _, first, inverse = np.unique(values[order], return_index=True, return_inverse=True)
    found = np.empty(len(values), dtype=np.int64)
    found[order] = np.arange(len(values)) - first[inverse.reshape(-1)]
    return found


Block = dict[str, np.ndarray]

#: Columns that are new, and columns that would refer to another job of the source.
NEW = ("job", "submit_s", "user")
DROPPED = ("preceding_job", "think_time_s", "line")
#: Identifiers that are local to a log: offset in each further log so that they stay distinct.
LOCAL = ("group", "executable", "queue", "partition")


@dataclass(frozen=True, eq=False)
class SourceColumns:
    """Columns of all source logs, concatenated; resampled jobs are taken from them by row."""

    known: Mapping[str, np.ndarray]  # columns with at least one value
    empty: tuple[str, ...]
    response_s: np.ndarray  # float64: from submission to recorded end
    types: Mapping[str, ColumnType]  # of attributes, and of columns with names

    @classmethod
    def of(cls, logs: Sequence[Workload]) -> SourceColumns:
        every = {
            name: _join_log_column(name, logs) for name in (*COLUMNS, "processors") if name not in (*NEW, *DROPPED)
        }
        attributes, types = _join_attributes(logs)
        empty = tuple(name for name, values in every.items() if np.isnan(values).all())
        known = {name: values for name, values in every.items() if name not in empty}
        response_s = np.concatenate([known_end_s(log) - log["submit_s"] for log in logs])
        return cls(known | attributes, (*empty, *DROPPED), response_s, types)

    def columns(self, rows: np.ndarray) -> Block:
        """Return the columns of these rows; NEW columns are empty."""
        missing = np.full(len(rows), np.nan)
        taken = {name: values[rows] for name, values in self.known.items()}
        return taken | dict.fromkeys((*self.empty, *NEW), missing)


def _join_attributes(logs: Sequence[Workload]) -> tuple[Block, dict[str, ColumnType]]:
    """Return the attributes of all logs, missing in logs that lack them; names of numbers only for one log."""
    if len(logs) == 1:
        names = {name: kind for name, kind in logs[0].types.items() if name not in NEW}
        return {name: logs[0][name] for name in logs[0].attributes}, names
    typed, parts = TypedColumns(), list[Block]()
    every = dict.fromkeys(name for log in logs for name in log.attributes)
    for log in logs:
        missing = [None] * len(log)
        given = {name: log.types[name].series(name, log[name]) if name in log.columns else missing for name in every}
        parts.append(typed.add(given))
    return {name: np.concatenate([part[name] for part in parts]) for name in every}, typed.types


def _join_log_column(name: str, logs: Sequence[Workload]) -> np.ndarray:
    if len(logs) == 1:
        return logs[0][name]
    parts, above = [], 0.0
    for log in logs:
        parts.append(log[name] + above if name in LOCAL else log[name])
        above = max(above, float(np.fmax.reduce(parts[-1], initial=0.0)))
    return np.concatenate(parts)
