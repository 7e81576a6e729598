"""A resampled log keeps its users' sessions, so that feedback means what it means on the source."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import thinktime as tt
from tests.resampling.logs import random_log
from tests.shared_data import log as shared_log
from thinktime.metrics import cycle_distance, weekly_profile
from thinktime.resampling import RareBehaviour
from thinktime.workload import Workload, sessions

VARIANTS = {
    "plain": {},
    "loaded": {"load": 1.5, "weeks": 60},
    "shaken": {"shake": "sessions"},
    "shaken jobs": {"shake": "jobs", "amplitude_s": 90.0},
    "shaken users": {"shake": "users"},
    "piece": {"piece": (3, 20), "long_term_weeks": 6, "edge_weeks": 1, "weeks": 40},
    "local": {"locality": 0.5},
    "biased": {"bias": "jobs:large=2"},
}


def ends_as_recorded(workload: Workload) -> Workload:
    """Every job runs from its submission to its recorded end, on one processor: nothing can delay it."""
    columns = dict(workload.columns)
    columns["run_s"] = columns["wait_s"] + columns["run_s"]
    columns["wait_s"] = np.zeros(len(workload))
    columns["processors"] = columns["requested_processors"] = np.ones(len(workload))
    columns["requested_time_s"] = columns["run_s"]
    return replace(workload, columns=columns)


@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
@pytest.mark.parametrize("name", ["small", "KTH-SP2-1996-2.1-cln"])
def test_recorded_ends_give_the_resampled_submissions_back(name: str, options: dict) -> None:
    log = random_log(4) if name == "small" else tt.read_swf(shared_log(name))
    made = ends_as_recorded(tt.resample(log, seed=1, **options))
    run = tt.simulate(made, tt.Machine(processors=len(made)), tt.Easy(), users=tt.SessionReplay(threshold_min=60))
    np.testing.assert_array_equal(run.columns["submit_s"], made["submit_s"])


def test_rare_behaviours_and_several_logs_give_theirs_back() -> None:
    logs = [random_log(1, temporary=20), random_log(2, first_s=8e5)]
    rare = tt.resample(logs[0], rare=[RareBehaviour(10, 0.0, 2e7)], rare_per_week=0.2, seed=1)
    for made in map(ends_as_recorded, (rare, tt.resample(logs, seed=1))):
        run = tt.simulate(made, tt.Machine(processors=len(made)), tt.Easy(), users=tt.SessionReplay(threshold_min=60))
        np.testing.assert_array_equal(run.columns["submit_s"], made["submit_s"])


def test_sessions_are_those_of_the_source() -> None:
    """Consecutive jobs of a user that are moved by the same weeks are in one session here as there."""
    log = tt.default_workload(weeks=20, users=20, load=0.3)
    numbered = Workload.from_columns(**dict[str, Any](log.columns) | {"run_s": 1000.0 + np.arange(len(log))})
    made = tt.resample(numbered, seed=2, load=1.5)
    row = (made["run_s"] - 1000.0).astype(int)
    shift = made["submit_s"] - numbered["submit_s"][row]
    order = np.lexsort((np.arange(len(made)), made["user"]))
    before, after = order[:-1], order[1:]
    together = (made["user"][before] == made["user"][after]) & (shift[before] == shift[after])
    here, there = sessions(made).session, sessions(numbered).session[row]
    same_here, same_there = here[before] == here[after], there[before] == there[after]
    assert together.sum() > 1000
    np.testing.assert_array_equal(same_here[together], same_there[together])


def test_the_week_survives_feedback() -> None:
    log = tt.read_swf(shared_log("KTH-SP2-1996-2.1-cln"))
    made = tt.resample(log, seed=3)
    run = tt.simulate(made, tt.Machine(processors=100), tt.Easy(), users=tt.Fluid())
    distance = cycle_distance(weekly_profile(made["submit_s"]), weekly_profile(run.columns["submit_s"]))
    assert distance.total_variation < 0.25
    rigid = tt.simulate(made, tt.Machine(processors=100), tt.Easy())
    assert rigid.cycle_distance(made).total_variation == 0.0
