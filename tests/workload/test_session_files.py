"""Exports of the structure: what is read back is what was found."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from tests.workload.structures import workloads
from thinktime.workload import Workload, batches, read_swf, session_graph, sessions, write_swf
from thinktime.workload.user_sessions.files import (
    edges_frame,
    jobs_frame,
    with_preceding_jobs,
    write_parquet,
    write_user_files,
)

#: user 1: two jobs at once, then two that wait for both, then one; a job without a user
WORKLOAD = Workload.from_columns(
    submit_s=[0, 1, 2, 100, 200, 300],
    wait_s=[0, 0, 0, 0, 0, 0],
    run_s=[10, 20, 5, 10, 10, 10],
    user=[1, 1, np.nan, 1, 1, 1],
)


def test_jobs_and_edges_as_parquet(tmp_path: Path) -> None:
    found = batches(WORKLOAD, threshold_s=50.0)
    write_parquet(jobs_frame(WORKLOAD, found), tmp_path / "jobs.parquet")
    jobs = pl.read_parquet(tmp_path / "jobs.parquet")
    assert jobs.columns == ["job", "user", "submit_s", "session", "batch"]
    assert jobs["session"].to_list() == [0, 0, 1, 2, 3, 4]
    assert jobs["batch"].to_list() == [1, 1, 0, 2, 3, 4]
    write_parquet(edges_frame(session_graph(found.sessions)), tmp_path / "edges.parquet")
    edges = pl.read_parquet(tmp_path / "edges.parquet")
    assert edges.rows() == [(1, 0, 2, 79.0), (1, 2, 3, 90.0), (1, 3, 4, 90.0)]
    assert not list(tmp_path.glob(".*"))


def test_one_file_a_user(tmp_path: Path) -> None:
    graph = session_graph(sessions(WORKLOAD, threshold_s=0.0))
    paths = write_user_files(WORKLOAD, graph, tmp_path / "users")
    assert [path.name for path in paths] == ["user_unknown.json", "user_1.json"]
    user = json.loads(paths[1].read_text())
    assert user["threshold_s"] == 0.0
    assert [session["jobs"] for session in user["sessions"]] == [[1], [2], [4], [5], [6]]
    assert user["sessions"][2]["waits_for"] == {"sessions": [0, 1], "think_s": [90.0, 79.0]}
    assert user["sessions"][0]["waits_for"] == {"sessions": [], "think_s": []}


def test_swf_says_the_preceding_job_where_there_is_one(tmp_path: Path) -> None:
    graph = session_graph(sessions(WORKLOAD, threshold_s=50.0))
    write_swf(with_preceding_jobs(WORKLOAD, graph)[0], tmp_path / "out.swf")
    back = read_swf(tmp_path / "out.swf", filter="all")
    assert back["preceding_job"].tolist()[3:] == [2.0, 4.0, 5.0]  # job 2 is the last of its session to end
    assert back["think_time_s"].tolist()[3:] == [79.0, 90.0, 90.0]
    assert np.isnan(back["preceding_job"][:3]).all()


def test_with_two_predecessors_swf_says_none() -> None:
    graph = session_graph(sessions(WORKLOAD, threshold_s=0.0))
    found, left_out = with_preceding_jobs(WORKLOAD, graph)
    assert left_out == 0
    assert np.isnan(found["preceding_job"]).tolist() == [True, True, True, True, False, False]


def test_a_number_that_several_jobs_have_is_left_out() -> None:
    chain = Workload.from_columns(submit_s=[0, 100, 200, 300], run_s=[10] * 4, user=[1] * 4, job=[7, 7, 8, 9])
    found, left_out = with_preceding_jobs(chain, session_graph(sessions(chain, threshold_s=0.0)))
    assert np.isnan(found["preceding_job"]).tolist() == [True, True, True, False]
    assert np.isnan(found["think_time_s"]).tolist() == [True, True, True, False]
    assert (found["preceding_job"][3], left_out) == (8.0, 2)  # a second 7 after a 7, and 8 after one of them


@given(workloads(), st.booleans())
def test_only_predecessors_are_those_of_the_listed_edges(workload: Workload, reduced: bool) -> None:
    graph = session_graph(sessions(workload, threshold_s=0.0), reduced=reduced)
    only = np.flatnonzero(graph.predecessors[graph.successor] == 1)
    found, _ = with_preceding_jobs(workload, graph)
    rows = np.flatnonzero(~np.isnan(found["preceding_job"]))
    expected = {
        (int(workload["job"][graph.sessions.job_rows[graph.successor[e]]]), float(graph.think_s[e])) for e in only
    }
    assert {(int(workload["job"][row]), float(found["think_time_s"][row])) for row in rows} == expected
