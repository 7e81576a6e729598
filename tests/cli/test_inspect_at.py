"""`thinktime inspect RUN --at TIME`: the system at an instant."""

from __future__ import annotations

from pathlib import Path

import pytest

import thinktime as tt
from tests.cli.commands import thinktime

CLUSTER = tt.Cluster(groups=[{"name": "thin", "nodes": 3, "core": 4}, {"name": "fat", "nodes": 1, "core": 10}])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """From 0 on 6 cores run; from 10 on 20 are asked for; one that asks for 99 is rejected."""
    jobs = tt.Workload.from_columns(
        job=[1, 2, 3], submit_s=[0, 10, 11], run_s=[100, 50, 1], processors=[6, 20, 99], user=[7, 8, 8]
    )
    tt.simulate(jobs, CLUSTER, tt.FCFS()).save(tmp_path / "nodes")
    tt.simulate(jobs, tt.Machine(processors=22), tt.FCFS()).save(tmp_path / "counted")
    return tmp_path


def test_nodes_as_a_map(folder: Path) -> None:
    told = thinktime(folder, "inspect", "nodes", "--at", "20").out
    assert "1 queued, 1 running, 0 ended, 1 rejected" in told
    assert "6 of 22 core" in told
    assert "thin-0  #5." in told
    assert "fat-0   ." in told
    assert "job 1 of user 7: 6 processors on thin-[0-1], since 0 s" in told


def test_after_all_that_happens_at_the_instant(folder: Path) -> None:
    facts = thinktime(folder, "inspect", "nodes", "--at", "100", "--json").json
    assert [facts[name] for name in ("queued", "running", "ended", "rejected")] == [0, 1, 1, 1]
    assert facts["node_use"] == [1.0, 1.0, 1.0, 0.8]
    assert facts["resources"] == {"core": [20, 22]}
    assert thinktime(folder, "inspect", "nodes", "--at", "1d", "--json").json["node_use"] == [0.0] * 4


def test_runs_that_failed_later(tmp_path: Path) -> None:
    """Job 1 has nodes 0 and 1 until node 0 breaks at 30, and again from 30 on, then on others."""
    jobs = tt.Workload.from_columns(job=[1, 2], submit_s=[0, 5], run_s=[100, 50], processors=[6, 99], user=[7, 8])
    broken = tt.Failures(table=[("thin-0", 30.0, 500.0)])
    run = tt.simulate(jobs, CLUSTER, tt.FCFS(), plugins=[broken])
    run.save(tmp_path / "broken")
    facts = thinktime(tmp_path, "inspect", "broken", "--at", "20", "--json").json
    assert [facts[name] for name in ("queued", "running", "used_processors")] == [0, 1, 6]
    assert facts["node_use"] == [1.0, 0.5, 0.0, 0.0]
    assert [(each["start_s"], each["nodes"]) for each in facts["latest"]] == [(0, "thin-[0-1]")]
    facts = thinktime(tmp_path, "inspect", "broken", "--at", "40", "--json").json
    assert [(each["start_s"], each["nodes"]) for each in facts["latest"]] == [(30, "thin-[1-2]")]
    assert run.load_ratio("core").used_nodes.tolist() == [0.5, 0.5, 0.0]


def test_a_counted_machine_has_no_map(folder: Path) -> None:
    told = thinktime(folder, "inspect", "counted", "--at", "20").out
    assert "6 of 22 in use" in told
    assert "nodes" not in told


def test_mistakes(folder: Path) -> None:
    wrong = {
        ("seth", "--at", "5"): "seth is not a run directory: --at shows one moment of a saved run",
        ("nodes", "--at", "soon"): "--at",
        ("nodes", "--at", "5", "--figures"): "remove --figures and --out",
    }
    for arguments, sentence in wrong.items():
        done = thinktime(folder, "inspect", *arguments)
        assert done.code == 2
        assert sentence in done.err
