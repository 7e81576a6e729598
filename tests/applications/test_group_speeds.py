"""Groups of nodes whose cores are faster or slower: tasks run at the speed of the nodes that a job got."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from reference import Job
from reference.applications import play
from tests.applications.two_levels import lengths_of, small_workloads, technique_for
from tests.applications.workers import simgrid_command
from tests.cli.commands import thinktime
from tests.effort import examples
from tests.engine.workloads import workload_of
from thinktime.spec import from_dict, parse

GROUPS = [{"name": "slow", "nodes": 2, "core": 2}, {"name": "usual", "nodes": 1, "core": 3}]
NODES = tt.Cluster(groups=[*GROUPS, {"name": "fast", "nodes": 1, "core": 4}])
SPEEDS = {"slow": 0.5, "fast": 4.0}
OF_CORES = [0.5] * 4 + [1.0] * 3 + [4.0] * 4


def job(processors: int, run_s: float = 8.0) -> tt.Workload:
    return tt.Workload.from_columns(job=[1], submit_s=[0.0], run_s=[run_s], processors=[processors])


@pytest.mark.parametrize(
    ("allocator", "processors", "run_s", "on"),
    [
        (tt.FirstFit(), 2, 16.0, "slow-0"),  # 8 s at half the speed
        (tt.WorstFit(), 7, 8.0, "usual-0,fast-0"),  # and then the next
        (tt.WorstFit(), 2, 2.0, "fast-0"),  # where most is left
        (tt.FirstFit(), 5, 16.0, "slow-[0-1],usual-0"),  # its slowest core decides
    ],
    ids=["slow", "two fast", "fast", "two slow"],
)
def test_a_job_by_hand(allocator: Any, processors: int, run_s: float, on: str) -> None:
    """One task of 8 s a core."""
    loop = tt.Loop(technique="static", speeds=SPEEDS)
    run = tt.simulate(job(processors), NODES, tt.FCFS(), allocator=allocator, applications=loop)
    assert (run.jobs["nodes"][0], run.columns["run_s"][0]) == (on, run_s)
    (tasks,) = run.tasks()
    lengths = dict(zip(tasks["core"].tolist(), (tasks["end_s"] - tasks["start_s"]).tolist(), strict=True))
    assert lengths == {core: 8.0 / OF_CORES[core] for core in lengths}
    spent = run.core_seconds()
    assert spent.tasks == sum(lengths.values())
    assert spent.imbalance == processors * run_s - spent.tasks


@examples(40)
@given(
    jobs=small_workloads(),
    technique=st.sampled_from(["static", "ss", "wf", "awf-c", "af"]),
    allocator=st.sampled_from([tt.FirstFit(), tt.BestFit(), tt.WorstFit()]),
)
def test_tasks_run_at_the_speed_of_the_nodes(jobs: list[Job], technique: str, allocator: Any) -> None:
    """Every job takes as long as the reference says of its cores."""
    loop = tt.Loop(technique=technique, variation=0.4, tasks_per_core=3, overhead_s=0.25, speeds=SPEEDS)
    run = tt.simulate(workload_of(jobs), NODES, tt.Easy(), allocator=allocator, applications=loop, seed=7)
    assert tt.check(run) == []
    spans = run.report_columns["cores"]
    for row, each in enumerate(jobs):
        mine = np.flatnonzero(spans["row"] == row)
        cores = [core for k in mine for core in range(spans["first"][k], spans["first"][k] + spans["cores"][k])]
        speeds, lengths = tuple(OF_CORES[core] for core in cores), lengths_of(loop, row, each.processors, each.run, 7)
        if not lengths:
            continue
        referee = technique_for(loop, row, len(lengths), each.processors, each.run, speeds, 7)
        ends = [event.end for event in play(lengths, speeds, referee, loop.overhead_s)]
        assert run.columns["run_s"][row] == pytest.approx(max(ends), rel=1e-12)


def test_simgrid_has_the_same_speeds() -> None:
    simgrid_command()
    loop: dict[str, Any] = {"technique": "awf-c", "variation": 0.4, "tasks_per_core": 3, "speeds": SPEEDS}
    log = tt.default_workload(jobs=15, processors=8)
    native, simgrid = (tt.simulate(log, NODES, tt.FCFS(), applications=kind(**loop)) for kind in (tt.Loop, tt.SimGrid))
    np.testing.assert_allclose(simgrid.columns["end_s"], native.columns["end_s"], rtol=0, atol=1e-5)


def test_speeds_of_groups_are_written_and_read() -> None:
    loop = tt.Loop(speeds=SPEEDS)
    assert loop.text() == "loop:speeds=fast*4+slow*0.5"
    assert parse("application", loop.text()) == loop
    assert from_dict("application", loop.to_dict()) == loop
    assert loop.to_dict()["speeds"] == SPEEDS
    assert eval(repr(loop), {"Loop": tt.Loop}) == loop
    assert hash(loop) == hash(tt.Loop(speeds={"fast": 4, "slow": 0.5}))


def test_a_saved_run_has_its_groups(tmp_path: Any) -> None:
    run = tt.simulate(job(5), NODES, tt.FCFS(), applications=tt.Loop(speeds=SPEEDS))
    run.save(tmp_path / "run")
    again = tt.Result.load(tmp_path / "run")
    assert again == run
    assert next(again.tasks())["end_s"].tolist() == next(run.tasks())["end_s"].tolist()


def test_the_command_takes_and_tells_them(tmp_path: Any) -> None:
    (tmp_path / "nodes.toml").write_text(NODES.to_toml())
    loop = "loop:technique=ss,speeds=fast*4+slow*0.5"
    told = thinktime(
        tmp_path, "run", "default:jobs=20", "--cluster", "nodes.toml", "--applications", loop, "--out", "run"
    )
    assert told.code == 0, told.err
    assert "speeds=fast*4+slow*0.5" in told.out.replace("\n", "")
    assert tt.Result.load(tmp_path / "run").spec["applications"]["speeds"] == SPEEDS


@pytest.mark.parametrize(
    ("machine", "speeds", "sentence"),
    [
        (NODES, {"fest": 2.0}, "names the group 'fest' but the platform has slow, usual, fast"),
        (tt.Machine(processors=8), {"fast": 2.0}, "the platform has no groups"),
        (NODES, {"fast": 0.0}, "a number from 1e-6"),
        (NODES, "fast*quick", "the speed of group 'fast' is 'quick'"),
        (NODES, [("fast", 2.0), 1.0], "not both"),
        (NODES, "fast*2+4*1", "by groups like"),
    ],
)
def test_speeds_that_are_refused(machine: Any, speeds: Any, sentence: str) -> None:
    with pytest.raises(tt.InputError, match=sentence):
        tt.simulate(job(2), machine, tt.FCFS(), applications=tt.Loop(speeds=speeds))
