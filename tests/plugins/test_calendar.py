"""Maintenance and reservations: no job starts into a window of the calendar, except into its user's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from tests.effort import examples
from tests.plugins.small import anything, cluster, random_workload, workload
from thinktime.errors import InputError
from thinktime.plugins import Context
from thinktime.plugins.calendar import closures_of
from thinktime.result.placements import by_node


def test_a_job_waits_until_the_window_is_over() -> None:
    """Expected to run into the window from 50 to 100, it waits; one that is over by 50 starts at once."""
    maintenance = tt.Maintenance(windows=[{"from_s": 50, "to_s": 100}])
    jobs = workload([(0, 20, 60, 1), (0, 20, 50, 1)])
    result = tt.simulate(jobs, cluster(2), tt.FCFS(skip=True), plugins=[maintenance])
    assert result.jobs["start_s"].to_list() == [100, 0]


def test_a_job_that_overruns_runs_on() -> None:
    maintenance = tt.Maintenance(windows=[{"from_s": 50, "to_s": 100}])
    result = tt.simulate(
        workload([(0, 80, 50, 1)]), cluster(1), tt.FCFS(), plugins=[maintenance], overrun="extend-blind"
    )
    assert result.jobs["end_s"].to_list() == [80]


def test_reserved_nodes_are_for_their_users() -> None:
    reservations = tt.Reservations(windows=[{"nodes": "g-0", "from_s": 0, "to_s": 100, "users": [2]}])
    jobs = workload([(0, 10, 10, 2), (0, 10, 10, 2), (1, 10, 10, 2)])
    result = tt.simulate(jobs, cluster(2), tt.FCFS(skip=True), plugins=[reservations])
    assert result.jobs.select("user", "start_s", "nodes").rows() == [(1, 0, "g-1"), (2, 0, "g-0"), (3, 10, "g-1")]


def test_two_lists_of_reservations_know_of_each_other() -> None:
    """Two jobs of user 2: only node 1 is theirs, so that the second waits, whichever list a reservation stands in."""
    first = {"nodes": "g-0", "from_s": 0, "to_s": 100, "users": [1]}
    second = {"nodes": "g-1", "from_s": 0, "to_s": 100, "users": [2]}
    jobs = workload([(0, 10, 10, 2), (0, 10, 10, 2), (0, 10, 10, 2)], users=1)
    jobs = tt.Workload.from_columns(**dict[str, Any](jobs.columns) | {"user": np.array([2.0, 2.0, 3.0])})
    apart = [tt.Reservations(windows=[first]), tt.Reservations(windows=[second])]
    for plugins in (apart, [tt.Reservations(windows=[first, second])]):
        result = tt.simulate(jobs, cluster(2), tt.FCFS(skip=True), plugins=plugins)
        assert result.jobs["start_s"].to_list() == [0, 10, 100]
    both = [tt.Reservations(windows=[first]), tt.Reservations(windows=[{**second, "jobs": [1], "users": [1]}])]
    with pytest.raises(InputError, match="belongs to two reservations"):
        tt.simulate(workload([(0, 1, 1, 1)]), cluster(2), tt.FCFS(), plugins=both)


def windows() -> st.SearchStrategy[list[dict[str, Any]]]:
    window = st.tuples(
        st.sampled_from(["all", "g-0", "g-[1-2]", ["g-0", 3]]), st.integers(0, 4000), st.integers(1, 900)
    )
    return st.lists(window.map(lambda w: {"nodes": w[0], "from_s": w[1], "to_s": w[1] + w[2]}), min_size=1, max_size=4)


@examples(100)
@given(anything(), st.integers(0, 10**6), windows(), st.sampled_from([None, "users"]))
def test_no_job_starts_into_a_window(given: dict[str, Any], seed: int, days: list[dict[str, Any]], whose: Any) -> None:
    log, nodes = random_workload(seed), cluster(4)
    if whose is None:
        plugin: Any = tt.Maintenance(windows=days)
    else:
        plugin = tt.Reservations(windows=[{**each, "users": [1, 2]} for each in days])
    scheduler = given.pop("scheduler")
    result = tt.simulate(log, nodes, scheduler, plugins=[plugin], **given)
    assert tt.check(result) == []
    context = Context(nodes, log, log["processors"].astype(np.int32), 0)
    closed = closures_of(plugin.windows, context, plugin.name)
    every = by_node(result.placement_columns)
    start, run = result.columns["start_s"][every.row], result.columns["run_s"][every.row]
    expected = (
        np.maximum(result.columns["estimate_s"][every.row], run)
        if given["overrun"] == "extend"
        else (result.columns["estimate_s"][every.row])
    )
    mine = np.isin(result.columns["user"][every.row], [1, 2]) & (whose is not None)
    for first, count, begin, end in zip(closed.first, closed.nodes, closed.start_s, closed.end_s, strict=True):
        there = (every.node >= first) & (every.node < first + count) & ~mine
        assert not (there & (start < end) & (start + expected > begin)).any()


def test_a_window_comes_again() -> None:
    day = 86400.0
    maintenance = tt.Maintenance(
        windows=[{"from_s": day / 2, "to_s": day / 2 + 3600, "every_days": 1, "until_s": 5 * day}]
    )
    log = workload([(k * 4000.0, 1000, 2000, 2) for k in range(100)])
    result = tt.simulate(log, cluster(1), tt.Easy(), plugins=[maintenance])
    phase = result.columns["start_s"] % day
    inside = (phase > day / 2 - 2000) & (phase < day / 2 + 3600) & (result.columns["start_s"] < 5 * day)
    assert not inside.any()


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "windows.csv"
    path.write_text("nodes,from_s,to_s,users\ng-0,5,10,1 2\ng-[0-1],20,30,7\n")
    found = tt.Reservations(file=str(path))
    assert dict(found.windows[0])["users"] == (1.0, 2.0)
    assert found == tt.Reservations(windows=[dict(window) for window in found.windows])
    assert hash(found) == hash(tt.Reservations(windows=found.windows))


@pytest.mark.parametrize(
    ("kind", "windows", "words"),
    [
        ("Maintenance", [], "needs windows"),
        ("Maintenance", [{"from_s": 1}], "to_s = None"),
        ("Maintenance", [{"from_s": 1, "to_s": 5, "users": [1]}], "'users'"),
        ("Maintenance", [{"from_s": 0, "to_s": 90000, "every_days": 1}], "more days than the window lasts"),
        ("Maintenance", 5, "the windows of maintenance are 5"),
        ("Maintenance", None, "the windows of maintenance are None"),
        ("Maintenance", [{"from_s": 10**400, "to_s": 5}], "give seconds of the log's clock"),
        ("Maintenance", [{"from_s": 0, "to_s": 5, "every_days": float("inf")}], "more days than the window lasts"),
        (
            "Maintenance",
            [{"from_s": 0, "to_s": 5, "every_days": 1, "until_s": float("nan")}],
            "until_s of window 1 of maintenance is nan",
        ),
        ("Maintenance", [{"from_s": 0, "to_s": 5, "until_s": 9}], "has until_s without every_days"),
        ("Reservations", [{"from_s": 1, "to_s": 5}], "has neither users nor jobs"),
        ("Reservations", [{"from_s": 1, "to_s": 5, "users": ["anna"]}], "list numbers"),
        ("Reservations", [{"from_s": 1, "to_s": 5, "jobs": {"a": 1}}], "list numbers"),
    ],
)
def test_mistakes(kind: str, windows: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        getattr(tt, kind)(windows=windows)


@pytest.mark.parametrize("where", [[], "g-[2-1]", "g-[0-99999999999999]", "g-²", "²"])
def test_nodes_that_are_none(where: Any) -> None:
    plugin = tt.Maintenance(windows=[{"nodes": where, "from_s": 0, "to_s": 5}])
    with pytest.raises(InputError, match="window 1 of maintenance names"):
        tt.simulate(workload([(0, 1, 1, 1)]), cluster(4), tt.FCFS(), plugins=[plugin])


def test_files_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "marked.csv").write_bytes(b"\xef\xbb\xbfnodes,from_s,to_s\ng-0,5,10\n")
    assert len(tt.Maintenance(file=str(tmp_path / "marked.csv")).windows) == 1
    files: tuple[Any, ...] = (5, True, "\0", tmp_path)
    for file in files:
        with pytest.raises(InputError, match="CSV file"):
            tt.Maintenance(file=file)
