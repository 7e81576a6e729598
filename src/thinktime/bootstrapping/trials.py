"""Trials of a bootstrap: each is a workload that is simulated under every scheduler and measured.

A trial is the original log, a resample of it, or the original without some of its users. Only the measures are kept.
The outcome depends on the seed of the trial alone, so neither the number of threads nor the order of trials matters.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias
from uuid import uuid4

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics import accepted, checked_metrics, need_timeline, saturation, selected
from thinktime.resampling import Resampled, Resampler, origin_s
from thinktime.resampling.options import Options
from thinktime.result.canonical_json import digest_of
from thinktime.schedulers import Scheduler
from thinktime.simulation import Simulation
from thinktime.simulation.arguments import MachineLike, SchedulerLike, WorkloadLike, as_machine, as_workload
from thinktime.simulation.settings import Settings
from thinktime.spec import as_spec
from thinktime.spec.own_source import reusable
from thinktime.study.execute import Outcome
from thinktime.support.json_types import JsonDict, JsonTable
from thinktime.support.random_streams import checked_seed, stream
from thinktime.traces.content_hash import content_sha256
from thinktime.workload import Workload
from thinktime.workload.user_sessions.groups import UNKNOWN_USER

MEASURES = ("wait_mean_s", "response_mean_s", "slowdown_mean", "bounded_slowdown_mean", "utilisation")
#: Increased when outcomes change without a new version of the package
TRIAL_FORMAT = 2
#: Kinds of cautions that are counted in every trial; those of the reader are the same in all.
COUNTED = (
    *("unfinished", "never_submitted", "rejected", "killed", "lost", "requeued"),
    *("over_estimate", "no_estimate", "clipped"),
)
MOST = 1_000_000  # resamples
#: One scheduler, several, or several by name; each a spec or its text.
SchedulersLike: TypeAlias = SchedulerLike | Sequence[SchedulerLike] | Mapping[str, SchedulerLike]
ORIGINAL, RESAMPLE, LEFT_OUT = "original", "resample", "left_out"


class Trial(NamedTuple):
    """One workload and the seed of its draws."""

    kind: str
    number: int  # of the resample, or of the group of users that is left out
    seed: int
    load: float = 1.0
    groups: int = 0  # of users, for the jackknife

    @property
    def run(self) -> str:
        return f"{self.kind} {self.number} of {self.groups} seed {self.seed} load {self.load!r}"


class Experiment:
    """A log, how it is resampled, and what is simulated and measured."""

    def __init__(
        self,
        log: WorkloadLike,
        machine: MachineLike,
        schedulers: SchedulersLike,
        *,
        measures: Sequence[str],
        seed: int,
        rules: JsonTable,
        options: JsonTable,
        loads: Sequence[float] = (1.0,),
    ) -> None:
        self.log, self.seed = as_workload(log), checked_seed(seed)
        self.machine = as_machine(machine, self.log)
        self.schedulers, self.measures = named(schedulers), checked_metrics(measures)
        self.rules, self._timeline = dict(rules), need_timeline(measures)
        self.settings = {name: Settings.of(self.machine, each, rules) for name, each in self.schedulers.items()}
        self._identities: dict[tuple[str, float | None], str] = {}
        Options.of(options)
        self.resamplers = {load: Resampler(self.log, load=load, **options) for load in loads}

    def original(self) -> Trial:
        """Return the trial of the log itself."""
        return Trial(ORIGINAL, 0, self.seed)

    def resamples(self, number: int, load: float = 1.0) -> Iterator[Trial]:
        """Yield the resamples. `tt.resample` makes each again from its seed, which is the same at every load."""
        for k in range(number):
            yield Trial(RESAMPLE, k, int(stream(self.seed, "bootstrap", k).integers(2**63)), load)

    def left_out(self, most: int) -> Iterator[Trial]:
        """Yield the original without each group of users; with at most `most` users, every user is a group."""
        groups = min(most, int(self.user.max()) + 1) if len(self.log) else 0
        yield from (Trial(LEFT_OUT, k, self.seed, groups=groups) for k in range(groups if groups > 1 else 0))

    @cached_property
    def user(self) -> np.ndarray:
        """int64[jobs]: the index of the user in a random order, so that groups are random."""
        known = np.where(np.isnan(self.log["user"]), UNKNOWN_USER, self.log["user"])
        users, index = np.unique(known, return_inverse=True)
        return stream(self.seed, "bootstrap", "groups").permutation(len(users))[index]

    def workload(self, trial: Trial) -> Workload:
        if trial.kind == RESAMPLE:
            return self.resamplers[trial.load].workload(trial.seed)
        if trial.kind == LEFT_OUT:
            return self.log.select(self.user % trial.groups != trial.number)
        return self.log

    def runs(self, trial: Trial) -> list[str]:
        """Return the names of the trial's simulations in a journal, from everything that affects them."""
        return [f"{self._identity(name, trial)} {trial.run}" for name in self.schedulers]

    def run(self, trial: Trial) -> list[Outcome]:
        """Simulate the workload of a trial under each scheduler; return one outcome per scheduler."""
        workload = self.workload(trial)
        named_runs = zip(self.schedulers, self.runs(trial), strict=True)
        return [self._outcome(trial, name, run, workload) for name, run in named_runs]

    def _outcome(self, trial: Trial, name: str, run: str, workload: Workload) -> Outcome:
        begin = time.perf_counter()
        found = self._measured(workload, self.schedulers[name], trial.seed)
        cell = {**trial._asdict(), "scheduler": name}
        seconds = round(time.perf_counter() - begin, 6)
        return {"run": run, "cell": cell, "error": None, "summary": found, "seconds": seconds}

    def _measured(self, workload: Workload, scheduler: Scheduler, seed: int) -> dict[str, float | int | None]:
        run = Simulation(workload, self.machine, scheduler, timeline=self._timeline, seed=seed, **self.rules).run()
        columns = run.columns()
        rare = workload.rare_users if isinstance(workload, Resampled) else ()
        found = selected(columns, run.timeline_columns(), self.machine.processors, self.measures, rare)
        values = {name: None if np.isnan(value) else value for name, value in found.items()}
        happened = run.cautions(columns, saturated=False)
        counts = {name: happened.count(name) for name in COUNTED}
        saturated = int(saturation(*accepted(columns)).saturated)
        return {"jobs": len(workload), "saturated": saturated, **counts, **values}

    def _identity(self, name: str, trial: Trial) -> str:
        key = name, trial.load if trial.kind == RESAMPLE else None
        if key not in self._identities:
            options = self.resamplers[trial.load].options.to_dict() if trial.kind == RESAMPLE else {}
            said = {"jobs": self._jobs, "resample": options, "settings": self.settings[name].to_dict()}
            said |= {} if reusable(said) else {"fresh": self._fresh}
            self._identities[key] = digest_of({**said, "measures": self.measures, "format": TRIAL_FORMAT})[:16]
        return self._identities[key]

    @cached_property
    def _fresh(self) -> str:
        """Part of the names of trials whose code cannot be read, so that no earlier outcome is reused."""
        return uuid4().hex

    @cached_property
    def _jobs(self) -> str:
        """The hash of the log's jobs, and its clock, which defines weeks."""
        return f"{content_sha256(self.log.columns, self.log.types)} {origin_s(self.log)!r}"

    def about(self) -> JsonDict:
        """Return a description of what was simulated."""
        shown = {name: {key: value for key, value in each.to_dict().items() if key != "seed"}
                 for name, each in self.settings.items()}  # fmt: skip
        first = next(iter(self.resamplers.values()))
        options = {key: value for key, value in first.options.to_dict().items() if key != "load"}
        return {
            "log": {"name": self.log.name, "jobs": len(self.log), **self.log.source},
            "seed": self.seed,
            "weeks": first.weeks,
            "resample": options,
            "schedulers": shown,
            "measures": list(self.measures),
        }


def named(schedulers: SchedulersLike) -> dict[str, Scheduler]:
    """Return schedulers by the names given, or by their texts: `easy:order=sjf`."""
    if isinstance(schedulers, Mapping):
        found = {str(name): as_spec(Scheduler, each, "schedulers") for name, each in schedulers.items()}
    else:
        several = [schedulers] if isinstance(schedulers, Scheduler | str) else list(schedulers)
        given = [as_spec(Scheduler, each, "schedulers") for each in several]
        found = {each.text(): each for each in given}
        if len(found) < len(given):
            raise InputError("two schedulers are the same: give each once, or a mapping with a name for each")
    if not found:
        raise InputError("schedulers is empty: give one or more, such as [tt.Easy()]")
    return found


def require_number(what: str, value: int, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MOST:
        raise InputError(f"{what} must be a whole number from {least} to {MOST:,} (got {value!r})")
