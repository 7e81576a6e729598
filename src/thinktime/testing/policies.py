"""Checks of own schedulers and allocators.

The workloads have many jobs at one instant, jobs of no length, jobs larger than the machine, and jobs longer than their
estimates. Built-in policies pass the checks too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from thinktime.allocators import Allocator
from thinktime.errors import InputError
from thinktime.metrics.status import STATUS_NAMES
from thinktime.platforms import Cluster, Machine
from thinktime.result import Result, check
from thinktime.schedulers import Scheduler
from thinktime.schedulers.conservative import Conservative
from thinktime.schedulers.easy import Easy
from thinktime.schedulers.fcfs import FCFS
from thinktime.simulation import Simulation
from thinktime.simulation.settings import OVERRUN, SAME_INSTANT
from thinktime.testing.user_models import difficult_workload, with_attributes
from thinktime.testing.watched import ChangedError, watched
from thinktime.workload import Workload

PROCESSORS = 8
UNFINISHED = STATUS_NAMES.index("unfinished")
SLOWEST_MS = 20.0  # mean duration of a pass


def check_scheduler(
    scheduler: Scheduler,
    platform: Machine | Cluster | None = None,
    *,
    may_starve: bool = False,
    slowest_ms: float | None = SLOWEST_MS,
    attributes: Mapping[str, Sequence[Any]] | None = None,
) -> None:
    """Check a scheduler; raise AssertionError with the first problem.

    Parameters
    ----------
    scheduler
        An own or a built-in scheduler.
    platform
        The machine or cluster (default: 8 processors).
    may_starve
        Allow that later narrow jobs pass a wide job without end.
    slowest_ms
        The longest mean duration of a pass, in milliseconds; None: no limit.
    attributes
        Attribute that the scheduler reads → values that jobs may have, such as `{"colour": ["red", "blue", None]}`.

    Raises
    ------
    AssertionError
        The scheduler starts a job twice, a job that does not wait, or more than fits; names nodes without room; kills
        or requeues a job that does not run; leaves jobs waiting; decides differently in a second run, or by real run
        times; writes into its arguments; violates an invariant of `tt.check`; is slow; or starves a wide job.
    """
    machine = Machine(processors=PROCESSORS) if platform is None else platform
    jobs = with_attributes(difficult_workload(), attributes)
    for rules in _rules(machine):
        where = f"{scheduler!r} with {rules}"
        first = _simulate_watched(jobs, machine, scheduler, where, **rules)
        _require_sound(first, where)
        again = _simulate_watched(jobs, machine, scheduler, where, **rules)
        _require_same(first, again, where)
    _require_quick(first, scheduler, slowest_ms)
    _require_blind(machine, scheduler, attributes)
    if not may_starve:
        _require_fair(machine, scheduler, attributes)


def check_allocator(
    allocator: Allocator,
    cluster: Cluster | None = None,
    *,
    attributes: Mapping[str, Sequence[Any]] | None = None,
) -> None:
    """Check an allocator under several schedulers, with reservations too; raise AssertionError with the first problem.

    Parameters
    ----------
    allocator
        An own or a built-in allocator.
    cluster
        The cluster (default: five small nodes of two kinds).
    attributes
        Attribute that the allocator reads → values that jobs may have, such as `{"colour": ["red", "blue", None]}`.

    Raises
    ------
    AssertionError
        The allocator chooses nodes without room, or too few units; finds no nodes on the empty cluster; answers
        differently to the same question; writes into its arguments; or violates an invariant of `tt.check`.
    """
    nodes = small_cluster() if cluster is None else cluster
    jobs = with_attributes(difficult_workload(), attributes)
    for scheduler in (FCFS(), FCFS(skip=True), Easy(), Conservative()):
        where = f"{allocator!r} under {scheduler!r}"
        first = _simulate_watched(jobs, nodes, scheduler, where, allocator=allocator)
        _require_sound(first, where)
        _require_same(first, _simulate_watched(jobs, nodes, scheduler, where, allocator=allocator), where)


def small_cluster() -> Cluster:
    """Return a cluster with two kinds of nodes, on which most jobs need several nodes."""
    groups: Any = [{"name": "a", "nodes": 3, "core": 2, "mem": 8}, {"name": "b", "nodes": 2, "core": 1, "mem": 2}]
    return Cluster(groups=groups)


def _rules(machine: Machine | Cluster) -> Iterator[dict[str, Any]]:
    """Yield all rules; a cluster does not allow each-submit-first."""
    for same_instant in SAME_INSTANT if isinstance(machine, Machine) else ("batch", "each-end-first"):
        for overrun in OVERRUN:
            yield {"same_instant": same_instant, "overrun": overrun}


def _simulate_watched(jobs: Workload, machine: Any, scheduler: Scheduler, where: str, **rules: Any) -> Result:
    """Run the simulation with watched policies; raise AssertionError for an InputError."""
    if "allocator" in rules:
        rules["allocator"] = watched(rules["allocator"])
    try:
        return Simulation(jobs, machine, watched(scheduler), seed=1, **rules).run().result()
    except InputError as error:
        cause: BaseException | None = error
        while cause is not None and not isinstance(cause, ChangedError):
            cause = cause.__cause__
        raise AssertionError(f"{where}: it {cause}" if cause else f"{where}: {error}") from error


def _require_sound(result: Result, where: str) -> None:
    waits = np.flatnonzero(np.isnan(result.columns["start_s"]) & (result.columns["status"] == UNFINISHED))
    assert not waits.size, (
        f"{where} leaves the job in row {waits[0]} waiting forever ({waits.size} such jobs), though at the end nothing"
        " runs: start jobs that fit on the empty machine"
    )
    broken = check(result)
    assert not broken, f"{where}: {broken[0]}"


def _require_same(first: Result, again: Result, where: str) -> None:
    same = first == again and all(frame.equals(again.reports[name]) for name, frame in first.reports.items())
    assert same, (
        f"{where} decides differently in a second run: draw from the seed, and keep state in what start() returns"
    )


def _require_quick(result: Result, scheduler: Scheduler, slowest_ms: float | None) -> None:
    passes, seconds = result.statistics["passes"], result.statistics["decision_s"]
    ms = 1000 * seconds / max(passes, 1)
    assert slowest_ms is None or ms <= slowest_ms, (
        f"{scheduler!r} takes {ms:.1f} ms per pass with few jobs waiting, {ms * 1000 / 3600:.1f} hours for a log of 3.6"
        " million passes: use array operations instead of loops over jobs"
    )


def _require_blind(machine: Any, scheduler: Scheduler, attributes: Mapping[str, Sequence[Any]] | None) -> None:
    """Compare two workloads that differ only in real run times: starts before the first end must be equal."""
    where = f"{scheduler!r} with overrun 'extend-blind'"
    both = (with_attributes(_long_jobs(factor), attributes) for factor in (1.0, 1.5))
    starts = [
        _simulate_watched(jobs, machine, scheduler, where, overrun="extend-blind").columns["start_s"] for jobs in both
    ]
    early = [np.where(start < _FIRST_END_S, start, np.nan) for start in starts]
    differ = np.flatnonzero(~((early[0] == early[1]) | (np.isnan(early[0]) & np.isnan(early[1]))))
    assert not differ.size, (
        f"{scheduler!r} starts the job in row {differ[0]} at another time if jobs run longer, before any has ended:"
        " it depends on real run times, which are unknown to schedulers, or on data outside the simulation"
    )


_FIRST_END_S = 5000.0


def _long_jobs(factor: float) -> Workload:
    """Return jobs that end after 5000 s; the estimates do not depend on the factor."""
    random = np.random.default_rng(3)
    run = random.integers(5000, 9000, 80).astype(float)
    return Workload.from_columns(
        name="long",
        submit_s=np.sort(random.integers(0, 4000, 80)),
        run_s=run * factor,
        processors=random.integers(1, 3, 80),
        requested_time_s=run,
        user=random.integers(1, 5, 80),
    )


def _require_fair(machine: Any, scheduler: Scheduler, attributes: Mapping[str, Sequence[Any]] | None) -> None:
    """Submit a job for the whole machine, and narrow jobs at a rate above the capacity."""
    narrow, wide = 400, machine.processors
    jobs = Workload.from_columns(
        name="crowd",
        submit_s=[0.0, 1.0, *np.arange(2.0, narrow + 2)],
        run_s=[10.0] * (narrow + 2),
        processors=[1, wide, *[1] * narrow],
        requested_time_s=[10.0] * (narrow + 2),
        user=[1, 2, *[3] * narrow],
    )
    jobs = with_attributes(jobs, attributes)
    start_s = _simulate_watched(jobs, machine, scheduler, repr(scheduler)).columns["start_s"]
    passed = int(np.count_nonzero(start_s[2:] < start_s[1]))
    assert passed < narrow * 0.9, (
        f"{scheduler!r} lets {passed} jobs of one processor, all later, pass a job that needs the whole machine, which"
        " may wait forever: reserve a start for it, or give may_starve=True if that is intended"
    )
