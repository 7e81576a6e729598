"""Failures: drawn as asked, and every job accounted for whatever breaks."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from tests.effort import examples
from tests.plugins.checks import no_job_on_a_broken_node
from tests.plugins.small import anything, cluster, random_workload, workload
from thinktime.errors import InputError


def test_a_job_starts_over() -> None:
    """The node breaks at 40 and is repaired at 100; the job of 60 s starts again and ends at 160."""
    failures = tt.Failures(table=[("g-0", 40, 100)])
    result = tt.simulate(workload([(0, 60, 60, 2)]), cluster(1), tt.FCFS(), plugins=[failures])
    assert result.jobs["start_s"].to_list() == [100.0]
    assert result.jobs["end_s"].to_list() == [160.0]
    assert result.attempts.rows() == [(1, 0.0, 40.0, 2, "requeued", 0.0, "g-0")]
    assert result.summary()["wasted_processor_s"] == 80
    assert result.summary()["broken_node_h"] == 60 / 3600
    assert tt.check(result) == []


def test_node_hours_lost_are_those_of_the_run() -> None:
    """From 10 s on, when the first job comes, until 110 s, when the last ends: 20 s and 70 s of two nodes."""
    failures = tt.Failures(table=[("g-1", 0, 30), ("g-2", 40, 5000)])
    result = tt.simulate(workload([(10, 100, 100, 1)]), cluster(3), tt.FCFS(), plugins=[failures])
    assert result.summary()["broken_node_h"] == pytest.approx(90 / 3600)
    assert result.summary()["failures"] == 2


def test_a_job_goes_on_from_its_checkpoint() -> None:
    """After 40 s three checkpoints of 12 s are made: 24 s are left, and 5 s to restart; hit again while it restarts."""
    failures = tt.Failures(
        table=[("all", 40, 50), ("all", 53, 60)], jobs="checkpoint", checkpoint_h=12 / 3600, restart_s=5
    )
    result = tt.simulate(workload([(0, 60, 60, 1)]), cluster(1), tt.FCFS(), plugins=[failures], overrun="kill")
    assert result.attempts["saved_s"].to_list() == [36.0, 0.0]
    assert result.jobs["start_s"].to_list() == [60.0]
    assert result.jobs["end_s"].to_list() == [60.0 + 24 + 5]
    assert tt.check(result) == []


def test_a_lost_job_is_killed_and_its_user_hears_of_it() -> None:
    jobs = workload([(0, 60, 60, 1), (5000, 10, 10, 1)], users=1)
    failures = tt.Failures(table=[("g-0", 40, 100)], jobs="lose")
    result = tt.simulate(jobs, cluster(1), tt.FCFS(), plugins=[failures], users=tt.SessionReplay(threshold_min=60))
    assert result.jobs["status"].to_list() == ["killed", "completed"]
    assert result.jobs["end_s"].to_list()[0] == 40
    assert result.attempts["outcome"].to_list() == ["lost"]
    assert result.jobs["submit_s"].to_list()[1] == 40 + 4940  # the think time is kept
    assert tt.check(result) == []


def test_a_requeued_job_has_not_ended_for_its_user() -> None:
    jobs = workload([(0, 60, 60, 1), (5000, 10, 10, 1)], users=1)
    failures = tt.Failures(table=[("g-0", 40, 100)])
    result = tt.simulate(jobs, cluster(1), tt.FCFS(), plugins=[failures], users=tt.SessionReplay(threshold_min=60))
    assert result.jobs["submit_s"].to_list()[1] == 160 + 4940


def test_a_job_that_would_never_end_is_lost() -> None:
    failures = tt.Failures(mtbf_h=0.01, mttr_h=0.001, restarts=3)
    result = tt.simulate(workload([(0, 86400, 86400, 8)]), cluster(4), tt.Easy(), plugins=[failures])
    assert result.jobs["status"].to_list() == ["killed"]
    assert result.attempts["outcome"].to_list() == ["requeued"] * 3 + ["lost"]


@examples(150)
@given(anything(), st.integers(0, 10**6), st.sampled_from(["requeue", "checkpoint", "lose"]), st.integers(0, 3))
def test_every_job_is_accounted_for(given: dict[str, Any], seed: int, jobs: str, restarts: int) -> None:
    failures = tt.Failures(
        mtbf_h=0.4, mttr_h=0.05, jobs=jobs, checkpoint_h=0.02, restart_s=7, restarts=restarts, shape=0.7
    )
    log = random_workload(seed)
    result = tt.simulate(log, cluster(4), given.pop("scheduler"), plugins=[failures], **given)
    assert tt.check(result) == []
    status = result.jobs["status"]
    assert not status.is_in(["unfinished", "rejected"]).any() or "contiguous" in str(given["allocator"])
    lost = set(result.attempts.filter(result.attempts["outcome"] == "lost")["job"].to_list())
    assert lost <= set(result.jobs.filter(status == "killed")["job"].to_list())
    no_job_on_a_broken_node(result)


def test_draws_have_the_means_asked_for() -> None:
    """Exponential and Weibull times between failures, exponential repairs; 5 sigma."""
    log = workload([(0, 4e7, 4e7, 1)])
    for shape, variation in ((1.0, 1.0), (2.0, 0.5227)):
        failures = tt.Failures(mtbf_h=10, mttr_h=2, shape=shape, nodes="h")
        result = tt.simulate(log, cluster(1, more=20), tt.FCFS(), plugins=[failures])
        table = result.reports["failures"].drop_nulls()
        up, down = [], []
        for _, node in table.group_by("node"):
            times = node.sort("broken_s")
            down += (times["repaired_s"] - times["broken_s"]).to_list()
            up += (times["broken_s"].to_numpy()[1:] - times["repaired_s"].to_numpy()[:-1]).tolist()
        assert len(up) > 10_000
        assert abs(np.mean(up) - 36000) < 5 * 36000 * variation / math.sqrt(len(up))
        assert abs(np.mean(down) - 7200) < 5 * 7200 / math.sqrt(len(down))
        assert abs(np.std(up) / np.mean(up) - variation) < 0.05


def test_constant_repairs_and_streams_of_nodes() -> None:
    """A node breaks at the same times whatever else breaks, and whatever the scheduler does."""
    log = random_workload(1, jobs=200)
    some = tt.Failures(mtbf_h=0.5, mttr_h=0.1, repair="constant", nodes="g-[1,3]")
    every = some.replace(nodes="all")
    tables = [
        tt.simulate(log, cluster(4), scheduler, plugins=[plugin], seed=5).reports["failures"].drop_nulls()
        for plugin, scheduler in ((some, tt.FCFS()), (every, tt.Easy()))
    ]
    assert np.allclose(tables[0]["repaired_s"] - tables[0]["broken_s"], 360)
    one, other = (table.filter(table["node"] == 3)["broken_s"].to_list() for table in tables)
    n = min(len(one), len(other))
    assert n > 3
    assert one[:n] == other[:n]


def test_a_file_of_failures(tmp_path: Path) -> None:
    path = tmp_path / "failures.csv"
    path.write_text("# of our machine\nnodes,from_s,to_s\ng-0,40,100\nh,10,20\n1,90,95\n")
    failures = tt.Failures(file=str(path))
    assert failures == tt.Failures(table=[("g-0", 40.0, 100.0), ("h", 10.0, 20.0), ("1", 90.0, 95.0)])
    result = tt.simulate(workload([(0, 200, 200, 2)]), cluster(2, more=2), tt.FCFS(), plugins=[failures])
    assert sorted(result.reports["failures"]["node"].to_list()) == [0, 1, 2, 3]
    assert [plugin["name"] for plugin in result.spec["plugins"]] == ["failures"]


def test_metrics_are_of_all_runs_of_a_job() -> None:
    """A job of 400 s is hit after 250 s, of which 200 are saved, and again after 50 s; it stays a job of 400 s."""
    table = [("g-0", 250.0, 300.0), ("g-0", 350.0, 360.0)]
    failures = tt.Failures(table=table, jobs="checkpoint", checkpoint_h=100 / 3600, restart_s=10)
    result = tt.simulate(workload([(0, 400, 400, 2)]), cluster(1), tt.FCFS(), plugins=[failures])
    assert result.jobs.select("start_s", "run_s").rows() == [(360, 210)]
    assert result.work_s.tolist() == [400]
    summary = result.summary()
    assert summary["slowdown_mean"] == pytest.approx(570 / 400)
    assert summary["utilisation"] == pytest.approx((250 + 50 + 210) / 570)
    assert result.per_user()["mean_bounded_slowdown"].to_list() == pytest.approx([570 / 400])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "needs mtbf_h, a table or a file"),
        ({"mtbf_h": -1}, "mtbf_h of failures is -1"),
        ({"mtbf_h": 1, "jobs": "forget"}, "choose one of requeue, checkpoint, lose"),
        ({"mtbf_h": 1, "jobs": "checkpoint"}, "checkpoint_h"),
        ({"table": [("g-0", 5, 5)]}, "choose to_s above from_s"),
        ({"table": [{"from": 5}]}, "did you mean 'from_s'?"),
        ({"mtbf_h": 1, "table": [("g-0", 1, 2)]}, "give one of the two"),
        ({"mtbf_h": 1, "restarts": -1}, "restarts"),
    ],
)
def test_mistakes(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words.replace("?", r"\?")):
        tt.Failures(**options)


@pytest.mark.parametrize("where", ["g-7", "x", "g-[0-9]", 17, "g-[a]"])
def test_nodes_that_are_not_there(where: Any) -> None:
    with pytest.raises(InputError, match="failures"):
        tt.simulate(workload([(0, 1, 1, 1)]), cluster(4), tt.FCFS(), plugins=[tt.Failures(mtbf_h=1, nodes=where)])


def test_a_counted_machine_has_no_nodes_to_break() -> None:
    with pytest.raises(InputError, match="only counts processors"):
        tt.simulate(workload([(0, 1, 1, 1)]), tt.Machine(processors=4), tt.FCFS(), plugins=[tt.Failures(mtbf_h=1)])


def test_a_run_directory_keeps_everything(tmp_path: Path) -> None:
    failures = tt.Failures(mtbf_h=0.3, mttr_h=0.05)
    result = tt.simulate(random_workload(3), cluster(4), tt.Easy(), plugins=[failures, tt.Power()])
    assert len(result.attempts)
    result.save(tmp_path / "run")
    again = tt.Result.load(tmp_path / "run")
    assert again == result
    assert again.attempts.equals(result.attempts)
    assert sorted(again.reports) == sorted(result.reports)
    assert all(again.reports[name].equals(result.reports[name]) for name in result.reports)
    assert again.summary() == result.summary()
    assert tt.check(again) == []
