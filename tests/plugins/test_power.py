"""Power and energy: by hand, a balance that closes, and a cap that nothing exceeds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from tests.effort import examples
from tests.plugins.checks import STATES, assert_balance
from tests.plugins.small import anything, cluster, random_workload, workload
from tests.shared_data import log
from thinktime.errors import InputError


def total_j(result: tt.Result) -> float:
    nodes = result.report_columns["node_energy"]
    return float(sum(np.sum(nodes[f"{state}_j"]) for state in STATES))


def test_energy_by_hand() -> None:
    """Two nodes of 2 cores at 100 W, 10 W a processor; a job of 3 for 100 s, and one more beside it for 50 s."""
    jobs = workload([(0, 100, 100, 3), (0, 50, 50, 1)])
    result = tt.simulate(jobs, cluster(2), tt.FCFS(), plugins=[tt.Power(idle_w=100, processor_w=10)])
    first, second = result.reports["job_energy"]["energy_j"].to_list()
    assert second == 10 * 50 + 100 / 2 * 50  # half of the node's own watts while two units are on it
    assert first == 30 * 100 + 100 * 100 + 50 * 50 + 100 * 50
    assert total_j(result) == 2 * 100 * 100 + 30 * 100 + 10 * 50
    assert_balance(result)


def test_a_job_waits_for_the_boot() -> None:
    """Idle from 0, off at 60; the job of 100 s comes at 1000, waits 30 s for the boot, and ends at 1130."""
    power = tt.Power(idle_w=100, off_w=5, boot_w=150, boot_s=30, off_after_s=60, processor_w=20)
    result = tt.simulate(workload([(0, 0, 0, 1), (1000, 100, 100, 2)]), cluster(1), tt.Easy(), plugins=[power])
    assert result.jobs["start_s"].to_list() == [0, 1000]
    assert result.jobs["end_s"].to_list() == [0, 1130]
    assert result.jobs["overhead_s"].to_list() == [0, 30]
    energy = result.reports["node_energy"].row(0, named=True)
    assert (energy["idle_j"], energy["off_j"], energy["boot_j"]) == (6000, 940 * 5, 30 * 150)
    assert energy["active_j"] == 100 * (100 + 40)
    assert tt.check(result) == []


def test_a_killed_job_has_used_energy_too() -> None:
    result = tt.simulate(
        workload([(0, 100, 60, 1)]),
        cluster(1),
        tt.FCFS(),
        overrun="kill",
        plugins=[tt.Power(idle_w=50, processor_w=10)],
    )
    assert result.reports["job_energy"]["energy_j"].to_list() == [60 * 60]


def test_every_attempt_is_paid_for_and_a_broken_node_is_down() -> None:
    plugins = [tt.Failures(table=[("g-0", 40, 100)]), tt.Power(idle_w=50, processor_w=10, down_w=1)]
    result = tt.simulate(workload([(0, 60, 60, 1)]), cluster(1), tt.FCFS(), plugins=plugins)
    assert result.reports["job_energy"]["energy_j"].to_list() == [(40 + 60) * 60]
    assert result.reports["node_energy"]["down_j"].to_list() == [60.0]
    assert total_j(result) == 100 * 60 + 60


def test_watts_of_jobs_and_of_groups() -> None:
    power = tt.Power(idle_w={"g": 100, "h": 200}, processor_w=10)
    result = tt.simulate(
        workload([(0, 10, 10, 1), (0, 10, 10, 3)]),
        cluster(1, more=1),
        tt.FCFS(),
        plugins=[power],
        requests={"watts": [7, 8]},
    )
    assert result.reports["job_energy"]["energy_j"].to_list() == [10 * 7 + 500, 10 * 24 + 500 + 2000]
    spread = tt.simulate(random_workload(1), cluster(4), tt.FCFS(), plugins=[tt.Power(spread=0.5)])
    again = tt.simulate(random_workload(1), cluster(4), tt.Easy(), plugins=[tt.Power(spread=0.5)])
    assert total_j(spread) != total_j(again)
    assert_balance(spread)


@examples(100)
@given(anything(), st.integers(0, 10**6), st.booleans(), st.booleans(), st.sampled_from([0.0, 0.3]))
def test_the_balance_closes(given: dict[str, Any], seed: int, switched_off: bool, broken: bool, spread: float) -> None:
    power = tt.Power(
        idle_w=91.3,
        active_w=104.7,
        processor_w=17.9,
        off_w=3.1,
        boot_w=140.0,
        boot_s=37.5,
        off_after_s=60 if switched_off else None,
        spread=spread,
    )
    plugins = [power, *([tt.Failures(mtbf_h=0.5, mttr_h=0.05, restarts=3)] if broken else [])]
    result = tt.simulate(random_workload(seed), cluster(4), given.pop("scheduler"), plugins=plugins, **given)
    assert tt.check(result) == []
    assert_balance(result)


@examples(100)
@given(anything(), st.integers(0, 10**6), st.sampled_from(["level", "day", "off"]), st.booleans())
def test_never_above_the_cap(given: dict[str, Any], seed: int, kind: str, broken: bool) -> None:
    """4 nodes idle at 400 W; jobs of 6 processors draw 120 W more."""
    cap: Any = {"level": 600, "day": {0: 560, 0.25: 640, 0.5: 530}, "off": 600}[kind]
    power = tt.Power(idle_w=100, processor_w=20, boot_w=90, cap_w=cap, off_after_s=30 if kind == "off" else None)
    plugins = [power, *([tt.Failures(mtbf_h=0.5, mttr_h=0.05, restarts=3)] if broken else [])]
    result = tt.simulate(random_workload(seed), cluster(4), given.pop("scheduler"), plugins=plugins, **given)
    assert tt.check(result) == []
    trace = result.report_columns["power"]
    drawn = sum(trace[f"{state}_w"] for state in STATES)
    assert np.max(drawn) <= (600 if kind != "day" else 640) + 1e-9
    if kind == "day" and not broken:
        hour = trace["time_s"] % 86400 / 3600
        level = np.select([hour < 0.25, hour < 0.5], [560, 640], 530)
        assert (drawn <= level + 1e-9).all()
    assert_balance(result)


def test_a_cap_that_falls_holds_for_the_whole_instant() -> None:
    """Under each-end-first the end at 36 s is followed by a pass before the cap falls at 36 s (0.01 h)."""
    power = tt.Power(idle_w=100, processor_w=100, cap_w=[(0, 700), (0.01, 600)])
    jobs = workload([(0, 36, 36, 1), (0, 50, 50, 2), (5, 20, 20, 1)])
    result = tt.simulate(jobs, cluster(4), tt.FCFS(), plugins=[power], same_instant="each-end-first")
    assert result.jobs["start_s"].to_list() == [0, 0, 50]


def test_a_job_that_no_cap_allows_is_rejected() -> None:
    power = tt.Power(idle_w=100, processor_w=100, cap_w=[(0, 700), (12, 450)])
    jobs = workload([(0, 10, 10, 4), (0, 50_000, 50_000, 3), (0, 10, 10, 3)])
    result = tt.simulate(jobs, cluster(4), tt.FCFS(), plugins=[power])
    assert result.jobs["status"].to_list() == ["rejected", "rejected", "completed"]
    assert sum(result.statistics["rejected"].values()) == 2


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"idle_w": -1}, "idle_w of power is -1"),
        ({"idle_w": {"x": 1}}, "names the group 'x'"),
        ({"idle_w": {"g": 1}}, "lacks the group 'h'"),
        ({"cap_w": 10}, "while no job runs"),
        ({"cap_w": {25: 1000}}, "below 24"),
        ({"spread": 2}, "from 0 to 1"),
    ],
)
def test_mistakes(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        tt.simulate(workload([(0, 1, 1, 1)]), cluster(2, more=1), tt.FCFS(), plugins=[tt.Power(**options)])


def test_to_the_joule_on_a_real_log() -> None:
    jobs = tt.read_swf(log("HPC2N-2002-2.2-cln"))
    power = tt.Power(idle_w=92.7, active_w=101.3, processor_w=33.1, off_w=4.4, boot_s=150, off_after_s=900)
    plugins = [tt.Failures(mtbf_h=3000, mttr_h=8), power]
    result = tt.simulate(jobs, tt.Cluster.named("seth"), tt.Easy(), plugins=plugins)
    used = float(np.sum(result.report_columns["job_energy"]["energy_j"]))
    rest = sum(
        float(np.sum(result.report_columns["node_energy"][f"{state}_j"])) for state in STATES if state != "active"
    )
    trace = result.report_columns["power"]
    end = float(np.nanmax(result.columns["end_s"]))
    drawn = sum(trace[f"{state}_w"] for state in STATES)
    total = float(np.sum(np.asarray(drawn, np.longdouble) * np.diff(np.append(trace["time_s"], end))))
    assert total > 1e12
    assert abs(used + rest - total) < 1
    assert tt.check(result) == []
