"""Replay with feedback at KTH: an independent implementation's schedules, job by job, and the papers' campaign.

The schedules are in oracle/feedback: allocated processors, estimates of at least twice the run time, the reduced
graph, textbook EASY. The campaign has six cases with sessions of one job (a0) and sessions with
gaps of an hour at most (a60).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import thinktime as tt
from tests.shared_data import log, oracle
from verification.papers import KTH, MACHINE, TWICE, assert_printed
from verification.peers import assert_same, schedule_csv

DAY_S = 86400.0
CASES: dict[str, tuple[tt.Machine, Any]] = {
    "easy": (MACHINE, tt.Easy()),
    "fcfs": (MACHINE, tt.FCFS()),
    "perf*2": (MACHINE.scaled(speed=2), tt.Easy()),
    "perf/2": (MACHINE.scaled(speed=0.5), tt.Easy()),
    "infra*2": (MACHINE.scaled(processors=2), tt.Easy()),
    "infra/2": (MACHINE.scaled(processors=0.5), tt.Easy()),
}
RANKING = ["perf*2", "infra*2", "easy", "infra/2", "fcfs", "perf/2"]  # by the shift of submissions


@cache
def run(case: str, threshold_min: int, count_ties: bool = True) -> tt.Result:
    machine, scheduler = CASES[case]
    scheduler = scheduler if count_ties or case == "fcfs" else scheduler.replace(count_ties=False)
    workload = tt.read_swf(log(KTH), processors="allocated")
    return tt.simulate(workload, machine, scheduler, users=tt.SessionReplay(threshold_min=threshold_min), **TWICE)


def row_of(result: tt.Result) -> list[float]:
    """Makespan, mean and longest wait, mean lateness (days), relative lateness, additional lateness (s)."""
    of = result.columns
    wait, late = of["start_s"] - of["submit_s"], of["submit_s"] - of["recorded_submit_s"]
    makespan = np.nanmax(of["end_s"]) - of["submit_s"].min()
    days = [makespan / DAY_S, np.nanmean(wait) / DAY_S, np.nanmax(wait) / DAY_S, late.mean() / DAY_S]
    return [*days, 1 + late.mean() / np.ptp(of["recorded_submit_s"]), 2 * late.mean() / (len(late) - 1)]


@pytest.mark.parametrize(("case", "threshold_min"), [("fcfs", 0), ("fcfs", 60), ("easy", 60)])
def test_every_job_of_the_independent_implementation(case: str, threshold_min: int) -> None:
    theirs = schedule_csv(oracle(f"feedback/KTH-{case}-a{threshold_min}.csv.gz"))
    assert_same(run(case, threshold_min), theirs)


@pytest.mark.parametrize(
    ("case", "threshold_min", "prototype"),
    [
        ("easy", 0, "365.14 0.059 5.11 -3.65 0.989 -22.12"),
        ("easy", 60, "361.64 0.070 6.11 -4.52 0.986 -27.44"),
        ("fcfs", 0, "457.93 0.289 4.95 32.65 1.098 198.15"),
        ("fcfs", 60, "454.45 0.471 4.47 26.30 1.079 159.62"),
        ("perf*2", 0, "332.57 0.006 1.82 -12.40 0.963 -75.26"),
        ("perf*2", 60, "332.61 0.008 1.44 -13.32 0.960 -80.87"),
        ("perf/2", 0, "634.66 0.456 11.61 45.63 1.137 276.91"),
        ("perf/2", 60, "621.88 0.602 11.34 43.12 1.130 261.71"),
        ("infra*2", 0, "332.63 0.002 0.81 -8.65 0.974 -52.47"),
        ("infra*2", 60, "332.65 0.002 0.56 -9.34 0.972 -56.67"),
        ("infra/2", 0, "476.23 0.278 7.07 16.73 1.050 101.53"),
        ("infra/2", 60, "461.99 0.373 6.73 14.54 1.044 88.27"),
    ],
)
def test_c2_as_printed(case: str, threshold_min: int, prototype: str) -> None:
    """All twelve rows to the last digit: the prototype's EASY counts the releases that the head needs, no more."""
    assert_printed(row_of(run(case, threshold_min, count_ties=False)), prototype)


@pytest.mark.parametrize("threshold_min", [0, 60])
def test_the_ranking_of_the_cases(threshold_min: int) -> None:
    lateness = [row_of(run(case, threshold_min))[3] for case in RANKING]
    assert lateness == sorted(lateness)


@pytest.mark.parametrize("case", CASES)
def test_longer_sessions_are_not_later(case: str) -> None:
    """ "Mean lateness a60 <= a0 in every row"."""
    assert row_of(run(case, 60))[3] <= row_of(run(case, 0))[3]


@pytest.mark.parametrize("case", CASES)
def test_the_invariants_hold(case: str) -> None:
    assert tt.check(run(case, 60)) == []
    rejected = 650 if case == "infra/2" else 0
    assert run(case, 60).summary()["rejected"] == rejected


# --- Zakay and Feitelson 2014, KTH ----------------------------------------------------------------


def mean_wait_s(users: Any, seed: int = 1) -> float:
    workload = tt.read_swf(log(KTH), processors="allocated")
    return tt.simulate(workload, MACHINE, tt.Easy(extra_nodes=False), users=users, seed=seed).summary()["wait_mean_s"]


def test_adjusted_is_the_prototypes() -> None:
    assert round(mean_wait_s(tt.Adjusted())) == 7659


@pytest.mark.parametrize(
    ("users", "paper_s", "accepted"),
    [(tt.Rigid(), 8755, 0.05), (tt.Adjusted(), 8364, 0.15), (tt.Fluid(), 6389, 0.25)],
    ids=repr,
)
def test_table_1_of_zakay(users: Any, paper_s: float, accepted: float) -> None:
    """Mean waits; what is drawn at random is the mean of five seeds."""
    seeds = range(1, 6) if users.random else [0]
    assert np.mean([mean_wait_s(users, seed) for seed in seeds]) == pytest.approx(paper_s, rel=accepted)


def test_distribution_based_users_wait_longer_than_rigid_ones() -> None:
    assert np.mean([mean_wait_s(tt.DistributionBased(), seed) for seed in range(1, 6)]) > mean_wait_s(tt.Rigid())
