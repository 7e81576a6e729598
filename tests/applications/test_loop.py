"""Loops inside jobs: tasks and their playing against the reference, and two levels against the reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from reference import Job
from reference.applications import play
from reference.applications.two_levels import simulate_two_levels
from tests.applications.two_levels import SCHEDULERS, lengths_of, played, small_workloads, technique_for
from tests.effort import examples
from tests.engine.workloads import workload_of
from thinktime import _engine
from thinktime.applications import ApplicationContext
from thinktime.simulation.settings import Overrun
from thinktime.spec import REGISTRY, parse

TECHNIQUES = sorted(REGISTRY["technique"])
LAWS = [("normal", 0.25), ("normal", 2.0), ("gamma", 0.4), ("gamma", 1.7), ("exponential", 1.0), ("normal", 0.0)]


def context(seed: int = 0, cores: int = 64) -> ApplicationContext:
    return ApplicationContext(workload=None, speed=1.0, cores=cores, seed=seed)


@pytest.mark.parametrize(("law", "variation"), LAWS)
@pytest.mark.parametrize("per_core", [1, 7])
def test_tasks_are_those_of_the_reference_to_the_last_bit(law: str, variation: float, per_core: int) -> None:
    loop = tt.Loop(distribution=law, variation=variation, tasks_per_core=per_core)
    engine = _engine.Loops(loop.plan(context(seed=5)))
    for row, processors, each in [(0, 1, 10.0), (1, 16, 3600.0), (77, 3, 0.5), (2**31, 40, 1e6), (4, 5, 0.0)]:
        assert engine.tasks(row, processors, each).tolist() == lengths_of(loop, row, processors, each, 5)


@pytest.mark.parametrize(
    ("law", "variation"), [each for each in LAWS if each != ("normal", 2.0)]
)  # that one is cut at 0
def test_lengths_have_the_mean_and_the_deviation_of_their_law(law: str, variation: float) -> None:
    loop = tt.Loop(distribution=law, variation=variation, tasks_per_core=1000)
    lengths = _engine.Loops(loop.plan(context())).tasks(3, 200, 1000.0)
    assert abs(lengths.mean() - 1.0) < 5 * loop.variation / np.sqrt(len(lengths)) + 1e-12
    assert lengths.std() == pytest.approx(loop.variation, rel=0.02, abs=1e-12)
    assert lengths.sum() - lengths[-1] < 200_000 <= lengths.sum() + 1e-6


@examples(60)
@given(
    technique=st.sampled_from(TECHNIQUES),
    law=st.sampled_from(LAWS),
    per_core=st.integers(1, 9),
    processors=st.integers(1, 20),
    overhead=st.sampled_from([0.0, 0.5]),
    speeds=st.sampled_from([(), (1.0, 0.5), (2.0, 1.0, 0.25)]),
    slow=st.booleans(),
    seed=st.integers(0, 1000),
)
def test_a_loop_is_played_as_the_reference_plays_it(
    technique: str,
    law: tuple[str, float],
    per_core: int,
    processors: int,
    overhead: float,
    speeds: tuple[float, ...],
    slow: bool,
    seed: int,
) -> None:
    slowdowns = [{"cores": "2-4", "from_s": 40.0, "to_s": 90.0, "factor": 0.25}] if slow else []
    loop = tt.Loop(
        technique=technique, distribution=law[0], variation=law[1], tasks_per_core=per_core, overhead_s=overhead,
        speeds=speeds, slowdowns=slowdowns,
    )  # fmt: skip
    start, each = 30.0, 20.0
    shown = _engine.Loops(loop.plan(context(seed))).show(
        row=np.array([9]), processors=np.array([processors]), each_s=np.array([each]), start_s=np.array([start]),
        limit_s=np.array([np.inf]), core=np.arange(processors),
    )  # fmt: skip
    lengths = lengths_of(loop, 9, processors, each, seed)
    of_cores = tuple(speeds[core % len(speeds)] if speeds else 1.0 for core in range(processors))
    known = of_cores if speeds or slow else ()
    referee = technique_for(loop, 9, len(lengths), processors, each, known, seed)
    end_of = (lambda core, begun, length: slowed(core, start, begun, length, of_cores[core])) if slow else None
    expected = play(lengths, of_cores, referee, overhead, end_of=end_of)
    assert shown["task"].tolist() == [event.task for event in expected]
    assert shown["chunk"].tolist() == [event.chunk for event in expected]
    assert shown["core"].tolist() == [event.core for event in expected]
    np.testing.assert_allclose(shown["end_s"], [event.end for event in expected], rtol=1e-12)


def slowed(core: int, start: float, begun: float, length: float, speed: float) -> float:
    """Cores 2 to 4 are four times as slow from 40 to 90 s of simulation time: in steps, from one change to the next."""
    at, left = begun, length
    for until, factor in [(40.0 - start, 1.0), (90.0 - start, 0.25), (np.inf, 1.0)]:
        pace = speed * (factor if 2 <= core <= 4 else 1.0)
        if at >= until:
            continue
        if left <= (until - at) * pace:
            return at + left / pace
        left -= (until - at) * pace
        at = until
    raise AssertionError


@pytest.mark.parametrize(("scheduler", "known"), SCHEDULERS, ids=lambda value: str(value))
@pytest.mark.parametrize("release", ["end", "idle"])
@pytest.mark.parametrize("overrun", ["extend", "extend-blind", "kill"])
@examples(40)
@given(jobs=small_workloads(), technique=st.sampled_from(["static", "ss", "fac", "af"]), seed=st.integers(0, 99))
def test_two_levels_agree_with_the_reference(
    scheduler: Any, known: dict[str, Any], release: str, overrun: Overrun, jobs: list[Job], technique: str, seed: int
) -> None:
    loop = tt.Loop(technique=technique, variation=0.3, tasks_per_core=2, overhead_s=0.25, release=release)
    idle_from = [played(loop, row, job, seed) for row, job in enumerate(jobs)]
    expected = simulate_two_levels(jobs, idle_from, 10, known, overrun, early=release == "idle")
    machine = tt.Machine(processors=10)
    result = tt.simulate(workload_of(jobs), machine, scheduler, applications=loop, overrun=overrun, seed=seed)
    np.testing.assert_allclose(result.columns["start_s"], [each.start for each in expected], rtol=1e-12)
    np.testing.assert_allclose(result.columns["end_s"], [each.end for each in expected], rtol=1e-12)
    assert result.jobs["status"].to_list() == [each.status for each in expected]
    assert tt.check(result) == []


@pytest.mark.parametrize("technique", TECHNIQUES)
def test_without_variation_every_technique_gives_the_recorded_run_times(technique: str) -> None:
    jobs = [Job(submit=float(k), run=7.0 * k, processors=1 + k % 9, estimate=100.0) for k in range(40)]
    fixed = tt.simulate(workload_of(jobs), tt.Machine(processors=12), tt.Easy())
    loop = tt.simulate(
        workload_of(jobs), tt.Machine(processors=12), tt.Easy(), applications=tt.Loop(technique=technique)
    )
    assert np.array_equal(fixed.columns["end_s"], loop.columns["end_s"])


def test_core_seconds_make_up_the_machine() -> None:
    workload = tt.default_workload(jobs=2000)
    loop = tt.Loop(technique="gss", variation=0.3, tasks_per_core=3, overhead_s=1.0)
    for release in ("end", "idle"):
        run = tt.simulate(workload, tt.Machine(processors=128), tt.Easy(), applications=loop.replace(release=release))
        spent, time_s = run.core_seconds(), run.timeline_columns["time_s"]
        assert sum(spent) == pytest.approx(128 * (time_s[-1] - time_s[0]), rel=1e-12)
        busy = sum(float((block["end_s"] - block["start_s"]).sum()) for block in run.tasks())
        assert busy == pytest.approx(spent.tasks, rel=1e-9)
        assert spent.overhead == run.summary()["chunks"] * 1.0
        used = (spent.tasks + spent.overhead + spent.imbalance) / sum(spent)
        assert run.summary()["utilisation"] == pytest.approx(used, rel=1e-3)  # the window begins with the first job


def test_what_no_core_is_asked_twice_at_a_time() -> None:
    """No two tasks overlap on a core, whatever the release, on nodes with two cores a processor."""
    workload = tt.default_workload(jobs=1500, processors=64)
    nodes = tt.Cluster(groups=[{"name": "a", "nodes": 20, "core": 8}], unit={"core": 2})
    for release in ("end", "idle"):
        loop = tt.Loop(technique="fac", variation=0.4, tasks_per_core=2, release=release)
        run = tt.simulate(workload, nodes, tt.Easy(), applications=loop)
        assert tt.check(run) == []
        blocks = list(run.tasks())
        core, start, end = (np.concatenate([block[name] for block in blocks]) for name in ("core", "start_s", "end_s"))
        order = np.lexsort((start, core))
        same = core[order][1:] == core[order][:-1]
        assert (start[order][1:] >= end[order][:-1] - 1e-6)[same].all()
        assert set(np.unique(core % 2)) == {0}  # the first of the two cores of a processor does the tasks


def test_a_saved_run_plays_its_tasks_again(tmp_path: Any) -> None:
    workload = tt.default_workload(jobs=300)
    loop = tt.Loop(technique="af", variation=0.3, tasks_per_core=3, speeds="2*1+1*0.5")
    run = tt.simulate(workload, tt.Machine(processors=128), tt.FCFS(), applications=loop, overrun="kill", seed=3)
    run.save(tmp_path / "run")
    again = tt.Result.load(tmp_path / "run")
    assert again == run
    for mine, theirs in zip(run.tasks(), again.tasks(), strict=True):
        for name, values in mine.items():
            assert np.array_equal(values, theirs[name]), name
    ends = np.concatenate([block["end_s"] for block in run.tasks()])
    rows = np.concatenate([block["row"] for block in run.tasks()])
    assert (ends <= run.columns["end_s"][rows] + 1e-6).all()


def test_tasks_of_a_window_and_of_some_jobs() -> None:
    workload = tt.default_workload(jobs=300)
    run = tt.simulate(
        workload, tt.Machine(processors=128), tt.FCFS(), applications=tt.Loop(technique="ss", variation=0.3)
    )
    begin = float(run.columns["start_s"][100])
    whole = list(run.tasks(jobs=[101]))
    assert {int(job) for block in whole for job in block["job"]} == {101}
    cut = list(run.tasks(window=(begin, begin + 60.0)))
    assert all((block["start_s"] >= begin).all() and (block["end_s"] <= begin + 60.0).all() for block in cut)
    with pytest.raises(tt.InputError, match="no job 999999"):
        list(run.tasks(jobs=[999999]))


def test_lengths_from_a_file(tmp_path: Any) -> None:
    path = tmp_path / "tasks.csv"
    path.write_text("# seconds\njob,task_s\n1,5\n1,7\n3,2.5\n1,1\n")
    workload = tt.Workload.from_columns(
        submit_s=[0.0, 1.0, 2.0], run_s=[9.0, 9.0, 9.0], processors=[2.0, 1.0, 1.0], job=[1.0, 2.0, 3.0]
    )
    run = tt.simulate(
        workload, tt.Machine(processors=8), tt.FCFS(), applications=tt.Loop(technique="ss", tasks=str(path))
    )
    assert run.columns["run_s"].tolist() == [
        7.0,
        9.0,
        2.5,
    ]  # 5 and 1 on one core, 7 on the other; as recorded; as given
    assert [len(block["task"]) for block in run.tasks()] == [5]
    path.write_text("job,task_s\n1,5\n")
    with pytest.raises(tt.InputError, match="has changed since the run"):
        tt.Loop(tasks=str(path), tasks_sha256=run.spec["applications"]["tasks_sha256"])


def test_loops_beneath_failures_and_users_who_react() -> None:
    workload = tt.default_workload(jobs=2000)
    loop = tt.Loop(technique="ss", variation=0.3)
    run = tt.simulate(
        workload, tt.Cluster.named("seth"), tt.Easy(), applications=loop, users=tt.SessionReplay(),
        plugins=[tt.Failures(mtbf_h=400, jobs="checkpoint", checkpoint_h=1)],
    )  # fmt: skip
    assert len(run.attempts) > 0
    assert tt.check(run) == []


def test_core_seconds_of_jobs_that_were_aborted_or_still_run() -> None:
    """A job of two cores is lost after 10 s of its 100, another starts over; one runs on when the clock stops."""
    jobs = tt.Workload.from_columns(job=[1, 2], submit_s=[0.0, 0.0], run_s=[100.0, 30.0], processors=[2, 1])
    nodes = tt.Cluster(groups=[{"name": "n", "nodes": 3, "core": 1}])
    loop = tt.Loop(technique="ss", tasks_per_core=10)
    for fate, spent in (("lose", [20.0 + 30.0, 40.0]), ("requeue", [20.0 + 200.0 + 30.0, 95.0])):
        failure = tt.Failures(table=[{"nodes": "n-0", "from_s": 10.0, "to_s": 15.0}], jobs=fate)
        run = tt.simulate(jobs, nodes, tt.FCFS(), applications=loop, plugins=[failure])
        seconds = run.core_seconds()
        assert seconds.tasks == pytest.approx(spent[0])
        assert seconds.imbalance == pytest.approx(0.0)
        assert sum(seconds) == pytest.approx(3 * run.timeline_columns["time_s"][-1])
    half = tt.Simulation(jobs, tt.Machine(processors=3), tt.FCFS(), applications=loop).run(until=50.0).result()
    assert half.core_seconds() == pytest.approx((60.0 + 30.0, 0.0, 0.0, 0.0, 0.0))  # up to its last event, at 30 s
    assert half.summary()["imbalance_share"] == 0.0


def test_tasks_begin_when_nodes_have_booted() -> None:
    jobs = tt.Workload.from_columns(job=[1, 2], submit_s=[0.0, 1000.0], run_s=[10.0, 10.0], processors=[2, 2])
    nodes = tt.Cluster(groups=[{"name": "n", "nodes": 1, "core": 2}])
    slow = [{"cores": "0-1", "from_s": 1000.0, "to_s": 1100.0, "factor": 0.5}]
    power = tt.Power(off_after_s=60.0, boot_s=120.0)
    run = tt.simulate(jobs, nodes, tt.FCFS(), applications=tt.Loop(slowdowns=slow), plugins=[power])
    (block,) = run.tasks(jobs=[2])
    assert block["start_s"].tolist() == [1120.0, 1120.0]
    assert block["end_s"].tolist() == [1130.0, 1130.0]  # the slowdown was over
    assert run.columns["end_s"].tolist() == [10.0, 1130.0]
    assert run.core_seconds() == pytest.approx((40.0, 240.0, 0.0, 0.0, 2 * 990.0))


NODES = tt.Cluster(groups=[{"name": "a", "nodes": 20, "core": 4}, {"name": "b", "nodes": 8, "core": 8}])


@pytest.mark.parametrize("machine", [tt.Machine(processors=128), NODES], ids=["machine", "cluster"])
@pytest.mark.parametrize("overrun", ["extend", "kill"])
def test_a_stream_keeps_what_a_run_in_memory_keeps(
    machine: Any, overrun: Overrun, tmp_path: Any, monkeypatch: Any
) -> None:
    """Written in pieces, by ends of jobs; tables, core-seconds, summary and tasks are the same."""
    monkeypatch.setattr("thinktime.simulation.stream.ROW_GROUP", 64)
    log = tmp_path / "log.swf"
    tt.write_swf(tt.default_workload(jobs=700, processors=144), log)
    loop = tt.Loop(technique="awf-c", variation=0.3, tasks_per_core=3, overhead_s=2.0, speeds="3*1+1*0.5")
    rules: dict[str, Any] = {"applications": loop, "overrun": overrun, "oversized": "reject", "seed": 3}
    summary = tt.simulate_stream(tt.stream_swf(log, block_bytes=4096), machine, tt.Easy(), tmp_path / "run", **rules)
    streamed, memory = tt.Result.load(tmp_path / "run"), tt.simulate(tt.read_swf(log), machine, tt.Easy(), **rules)
    order, whole = np.argsort(streamed.columns["job"]), memory.report_columns["inside"]
    assert set(streamed.report_columns) == set(memory.report_columns)
    for name, values in streamed.report_columns["inside"].items():
        assert np.array_equal(values[order], whole[name]), name
    assert streamed.core_seconds() == pytest.approx(memory.core_seconds(), rel=1e-12)
    for name in (name for name, row in tt.metrics.CATALOGUE.items() if row.runs.application):
        assert summary[name] == pytest.approx(memory.summary()[name], rel=1e-12), name
        assert streamed.summary()[name] == pytest.approx(memory.summary()[name], rel=1e-12), name
    mine, theirs = (sorted_tasks(run) for run in (streamed, memory))
    assert all(np.array_equal(values, theirs[name]) for name, values in mine.items())
    assert tt.check(streamed) == []


def sorted_tasks(run: tt.Result) -> dict[str, np.ndarray]:
    blocks = list(run.tasks())
    whole = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0] if name != "row"}
    order = np.lexsort((whole["task"], whole["job"]))
    return {name: values[order] for name, values in whole.items()}


def test_a_stream_without_jobs_has_no_core_seconds(tmp_path: Any) -> None:
    dropped = "1 0 0 -1 2 -1 -1 2 20 -1 1 1 1 -1 1 -1 -1 -1\n"  # by the filter
    (tmp_path / "log.swf").write_text(f"; MaxProcs: 4\n{dropped}")
    log = tt.stream_swf(tmp_path / "log.swf")
    tt.simulate_stream(log, tt.Machine(processors=4), tt.FCFS(), tmp_path / "run", applications=tt.Loop())
    assert sum(tt.Result.load(tmp_path / "run").core_seconds()) == 0.0


def test_no_timeline_no_core_seconds() -> None:
    jobs = tt.Workload.from_columns(job=[1], submit_s=[0.0], run_s=[10.0], processors=[1])
    run = tt.simulate(jobs, tt.Machine(processors=1), tt.FCFS(), applications=tt.Loop(), timeline=False)
    with pytest.raises(tt.InputError, match="timeline=True"):
        run.core_seconds()


def test_work_too_small_for_a_number_is_none() -> None:
    jobs = tt.Workload.from_columns(job=[1, 2], submit_s=[0.0, 1.0], run_s=[1e-300, 5e-324], processors=[3, 2])
    loop = tt.Loop(variation=0.25, tasks_per_core=10)
    run = tt.simulate(jobs, tt.Machine(processors=3), tt.FCFS(), applications=loop)
    assert run.columns["end_s"].tolist() == [pytest.approx(0.0), 1.0]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"variation": 1e9, "distribution": "gamma"}, "from 0 to 10"),
        ({"variation": -1}, "from 0 to 1e"),
        ({"speeds": "0*1"}, "write it like"),
        ({"speeds": "-3*1"}, "write it like"),
        ({"speeds": "999999999999*1"}, "write it like"),
        ({"slowdowns": [5]}, "a list of tables"),
        ({"slowdowns": ["ab"]}, "a list of tables"),
    ],
)
def test_options_that_are_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(tt.InputError, match=sentence):
        tt.Loop(**options)


@pytest.mark.parametrize("row", ["1.5,2", ",2", "1,", "1,nan"])
def test_a_row_of_tasks_that_is_refused(row: str, tmp_path: Any) -> None:
    path = tmp_path / "tasks.csv"
    path.write_text(f"job,task_s\n1,3\n{row}\n")
    jobs = tt.Workload.from_columns(job=[1], submit_s=[0.0], run_s=[10.0], processors=[1])
    with pytest.raises(tt.InputError, match="in row 2"):
        tt.simulate(jobs, tt.Machine(processors=1), tt.FCFS(), applications=tt.Loop(tasks=str(path)))


def test_the_text_of_a_loop_is_short() -> None:
    slow = [{"cores": "0-3", "from_s": 0, "to_s": 10, "factor": 0.5}]
    loop = tt.Loop(technique="rand:smallest=2,largest=5", speeds="128*1+64*0.5")
    assert loop.text() == "loop:technique=(rand:smallest=2,largest=5),speeds=128*1+64*0.5"
    assert parse("application", loop.text()) == loop
    assert tt.Loop(slowdowns=slow).text() == "loop:slowdowns=1 in all"
