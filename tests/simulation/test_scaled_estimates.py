"""A speed leaves estimates as recorded, or divides them too: on machines, clusters and streams, in studies."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import thinktime as tt
from tests.cli.commands import thinktime
from thinktime.simulation.settings import Settings
from thinktime.study.study_file import from_keys

#: run, requested: the second has no request, the third runs longer than it asked for
RUNS, ASKED = np.array([100.0, 60.0, 50.0]), np.array([150.0, np.nan, 40.0])
HALF = tt.Machine(processors=4, speed=0.5)


def workload() -> tt.Workload:
    return tt.Workload.from_columns(
        submit_s=np.arange(3.0), run_s=RUNS, processors=np.ones(3), requested_time_s=ASKED, user=np.ones(3)
    )


def estimates(policy: tt.Estimates, machine: tt.Machine = HALF) -> list[float]:
    return tt.simulate(workload(), machine, tt.Easy(), estimates=policy).columns["estimate_s"].tolist()


def test_estimates_stay_as_recorded_by_default() -> None:
    assert estimates(tt.Estimates.requested()) == [150, 120, 40]
    assert estimates(tt.Estimates.at_least(2.0)) == [200, 120, 100]


def test_scaled_is_the_policy_at_speed_1_divided_by_the_speed() -> None:
    assert estimates(tt.Estimates.requested(scaled=True)) == [300, 120, 80]
    assert estimates(tt.Estimates.at_least(2.0, scaled=True)) == [400, 240, 200]
    assert estimates(tt.Estimates.perfect()) == [200, 120, 100]


def test_the_machine_and_the_policy_give_the_same_run() -> None:
    scaled = tt.Machine(processors=4).scaled(speed=0.5, estimates="scaled")
    assert repr(scaled) == "Machine(processors=4, speed=0.5, estimates='scaled')"
    for policy, divided in (
        (tt.Estimates.requested(), tt.Estimates.requested(scaled=True)),
        (tt.Estimates.at_least(3.0), tt.Estimates.at_least(3.0, scaled=True)),
        (tt.Estimates.perfect(), tt.Estimates.perfect()),
    ):
        by_machine = tt.simulate(workload(), scaled, tt.Easy(), estimates=policy)
        by_policy = tt.simulate(workload(), HALF, tt.Easy(), estimates=divided)
        assert by_machine == by_policy  # hash and jobs
    assert Settings(machine=scaled, scheduler=tt.Easy()).machine == HALF


def test_scaled_estimates_change_the_hash_and_recorded_ones_keep_it() -> None:
    plain = tt.simulate(workload(), HALF, tt.Easy())
    scaled = tt.simulate(workload(), HALF, tt.Easy(), estimates=tt.Estimates.requested(scaled=True))
    assert plain.digest != scaled.digest
    assert plain.spec["machine"] == {"name": "machine", "processors": 4, "speed": 0.5}
    assert plain.spec["estimates"] == {"name": "requested"}
    assert scaled.spec["estimates"] == {"name": "requested", "scaled": True}


def test_the_same_jobs_are_killed_at_every_speed() -> None:
    for speed in (0.3, 1.0, 7.0):
        machine = tt.Machine(processors=4, speed=speed, estimates="scaled")
        run = tt.simulate(workload(), machine, tt.Easy(), overrun="kill")
        assert run.jobs["status"].to_list() == ["completed", "completed", "killed"]


@pytest.mark.parametrize(
    ("text", "policy"),
    [
        ("scaled", tt.Estimates.requested(scaled=True)),
        ("requested:scaled", tt.Estimates.requested(scaled=True)),
        ("at_least:2,scaled", tt.Estimates.at_least(2.0, scaled=True)),
        ("perfect:scaled", tt.Estimates.perfect()),
    ],
)
def test_as_typed(text: str, policy: tt.Estimates) -> None:
    assert tt.Estimates.parse(text) == policy == tt.Estimates.parse(policy.text())
    assert tt.Estimates.from_dict(policy.to_dict()) == policy


def test_on_clusters() -> None:
    nodes = tt.Cluster(groups=[{"name": "g", "nodes": 4, "core": 1}])
    scaled = nodes.scaled(speed=0.5, estimates="scaled")
    run = tt.simulate(workload(), scaled, tt.Easy())
    assert run.columns["estimate_s"].tolist() == [300, 120, 80]
    assert run == tt.simulate(workload(), nodes.scaled(speed=0.5), tt.Easy(), estimates=tt.Estimates.parse("scaled"))
    assert tt.Cluster.named("seth").scaled(speed=2, estimates="scaled").text() == "seth:speed=2,estimates=scaled"
    assert 'estimates = "scaled"' in scaled.to_toml()


def test_other_words_are_refused() -> None:
    with pytest.raises(tt.InputError, match="choose one of recorded, scaled"):
        tt.Machine(processors=4).scaled(speed=2, estimates="halved")
    with pytest.raises(tt.InputError, match="choose one of recorded, scaled"):
        tt.Cluster(groups=[{"name": "g", "nodes": 4, "core": 1}], estimates="halved")


def test_in_studies() -> None:
    keys = {"name": "s", "workloads": ["default"], "schedulers": ["easy"], "estimates": ["requested", "scaled"]}
    keys["platforms"] = ["log:speed=0.5", "log:speed=0.5,estimates=scaled"]
    study = from_keys(keys, Path())
    assert [entry.spec for entry in study.grid["estimates"]] == [
        {"name": "requested"},
        {"name": "requested", "scaled": True},
    ]
    assert study.grid["platform"][0].spec == {"name": "log", "processors_factor": 1.0, "speed": 0.5}
    assert study.grid["platform"][1].spec["estimates"] == "scaled"
    assert len({task.run for task in study.tasks()}) == 4


def test_on_the_command_line_also_streamed(tmp_path: Path) -> None:
    log = tmp_path / "log.swf"
    tt.write_swf(tt.default_workload(), log)
    found = {}
    for name, more in (("plain", []), ("scaled", ["--estimates", "scaled"]), ("both", ["--estimates", "scaled"])):
        last = "--stream" if name == "both" else "--no-figures"
        done = thinktime(
            tmp_path, "run", log, "--speed", 0.8, "--overrun", "kill", *more, last, "--out", name, "--json"
        )
        assert done.code == 0, done.err
        found[name] = done.json["summary"]
    assert found["plain"]["killed"] > 2000
    assert found["scaled"]["killed"] == found["both"]["killed"] == 0
    assert "`--estimates scaled`" in found["plain"]["cautions"]["killed"]["sentence"]
