"""What must not change, or must change in a known way, when a workload is changed.

No oracle is needed here: each test runs the engine twice, or looks at what it promised on the way.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from reference import Job
from reference.conservative import Conservative as ReferenceConservative
from reference.job import Task
from reference.simulation import Simulation as ReferenceSimulation
from tests.effort import examples
from tests.engine.workloads import AsWritten, jobs, rules, run_engine, schedulers, workload_of
from thinktime.platforms import Machine
from thinktime.result import Result
from thinktime.schedulers import Scheduler
from thinktime.schedulers.conservative import Conservative
from thinktime.schedulers.easy import Easy
from thinktime.schedulers.edf import EDF
from thinktime.schedulers.fcfs import FCFS
from thinktime.schedulers.ljf import LJF
from thinktime.schedulers.priority import Priority
from thinktime.schedulers.reject import Reject
from thinktime.schedulers.sjf import SJF
from thinktime.simulation import Simulation, simulate
from thinktime.simulation.settings import Overrun
from thinktime.workload import Estimates

MACHINES = st.integers(2, 8)
EXAMPLES = examples(80)
#: Keys with a logarithm of a time or a size: no scale, no shift leaves their order alone.
ABSOLUTE = {"f1", "f2", "f3", "f4"}


def keys(scheduler: Scheduler) -> set[Any]:
    return {getattr(scheduler, name, None) for name in ("order", "backfill_order", "key")}


def schedule(found: Result) -> np.ndarray:
    """Start, end and status of every job, as rows; rejected jobs have no times."""
    return np.column_stack([found.columns[name] for name in ("start_s", "end_s", "status")])


def same(a: np.ndarray, b: np.ndarray) -> bool:
    return np.array_equal(a, b, equal_nan=True)


def changed(workload: list[Job], **change: Any) -> list[Job]:
    """Every job with some fields replaced by functions of the job."""
    return [dataclasses.replace(job, **{k: f(job) for k, f in change.items()}) for job in workload]


@EXAMPLES
@given(jobs(), MACHINES, schedulers(named=True), rules(), st.sampled_from([0.25, 2.0, 1024.0]))
def test_scaling_all_times(
    workload: list[Job], machine: int, scheduler: Scheduler, rules: dict[str, Any], factor: float
) -> None:
    """Powers of two, so that nothing is rounded."""
    assume(not keys(scheduler) & ABSOLUTE)
    times = {name: lambda job, name=name: getattr(job, name) * factor for name in ("submit", "run", "estimate")}
    scaled = schedule(run_engine(changed(workload, **times), machine, scheduler, **rules))
    expected = schedule(run_engine(workload, machine, scheduler, **rules)) * [factor, factor, 1]
    assert same(scaled, expected)


@EXAMPLES
@given(jobs(), MACHINES, schedulers(named=True), rules(), st.integers(-2000, 2000))
def test_shifting_all_submissions(
    workload: list[Job], machine: int, scheduler: Scheduler, rules: dict[str, Any], shift: int
) -> None:
    assume(not keys(scheduler) & ABSOLUTE and rules["speed"] != 3.0)
    later = changed(workload, submit=lambda job: job.submit + shift)
    expected = schedule(run_engine(workload, machine, scheduler, **rules)) + np.array([shift, shift, 0])
    assert same(schedule(run_engine(later, machine, scheduler, **rules)), expected)


@EXAMPLES
@given(jobs(), st.integers(1, 8), schedulers(named=True), rules(), st.sampled_from([2, 64]))
def test_scaling_all_sizes(
    workload: list[Job], machine: int, scheduler: Scheduler, rules: dict[str, Any], factor: int
) -> None:
    assume(not keys(scheduler) & (ABSOLUTE | {"unicef"}))
    larger = changed(workload, processors=lambda job: job.processors * factor)
    expected = schedule(run_engine(workload, machine, scheduler, **rules))
    assert same(schedule(run_engine(larger, machine * factor, scheduler, **rules)), expected)


@EXAMPLES
@given(jobs(), MACHINES, schedulers(named=True), rules(), st.randoms(use_true_random=False))
def test_the_numbers_of_jobs_and_users_mean_nothing(
    workload: list[Job], machine: int, scheduler: Scheduler, rules: dict[str, Any], random: Any
) -> None:
    original = workload_of(workload)
    numbers = np.array(random.sample(range(1, 1000), len(original)), float)
    renamed = dataclasses.replace(original, columns={**original.columns, "job": numbers, "user": -numbers})
    rules = {**rules, "estimates": AsWritten()}
    platform = Machine(processors=machine, speed=rules.pop("speed"))
    first, second = (simulate(each, platform, scheduler, **rules) for each in (original, renamed))
    assert same(schedule(first), schedule(second))


@EXAMPLES
@given(jobs(), schedulers(named=True), rules())
def test_no_job_waits_for_an_infinite_machine(workload: list[Job], scheduler: Scheduler, rules: dict[str, Any]) -> None:
    assume(not isinstance(scheduler, Reject))
    columns = run_engine(workload, 10_000, scheduler, **rules).columns
    assert np.array_equal(columns["start_s"], columns["submit_s"])


@EXAMPLES
@given(jobs(), MACHINES, rules(), st.integers(0, 25))
def test_fcfs_does_not_look_ahead(workload: list[Job], machine: int, rules: dict[str, Any], kept: int) -> None:
    """Later jobs change nothing for earlier ones."""
    workload = sorted(workload, key=lambda job: job.submit)
    whole, part = (run_engine(each, machine, FCFS(), **rules) for each in (workload, workload[:kept]))
    assert same(schedule(whole)[:kept], schedule(part))


@EXAMPLES
@given(jobs(), jobs(), MACHINES, schedulers(named=True), rules())
def test_a_busy_period_knows_nothing_of_the_last(
    first: list[Job], second: list[Job], machine: int, scheduler: Scheduler, rules: dict[str, Any]
) -> None:
    """Jobs that come when all others are over: both parts are scheduled as if alone. (AccaSim's EASY tries
    its head again when something happens, and later jobs are something.)"""
    assume(not keys(scheduler) & ABSOLUTE and rules["speed"] != 3.0)
    assume(getattr(scheduler, "compat", None) is None)
    late = changed(second, submit=lambda job: job.submit + 10_000)
    alone = [schedule(run_engine(part, machine, scheduler, **rules)) for part in (first, late)]
    assert same(schedule(run_engine(first + late, machine, scheduler, **rules)), np.vstack(alone))


@EXAMPLES
@given(jobs(machine=1), rules())
def test_one_processor_is_the_lindley_recursion(workload: list[Job], rules: dict[str, Any]) -> None:
    rules = {**rules, "oversized": "clip"}
    columns = run_engine(workload, 1, FCFS(), **rules).columns
    end = -np.inf
    for submit, run, start in zip(columns["submit_s"], columns["run_s"], columns["start_s"], strict=True):
        assert start == max(submit, end)
        end = start + run


@EXAMPLES
@given(jobs(), st.integers(1, 6), rules())
def test_with_serial_jobs_backfilling_has_nothing_to_do(
    workload: list[Job], machine: int, rules: dict[str, Any]
) -> None:
    serial = changed(workload, processors=lambda job: 1)
    pairs = [
        (FCFS(), Easy()),
        (SJF(), Easy(order="sjf")),
        (LJF(), Easy(order="ljf")),
        (EDF(), Easy(order="edf")),
    ]
    for plain, easy in [*pairs, (Priority(key="wfp3"), Easy(order="wfp3"))]:
        found = [schedule(run_engine(serial, machine, each, **rules)) for each in (plain, easy)]
        assert same(*found), easy


@EXAMPLES
@given(jobs(), MACHINES, rules())
def test_easy_in_one_order_names_it_once_or_twice(workload: list[Job], machine: int, rules: dict[str, Any]) -> None:
    """The same candidates, kept in one list or in two."""
    for order in ("arrival", "estimate", "wfp3"):
        once, twice = Easy(order=order), Easy(order=order, backfill_order=order)
        found = [schedule(run_engine(workload, machine, each, **rules)) for each in (once, twice)]
        assert same(*found)


@EXAMPLES
@given(jobs(), MACHINES, schedulers(named=True), rules())
def test_perfect_estimates_are_the_run_times(
    workload: list[Job], machine: int, scheduler: Scheduler, rules: dict[str, Any]
) -> None:
    exact = changed(workload, estimate=lambda job: job.run / rules["speed"])
    expected = schedule(run_engine(exact, machine, scheduler, **rules))
    rules = {**rules, "estimates": Estimates.perfect()}
    platform = Machine(processors=machine, speed=rules.pop("speed"))
    assert same(schedule(simulate(workload_of(workload), platform, scheduler, **rules)), expected)


@EXAMPLES
@given(jobs(), MACHINES, schedulers(named=True), rules())
def test_without_overruns_the_overrun_rule_means_nothing(
    workload: list[Job], machine: int, scheduler: Scheduler, rules: dict[str, Any]
) -> None:
    """(Conservative makes its plan anew at every pass under extend-blind, overruns or not.)"""
    enough = changed(workload, estimate=lambda job: max(job.estimate, 2 * job.run))
    overruns = ["extend", "kill"] + ["extend-blind"] * (not isinstance(scheduler, Conservative))
    found = [schedule(run_engine(enough, machine, scheduler, **{**rules, "overrun": each})) for each in overruns]
    assert all(same(found[0], other) for other in found[1:])


@EXAMPLES
@given(jobs(), MACHINES, rules())
def test_conservative_plans_do_not_move_if_everybody_keeps_them(
    workload: list[Job], machine: int, rules: dict[str, Any]
) -> None:
    """Jobs that run exactly as long as they said leave nothing to compress."""
    exact = changed(workload, run=lambda job: job.run + 1, estimate=lambda job: job.run + 1)
    rules = {**rules, "speed": 1.0, "overrun": "extend"}
    found = [schedule(run_engine(exact, machine, Conservative(compress=c), **rules)) for c in (True, False)]
    assert same(*found)


@EXAMPLES
@given(jobs(), MACHINES, schedulers(named=True), rules())
def test_if_nothing_shares_an_instant_the_rule_of_the_instant_means_nothing(
    workload: list[Job], machine: int, scheduler: Scheduler, rules: dict[str, Any]
) -> None:
    apart = [
        Job(
            job.submit + k / 32,
            job.run + (2 * k + 1) / 2**16,
            job.processors,
            job.estimate + (2 * k + 1) / 2**16,
        )
        for k, job in enumerate(workload)
    ]
    rules = {**rules, "speed": 1.0, "overrun": "extend"}
    names = ("batch", "each-submit-first", "each-end-first")
    found = [run_engine(apart, machine, scheduler, **{**rules, "same_instant": name}) for name in names]
    instants = np.concatenate([found[0].columns["submit_s"], found[0].columns["end_s"]])
    assume(len(np.unique(instants[~np.isnan(instants)])) == np.count_nonzero(~np.isnan(instants)))
    assert same(schedule(found[0]), schedule(found[1]))
    assert same(schedule(found[0]), schedule(found[2]))


# --- promises -----------------------------------------------------------------------------------------------


@examples(150)
@given(
    jobs(most=40),
    st.integers(2, 9),
    st.builds(
        Easy,
        backfill_order=st.sampled_from([None, "sjf", "largest-area", "wfp3"]),
        extra_nodes=st.booleans(),
        count_ties=st.booleans(),
        recompute=st.booleans(),
    ),
    st.sampled_from(["extend", "kill"]),
)
def test_easy_never_breaks_a_promise(workload: list[Job], machine: int, scheduler: Easy, overrun: Overrun) -> None:
    """After each step the head's promise follows from the state; it starts no later than any of them. A promise that
    is made once may be kept to the second although an early end would have allowed a better one."""
    simulation = Simulation(
        workload_of(workload), Machine(processors=machine), scheduler, overrun=overrun, estimates=AsWritten()
    )
    promised = promises(simulation, machine, overrun, scheduler.recompute)
    start = simulation.result().columns["start_s"]
    assert all(start[row] <= promise for row, promise in promised.items())


def promises(simulation: Simulation, machine: int, overrun: Overrun, recompute: bool) -> dict[int, float]:
    """Row of a job that was a blocked head → the earliest start that the expected ends ever promised it, or without
    `recompute` the first one."""
    columns = simulation.workload.columns
    size, estimate = columns["processors"], columns["requested_time_s"]
    length = np.maximum(estimate, columns["run_s"]) if overrun == "extend" else estimate
    expected_end, promised = np.full(len(size), np.nan), dict[Any, Any]()
    while simulation.step():
        state = simulation.state
        started = state.running[np.isnan(expected_end[state.running])]
        expected_end[started] = state.clock_s + length[started]
        if len(state.queue):
            head = int(state.queue[0])
            promise = earliest(size[head] - state.free_processors, state.running, expected_end, size)
            promised[head] = min(promise, promised.get(head, np.inf)) if recompute else promised.get(head, promise)
    return promised


def earliest(missing: float, running: np.ndarray, expected_end: np.ndarray, size: np.ndarray) -> float:
    """The first expected end by which so many processors more are free."""
    assert missing > 0, "the head fits and does not run"
    order = running[np.argsort(expected_end[running], kind="stable")]
    enough = np.flatnonzero(np.cumsum(size[order]) >= missing)[0]
    return float(expected_end[order[enough]])


@examples(150)
@given(jobs(most=40), st.integers(2, 9), st.booleans(), st.sampled_from(["extend", "kill"]))
def test_conservative_never_breaks_a_promise(
    workload: list[Job], machine: int, compress: bool, overrun: Overrun
) -> None:
    """No job starts later than the slot that it got when it was submitted; uncompressed, exactly then."""
    workload = sorted(changed(workload, estimate=lambda job: job.estimate + 1), key=lambda job: job.submit)
    rules: dict[str, Any] = {"overrun": overrun, "oversized": "clip"}
    start = run_engine(workload, machine, Conservative(compress=compress), **rules).columns["start_s"]
    slots = first_slots(workload, machine, compress, overrun)
    assert np.all(start <= slots)
    assert compress or np.array_equal(start, slots)


def first_slots(workload: list[Job], machine: int, compress: bool, overrun: Overrun) -> np.ndarray:
    """What the reference promises each job at its submission."""
    slots = np.full(len(workload), np.nan)

    class Recording(ReferenceConservative):
        def submitted(self, task: Task, sim: ReferenceSimulation) -> None:
            super().submitted(task, sim)
            slots[task.index] = task.slot

    sim = ReferenceSimulation(workload, machine, {"name": "conservative"}, "batch", overrun, 1.0, "clip", None)
    sim.policy = Recording(compress)
    while (time := sim.next_time()) is not None:
        sim.now = time
        sim.round()
    return slots
