"""Jobs that are aborted or killed while their loops run: what happened inside up to then, against the reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from reference import Job
from reference.applications import Event, play
from reference.applications.account import Account, account
from tests.applications.two_levels import lengths_of, technique_for
from tests.effort import examples
from tests.engine.workloads import workload_of
from thinktime.simulation.settings import Overrun

NODES, CORES_A_NODE, SEED = 3, 2, 4
CLUSTER = tt.Cluster(groups=[{"name": "n", "nodes": NODES, "core": CORES_A_NODE}])
SPEEDS = (1.0, 0.5, 2.0, 1.0, 1.0, 0.25)


@st.composite
def troubles(draw: st.DrawFn) -> tuple[list[Job], list[dict[str, Any]]]:
    """A few jobs, and nodes that break and are repaired."""
    times = sorted(draw(st.lists(st.integers(0, 40), min_size=1, max_size=8)))
    runs, sizes = st.sampled_from([0.0, 3.0, 10.0, 25.0]), st.integers(1, NODES * CORES_A_NODE)
    jobs = [Job(float(at), draw(runs), draw(sizes), float(draw(st.integers(5, 60)))) for at in times]
    broken = []
    for node in range(NODES):
        at = 0.0
        for gap in draw(st.lists(st.integers(2, 30), max_size=3)):
            broken.append({"nodes": f"n-{node}", "from_s": at + gap, "to_s": at + gap + 2.5})
            at += gap + 2.5
    return jobs, broken


def plays(loop: tt.Loop, row: int, job: Job, cores: list[int]) -> list[Event]:
    """The whole loop on these cores, by the reference; times from its begin."""
    lengths = lengths_of(loop, row, job.processors, job.run, SEED)
    speeds = tuple(SPEEDS[core] for core in cores)
    if not lengths:
        return []
    known = speeds if loop.speeds else ()
    referee = technique_for(loop, row, len(lengths), job.processors, job.run, known, SEED)
    return play(lengths, speeds if loop.speeds else (1.0,) * len(cores), referee, loop.overhead_s)


def cores_of(table: Any, row: int) -> list[int]:
    return [
        core
        for owner, first, count in zip(table["row"], table["first"], table["cores"], strict=True)
        if owner == row
        for core in range(first, first + count)
    ]


def by_hand(run: tt.Result, loop: tt.Loop, jobs: list[Job], kill: bool) -> list[Account]:
    """Run after run of each job: a run that starts at the beginning is a play of its own."""
    tried, found = run.attempts_made.columns, []
    for row, job in enumerate(jobs):
        parts, begun, events, lost = [], 0.0, list[Event](), False
        for k in np.flatnonzero(tried["row"] == row):
            inside = run.report_columns["aborted_inside"]
            if begun == 0:
                events = plays(loop, row, job, cores_of(run.report_columns["aborted_cores"], int(k)))
            boot = inside["begin_s"][k] - tried["start_s"][k]
            worked = max(0.0, tried["end_s"][k] - inside["begin_s"][k])
            part = account(events, loop.overhead_s, begun, min(begun + worked, job.estimate if kill else np.inf))
            held = min(boot, tried["end_s"][k] - tried["start_s"][k]) * job.processors
            parts.append(part._replace(overhead_s=part.overhead_s + held))
            begun += tried["saved_s"][k]
            lost = bool(tried["lost"][k])
        if not lost and run.columns["end_s"][row] >= 0:
            if begun == 0:
                events = plays(loop, row, job, cores_of(run.report_columns["cores"], row))
            part = account(events, loop.overhead_s, begun, job.estimate if kill else np.inf)
            restart = run.columns["overhead_s"][row] * job.processors
            parts.append(part._replace(overhead_s=part.overhead_s + restart))
        found.append(Account(*(sum(column) for column in zip(*parts, strict=True))) if parts else Account(0, 0, 0, 0))
    return found


@pytest.mark.parametrize("fate", ["lose", "requeue", "checkpoint"])
@pytest.mark.parametrize("speeds", [(), SPEEDS], ids=["alike", "unequal"])
@pytest.mark.parametrize("overrun", ["extend", "kill"])
@examples(40)
@given(trouble=troubles(), technique=st.sampled_from(["static", "ss", "fac", "awf-c"]))
def test_what_happened_inside_is_what_the_reference_counts(
    fate: str, speeds: tuple[float, ...], overrun: Overrun, trouble: Any, technique: str
) -> None:
    jobs, broken = trouble
    loop = tt.Loop(technique=technique, variation=0.3, tasks_per_core=3, overhead_s=0.25, speeds=speeds)
    saved = {"checkpoint_h": 4 / 3600, "restart_s": 1.5} if fate == "checkpoint" else {}
    plugins = [tt.Failures(table=broken, jobs=fate, **saved)] if broken else []  # type: ignore[arg-type]
    run = tt.simulate(
        workload_of(jobs), CLUSTER, tt.Easy(), applications=loop, overrun=overrun, plugins=plugins, seed=SEED
    )
    assert tt.check(run) == []
    inside = run.report_columns["inside"]
    expected = by_hand(run, loop, jobs, overrun == "kill") if plugins else []
    for row, hand in enumerate(expected):
        assert inside["tasks"][row] == hand.tasks
        assert inside["busy_s"][row] == pytest.approx(hand.busy_s, abs=1e-8)
        assert inside["overhead_s"][row] == pytest.approx(hand.overhead_s, abs=1e-8)
    tasks_are_in_the_account(run, loop)


def tasks_are_in_the_account(run: tt.Result, loop: tt.Loop) -> None:
    """The tasks of all runs last as long as the account says, lie within their runs, and never overlap on a core."""
    blocks = list(run.tasks())
    if not blocks:
        return
    row, core, start, end = (np.concatenate([b[name] for b in blocks]) for name in ("row", "core", "start_s", "end_s"))
    busy = np.bincount(row, end - start, minlength=len(run))
    np.testing.assert_allclose(busy, run.report_columns["inside"]["busy_s"], atol=1e-8)
    order = np.lexsort((start, core))
    same = core[order][1:] == core[order][:-1]
    assert (start[order][1:] >= end[order][:-1] - 1e-9)[same].all()
    spent, time_s = run.core_seconds(), run.timeline_columns["time_s"]
    assert sum(spent) == pytest.approx(NODES * CORES_A_NODE * (time_s[-1] - time_s[0]))
    assert spent.tasks == pytest.approx(busy.sum())


@pytest.fixture
def three_tasks(tmp_path: Any) -> tt.Loop:
    """10, 40 and 10 s on two cores, in chunks that cost 1 s: one core is idle from 22 s on, the other from 41 s on."""
    (tmp_path / "tasks.csv").write_text("job,task_s\n1,10\n1,40\n1,10\n")
    return tt.Loop(technique="ss", overhead_s=1.0, tasks=str(tmp_path / "tasks.csv"))


@pytest.mark.parametrize(
    ("options", "busy", "overhead", "end", "ends"),
    [
        # lost at 30: 10 + 10 + 29 s of tasks, 3 chunks; 8 s idle
        ({"jobs": "lose"}, 49.0, 3.0, 30.0, [11.0, 30.0, 22.0]),
        # all again from 35 on, until 76
        ({"jobs": "requeue"}, 49.0 + 60.0, 6.0, 76.0, [11.0, 30.0, 22.0, 46.0, 76.0, 57.0]),
        # a checkpoint at 20 s; 4 s of restart on two cores; then 2 s of the third task and 21 s of the second
        (
            {"jobs": "checkpoint", "checkpoint_h": 20 / 3600, "restart_s": 4.0},
            49.0 + 2.0 + 21.0,
            3.0 + 8.0,
            60.0,
            [11.0, 30.0, 22.0, 60.0, 41.0],
        ),
    ],
    ids=lambda value: value["jobs"] if isinstance(value, dict) else "",
)
def test_an_aborted_job_by_hand(
    three_tasks: tt.Loop, options: dict[str, Any], busy: float, overhead: float, end: float, ends: list[float]
) -> None:
    jobs = tt.Workload.from_columns(job=[1], submit_s=[0.0], run_s=[30.0], processors=[2])
    nodes = tt.Cluster(groups=[{"name": "n", "nodes": 1, "core": 2}])
    failure = tt.Failures(table=[{"nodes": "n-0", "from_s": 30.0, "to_s": 35.0}], **options)
    run = tt.simulate(jobs, nodes, tt.FCFS(), applications=three_tasks, plugins=[failure])
    spent = run.core_seconds()
    assert run.columns["end_s"][0] == pytest.approx(end)
    assert (spent.tasks, spent.overhead) == (pytest.approx(busy), pytest.approx(overhead))
    held = 2 * (30.0 + (end - 35.0 if end > 30 else 0.0))
    assert spent.imbalance == pytest.approx(held - busy - overhead)
    assert np.concatenate([block["end_s"] for block in run.tasks()]).tolist() == pytest.approx(ends)


def test_a_job_that_still_runs_has_done_what_it_has_done(three_tasks: tt.Loop) -> None:
    jobs = tt.Workload.from_columns(
        job=[1, 2], submit_s=[0.0, 0.0], run_s=[30.0, 15.0], processors=[2, 1], requested_time_s=[30.0, 15.0]
    )
    half = tt.Simulation(jobs, tt.Machine(processors=3), tt.FCFS(), applications=three_tasks).run(until=20).result()
    inside = half.report_columns["inside"]  # the last event is at 16 s, when the other job ends
    assert inside["busy_s"].tolist() == [10.0 + 15.0 + 4.0, 15.0]
    assert inside["overhead_s"].tolist() == [3.0, 1.0]
    (tasks,) = half.tasks()
    assert tasks["end_s"].tolist() == [11.0, 16.0, 16.0, 16.0]
    assert (tasks["end_s"] - tasks["start_s"]).sum() == inside["busy_s"].sum()


@examples(30)
@given(trouble=troubles(), until=st.integers(0, 90))
def test_a_simulation_that_is_stopped_in_the_midst_of_trouble(trouble: Any, until: int) -> None:
    jobs, broken = trouble
    loop = tt.Loop(technique="fac", variation=0.3, tasks_per_core=3, overhead_s=0.25, speeds=SPEEDS)
    plugins = [tt.Failures(table=broken, jobs="checkpoint", checkpoint_h=4 / 3600, restart_s=1.5)] if broken else []
    simulation = tt.Simulation(workload_of(jobs), CLUSTER, tt.Easy(), applications=loop, plugins=plugins, seed=SEED)
    run = simulation.run(until=float(until)).result()
    if len(run.timeline_columns["time_s"]):
        tasks_are_in_the_account(run, loop)


def test_a_saved_run_has_its_aborted_runs(three_tasks: tt.Loop, tmp_path: Any) -> None:
    jobs = tt.Workload.from_columns(job=[1], submit_s=[0.0], run_s=[30.0], processors=[2])
    nodes = tt.Cluster(groups=[{"name": "n", "nodes": 1, "core": 2}])
    failure = tt.Failures(table=[{"nodes": "n-0", "from_s": 30.0, "to_s": 35.0}], jobs="requeue")
    run = tt.simulate(jobs, nodes, tt.FCFS(), applications=three_tasks, plugins=[failure])
    run.save(tmp_path / "run")
    again = tt.Result.load(tmp_path / "run")
    assert again.core_seconds() == run.core_seconds()
    for mine, theirs in zip(run.tasks(), again.tasks(), strict=True):
        assert all(np.array_equal(values, theirs[name]) for name, values in mine.items())
    for name in ("trace.csv", "trace.paje", "trace.json"):
        assert tt.write_trace(again, tmp_path / name).tasks == 6


def test_traces_of_many_aborted_runs_are_in_the_order_of_time(tmp_path: Any, monkeypatch: Any) -> None:
    """In blocks of a few cores, whose jobs may start again much later."""
    monkeypatch.setattr("thinktime.result.tasks.BLOCK_CORES", 16)
    monkeypatch.setattr("thinktime.tracing.time_order.AT_ONCE", 1)
    nodes = tt.Cluster(groups=[{"name": "n", "nodes": 16, "core": 8}])
    loop = tt.Loop(technique="gss", variation=0.3, tasks_per_core=2)
    failures = tt.Failures(mtbf_h=30, mttr_h=1, jobs="requeue")
    log = tt.default_workload(jobs=300, processors=128)
    run = tt.simulate(log, nodes, tt.FCFS(), applications=loop, plugins=[failures])
    assert len(run.attempts) > 10
    tt.write_trace(run, tmp_path / "tasks.paje")
    rows = [line.split() for line in (tmp_path / "tasks.paje").read_text().splitlines() if line[:1].isdigit()]
    times = [float(row[1]) for row in rows if row[0] in ("4", "5")]
    assert len(times) == 2 * sum(len(block["task"]) for block in run.tasks())
    assert times == sorted(times)
