"""The runs of zakay2013: logs are described, resampled, made longer and busier, and simulated under EASY.

Everything is found out once, in `prepare`, and kept in the findings under the names below. Simulations of resamples are
kept on disk as well: after an interruption they go on where they were.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from thinktime.bootstrapping import Bootstrap, bootstrap, load_sweep
from thinktime.description import Description, describe
from thinktime.platforms import AsLog, Machine
from thinktime.resampling import RareBehaviour, Resampler, flurries, user_pools
from thinktime.schedulers.easy import Easy
from thinktime.study import Study
from thinktime.support.time_units import WEEK_S
from thinktime.users.session_replay import SessionReplay
from thinktime.workload import Workload, read_swf
from thinktime_reproduce.reproduction import Findings, Stage
from thinktime_reproduce.zakay2013.kept import (
    BOOTSTRAP,
    BUSIER_LOGS,
    CLOSED,
    COUNTED,
    DESCRIBED,
    ESTIMATED,
    ESTIMATED_SPREAD,
    FLURRIES,
    LOG,
    LONGER_PARTS,
    OFFERED,
    POOLS,
    RARE_RUNS,
    SPREAD,
    SWEEP,
    WITH_FLURRIES,
    rare_behaviours,
)
from thinktime_reproduce.zakay2013.values import (
    BUSIER,
    CTC,
    CURIE,
    FACTORS,
    FACTORS_OSC,
    FLURRY_USERS,
    KTH,
    LONGER,
    OSC,
    SHOWN_OFTEN,
    SIMULATED,
    SIMULATED_OFTEN,
    SWEPT,
    TABLE_5,
    TIMES_LONGER,
    TIMES_USERS,
)

#: EASY as the authors' other paper points to: no test of extra processors
EASY = Easy(extra_nodes=False, count_ties=False)
PROCESSORS: Final = "allocated"
SESSION_MIN = 60  # pauses that end a session, of reacting users too
MEASURES = ("utilisation", "bounded_slowdown_mean", "wait_mean_s", "response_mean_s")

#: Figures that the paper draws of one log are also drawn of these, which most people have.
STAND_IN, ALSO_SWEPT = KTH, (KTH, CTC)
SHUFFLED = (CURIE, STAND_IN)  # Fig. 2 is of Curie
PARTS = (0, 2, 4)  # of the longer log: the first, third and fifth


@dataclass(frozen=True)
class Effort:
    """How often things are repeated; as in the paper, but for the number of resamples simulated of large logs."""

    resamples: int = 8  # described
    shuffles: int = 1000
    simulated: int = 1000  # resamples of a log under EASY
    most_jobs: float = 3e7  # but not more jobs than that in all
    least: int = 100  # but so many resamples at least
    closed: int = 10  # resamples whose users wait for their jobs
    each_load: int = 10
    longer: int = 3
    shown: int = 7  # repetitions with each frequency of flurries, and simulated
    rare: int = 100
    seed: int = 1

    def bootstraps(self, jobs: int) -> int:
        """How many resamples of a log of so many jobs are simulated."""
        return int(min(self.simulated, max(self.most_jobs // max(jobs, 1), self.least)))


FULL = Effort()


def study(label: str, log: Path) -> Study:
    """The log itself under EASY."""
    return Study.of(
        name=f"zakay2013-{label}",
        question="What do users, taken apart and put together again, give a scheduler to do?",
        workloads=[{"name": label, "log": str(log), "processors": PROCESSORS}],
        schedulers=[{"name": "easy", "spec": "easy:extra_nodes=false,count_ties=false"}],
    )


def prepare(findings: Findings, stage: Stage, effort: Effort = FULL) -> None:
    """All that claims and figures look up, log by log."""
    for label in findings.logs:
        run = _Log(findings, stage, effort, label)
        run.keep(LOG, "reading", run.read)
        run.flurried() if label in FLURRY_USERS else run.cleaned()


class _Log:
    """One log while it is looked at."""

    def __init__(self, findings: Findings, stage: Stage, effort: Effort, label: str) -> None:
        self.findings, self.stage, self.effort, self.label = findings, stage, effort, label

    def keep(self, what: str, words: str, found: Callable[[], Any]) -> None:
        with self.stage(f"{self.label}: {words}"):
            self.findings.kept[what, self.label] = found()

    def read(self) -> Workload:
        return read_swf(self.findings.logs[self.label], processors=PROCESSORS)

    @property
    def log(self) -> Workload:
        found: Workload = self.findings.kept[LOG, self.label]
        return found

    def cleaned(self) -> None:
        label = self.label
        self.keep(COUNTED, "counting", self._counts)
        self.keep(DESCRIBED, "describing", self._described)
        if label in TABLE_5:
            self.keep(POOLS, "sorting users", lambda: user_pools(self.log, edge_weeks="table_v"))
            self.keep(SPREAD, f"describing {self.effort.resamples} resamples", self._spread)
        if label in SIMULATED:
            self._with_estimates()
        if label in (BUSIER, STAND_IN):
            self.keep(BUSIER_LOGS, f"{TIMES_USERS} times the users", self._busier)
        if label in (LONGER, STAND_IN):
            self.keep(LONGER_PARTS, f"{TIMES_LONGER} times as long", self._parts)
        if label in SIMULATED:
            self._simulated()
        if label in (*SWEPT, *ALSO_SWEPT):
            self._swept()

    def _described(self, log: Workload | None = None) -> Description:
        shuffles = self.effort.shuffles if self.label in SHUFFLED else 0
        return describe(self.log if log is None else log, shuffles=shuffles, seed=self.effort.seed)

    def _counts(self) -> dict[str, float]:
        """All lines of the file, as in Table I; jobs that did not run are left out later."""
        every = read_swf(self.findings.logs[self.label], processors=PROCESSORS, filter="all")
        size = every.machine_processors
        return {"jobs": len(every), "users": len(every.users), "processors": float("nan") if size is None else size}

    def _spread(self) -> list[Description]:
        return [_plainly(each) for each in self._resamples()]

    def _resamples(self) -> Iterator[Workload]:
        resampler = Resampler(self.log)
        return (resampler.workload(seed) for seed in range(1, self.effort.resamples + 1))

    def _with_estimates(self) -> None:
        """Log and resamples without the jobs that have no estimate; most logs have none of these."""
        kept, label = self.findings.kept, self.label
        if _all_estimated(self.log):
            kept[ESTIMATED, label], kept[ESTIMATED_SPREAD, label] = kept[DESCRIBED, label], kept[SPREAD, label]
            return
        self.keep(ESTIMATED, "describing jobs with estimates", lambda: self._described(_estimated(self.log)))
        words = f"describing jobs with estimates of {self.effort.resamples} resamples"
        self.keep(ESTIMATED_SPREAD, words, lambda: [_plainly(_estimated(each)) for each in self._resamples()])

    def _busier(self) -> list[Description]:
        resampler = Resampler(self.log, load=TIMES_USERS)
        made = [resampler.workload(seed) for seed in range(1, self.effort.longer + 1)]
        self.findings.kept[OFFERED, self.label] = [each.account.get("offered_load") for each in made]
        return [_plainly(each) for each in made]

    def _parts(self) -> list[Description]:
        weeks = Resampler(self.log).weeks
        resampler = Resampler(self.log, weeks=TIMES_LONGER * weeks)
        made = [resampler.workload(seed) for seed in range(1, self.effort.longer + 1)]
        return [
            replace(_plainly(_part_of_log(each, part, weeks)), name=f"part {part + 1}")
            for part in PARTS
            for each in made
        ]

    # --- simulations --------------------------------------------------------------------------------------------

    @property
    def machine(self) -> Machine:
        return AsLog().machine(self.log.machine_processors, self.label)

    def _simulated(self) -> None:
        number = self.effort.bootstraps(len(self.log))
        with self._counted(f"simulating {number} resamples") as options:
            found = bootstrap(self.log, self.machine, {"EASY": EASY}, resamples=number, jackknife=0, **options)
        self.findings.kept[BOOTSTRAP, self.label] = found
        number = min(self.effort.closed, number)
        with self._counted(f"simulating {number} resamples with session replay") as options:
            rules = {"users": SessionReplay(threshold_min=SESSION_MIN), **options}
            found = bootstrap(self.log, self.machine, {"EASY": EASY}, resamples=number, jackknife=0, **rules)
        self.findings.kept[CLOSED, self.label] = found

    def _swept(self) -> None:
        factors = FACTORS_OSC if self.label == OSC else FACTORS
        with self._counted(f"{self.effort.each_load} resamples at {len(factors)} loads") as options:
            resamples = self.effort.each_load
            found = load_sweep(self.log, self.machine, {"EASY": EASY}, factors, resamples=resamples, **options)
        self.findings.kept[SWEEP, self.label] = found

    @contextmanager
    def _counted(self, words: str, **more: Any) -> Iterator[dict[str, Any]]:
        """Options of a bootstrap that keeps its outcomes and says how far it is."""
        with self.stage(f"{self.label}: {words}", 1.0) as told:

            def heard(done: int, of: int) -> None:
                if told is not None:
                    told.total, told.done = float(of), float(done)

            yield {
                "measures": (*MEASURES, "jobs_counted") if more else MEASURES,  # all but the rare ones
                "seed": self.effort.seed,
                "resample": more,
                "folder": self._folder(words),
                "progress": heard,
            }

    def _folder(self, words: str) -> Path | None:
        if self.findings.directory is None:
            return None
        return self.findings.directory / self.label / words.replace(" ", "_").replace("/", "_")

    # --- flurries -----------------------------------------------------------------------------------------------

    def flurried(self) -> None:
        """Of a log that was not cleaned."""
        self.keep(FLURRIES, "looking for flurries", lambda: flurries(self.log))
        rare = rare_behaviours(self.findings, self.label)
        if not rare:
            return
        self.keep(WITH_FLURRIES, "more and fewer flurries", lambda: self._with_flurries(rare))
        runs = {often: self._rare_runs(rare, often) for often in SIMULATED_OFTEN}
        self.findings.kept[RARE_RUNS, self.label] = runs

    def _with_flurries(self, rare: Sequence[RareBehaviour]) -> dict[float, list[Workload]]:
        made: dict[float, list[Workload]] = {}
        for often in SHOWN_OFTEN:
            resampler = Resampler(self.log, rare=rare, rare_per_week=often)
            made[often] = [resampler.workload(seed) for seed in range(1, self.effort.shown + 1)]
        return made

    def _rare_runs(self, rare: Sequence[RareBehaviour], often: float) -> Bootstrap:
        words = f"simulating {self.effort.rare} resamples with {often:g} flurries a week"
        with self._counted(words, rare=list(rare), rare_per_week=often) as options:
            easy, number = {"EASY": EASY}, self.effort.rare
            return bootstrap(self.log, self.machine, easy, resamples=number, jackknife=0, **options)


def _plainly(workload: Workload) -> Description:
    return describe(workload, medians=False)


def _all_estimated(workload: Workload) -> bool:
    return bool((workload["requested_time_s"] > 0).all())


def _estimated(workload: Workload) -> Workload:
    return workload.select(np.flatnonzero(workload["requested_time_s"] > 0))


def _part_of_log(workload: Workload, part: int, weeks: int) -> Workload:
    """One part of a longer log, by itself."""
    number = np.floor(workload["submit_s"] / (weeks * WEEK_S))
    return workload.select(number == part)
