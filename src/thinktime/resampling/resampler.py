"""Resample logs: make logs of any length and load from the users of recorded ones. Zakay and Feitelson 2014.

A `Resampler` sorts the users into pools once and then makes a log for every seed, in memory or in blocks of weeks.
Submit times of the result count from the Monday 00:00 before the first submission of the first log, where that is
known. Recorded waits are kept, so sessions, think times and reacting users mean the same as in the source.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from os import PathLike
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.resampling.appearances import Population
from thinktime.resampling.builder import Block, LogBuilder, Picked, SourceColumns
from thinktime.resampling.options import Options, checked_piece, checked_weeks
from thinktime.resampling.pools import KINDS, LONG_TERM_WEEKS, Pools, user_pools
from thinktime.resampling.rare_behaviours import RareBehaviour, rare_behaviour
from thinktime.resampling.resampled import Resampled
from thinktime.resampling.user_classes import weights
from thinktime.resampling.weeks import origin_s, weeks_of
from thinktime.support.html import facts_html
from thinktime.support.random_streams import checked_seed
from thinktime.support.time_units import WEEK_S
from thinktime.traces.column_names import STANDARD
from thinktime.workload.reading.read import as_workload
from thinktime.workload.workload import Workload

BLOCK_JOBS = 100_000  # approximate size of a block

Log = Workload | str | PathLike[str]


def pieces(workload: Workload, number: int) -> list[tuple[int, int]]:
    """Split a log into `number` pieces of about equal length; return their weeks [first, end), for `piece`."""
    submit_s, origin = workload["submit_s"], origin_s(workload)
    weeks = int(weeks_of(submit_s[-1:], origin)[0]) + 1 if len(workload) else 0
    if not 1 <= number <= weeks:
        raise InputError(f"{workload.name} has {weeks} weeks: choose between 1 and {weeks} pieces (got {number})")
    cuts = [round(k * weeks / number) for k in range(number + 1)]
    return list(pairwise(cuts))


class Resampler:
    """Logs and options, prepared to make workloads for many seeds.

    Parameters
    ----------
    log, weeks, load, long_term_weeks, edge_weeks, start, initial_long_term, initial_temporary, temporaries_per_week
        As in `resample`.
    rare, rare_per_week, bias, locality, shake, amplitude_s, piece, keep_ids
        As in `resample`.

    Examples
    --------
    >>> import thinktime as tt
    >>> resampler = tt.Resampler(tt.default_workload(weeks=30), weeks=4)
    >>> [len(resampler.workload(seed)) > 0 for seed in range(2)]
    [True, True]
    """

    def __init__(
        self,
        log: Log | Sequence[Log],
        *,
        weeks: int | None = None,
        load: float | Sequence[float] = 1.0,
        long_term_weeks: float = LONG_TERM_WEEKS,
        edge_weeks: float | str = "text",
        start: str = "log",
        initial_long_term: float | None = None,
        initial_temporary: float | None = None,
        temporaries_per_week: float | None = None,
        rare: Sequence[RareBehaviour | str] = (),
        rare_per_week: float = 0.0,
        bias: Mapping[int, float] | str | None = None,
        locality: float = 0.0,
        shake: str | None = None,
        amplitude_s: float | None = None,
        piece: tuple[int, int] | None = None,
        keep_ids: bool = False,
    ) -> None:
        self.options = Options(
            weeks=weeks,
            load=load,
            long_term_weeks=long_term_weeks,
            edge_weeks=edge_weeks,
            start=start,
            initial_long_term=initial_long_term,
            initial_temporary=initial_temporary,
            temporaries_per_week=temporaries_per_week,
            rare=rare,
            rare_per_week=rare_per_week,
            bias=bias,
            locality=locality,
            shake=shake,
            amplitude_s=amplitude_s,
            piece=piece,
            keep_ids=keep_ids,
        )
        self.logs = _logs_to_resample(log, self.options)
        self.populations = [
            _population(each, self.options, load, k)
            for k, (each, load) in enumerate(zip(self.logs, self.options.loads(len(self.logs)), strict=True))
        ]
        self.weeks = self.options.weeks or max(each.pools.log_weeks for each in self.populations)

    def _repr_html_(self) -> str:
        facts = {f"pools of {pools.workload.name}": pools.text() for pools in self.pools}
        return facts_html("Resampler", {**facts, "weeks": f"{self.weeks:,}", **self.options.to_dict()})

    def __repr__(self) -> str:
        return f"<Resampler of {'+'.join(log.name for log in self.logs)}: {self.weeks} weeks>"

    @property
    def pools(self) -> list[Pools]:
        """Return the pools of each log."""
        return [each.pools for each in self.populations]

    @cached_property
    def source(self) -> SourceColumns:
        """Return the columns of all logs."""
        return SourceColumns.of(self.logs)

    def workload(self, seed: int = 0) -> Resampled:
        """Return the resampled workload of this seed."""
        builder = LogBuilder(self.populations, self.options, checked_seed(seed))
        columns = self._columns(builder.jobs(0, self.weeks), 1)
        made = replace(self.without_jobs(seed), columns=columns, replicas=builder.replicas())
        return replace(made, account={**made.account, **_account_counts(made)})

    def blocks(self, seed: int = 0, block_weeks: int | None = None) -> Iterator[Block]:
        """Yield the jobs of a `seed` in blocks of `block_weeks` weeks, as `resample_stream` does."""
        types = {name: kind for name, kind in self.source.types.items() if name not in STANDARD}
        for block, _ in self.progress(seed, block_weeks):
            yield {**block, **{name: kind.series(name, block[name]).to_numpy() for name, kind in types.items()}}

    def progress(
        self, seed: int = 0, block_weeks: int | None = None, builder: LogBuilder | None = None
    ) -> Iterator[tuple[Block, int]]:
        """Yield each block of `blocks(seed, block_weeks)` with the weeks done; `builder` continues an earlier one."""
        builder = builder or self.builder(seed)
        first_job = 1
        for picked, done in self._picked(builder, block_weeks):
            yield self._columns(picked, first_job), done
            first_job += len(picked.row)

    def builder(self, seed: int) -> LogBuilder:
        """Return the state of a stream of this seed; its `replicas()` grow with the blocks."""
        return LogBuilder(self.populations, self.options, checked_seed(seed))

    def tally(self, seed: int = 0) -> tuple[int, float]:
        """Return the number of jobs of a seed and the last end, for the header of a log."""
        jobs, last = 0, 0.0
        for picked, _ in self._picked(self.builder(seed), None):
            jobs += len(picked.row)
            last = max(last, float(np.max(picked.submit_s + self.source.response_s[picked.row], initial=0.0)))
        return jobs, last

    def without_jobs(self, seed: int) -> Resampled:
        """Return the resampled workload of a `seed` without jobs: name, header, source and account."""
        first = self.logs[0]
        shift_s = float(first.source.get("time_shift_s", 0.0)) + self.populations[0].pools.origin_s
        source = {**first.source, "resample": self._provenance(), "seed": seed, "time_shift_s": shift_s}
        return Resampled(
            columns={name: np.empty(0) for name in (*STANDARD, *self.source.types)},
            types=self.source.types,
            name="+".join(log.name for log in self.logs) + "-resampled",
            header=first.header,
            account=self._account(),
            source=source,
        )

    def notes(self, seed: int) -> list[str]:
        """Return the provenance for the header of the log of a `seed`."""
        given = {name: value for name, value in self.options.to_dict().items() if name != "weeks"}
        said = ", ".join(f"{name} {value}" for name, value in given.items()) or "default options"
        return [
            *(f"resampled by users from {pools.workload.name}: {pools.text()}" for pools in self.pools),
            f"resampled to {self.weeks} weeks, {said}; the users are new, see the table of replicas",
        ]

    def _picked(self, builder: LogBuilder, block_weeks: int | None) -> Iterator[tuple[Picked, int]]:
        step = self._block_weeks() if block_weeks is None else checked_weeks(block_weeks, "block_weeks")
        for begin in range(0, self.weeks, step):
            end = min(begin + step, self.weeks)
            picked = builder.jobs(begin, end, last=end == self.weeks)
            if len(picked.row):
                yield picked, end

    def _block_weeks(self) -> int:
        each_week = sum(map(_jobs_each_week, self.populations))
        return int(max(1, BLOCK_JOBS // max(each_week, 1)))

    def _columns(self, picked: Picked, first_job: int) -> Block:
        columns = self.source.columns(picked.row)
        job = np.arange(first_job, first_job + len(picked.row), dtype=np.float64)
        return columns | {"job": job, "submit_s": picked.submit_s, "user": picked.user}

    def _provenance(self) -> dict[str, Any]:
        return {
            "logs": [{"name": log.name, **log.source} for log in self.logs],
            "weeks": self.weeks,
            **{name: value for name, value in self.options.to_dict().items() if name != "weeks"},
        }

    def _account(self) -> dict[str, Any]:
        first = self.logs[0].account
        size = max((log.machine_processors or 0 for log in self.logs), default=0)
        kept = {key: first[key] for key in ("machine_because", "generated", "load_scaling") if key in first}
        return {"resampled": True, **kept, "machine_processors": size or None, "weeks": self.weeks}


def cut(workload: Workload, piece: tuple[int, int]) -> Workload:
    """Return the jobs submitted in the weeks [first, end)."""
    first, end = checked_piece(piece)
    week = weeks_of(workload["submit_s"], origin_s(workload))
    inside = workload.select((week >= first) & (week < end))
    if not len(inside):
        weeks = int(week.max()) + 1 if len(week) else 0
        raise InputError(f"{workload.name} has {weeks} weeks and no job in piece {first}:{end}: choose another piece")
    return inside


def _logs_to_resample(log: Log | Sequence[Log], options: Options) -> list[Workload]:
    """Return the logs, cut to a piece if the options name one."""
    logs = [log] if isinstance(log, Workload | str | PathLike) else log
    if not isinstance(logs, Sequence) or not logs:
        raise InputError(f"log must be a workload, a name or path of a log, or a list of these (got {log!r})")
    if options.keep_ids and len(logs) > 1:
        raise InputError("keep_ids needs a single log: the user numbers of several logs overlap")
    found = [as_workload(each) for each in logs]
    return [cut(each, options.piece) if options.piece else each for each in found]


def _population(log: Workload, options: Options, load: float, number: int) -> Population:
    pools = user_pools(
        log,
        long_term_weeks=options.long_term_weeks,
        edge_weeks=options.edge_weeks,
        rare=_rare_behaviours(log, options) if number == 0 else (),
    )
    _require_members(pools)
    temporary = pools.members("temporary")
    present = float(pools.active_weeks[temporary].sum()) / pools.log_weeks
    chosen = {
        "long_term": _given_or(options.initial_long_term, pools.count("long_term")),
        "temporary": _given_or(options.initial_temporary, present),
        "per_week": _given_or(options.temporaries_per_week, len(temporary) / pools.log_weeks),
    }
    found = Population(
        pools=pools,
        weight=weights(pools, options.bias),
        **{name: load * value for name, value in chosen.items()},
        rare_per_week=options.rare_per_week if number == 0 else 0.0,
        start=options.start,
        log=number,
    )
    _require_possible(found, len(temporary))
    return found


def _jobs_each_week(of: Population) -> float:
    """Return the approximate number of jobs per week, ignoring weights."""
    each = {kind: of.pools.jobs(kind) / max(of.pools.count(kind), 1) for kind in KINDS}
    temporary = each["temporary"] * (of.per_week - of.rare_per_week) + each["rare"] * of.rare_per_week
    return each["long_term"] * of.long_term / of.pools.log_weeks + temporary


def _given_or(given: float | None, usual: float) -> float:
    return usual if given is None else given


def _rare_behaviours(log: Workload, options: Options) -> list[RareBehaviour]:
    return [each if isinstance(each, RareBehaviour) else rare_behaviour(log, each) for each in options.rare]


def _require_members(pools: Pools) -> None:
    if not pools.count("long_term") + pools.count("temporary"):
        raise InputError(
            f"all users of {pools.workload.name}, which lasts {pools.log_weeks} weeks, are discarded: choose smaller"
            " edge_weeks or long_term_weeks"
        )


def _require_possible(of: Population, temporary: int) -> None:
    name = of.pools.workload.name
    if of.per_week > temporary:
        raise InputError(
            f"{name} has {temporary} temporary users, fewer than {of.per_week:g} per week: choose a lower load"
        )
    if of.rare_per_week > of.per_week:
        raise InputError(
            f"rare_per_week must be at most {of.per_week:.4g}, the arrivals of temporary users of {name} per week"
            f" (got {of.rare_per_week:g})"
        )
    if of.rare_per_week and not of.pools.count("rare"):
        raise InputError(f"rare_per_week needs rare behaviours: add rare=… (got rare_per_week {of.rare_per_week:g})")


def _account_counts(made: Workload) -> dict[str, Any]:
    weeks, size = made.account["weeks"], made.machine_processors
    area = float(np.nansum(made["run_s"] * made["processors"]))
    load = {"offered_load": area / (size * weeks * WEEK_S)} if size else {}
    return {"jobs": len(made), "users": len(np.unique(made["user"])), **load}
