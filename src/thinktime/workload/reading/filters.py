"""Named filters: which jobs of a log are simulated, and how another simulator's reader changes them.

A filter is a list of rules, each with its reason to drop a job, and at most one repair, which changes values as the
reader of that name does. Every drop and every change is counted by reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from thinktime.spec import one_of
from thinktime.workload.reading.job_columns import Jobs, Tally, keep


@dataclass(frozen=True)
class Context:
    """Further inputs of a repair."""

    log: str  # name of the log
    machine: float  # processors; infinite where unknown
    first_submit_s: float = 0.0  # smallest submit time of the kept jobs


Rule = tuple[str, Callable[[Jobs], np.ndarray]]  # reason to drop, jobs to keep
Change = tuple[str, Jobs]  # reason, the changed columns
Repair = Callable[[Jobs, Context], list[Change]]


@dataclass(frozen=True)
class Filter:
    about: str
    rules: Sequence[Rule]
    repair: Repair | None = None
    processors: str = "requested"  # the policy that belongs to the reader
    shifts_time: bool = False  # submit times count from the first kept job
    caps: bool = False  # a job's processors at the machine's


def drop(jobs: Jobs, chosen: Filter, tally: Tally) -> Jobs:
    """Return the jobs that pass all rules; `jobs` has `processors`."""
    for reason, rule in chosen.rules:
        jobs = keep(jobs, rule(jobs), reason, tally)
    return jobs


def repair(jobs: Jobs, chosen: Filter, context: Context, tally: Tally) -> Jobs:
    """Return the jobs with the values of the named reader."""
    for reason, changed in chosen.repair(jobs, context) if chosen.repair else ():
        differs = [~_same_or_both_missing(jobs[name], values) for name, values in changed.items()]
        tally.repair(reason, int(np.count_nonzero(np.logical_or.reduce(differs))))
        jobs = {**jobs, **changed}
    return jobs


def changed_jobs(before: Jobs, after: Jobs) -> int:
    """Return the number of jobs with a changed value."""
    differs = [~_same_or_both_missing(before[name], after[name]) for name in before if after[name] is not before[name]]
    return int(np.count_nonzero(np.logical_or.reduce(differs))) if differs else 0


def lookup(name: str) -> Filter:
    one_of("filter", name, FILTERS)
    return FILTERS[name]


def _same_or_both_missing(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    return (before == after) | (np.isnan(before) & np.isnan(after))


def _has_positive(column: str) -> Callable[[Jobs], np.ndarray]:
    return lambda jobs: jobs[column] > 0


def _known(column: str) -> Callable[[Jobs], np.ndarray]:
    return lambda jobs: ~np.isnan(jobs[column])


_SUBMIT_KNOWN: Rule = ("submit time unknown", _known("submit_s"))
_RAN: Rule = ("run time unknown or negative", lambda jobs: jobs["run_s"] >= 0)
_RAN_A_WHILE: Rule = ("run time not positive", _has_positive("run_s"))
_ALLOCATED: Rule = ("no allocated processors", _has_positive("allocated_processors"))
_PROCESSORS: Rule = ("no processors", _has_positive("processors"))
_ESTIMATED: Rule = ("no estimate", _has_positive("requested_time_s"))


def _pyss(jobs: Jobs, context: Context) -> list[Change]:
    run, asked = jobs["run_s"], np.nan_to_num(jobs["requested_time_s"], nan=-1.0)
    allocated, submit = np.nan_to_num(jobs["allocated_processors"], nan=-1.0), jobs["submit_s"]
    bad = ~((run > 0) & (allocated > 0) & (submit >= 0))
    at_least_one = np.maximum(allocated, 1.0)
    second = {
        "submit_s": np.nan_to_num(submit, nan=-1.0),
        "run_s": np.where(bad, 1.0, run),
        "requested_time_s": np.where(bad, 1.0, jobs["requested_time_s"]),
        "allocated_processors": np.where(bad, at_least_one, jobs["allocated_processors"]),
        "processors": np.where(bad, at_least_one, jobs["processors"]),
    }
    cut = np.where(bad, 1.0, np.maximum(np.minimum(asked, run), 1.0))
    raised = np.where(bad, 1.0, np.maximum(np.maximum(asked, run), 1.0))
    return [
        ("bad job made a 1-second job", second),
        ("run time cut at the request", {"run_s": cut}),
        ("estimate raised to the run time", {"requested_time_s": raised}),
        (
            "processors capped at the machine",
            {"processors": np.minimum(second["processors"], context.machine)},
        ),
    ]


def _batsim(jobs: Jobs, context: Context) -> list[Change]:
    run, asked = jobs["run_s"], jobs["requested_time_s"]
    return [
        ("estimate raised to twice the run time", {"requested_time_s": np.fmax(asked, 2 * run)}),
        ("run time set to the next whole second", {"run_s": np.floor(run) + 1}),
        ("submit time counted from the first job", {"submit_s": jobs["submit_s"] - context.first_submit_s}),
    ]


#: Alea's estimates where a log has none, in seconds, by the beginning of the log's name.
_ALEA_ESTIMATES = {"KTH": 4 * 3600.0, "CTC": 18 * 3600.0, "SDSC-BLUE": 36 * 3600.0}


def _alea(jobs: Jobs, context: Context) -> list[Change]:
    constants = [s for site, s in _ALEA_ESTIMATES.items() if context.log.upper().startswith(site)]
    asked = jobs["requested_time_s"]
    given = np.where(asked > 0, asked, constants[0]) if constants else asked
    return [
        ("missing estimate set to the log's constant", {"requested_time_s": given}),
        ("estimate raised to the run time", {"requested_time_s": np.fmax(given, jobs["run_s"])}),
        ("processors capped at the machine", {"processors": np.minimum(jobs["processors"], context.machine)}),
    ]


def _rlsched(jobs: Jobs, context: Context) -> list[Change]:
    run = np.where(jobs["run_s"] >= 0, jobs["run_s"], 10.0)
    asked = jobs["requested_time_s"]
    return [
        ("unknown run time set to 10 s", {"run_s": run}),
        ("missing estimate set to the run time", {"requested_time_s": np.where(np.isnan(asked), run, asked)}),
    ]


def _predictsim(jobs: Jobs, context: Context) -> list[Change]:
    return [("run time cut at the request", {"run_s": np.minimum(jobs["run_s"], jobs["requested_time_s"])})]


FILTERS: dict[str, Filter] = {
    "base": Filter(
        "run time ≥ 0 and allocated processors > 0 (the default)",
        (_SUBMIT_KNOWN, _RAN, _ALLOCATED),
    ),
    "strict": Filter(
        "run time, allocated processors and estimate > 0",
        (_SUBMIT_KNOWN, _RAN_A_WHILE, _ALLOCATED, _ESTIMATED),
    ),
    "runnable": Filter(
        "run time ≥ 0 and processors, as the policy chooses them, > 0", (_SUBMIT_KNOWN, _RAN, _PROCESSORS)
    ),
    "positive": Filter(
        "run time and processors, as the policy chooses them, > 0", (_SUBMIT_KNOWN, _RAN_A_WHILE, _PROCESSORS)
    ),
    "all": Filter("every job line, even those that cannot be simulated", ()),
    "accasim": Filter("AccaSim: some processor field given; run time ≥ 0", (_SUBMIT_KNOWN, _RAN, _PROCESSORS)),
    "alea": Filter(
        "Alea: submit, run time and allocated processors known; estimate at least the run time",
        (_SUBMIT_KNOWN, _RAN, ("no allocated processors", _known("allocated_processors")), _PROCESSORS),
        _alea,
        "allocated",
        caps=True,
    ),
    "batsim": Filter(
        "Batsim's converter: run time and allocated processors > 0; estimate at least twice the run time,"
        " run time rounded up, submit from the first job",
        (_SUBMIT_KNOWN, _RAN_A_WHILE, _ALLOCATED),
        _batsim,
        "allocated",
        shifts_time=True,
    ),
    "predictsim": Filter(
        "predictsim: run time and requested time > 0; run time cut at the request",
        (_SUBMIT_KNOWN, _RAN_A_WHILE, _ESTIMATED, _PROCESSORS),
        _predictsim,
    ),
    "pyss": Filter(
        "pyss: every job; bad ones last 1 s; run time cut at the request, estimate at least the run time",
        (),
        _pyss,
        "allocated",
        caps=True,
    ),
    "rlsched": Filter(
        "RLScheduler: run time 0 dropped, unknown run time 10 s, missing estimate the run time",
        (_SUBMIT_KNOWN, ("run time not positive", lambda jobs: jobs["run_s"] != 0), _PROCESSORS),
        _rlsched,
        "max",
    ),
}
