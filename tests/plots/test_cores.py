"""The picture of cores: tasks as bars, what is held and idle as a tint, chunks where there is room."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import to_rgb

import thinktime as tt
from tests.tracing.samples import block
from thinktime import plots
from thinktime.plots import cores, style
from thinktime.tracing import write

CLUSTER = tt.Cluster(groups=[{"name": "host", "nodes": 2, "core": 2}])


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> tt.Result:
    """Job 1 holds cores 0 to 2 from 0 to 10, job 2 core 3 from 2 to 6; tasks in two chunks on core 0."""
    jobs = tt.Workload.from_columns(submit_s=[0, 2], run_s=[10, 4], processors=[3, 1])
    result = tt.simulate(jobs, CLUSTER, tt.FCFS())
    tasks = [
        block([(1, 0, 0, 0, 0, 0, 4), (1, 0, 1, 0, 0, 4, 5), (1, 0, 2, 3, 0, 5, 10), (1, 0, 3, 1, 1, 0, 7)]),
        block([(2, 1, 0, 0, 3, 2, 6)]),
    ]
    tasks[0] = {name: np.append(tasks[0][name], block([(1, 0, 4, 2, 2, 0, 1)])[name]) for name in tasks[0]}
    monkeypatch.setattr(write, "blocks_of", lambda _: iter(tasks))
    return result


def rectangles(axes, which: int) -> list[tuple[float, float, float]]:
    """Core, begin and end of the bars of one collection."""
    outlines = [path.vertices for path in axes.collections[which].get_paths()]
    return sorted((xy[:, 1].min(), xy[:, 0].min(), xy[:, 0].max()) for xy in outlines)


def test_tasks_and_what_is_held(run: tt.Result) -> None:
    axes = plots.core_gantt(run).axes[0]
    assert rectangles(axes, 0) == [(0, 0, 10), (1, 0, 10), (2, 0, 10), (3, 2, 6)], "held to the job's end"
    assert rectangles(axes, 1) == [(0, 0, 4), (0, 4, 5), (0, 5, 10), (1, 0, 7), (2, 0, 1), (3, 2, 6)]
    full, tint = (axes.collections[k].get_facecolors()[0, :3] for k in (1, 0))
    assert tuple(full) == pytest.approx(to_rgb(style.BLUE))
    assert tuple(tint) == pytest.approx(0.25 * np.array(to_rgb(style.BLUE)) + 0.75)
    assert (axes.get_ylim(), axes.get_title(loc="right")) == ((0, 4), "2 jobs, 6 tasks")


def test_chunks_begin_with_dark_lines(run: tt.Result) -> None:
    axes = plots.core_gantt(run).axes[0]
    starts = sorted((line[0, 1], line[0, 0]) for line in axes.collections[3].get_segments())
    assert starts == [(0, 0), (0, 5), (1, 0), (2, 0), (3, 2)]


def test_a_window_cuts(run: tt.Result) -> None:
    axes = plots.core_gantt(run, window=(6, 8)).axes[0]
    assert axes.get_xlim() == (6, 8)
    assert rectangles(axes, 0) == [(0, 6, 8), (1, 6, 8), (2, 6, 8)], "core 2 is held, though its task is over"
    assert rectangles(axes, 1) == [(0, 6, 8), (1, 6, 7)]


def test_some_jobs(run: tt.Result) -> None:
    axes = plots.core_gantt(run, jobs=[2]).axes[0]
    assert rectangles(axes, 1) == [(3, 2, 6)]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["job 2"]


def test_hosts_are_named(run: tt.Result) -> None:
    axes = plots.core_gantt(run).axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("time (seconds)", "core")
    assert [text.get_text() for text in axes.child_axes[0].get_yticklabels()] == ["host-0", "host-1"]


def test_released_cores_are_held_until_they_fall_idle(run: tt.Result) -> None:
    spec = {**run.spec, "application": {"name": "loop", "release": "idle"}}
    released = tt.Result(
        run.columns, run.processors, spec, run.timeline_columns, placement_columns=run.placement_columns
    )
    assert rectangles(plots.core_gantt(released).axes[0], 0) == [(0, 0, 10), (1, 0, 7), (2, 0, 1), (3, 2, 6)]


def test_too_many_tasks_and_none(run: tt.Result, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(tt.InputError, match="none of the jobs ran from 50"):
        plots.core_gantt(run, window=(50, 60))
    monkeypatch.setattr(cores, "DRAWN", 5)
    with pytest.raises(tt.InputError, match="6 tasks cannot be told apart"):
        plots.core_gantt(run)
