"""Decision times: every scheduling pass on request, otherwise a regular sample; never part of a digest."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

import thinktime as tt
from thinktime.simulation import Simulation
from thinktime.simulation.settings import SameInstant

MACHINE = tt.Machine(processors=4)


def jobs() -> tt.Workload:
    """At time 0 two jobs come and one starts; at 5 a third comes; at 10 and 20 the first two end."""
    return tt.Workload.from_columns(submit_s=[0, 0, 5], run_s=[10, 10, 1], processors=[4, 4, 4])


def column(result: tt.Result, name: str) -> list[float]:
    return list(result.decisions_columns[name].tolist())


def test_a_row_has_the_instant_and_the_queue_before_the_pass() -> None:
    result = tt.simulate(jobs(), MACHINE, tt.FCFS(), decisions=True)
    assert column(result, "time_s") == [0, 5, 10, 20, 21]
    assert column(result, "queued_jobs") == [2, 2, 2, 1, 0]
    assert result.decisions.columns == ["time_s", "queued_jobs", "decision_s", "rest_s", "memory_bytes"]


def test_seconds_are_those_of_the_statistics() -> None:
    result = tt.simulate(jobs(), MACHINE, tt.FCFS(), decisions=True)
    assert all(second >= 0 for second in column(result, "decision_s"))
    assert result.statistics["timed_passes"] == result.statistics["passes"] == 5
    assert result.statistics["decision_s"] == pytest.approx(sum(column(result, "decision_s")))


def test_the_rest_is_what_deciding_leaves_of_the_engines_time() -> None:
    result = tt.simulate(tt.default_workload(jobs=3000), tt.Machine(processors=128), tt.Easy(), decisions=True)
    rest_s, decision_s = result.decisions_columns["rest_s"], result.decisions_columns["decision_s"]
    assert (rest_s >= 0).all()
    assert rest_s.sum() > 0
    assert rest_s.sum() + decision_s.sum() <= result.statistics["engine_s"]


def test_time_between_two_steps_is_not_counted() -> None:
    simulation = Simulation(jobs(), MACHINE, tt.FCFS(), decisions=True)
    simulation.step()
    time.sleep(0.05)
    simulation.step()
    assert simulation.result().decisions_columns["rest_s"][1] < 0.05


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not say what a process holds")
def test_memory_is_what_the_process_holds() -> None:
    result = tt.simulate(tt.default_workload(jobs=3000), tt.Machine(processors=128), tt.FCFS(), decisions=True)
    memory_mb = result.decisions_columns["memory_bytes"] / 2**20
    assert (memory_mb > 10).all()  # an interpreter with numpy
    assert memory_mb.max() <= result.statistics["peak_rss_mb"] * 1.01


def test_timing_is_not_part_of_the_run() -> None:
    with_times = tt.simulate(busy_weeks(), 128, tt.FCFS(), decisions=True)
    sampled = tt.simulate(busy_weeks(), 128, tt.FCFS())
    assert with_times == sampled
    assert with_times.spec == sampled.spec
    assert with_times.every_pass_timed
    assert not sampled.every_pass_timed


def busy_weeks() -> tt.Workload:
    return tt.default_workload(jobs=3000)


def test_short_runs_are_timed_whole() -> None:
    result = tt.simulate(jobs(), MACHINE, tt.FCFS())
    assert column(result, "time_s") == [0, 5, 10, 20, 21]
    assert result.every_pass_timed


@pytest.mark.parametrize("count", [62, 63, 64, 129, 700, 3000, 20_000])
def test_the_sample_is_every_nth_pass(count: int) -> None:
    """One job after the other: passes are at 0, 1, 2, …, one at each submission, and one at the last end."""
    times = np.arange(count, dtype=float)
    result = tt.simulate(tt.Workload.from_columns(submit_s=times, run_s=np.ones(count), processors=np.ones(count)), 4)
    passes, at = result.statistics["passes"], result.decisions_columns["time_s"]
    assert passes == count + 1
    step = int(at[1] - at[0])
    assert at.tolist() == list(range(0, passes, step))
    assert step == expected_step(passes)


def expected_step(passes: int) -> int:
    """The smallest power of two that leaves fewer than 64 rows, at most 256."""
    step = 1
    while step < 256 and -(-passes // step) >= 64:
        step *= 2
    return step


def test_statistics_are_estimated_from_the_sample() -> None:
    result = tt.simulate(busy_weeks(), 128, tt.Easy())
    decision_s = result.decisions_columns["decision_s"]
    assert result.statistics["timed_passes"] == len(decision_s) < result.statistics["passes"]
    assert result.statistics["decision_s"] == pytest.approx(decision_s.mean() * result.statistics["passes"])


def test_a_sample_does_not_measure_the_time_between_passes() -> None:
    assert set(column(tt.simulate(busy_weeks(), 128, tt.FCFS()), "rest_s")) == {0}


@pytest.mark.parametrize("rule", ["each-submit-first", "each-end-first"])
def test_one_row_a_pass_where_an_instant_has_several(rule: SameInstant) -> None:
    result = tt.simulate(jobs(), MACHINE, tt.Easy(), decisions=True, same_instant=rule)
    assert len(result.decisions) == result.statistics["passes"] > result.statistics["instants"]


def test_results_along_the_way_have_the_decisions_so_far() -> None:
    simulation = Simulation(jobs(), MACHINE, tt.FCFS(), decisions=True)
    simulation.step()
    first = simulation.result().decisions_columns
    whole = simulation.run().result().decisions_columns
    assert len(first["time_s"]) == 1
    assert _begins_with(whole, first)


def _begins_with(whole: Mapping[str, np.ndarray], first: Mapping[str, np.ndarray]) -> bool:
    return all(np.array_equal(whole[name][:1], values) for name, values in first.items())
