"""Gantt charts of jobs that give cores back early: rectangles are what was held, and no two of them overlap."""

from __future__ import annotations

import numpy as np
import pytest

import thinktime as tt
from tests.effort import seeds
from thinktime import plots
from thinktime.plots.runs.gantt import _visible
from thinktime.plots.runs.rectangles import rectangles_of_cores
from thinktime.result.given_back import held
from thinktime.support.random_streams import stream

LOOP = tt.Loop(technique="gss", variation=0.4, release="idle")


def random_jobs(seed: int, jobs: int = 60) -> tt.Workload:
    random = stream(seed, "held cores")
    submit = np.sort(random.integers(0, 6000, jobs)).astype(float)
    run, processors = random.integers(50, 2500, jobs).astype(float), random.integers(1, 12, jobs).astype(float)
    return tt.Workload.from_columns(submit_s=submit, run_s=run, processors=processors, requested_time_s=run)


def simulated(kind: str, seed: int) -> tt.Result:
    jobs = random_jobs(seed)
    if kind == "machine":
        return tt.simulate(jobs, tt.Machine(processors=32), tt.Easy(), applications=LOOP)
    nodes = tt.Cluster(groups=[{"name": "n", "nodes": 8, "core": 4}])
    failures = [tt.Failures(table=[("n-1", 3000, 3500), ("n-6", 4500, 5000)], jobs="requeue")]
    return tt.simulate(jobs, nodes, tt.Easy(), applications=LOOP, plugins=failures)


@pytest.mark.parametrize("seed", seeds(15))
@pytest.mark.parametrize("kind", ["machine", "nodes that break"])
def test_rectangles_are_what_was_held(kind: str, seed: int) -> None:
    result = simulated(kind, seed)
    blocks = rectangles_of_cores(result, _visible(result, None)[0])
    pieces, _ = held(result)
    area = np.sum((blocks.high - blocks.low) * (blocks.end_s - blocks.begin_s))
    assert area == pytest.approx(np.nansum(pieces["processors"] * (pieces["end_s"] - pieces["start_s"])))
    order = np.argsort(blocks.begin_s, kind="stable")
    until = np.full(32, -np.inf)
    for low, high, begin, end in zip(
        blocks.low[order], blocks.high[order], blocks.begin_s[order], blocks.end_s[order], strict=True
    ):
        assert np.all(until[low:high] <= begin)
        until[low:high] = end
    assert len(blocks) > len(result)


def test_processors_of_two_cores_are_given_back_whole() -> None:
    """A job of two processors with two cores each: one processor is idle before the other."""
    nodes = tt.Cluster(groups=[{"name": "n", "nodes": 1, "core": 4}])
    jobs = tt.Workload.from_columns(submit_s=[0], run_s=[100], processors=[2], requested_time_s=[300])
    result = tt.simulate(jobs, nodes, tt.FCFS(), applications=LOOP, requests={"core": [2]})
    blocks = rectangles_of_cores(result, _visible(result, None)[0])
    given_s = float(result.report_columns["given_back"]["time_s"][0])
    assert sorted((blocks.high - blocks.low).tolist()) == [2, 2]
    assert sorted(blocks.end_s.tolist()) == [given_s, float(result.columns["end_s"][0])]


def test_the_chart_is_drawn() -> None:
    axes = plots.gantt(simulated("nodes that break", 0)).axes[0]
    assert "aborted" in axes.get_title(loc="right")
    assert not any("no such chart" in text.get_text() for text in axes.texts)
