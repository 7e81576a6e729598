"""Resampling: new logs of any length and load from the users of old ones. Zakay and Feitelson 2014; SPEC 3.3 to 3.10.

A `Resampler` sorts the users into pools once and then makes a log for every seed, in memory or in blocks of weeks.
Submit times of the result count from the Monday 00:00 before the first log's first submission, where that is known.
Recorded waits are kept, so that sessions, think times and users who react mean the same as in the source.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.resampling.appearances import Population
from thinktime.resampling.builder import Block, Making, Picked, Source
from thinktime.resampling.options import Options, checked_piece, checked_weeks
from thinktime.resampling.pools import KINDS, Pools, user_pools
from thinktime.resampling.rare_behaviours import RareBehaviour, rare_behaviour
from thinktime.resampling.resampled import Resampled
from thinktime.resampling.user_classes import weights
from thinktime.resampling.weeks import WEEK_S, origin_s, weeks_of
from thinktime.spec import suggestion
from thinktime.streams import checked_seed
from thinktime.workload.workload import Workload

BLOCK_JOBS = 100_000  # about so many come in one block of a stream


def resample(log: Workload | Sequence[Workload], *, seed: int = 0, **options: Any) -> Resampled:
    """A new workload from the users of a log, or of several: `resample(log, weeks=260, load=1.2, seed=1)`.

    `weeks` (as many as the log has), `load` (times as many users; one number or one for each log), pools
    (`long_term_weeks`, `edge_weeks`), `start` of long-term users (a week of the `log` or of their `activity`), numbers
    of users (`initial_long_term`, `initial_temporary`, `temporaries_per_week`), `rare` behaviours and `rare_per_week`,
    `bias` by user or class, `locality`, `shake` with `amplitude_s`, `piece` of the log in weeks, `keep_ids`.
    Rare behaviours are of the first log, if there are several.
    """
    return Resampler(log, **options).workload(seed)


def resample_stream(
    log: Workload | Sequence[Workload], *, seed: int = 0, block_weeks: int | None = None, **options: Any
) -> Iterator[Block]:
    """The same as blocks of columns, in order of submission, in constant memory: for logs of any length."""
    return Resampler(log, **options).blocks(seed, block_weeks)


def pieces(workload: Workload, number: int) -> list[tuple[int, int]]:
    """Weeks [first, end) of so many pieces of a log of about equal length: for `piece`, to resample each by itself."""
    submit_s, origin = workload["submit_s"], origin_s(workload)
    weeks = int(weeks_of(submit_s[-1:], origin)[0]) + 1 if len(workload) else 0
    if not 1 <= number <= weeks:
        raise InputError(f"{workload.name} has {weeks} weeks, which make no {number} pieces: choose 1 to {weeks}")
    cuts = [round(k * weeks / number) for k in range(number + 1)]
    return list(pairwise(cuts))


class Resampler:
    """Logs and options, ready to make a workload for any seed."""

    def __init__(self, log: Workload | Sequence[Workload], **options: Any) -> None:
        self.options = _options(options)
        logs = list(log) if isinstance(log, Sequence) else [log]
        if not logs or not all(isinstance(each, Workload) for each in logs):
            raise InputError(f"{log!r} cannot be resampled: give a workload, or a list of them")
        self.logs = [cut(each, self.options.piece) if self.options.piece else each for each in logs]
        if self.options.keep_ids and len(self.logs) > 1:
            raise InputError("keep_ids cannot keep the users of several logs apart: leave it out")
        self.populations = [
            _population(each, self.options, load, k)
            for k, (each, load) in enumerate(zip(self.logs, self.options.loads(len(self.logs)), strict=True))
        ]
        self.weeks = self.options.weeks or max(each.pools.log_weeks for each in self.populations)

    @property
    def pools(self) -> list[Pools]:
        """Of each log."""
        return [each.pools for each in self.populations]

    @cached_property
    def source(self) -> Source:
        return Source.of(self.logs)

    def workload(self, seed: int = 0) -> Resampled:
        """The resampled workload of this seed."""
        making = Making(self.populations, self.options, checked_seed(seed))
        columns = self._columns(making.jobs(0, self.weeks), 1)
        made = replace(self.without_jobs(seed), columns=columns, replicas=making.replicas())
        return replace(made, account={**made.account, **_counts(made)})

    def blocks(self, seed: int = 0, block_weeks: int | None = None) -> Iterator[Block]:
        """The same jobs in blocks of weeks."""
        return (block for block, _ in self.progress(seed, block_weeks))

    def progress(
        self, seed: int = 0, block_weeks: int | None = None, making: Making | None = None
    ) -> Iterator[tuple[Block, int]]:
        """Each block with the number of weeks that are done."""
        making = making or self.making(seed)
        first_job = 1
        for picked, done in self._picked(making, block_weeks):
            yield self._columns(picked, first_job), done
            first_job += len(picked.row)

    def making(self, seed: int) -> Making:
        """What a stream of this seed keeps from block to block; its `replicas()` grow along."""
        return Making(self.populations, self.options, checked_seed(seed))

    def tally(self, seed: int = 0) -> tuple[int, float]:
        """How many jobs a seed gives, and when the last ends: what a header says before the jobs."""
        jobs, last = 0, 0.0
        for picked, _ in self._picked(self.making(seed), None):
            jobs += len(picked.row)
            last = max(last, float(np.max(picked.submit_s + self.source.response_s[picked.row], initial=0.0)))
        return jobs, last

    def without_jobs(self, seed: int) -> Resampled:
        """Name, header, source and account of a resampled workload: all but its jobs."""
        first = self.logs[0]
        shift_s = float(first.source.get("time_shift_s", 0.0)) + self.populations[0].pools.origin_s
        source = {**first.source, "resample": self._provenance(), "seed": seed, "time_shift_s": shift_s}
        return Resampled(
            columns={name: np.empty(0) for name in first.columns},
            name="+".join(log.name for log in self.logs) + "-resampled",
            header=first.header,
            account=self._account(),
            source=source,
        )

    def notes(self, seed: int) -> list[str]:
        """Provenance for the header of a log."""
        given = {name: value for name, value in self.options.to_dict().items() if name != "weeks"}
        said = ", ".join(f"{name} {value}" for name, value in given.items()) or "default options"
        return [
            *(f"resampled by users from {pools.workload.name}: {pools.text()}" for pools in self.pools),
            f"resampled to {self.weeks} weeks, {said}; the users are new, see the table of replicas",
        ]

    def _picked(self, making: Making, block_weeks: int | None) -> Iterator[tuple[Picked, int]]:
        step = self._block_weeks() if block_weeks is None else checked_weeks(block_weeks, "block_weeks")
        for begin in range(0, self.weeks, step):
            end = min(begin + step, self.weeks)
            picked = making.jobs(begin, end, last=end == self.weeks)
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
        kept = {key: first[key] for key in ("machine_because", "generated") if key in first}
        return {"resampled": True, **kept, "machine_processors": size or None, "weeks": self.weeks}


def cut(workload: Workload, piece: tuple[int, int]) -> Workload:
    """The jobs submitted in the weeks [first, end)."""
    first, end = checked_piece(piece)
    week = weeks_of(workload["submit_s"], origin_s(workload))
    inside = workload.select((week >= first) & (week < end))
    if not len(inside):
        weeks = int(week.max()) + 1 if len(week) else 0
        raise InputError(f"{workload.name} has {weeks} weeks and no job in the piece {first}:{end}: choose another")
    return inside


def _options(given: dict[str, Any]) -> Options:
    for name in given:
        if name not in Options.names():
            near = suggestion(name, Options.names())
            raise InputError(f"resample has no option {name!r}{near}: it takes {', '.join(Options.names())}")
    return Options(**given)


def _population(log: Workload, options: Options, load: float, number: int) -> Population:
    pools = user_pools(
        log,
        long_term_weeks=options.long_term_weeks,
        edge_weeks=options.edge_weeks,
        rare=_rare(log, options) if number == 0 else (),
    )
    if not pools.count("long_term") + pools.count("temporary"):
        raise InputError(
            f"{log.name} lasts {pools.log_weeks} weeks and all its users are discarded: choose smaller edge_weeks"
            " or long_term_weeks"
        )
    temporary = pools.members("temporary")
    present = float(pools.active_weeks[temporary].sum()) / pools.log_weeks
    chosen = {
        "long_term": _or(options.initial_long_term, pools.count("long_term")),
        "temporary": _or(options.initial_temporary, present),
        "per_week": _or(options.temporaries_per_week, len(temporary) / pools.log_weeks),
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
    """About how many there will be; weights are left aside."""
    each = {kind: of.pools.jobs(kind) / max(of.pools.count(kind), 1) for kind in KINDS}
    temporary = each["temporary"] * (of.per_week - of.rare_per_week) + each["rare"] * of.rare_per_week
    return each["long_term"] * of.long_term / of.pools.log_weeks + temporary


def _or(given: float | None, usual: float) -> float:
    return usual if given is None else given


def _rare(log: Workload, options: Options) -> list[RareBehaviour]:
    return [each if isinstance(each, RareBehaviour) else rare_behaviour(log, each) for each in options.rare]


def _require_possible(of: Population, temporary: int) -> None:
    name = of.pools.workload.name
    if of.per_week > temporary:
        raise InputError(
            f"{of.per_week:g} temporary users a week are more than the {temporary} that {name} has: choose a lower load"
        )
    if of.rare_per_week > of.per_week:
        raise InputError(
            f"rare_per_week is {of.rare_per_week:g}, but only {of.per_week:.4g} temporary users of {name} arrive in a"
            " week: choose a number up to that"
        )
    if of.rare_per_week and not of.pools.count("rare"):
        raise InputError(f"rare_per_week is {of.rare_per_week:g} but no rare behaviour is given: name some with rare")


def _counts(made: Workload) -> dict[str, Any]:
    weeks, size = made.account["weeks"], made.machine_processors
    area = float(np.nansum(made["run_s"] * made["processors"]))
    load = {"offered_load": area / (size * weeks * WEEK_S)} if size else {}
    return {"jobs": len(made), "users": len(np.unique(made["user"])), **load}
