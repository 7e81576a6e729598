"""What `simulate` returns: the data contract's columns, a spec that says what was simulated, a digest."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thinktime as tt
from reference import Job
from tests.engine.workloads import workload_of
from thinktime.result import check
from thinktime.simulation import simulate
from thinktime.spec import from_dict

MACHINE = tt.Machine(processors=4)
JOBS = workload_of([Job(0, 10, 3, 20), Job(1, 5, 4, 5), Job(2, 30, 9, 30), Job(3, 8, 1, 4)])


def with_columns(workload: tt.Workload, **columns: Any) -> tt.Workload:
    given = {name: np.array(values, float) for name, values in columns.items()}
    return dataclasses.replace(workload, columns={**workload.columns, **given})


def test_one_row_a_job_in_the_workloads_order() -> None:
    found = simulate(JOBS, MACHINE, tt.FCFS()).jobs
    assert found["job"].to_list() == [1, 2, 3, 4]
    assert found["submit_s"].to_list() == [0, 1, 2, 3]
    assert found["start_s"].to_list() == [0, 10, None, 15]
    assert found["end_s"].to_list() == [10, 15, None, 23]
    assert found["processors"].to_list() == [3, 4, 9, 1]
    assert found["run_s"].to_list() == [10, 5, 30, 8]
    assert found["estimate_s"].to_list() == [20, 5, 30, 4]
    assert found["status"].to_list() == ["completed", "completed", "rejected", "completed"]
    assert found["session"].to_list() == [None] * 4


def test_recorded_times_are_the_logs() -> None:
    """Job 2 waited 7 s on the original machine; of the others nothing is known."""
    workload = with_columns(JOBS, wait_s=[np.nan, 7, np.nan, np.nan])
    found = simulate(workload, MACHINE.scaled(speed=2), tt.FCFS()).jobs
    assert found["recorded_submit_s"].to_list() == [0, 1, 2, 3]
    assert found["recorded_start_s"].to_list() == [None, 8, None, None]
    assert found["recorded_end_s"].to_list() == [None, 13, None, None]
    assert found["run_s"].to_list() == [5, 2.5, 15, 4]


def test_the_timeline() -> None:
    found = simulate(JOBS, MACHINE, tt.FCFS()).timeline
    assert found.rows() == [
        (0.0, 0, 0, 1, 3),
        (1.0, 1, 4, 1, 3),
        (2.0, 1, 4, 1, 3),
        (3.0, 2, 5, 1, 3),
        (10.0, 1, 1, 1, 4),
        (15.0, 0, 0, 1, 1),
        (23.0, 0, 0, 0, 0),
    ]


def test_without_a_timeline() -> None:
    found = simulate(JOBS, MACHINE, tt.FCFS(), timeline=False)
    assert len(found.timeline) == 0
    assert found.summary()["wait_mean_s"] == pytest.approx((0 + 9 + 12) / 3)
    assert np.isnan(found.summary()["queued_jobs_mean"])
    assert check(found) == []


@pytest.mark.parametrize(
    ("estimates", "expected"),
    [
        (tt.Estimates.requested(), [20, 5, 30, 4]),
        (tt.Estimates.at_least(2.0), [20, 10, 60, 16]),
        (tt.Estimates.perfect(), [10, 5, 30, 8]),
    ],
    ids=repr,
)
def test_estimates(estimates: tt.Estimates, expected: list[float]) -> None:
    found = simulate(JOBS, MACHINE, tt.FCFS(), estimates=estimates)
    assert found.columns["estimate_s"].tolist() == expected
    assert from_dict("estimates", found.spec["estimates"]) == estimates


def test_an_empty_workload() -> None:
    for scheduler in (tt.FCFS(), tt.Easy(), tt.Conservative()):
        found = simulate(workload_of([]), MACHINE, scheduler)
        assert (len(found), found.summary()["jobs"], check(found)) == (0, 0, [])


def test_the_spec_names_everything_and_is_json() -> None:
    found = simulate(JOBS, MACHINE.scaled(speed=2), tt.Easy(order="sjf"), overrun="kill", seed=5)
    spec = json.loads(json.dumps(found.spec))
    assert from_dict("platform", spec["machine"]) == tt.Machine(processors=4, speed=2.0)
    assert from_dict("scheduler", spec["scheduler"]) == tt.Easy(order="sjf")
    assert from_dict("users", spec["users"]) == tt.Rigid()
    assert from_dict("application", spec["applications"]) == tt.Fixed()
    rules = {name: spec[name] for name in ("overrun", "oversized", "same_instant", "seed", "version")}
    assert rules == {
        "overrun": "kill",
        "oversized": "reject",
        "same_instant": "batch",
        "seed": 5,
        "version": tt.__version__,
    }
    assert spec["workload"]["jobs"] == 4


def test_the_digest_is_of_all_that_matters() -> None:
    """The same inputs have the same digest; any other rule, job, user or recorded wait has another one."""
    same = [simulate(JOBS, MACHINE, tt.FCFS()).digest for _ in range(2)]
    assert same[0] == same[1]
    others = [
        simulate(JOBS, MACHINE.scaled(processors=2), tt.FCFS()),
        simulate(JOBS, MACHINE, tt.SJF()),
        simulate(JOBS, MACHINE, tt.FCFS(), overrun="kill"),
        simulate(JOBS, MACHINE, tt.FCFS(), oversized="clip"),
        simulate(JOBS, MACHINE, tt.FCFS(), same_instant="each-end-first"),
        simulate(JOBS, MACHINE, tt.FCFS(), estimates=tt.Estimates.perfect()),
        simulate(JOBS, MACHINE, tt.FCFS(), seed=1),
        *(
            simulate(with_columns(JOBS, **{name: JOBS[name] + 1}), MACHINE, tt.FCFS())
            for name in ("job", "user", "submit_s", "run_s", "requested_time_s", "processors")
        ),
        simulate(with_columns(JOBS, wait_s=[1, 2, 3, 4]), MACHINE, tt.FCFS()),
    ]
    assert len({*same, *(other.digest for other in others)}) == 1 + len(others)


def test_a_run_directory_holds_the_run(tmp_path: Path) -> None:
    found = simulate(tt.default_workload(seed=4, jobs=400), tt.Machine(processors=128), tt.Easy())
    found.save(tmp_path / "run")
    loaded = tt.Result.load(tmp_path / "run")
    assert loaded == found
    assert (loaded.spec, loaded.statistics) == (found.spec, found.statistics)


def test_the_workload_is_not_changed() -> None:
    before = {name: values.copy() for name, values in JOBS.columns.items()}
    simulate(JOBS, MACHINE.scaled(speed=3), tt.Easy(), oversized="clip", overrun="kill")
    for name, values in before.items():
        assert np.array_equal(JOBS[name], values, equal_nan=True), name


def test_clipped_jobs_have_the_machines_size() -> None:
    found = simulate(JOBS, MACHINE, tt.FCFS(), oversized="clip")
    assert found.jobs["processors"].to_list() == [3, 4, 4, 1]
    assert found.jobs["status"].to_list() == ["completed"] * 4


def test_a_stopped_run_is_measured_up_to_where_it_stopped() -> None:
    """One of four processors is busy from 10 s on; the run is stopped at 20 s, long before the second job."""
    workload = tt.Workload.from_columns(submit_s=[10, 500], run_s=[30, 1], processors=[1, 1])
    result = tt.Simulation(workload, tt.Machine(processors=4), tt.FCFS()).run(until=20).result()
    summary = result.summary()
    assert summary.settings["window_s"] == (10, 20)
    assert summary["utilisation"] == 0.25
    before = tt.Simulation(workload, tt.Machine(processors=4), tt.FCFS()).run(until=1).result().summary()
    assert before.settings["window_s"] == (1, 1)
