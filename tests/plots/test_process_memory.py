"""Memory of the process over the simulated time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import thinktime as tt
from tests.plots.samples import result, words
from tests.shared_data import log
from thinktime import plots

KNOWN = Path("/proc/self/statm").exists()


def run(time_s: list[float], megabytes: list[float]) -> object:
    made = result([0], [0], [5], [1])
    made.statistics = {}
    held = (np.array(megabytes) * 2**20).astype(np.int64)
    made.decisions_columns = {"time_s": np.array(time_s), "queued_jobs": np.zeros(len(held)), "memory_bytes": held}
    return made


def test_samples_are_steps_with_mean_and_maximum() -> None:
    axes = plots.process_memory({"a": run([0, 3600, 7200, 14400], [100, 100, 200, 300])}).axes[0]
    (line,) = axes.lines
    assert line.get_xdata().tolist() == [0, 2, 4]  # hours
    assert line.get_ydata().tolist() == [100, 200, 300]
    assert words(axes) == "a (mean 150 MB, max 300 MB)"
    assert axes.get_ylim()[0] == 0


def test_unknown_memory_is_left_out() -> None:
    assert words(plots.process_memory(run([0, 1], [0, 0])).axes[0]) == "no run has samples of the memory of its process"


@pytest.mark.skipif(not KNOWN, reason="the system does not tell the memory of a process")
@pytest.mark.parametrize("name", ["KTH-SP2-1996-2.1-cln", "CTC-SP2-1996-3.1-cln", "HPC2N-2002-2.2-cln"])
def test_any_run_has_memory_and_decision_times(name: str, tmp_path: Path) -> None:
    tt.simulate(tt.read_swf(log(name)), None, "easy").save(tmp_path / "run")
    done = tt.Result.load(tmp_path / "run")
    assert 10 < done.decisions["memory_bytes"].max() / 2**20 <= done.statistics["peak_rss_mb"] * 1.01
    for kind in ("process_memory", "decision_time", "decision_by_queue"):
        assert plots.save(plots.draw(kind, done), tmp_path / f"{kind}.png")
