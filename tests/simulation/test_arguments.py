"""Python takes what the command line takes: texts for specs, numbers for machines, names for logs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import thinktime as tt

LOG = tt.default_workload(jobs=120)
NODES = tt.Cluster(groups=[{"name": "n", "nodes": 128, "core": 1}])


@pytest.mark.parametrize(
    ("texts", "specs"),
    [
        ({"scheduler": "easy:order=sjf"}, {"scheduler": tt.Easy(order="sjf")}),
        ({"users": "adjusted"}, {"users": tt.Adjusted()}),
        ({"estimates": "perfect"}, {"estimates": tt.Estimates.perfect()}),
        ({"estimates": "at_least:2"}, {"estimates": tt.Estimates.at_least(2.0)}),
        ({"applications": "loop:technique=gss"}, {"applications": tt.Loop(technique="gss")}),
        ({"machine": "machine:processors=200,speed=2"}, {"machine": tt.Machine(processors=200, speed=2)}),
        ({"machine": 200}, {"machine": tt.Machine(processors=200)}),
        ({"machine": "log:speed=2"}, {"machine": tt.Machine(processors=128, speed=2)}),
        ({"machine": None}, {"machine": tt.Machine(processors=128)}),
        ({}, {"scheduler": tt.Easy(), "machine": tt.Machine(processors=128)}),
        ({"machine": NODES, "allocator": "best-fit"}, {"machine": NODES, "allocator": tt.BestFit()}),
        ({"machine": NODES, "plugins": ["power"]}, {"machine": NODES, "plugins": [tt.Power()]}),
        ({"machine": NODES, "plugins": "power"}, {"machine": NODES, "plugins": tt.Power()}),
    ],
    ids=str,
)
def test_a_text_is_the_same_run_as_its_spec(texts: dict[str, Any], specs: dict[str, Any]) -> None:
    assert tt.simulate(LOG, **texts) == tt.simulate(LOG, **specs)


def test_a_cluster_by_its_name() -> None:
    assert tt.Simulation(LOG, "seth", "fcfs").settings.machine == tt.Cluster.named("seth")


def test_a_log_by_its_name_with_its_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THINKTIME_LOGS", str(tmp_path))
    tt.write_swf(LOG, tmp_path / "My-Log-2020-1.swf.gz")
    read = tt.read_swf("my-log")
    assert read == tt.read_swf(tmp_path / "My-Log-2020-1.swf.gz")
    run = tt.simulate("My-Log-2020-1", scheduler="easy")
    assert run == tt.simulate(read, tt.Machine(processors=128), tt.Easy())
    summary = tt.simulate_stream("My-Log-2020-1", None, "easy", tmp_path / "run")
    assert summary["wait_mean_s"] == pytest.approx(run.summary()["wait_mean_s"])
    assert tt.fair_starts("My-Log-2020-1").shape == (120,)


def test_a_generator_by_its_text() -> None:
    assert tt.simulate("lublin:jobs=50", 128) == tt.simulate(tt.Lublin(jobs=50).workload(seed=1), 128)


def test_a_workload_that_does_not_tell_its_machine() -> None:
    without = tt.Workload.from_columns(submit_s=[0], run_s=[1], processors=[1], name="mine")
    with pytest.raises(tt.InputError, match=r"^mine does not say how many processors its machine has: give the number"):
        tt.simulate(without)


def test_a_log_whose_header_does_not_tell(tmp_path: Path) -> None:
    (tmp_path / "log.swf").write_text("1 0 0 10 2 -1 -1 2 20 -1 1 1 1 -1 1 -1 -1 -1\n")
    with pytest.raises(
        tt.InputError,
        match=r"^log does not say .* \(2 processors were in use at once, a lower bound\): give the number",
    ):
        tt.simulate(tmp_path / "log.swf")
    with pytest.raises(tt.InputError, match=r"^log does not say how many processors its machine has: give"):
        tt.simulate_stream(tmp_path / "log.swf", None, "easy", tmp_path / "run")
    assert tt.simulate(tt.read_swf(tmp_path / "log.swf", machine=4)).processors == 4


@pytest.mark.parametrize("workload", [None, 3, [1, 2]], ids=str)
def test_what_is_not_a_workload(workload: Any) -> None:
    with pytest.raises(tt.InputError, match=r"^the workload must be a Workload, or the name"):
        tt.simulate(workload)
