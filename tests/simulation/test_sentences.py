"""What `simulate` says to bad input: one sentence with the value, the rule and the next step."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thinktime as tt
from reference import Job
from tests.engine.workloads import workload_of
from thinktime.errors import InputError
from thinktime.simulation import Simulation, simulate, simulate_stream

MACHINE = tt.Machine(processors=4)
THREE = workload_of([Job(0, 10, 1, 10), Job(5, 10, 2, 10), Job(9, 10, 4, 10)])


def changed(column: str, row: int, value: float, base: tt.Workload = THREE) -> tt.Workload:
    values = base[column].copy()
    values[row] = value
    return dataclasses.replace(base, columns={**base.columns, column: values})


def sentence(workload: tt.Workload = THREE, machine: Any = MACHINE, scheduler: Any = None, **rules: Any) -> str:
    with pytest.raises(InputError) as error:
        simulate(workload, machine, tt.FCFS() if scheduler is None else scheduler, **rules)
    return str(error.value)


REMEDY = "(1 such jobs): read the log with a filter that drops them, or remove them"


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("submit_s", np.nan, "job 2 needs a submit time but has none"),
        ("submit_s", np.inf, "job 2 needs a submit time but has inf"),
        ("run_s", np.nan, "job 2 needs a run time of 0 s or more but has none"),
        ("run_s", -3, "job 2 needs a run time of 0 s or more but has -3"),
        ("processors", np.nan, "job 2 needs a whole number of processors, 1 or more, but has none"),
        ("processors", 0, "job 2 needs a whole number of processors, 1 or more, but has 0"),
        ("processors", -1, "job 2 needs a whole number of processors, 1 or more, but has -1"),
    ],
)
def test_a_job_that_cannot_be_simulated(column: str, value: float, said: str) -> None:
    assert sentence(changed(column, 1, value)) == f"{said} {REMEDY}"


def test_such_jobs_are_counted_and_the_first_is_named() -> None:
    workload = changed("run_s", 2, -1, changed("run_s", 1, np.nan))
    assert sentence(workload).startswith("job 2 needs a run time of 0 s or more but has none (2 such jobs):")


def test_a_job_without_a_number_is_named_by_its_row() -> None:
    workload = changed("job", 1, np.nan, changed("run_s", 1, np.nan))
    assert sentence(workload) == f"the job in row 1 needs a run time of 0 s or more but has none {REMEDY}"


def test_an_unsorted_workload() -> None:
    said = "job 3 is submitted before the job above it: sort the workload by submit_s"
    assert sentence(changed("submit_s", 2, 4.0)) == said


def test_a_time_that_float64_does_not_hold_exactly() -> None:
    assert sentence(changed("run_s", 1, 1e16)) == (
        "the simulation may reach 1e+16 s, beyond 2^53 s where whole seconds are no longer exact"
        " (job 2 runs 1e+16 s): remove such jobs or raise the machine's speed"
    )
    assert sentence(changed("run_s", 1, np.inf)).startswith("the simulation may reach inf s, beyond 2^53 s")


def test_the_limit_is_2_to_the_53_and_counts_the_speed() -> None:
    """9 s until the last submission, 20 s for the two other jobs."""
    longest = 2.0**53 - 29
    assert simulate(changed("run_s", 1, longest), MACHINE, tt.FCFS()).columns["end_s"][1] == 5 + longest
    assert "beyond 2^53 s" in sentence(changed("run_s", 1, longest + 2))
    assert "beyond 2^53 s" in sentence(changed("run_s", 1, longest), tt.Machine(processors=4, speed=0.5))
    assert simulate(changed("run_s", 1, 2 * longest), MACHINE.scaled(speed=4), tt.FCFS())


def test_a_job_larger_than_the_machine() -> None:
    assert sentence(changed("processors", 1, 256), oversized="error") == (
        "job 2 needs 256 processors but the machine has 4: choose a larger --processors or --oversized=reject"
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"machine": 1.5}, 'machine is 1.5: give a spec, a number of processors or a text such as "seth"'),
        ({"machine": tt.Easy()}, 'machine is Easy(): give a spec, a number of processors or a text such as "seth"'),
        ({"scheduler": 3}, 'scheduler is 3: give a spec or a text such as "easy:order=sjf"'),
        ({"users": tt.Easy()}, 'users is Easy(): give a spec or a text such as "session-replay:threshold_min=60"'),
        ({"applications": None}, 'applications is None: give a spec or a text such as "loop:technique=gss"'),
        ({"estimates": 2.0}, 'estimates is 2.0: give a spec or a text such as "at_least:2"'),
        (
            {"estimates": tt.Estimates()},
            "Estimates() is not a policy: choose Estimates.requested(), at_least(2.0) or perfect()",
        ),
        (
            {"overrun": "kills"},
            "overrun is 'kills' (did you mean 'kill'?): choose one of extend, extend-blind, kill",
        ),
        (
            {"oversized": "rejected"},
            "oversized is 'rejected' (did you mean 'reject'?): choose one of reject, clip, error",
        ),
        (
            {"same_instant": "pyss"},
            "same_instant is 'pyss': choose one of batch, each-submit-first, each-end-first",
        ),
        (
            {"same_instant": "each-submit-first", "applications": "loop:technique=gss"},
            "same_instant='each-submit-first' does not work with application models, whose jobs hold cores until they"
            " end: choose batch or each-end-first",
        ),
    ],
    ids=str,
)
def test_a_setting_that_is_none(arguments: dict[str, Any], said: str) -> None:
    assert sentence(**arguments) == said


@pytest.mark.parametrize("processors", [0, -1, 1.5, 100.0, True, "100", None, 2**31])
def test_a_machine_that_cannot_be(processors: Any) -> None:
    with pytest.raises(InputError, match=r"^processors must be a whole number from 1 to"):
        tt.Machine(processors=processors)


@pytest.mark.parametrize("speed", [0, -1.0, float("inf"), float("nan"), "fast"])
def test_a_speed_that_cannot_be(speed: Any) -> None:
    with pytest.raises(InputError) as error:
        tt.Machine(processors=1, speed=speed)
    said = f"speed is {speed!r}: choose a number above 0, 1.0 for the recorded machine"
    assert str(error.value) == said


def test_simulation_and_stream_say_the_same(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^overrun is 'x': choose one of extend, extend-blind, kill$"):
        Simulation(THREE, MACHINE, tt.FCFS(), overrun="x")  # type: ignore[arg-type]
    path = tmp_path / "three.swf"
    columns = {
        **THREE.columns,
        "requested_processors": THREE["processors"],
        "allocated_processors": THREE["processors"],
    }
    tt.write_swf(dataclasses.replace(THREE, columns=columns), path)
    with pytest.raises(InputError, match=r"^job 3 needs 4 processors but the machine has 2: choose a larger"):
        simulate_stream(tt.stream_swf(path), tt.Machine(processors=2), tt.FCFS(), tmp_path / "run", oversized="error")
