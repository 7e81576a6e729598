"""AccaSim's files, and how nodes are used, of runs on clusters."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import thinktime as tt

CLUSTER = tt.Cluster(
    groups=[{"name": "g0", "nodes": 2, "core": 4, "mem": 1000}], unit={"core": 2}, unix_start_s=1027839845
)


def workload() -> tt.Workload:
    """The first takes both halves of node 1 and one of node 2; the second waits for it; the third has no user."""
    return tt.Workload.from_columns(
        job=[7, 8, 9],
        submit_s=[0, 1, 2],
        run_s=[10, 5, 0],
        processors=[3, 2, 1],
        requested_time_s=[20, 30, 40],
        requested_memory_kb=[100, 0, 50],
        user=[4, 5, np.nan],
    )


def run(cluster: tt.Cluster = CLUSTER, **options: bool) -> tt.Result:
    return tt.simulate(workload(), cluster, tt.FCFS(), **options)  # type: ignore[arg-type]


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines()


def test_the_schedule_has_accasims_lines(tmp_path: Path) -> None:
    run().write_accasim(tmp_path / "sched")
    assert lines(tmp_path / "sched") == [
        "7;4;2002-07-28 07:04:05__1;2;100#1;2;100#2;2;100#__2002-07-28 07:04:05;2002-07-28 07:04:15;3;6;300;20;",
        "9;NA;2002-07-28 07:04:07__2;2;50#__2002-07-28 07:04:15;2002-07-28 07:04:15;1;2;50;40;",
        "8;5;2002-07-28 07:04:06__1;2;0#1;2;0#__2002-07-28 07:04:15;2002-07-28 07:04:20;2;4;0;30;",
    ]


def test_ignored_memory_is_not_available(tmp_path: Path) -> None:
    run(CLUSTER.replace(memory="ignore")).write_accasim(tmp_path / "sched")
    assert lines(tmp_path / "sched")[0].endswith(";3;6;NA;20;")


def test_the_benchmark_file_has_a_line_a_time_point(tmp_path: Path) -> None:
    found = run(decisions=True)
    found.write_accasim(tmp_path / "sched", tmp_path / "bench")
    rows = np.array([[float(part) for part in line.split(";")] for line in lines(tmp_path / "bench")])
    assert rows.shape == (len(found.decisions), 6)
    assert (rows[:, 0] - 1027839845).tolist() == found.decisions_columns["time_s"].tolist()
    assert rows[:, 1].tolist() == found.decisions_columns["queued_jobs"].tolist()
    assert rows[:, 2] == pytest.approx(rows[:, 3] + rows[:, 4])


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    sampled = tt.simulate(tt.default_workload(jobs=300), tt.Cluster.named("seth"), tt.FCFS())
    with pytest.raises(tt.InputError, match="needs the scheduling passes"):
        sampled.write_accasim(tmp_path / "sched", tmp_path / "bench")
    counted = tt.simulate(workload(), tt.Machine(processors=4), tt.FCFS())
    with pytest.raises(tt.InputError, match="needs nodes"):
        counted.write_accasim(tmp_path / "sched")
    assert list(tmp_path.iterdir()) == []


def test_boxes_of_a_run() -> None:
    found = run()
    assert found.slowdown_box().observations == 3
    assert found.slowdown_box(without_one=True).observations == 2
    assert found.queue_box().most == found.queue_box(weighting="time").most == 2
