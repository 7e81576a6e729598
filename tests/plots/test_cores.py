"""The picture of cores: tasks as bars, what is held and idle as a tint, chunks where there is room."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_rgb

import thinktime as tt
from thinktime import plots
from thinktime.plots.inside_jobs import cores
from thinktime.plots.kit import style

CLUSTER = tt.Cluster(groups=[{"name": "host", "nodes": 2, "core": 2}])
#: job 1 has three cores and six tasks, job 2 one core and one task
TASKS = "job,task_s\n1,4\n1,1\n1,5\n1,2\n1,0.5\n1,0.5\n2,4\n"


def simulated(folder: Path, release: str = "end") -> tt.Result:
    """Job 1 on cores 0 to 2 from 0 to 7, two tasks each; job 2 on core 3 from 2 to 6."""
    (folder / "tasks.csv").write_text(TASKS)
    jobs = tt.Workload.from_columns(submit_s=[0, 2], run_s=[10, 4], processors=[3, 1])
    loop = tt.Loop(technique="static", tasks=str(folder / "tasks.csv"), release=release)
    return tt.simulate(jobs, CLUSTER, tt.FCFS(), applications=loop)


@pytest.fixture
def run(tmp_path: Path) -> tt.Result:
    return simulated(tmp_path)


def rectangles(axes: Any, which: int) -> list[tuple[float, float, float]]:
    """Core, begin and end of the bars of one collection."""
    outlines = [path.vertices for path in axes.collections[which].get_paths()]
    return sorted((xy[:, 1].min(), xy[:, 0].min(), xy[:, 0].max()) for xy in outlines)


def test_tasks_and_what_is_held(run: tt.Result) -> None:
    axes = plots.core_gantt(run).axes[0]
    assert rectangles(axes, 0) == [(0, 0, 7), (1, 0, 7), (2, 0, 7), (3, 2, 6)], "held to the job's end"
    assert rectangles(axes, 1) == [(0, 0, 4), (0, 4, 5), (1, 0, 5), (1, 5, 7), (2, 0, 0.5), (2, 0.5, 1), (3, 2, 6)]
    full, tint = (axes.collections[k].get_facecolors()[0, :3] for k in (1, 0))
    assert tuple(full) == pytest.approx(to_rgb(style.BLUE))
    assert tuple(tint) == pytest.approx(0.25 * np.array(to_rgb(style.BLUE)) + 0.75)
    assert (axes.get_ylim(), axes.get_title(loc="right")) == ((0, 4), "2 jobs, 7 tasks")


def test_chunks_begin_with_dark_lines(run: tt.Result) -> None:
    axes = plots.core_gantt(run).axes[0]
    tasks, chunks = (sorted((line[0, 1], line[0, 0]) for line in axes.collections[k].get_segments()) for k in (2, 3))
    assert tasks == [(0, 0), (0, 4), (1, 0), (1, 5), (2, 0), (2, 0.5), (3, 2)]
    assert chunks == [(0, 0), (1, 0), (2, 0), (3, 2)]


def test_a_window_cuts(run: tt.Result) -> None:
    axes = plots.core_gantt(run, window=(4.5, 6)).axes[0]
    assert axes.get_xlim() == (0, 1.5)
    assert axes.get_xlabel() == "time since 4.5 s (seconds)"
    assert rectangles(axes, 0) == [(k, 0, 1.5) for k in range(4)], "core 2 is held, though its tasks are over"
    assert rectangles(axes, 1) == [(0, 0, 0.5), (1, 0, 0.5), (1, 0.5, 1.5), (3, 0, 1.5)]


def test_some_jobs(run: tt.Result) -> None:
    axes = plots.core_gantt(run, jobs=[2]).axes[0]
    assert rectangles(axes, 1) == [(3, 2, 6)]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["job 2", "held without a task", "free"]


def test_hosts_are_named(run: tt.Result) -> None:
    axes = plots.core_gantt(run).axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("time (seconds)", "core")
    assert [text.get_text() for text in axes.child_axes[0].get_yticklabels()] == ["host-0", "host-1"]


def test_cores_that_are_given_back_are_held_until_then(tmp_path: Path) -> None:
    axes = plots.core_gantt(simulated(tmp_path, "idle")).axes[0]
    assert rectangles(axes, 0) == [(0, 0, 5), (1, 0, 7), (2, 0, 1), (2, 2, 6)], "job 2 gets what job 1 gave back"


def test_a_saved_run_draws_the_same(run: tt.Result, tmp_path: Path) -> None:
    run.save(tmp_path / "run")
    first, second = (plots.core_gantt(each).axes[0] for each in (run, tt.Result.load(tmp_path / "run")))
    assert [rectangles(first, k) for k in (0, 1)] == [rectangles(second, k) for k in (0, 1)]


def test_too_many_tasks_and_none(run: tt.Result, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(tt.InputError, match="No job ran from 50"):
        plots.core_gantt(run, window=(50, 60))
    monkeypatch.setattr(cores, "DRAWN", 6)
    with pytest.raises(tt.InputError, match="more than 6 tasks"):
        plots.core_gantt(run)
