"""SessionReplay: the engine is the reference, job by job; and what must hold whatever the scheduler does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from reference import Job
from reference.users.session_replay import SessionReplay
from reference.users.sessions import find_sessions, link
from tests.effort import examples
from tests.engine.workloads import rules, run_engine, schedulers, workload_of
from tests.users.populations import assert_agreement, of_reference, population
from thinktime.schedulers import Scheduler
from thinktime.spec import REGISTRY, from_dict, parse
from thinktime.workload.user_sessions.graph import session_graph
from thinktime.workload.user_sessions.sessions import sessions

THRESHOLDS = st.sampled_from([0, 2, 5, 12])  # seconds
DELIMITERS = st.sampled_from(["arrival", "last", "max"])
GRAPHS = st.sampled_from(["reduced", "full"])
TIES = st.sampled_from(["planned", "original"])
GAPS, WEEKS = st.sampled_from([3, 8]), st.sampled_from([20, 70])  # seconds: of activity, and until it comes again


@examples(1500)
@given(population(), st.integers(1, 8), schedulers(), rules(), THRESHOLDS, DELIMITERS, GRAPHS, TIES)
def test_the_engine_is_the_reference(
    jobs: list[Job],
    processors: int,
    scheduler: Scheduler,
    rules: dict[str, Any],
    threshold: int,
    delimiter: str,
    graph: str,
    ties: str,
) -> None:
    """Rejected (too large) and killed (overrun) jobs are among them."""
    ours = tt.SessionReplay(threshold_min=threshold / 60, delimiter=delimiter, graph=graph, ties=ties)
    theirs = of_reference(ours)
    assert isinstance(theirs, SessionReplay)
    result = assert_agreement(jobs, processors, scheduler, ours, theirs, **rules)
    assert result.columns["session"].tolist() == [theirs.session_of[row].number for row in range(len(jobs))]


@examples(800)
@given(
    population(),
    st.integers(1, 8),
    schedulers(),
    rules(),
    THRESHOLDS,
    st.sampled_from([3, 8]),
    st.sampled_from([20, 70]),
)
def test_activity_as_the_reference_has_it(
    jobs: list[Job],
    processors: int,
    scheduler: Scheduler,
    rules: dict[str, Any],
    threshold: int,
    active: int,
    week: int,
) -> None:
    days = week / 86400.0
    ours = tt.SessionReplay(
        threshold_min=threshold / 60, activity="fluid", activity_threshold_min=active / 60, repeat_days=days
    )
    assert_agreement(jobs, processors, scheduler, ours, of_reference(ours), **rules)


@examples(800)
@given(population(), st.integers(1, 8), schedulers(), rules(), THRESHOLDS, st.sampled_from([0.0, 1.0, 10.0]))
def test_stretched_think_times_as_the_reference_has_them(
    jobs: list[Job], processors: int, scheduler: Scheduler, rules: dict[str, Any], threshold: int, pooling: float
) -> None:
    ours = tt.SessionReplay(threshold_min=threshold / 60, think_times="response", pooling=pooling)
    fitted = ours.plan(workload_of(jobs), 0).get("exponent", np.empty(0)).tolist()
    users = sorted({job.user for job in jobs})
    theirs = SessionReplay(60.0 * (threshold / 60), exponents=dict(zip(users, fitted, strict=True)))
    assert_agreement(jobs, processors, scheduler, ours, theirs, **rules)


@examples(300)
@given(population(), THRESHOLDS, st.sampled_from(["always", "fluid"]), st.sampled_from(["recorded", "response"]))
def test_recorded_ends_give_the_recorded_submissions_back_however_loose(
    jobs: list[Job], threshold: int, activity: str, think_times: str
) -> None:
    at_once = [Job(job.submit, job.run, job.processors, job.estimate, job.user) for job in jobs]
    users = tt.SessionReplay(threshold_min=threshold / 60, activity=activity, think_times=think_times)
    result = run_engine(at_once, 1_000, tt.FCFS(), users=users)
    assert np.array_equal(result.columns["submit_s"], result.columns["recorded_submit_s"])


def test_fractions_of_seconds_do_not_leave_a_period_of_activity() -> None:
    """FCFS on one processor gives these waits again, so these submissions again, but for the rounding of sums."""
    submit, run = np.array([8574.5, 8708.8, 15118.8, 19655.3]), np.array([2511.6, 43.6, 2154.7, 1195.4])
    wait, ones = np.array([0, 2377.3, 0, 0]), np.ones(4)
    log = tt.Workload.from_columns(submit_s=submit, run_s=run, wait_s=wait, user=ones, processors=ones)
    result = tt.simulate(log, tt.Machine(processors=1), tt.FCFS(), users=tt.SessionReplay(activity="fluid"))
    assert result.columns["submit_s"] == pytest.approx(submit, abs=1e-6)


def test_exponents_are_the_slopes_drawn_together() -> None:
    """Two users whose think times are the square root and the response time itself; one with a single pair."""
    rows, time_s = [], 0.0
    for user, power in ((1, 0.5), (2, 1.0)):
        time_s = 0.0
        for run in (10, 100, 1000, 10000):
            rows.append((time_s, run, user))
            time_s += run + (1.0 + run) ** power - 1.0
        rows.append((time_s, 5, user))
    rows.sort()
    submit, runs, users = (np.array(column, float) for column in zip(*rows, strict=True))
    log = tt.Workload.from_columns(
        submit_s=submit, run_s=runs, user=users, processors=np.ones(len(rows)), wait_s=0 * runs
    )
    alone, together = (
        tt.SessionReplay(threshold_min=0, think_times="response", pooling=pooling).plan(log, 0)["exponent"]
        for pooling in (0.0, 1e9)
    )
    assert alone == pytest.approx([0.5, 1.0], abs=1e-6)
    assert together == pytest.approx([0.75, 0.75], abs=1e-6)


@pytest.mark.parametrize("name", sorted(REGISTRY["scheduler"]))
@examples(60)
@given(jobs=population(most=60, machine=4), processors=st.integers(3, 5), rules=rules(), threshold=THRESHOLDS)
def test_every_scheduler(name: str, jobs: list[Job], processors: int, rules: dict[str, Any], threshold: int) -> None:
    ours = tt.SessionReplay(threshold_min=threshold / 60)
    theirs = SessionReplay(60.0 * (threshold / 60))
    assert_agreement(jobs, processors, REGISTRY["scheduler"][name](), ours, theirs, **rules)  # type: ignore[arg-type]


@examples(500)
@given(population(), THRESHOLDS, DELIMITERS, GRAPHS)
def test_the_fast_graph_is_the_plain_one(jobs: list[Job], threshold: int, delimiter: str, graph: str) -> None:
    """What `workload` finds in linear time is what trying all pairs finds."""
    plain = find_sessions(jobs, threshold, delimiter)
    link(plain, graph)
    found = sessions(workload_of(jobs), delimiter=delimiter, threshold_s=threshold)
    fast = session_graph(found, reduced=graph == "reduced")
    edges = zip(fast.predecessor.tolist(), fast.successor.tolist(), fast.think_s.tolist(), strict=True)
    assert sorted(edges) == sorted(
        (earlier.number, later.number, later.think_time_after(earlier))
        for later in plain
        for earlier in later.predecessors
    )


@examples(300)
@given(population(), THRESHOLDS, DELIMITERS, GRAPHS)
def test_recorded_ends_give_the_recorded_submissions_back(
    jobs: list[Job], threshold: int, delimiter: str, graph: str
) -> None:
    """A log without waits on a machine without queues: every job ends as recorded, so it is submitted as recorded."""
    at_once = [Job(job.submit, job.run, job.processors, job.estimate, job.user) for job in jobs]
    users = tt.SessionReplay(threshold_min=threshold / 60, delimiter=delimiter, graph=graph)
    result = run_engine(at_once, 1_000, tt.FCFS(), users=users)
    assert np.array_equal(result.columns["submit_s"], result.columns["recorded_submit_s"])


@examples(200)
@given(population(), st.integers(1, 8), THRESHOLDS, TIES)
def test_a_replay_of_what_was_simulated_stands_still(
    jobs: list[Job], processors: int, threshold: int, ties: str
) -> None:
    """The waits of a rigid run, recorded as the log's, come out again: the loop is closed around the same schedule."""
    small = [job for job in jobs if job.processors <= processors]
    rigid = run_engine(small, processors, tt.Easy())
    waits = rigid.columns["start_s"] - rigid.columns["submit_s"]
    recorded = [
        Job(job.submit, job.run, job.processors, job.estimate, job.user, float(wait))
        for job, wait in zip(small, waits, strict=True)
    ]
    users = tt.SessionReplay(threshold_min=threshold / 60, ties=ties)
    again = run_engine(recorded, processors, tt.Easy(), users=users)
    for name in ("submit_s", "start_s", "end_s"):
        assert np.array_equal(again.columns[name], rigid.columns[name])


# --- the spec -----------------------------------------------------------------------------------------------


def test_the_spec_round_trips() -> None:
    spec = tt.SessionReplay(threshold_min=0, graph="full")
    assert repr(spec) == "SessionReplay(threshold_min=0.0, graph='full')"
    assert from_dict("users", spec.to_dict()) == spec == parse("users", "session-replay:threshold_min=0,graph=full")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"threshold_min": -1}, "threshold_min of session-replay is -1: choose a number of 0 or more"),
        ({"threshold_min": float("nan")}, "threshold_min of session-replay is nan: choose a number of 0 or more"),
        ({"graph": "all"}, "graph of session-replay is 'all': choose one of reduced, full"),
        ({"delimiter": "first"}, "delimiter of session-replay is 'first': choose one of arrival, last, max"),
    ],
)
def test_mistakes(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(tt.InputError) as mistake:
        tt.SessionReplay(**options)
    assert str(mistake.value) == sentence


# --- the result ---------------------------------------------------------------------------------------------


def two_sessions() -> tt.Workload:
    """One user: 10 s of work, 4 s of thought, 10 s of work; and the second session again."""
    return tt.Workload.from_columns(
        submit_s=[0, 14, 40], run_s=[10, 10, 1], processors=[1, 1, 1], user=[7, 7, 7], wait_s=[0, 0, 0]
    )


def test_columns_tell_simulated_from_recorded() -> None:
    users = tt.SessionReplay(threshold_min=0.1)
    result = tt.simulate(two_sessions(), tt.Machine(processors=1, speed=2.0), tt.FCFS(), users=users)
    assert result.columns["submit_s"].tolist() == [0, 9, 30]
    assert result.columns["recorded_submit_s"].tolist() == [0, 14, 40]
    assert result.jobs["session"].to_list() == [0, 1, 2]
    assert result.spec["users"] == users.to_dict()


def test_the_users_are_part_of_the_runs_name() -> None:
    machine, workload = tt.Machine(processors=1), two_sessions()
    runs = [
        tt.simulate(workload, machine, tt.FCFS(), users=users)
        for users in (tt.Rigid(), tt.SessionReplay(), tt.SessionReplay(threshold_min=5))
    ]
    assert len({run.digest for run in runs}) == 3


def test_a_stopped_run_does_not_know_later_submissions() -> None:
    sim = tt.Simulation(two_sessions(), tt.Machine(processors=1), tt.FCFS(), users=tt.SessionReplay(threshold_min=0))
    result = sim.run(until=12).result()
    assert np.array_equal(result.columns["submit_s"], [0, np.nan, np.nan], equal_nan=True)
    assert tt.check(result) == []
    assert result.statistics["submitted_jobs"] == 1
    assert result.summary()["jobs"] == 3
    assert len(sim.run().result().jobs) == 3
