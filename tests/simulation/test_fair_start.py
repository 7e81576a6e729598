"""Fair starts: by hand, and against the definition itself, one simulation a job and no cuts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from tests.effort import examples
from tests.engine.workloads import schedulers
from thinktime.schedulers import Scheduler

#: Runs alone, then a wide job blocks, then a small one that EASY lets pass. Estimates are three times the runs.
BY_HAND = tt.Workload.from_columns(
    submit_s=[0, 1, 2], run_s=[10, 10, 9], processors=[2, 3, 1], requested_time_s=[30, 30, 27], user=[1, 2, 3]
)
MACHINE = tt.Machine(processors=3)


def test_by_hand() -> None:
    """Conservative with perfect estimates: the small job ends at 11 > 10, so it would delay the wide one."""
    assert tt.fair_starts(BY_HAND, MACHINE).tolist() == [0, 10, 20]
    assert tt.fair_starts(BY_HAND, MACHINE, tt.Easy(), method="no-later-arrivals").tolist() == [0, 10, 2]


def test_the_small_job_that_overtakes_makes_the_wide_one_late() -> None:
    run = tt.simulate(BY_HAND, MACHINE, tt.Easy())  # 27 s from 2 is before the promise at 30
    assert run.columns["start_s"].tolist() == [0, 11, 2]
    found = run.fairness(tt.fair_starts(BY_HAND, MACHINE, tt.Easy(), method="no-later-arrivals"))
    assert found["fair_start_miss_mean_s"] == pytest.approx(1 / 3)
    assert found["fair_start_miss_share"] == pytest.approx(1 / 3)


job = st.tuples(st.integers(0, 40), st.integers(0, 12), st.integers(1, 5), st.floats(0.5, 3))


def workload(jobs: list[tuple[int, int, int, float]]) -> tt.Workload:
    submit, run, processors, factor = (np.array(column, dtype=float) for column in zip(*jobs, strict=True))
    return tt.Workload.from_columns(
        submit_s=submit, run_s=run, processors=processors, requested_time_s=np.ceil(run * factor)
    )


def by_definition(jobs: tt.Workload, scheduler: Scheduler, **rules: Any) -> list[float]:
    prefixes = [jobs.select(np.arange(row + 1)) for row in range(len(jobs))]
    runs = [tt.simulate(prefix, tt.Machine(processors=4), scheduler, **rules) for prefix in prefixes]
    return [run.columns["start_s"][-1] for run in runs]


@examples(150)
@given(
    st.lists(job, min_size=1, max_size=14),
    schedulers(named=True),
    st.sampled_from(["extend", "kill"]),
    st.sampled_from(["batch", "each-submit-first", "each-end-first"]),
)
def test_cuts_are_exact(jobs: Any, scheduler: Scheduler, overrun: str, same_instant: str) -> None:
    rules: dict[str, Any] = {"overrun": overrun, "same_instant": same_instant}
    some = workload(jobs)
    found = tt.fair_starts(some, tt.Machine(processors=4), scheduler, method="no-later-arrivals", **rules)
    np.testing.assert_array_equal(found, by_definition(some, scheduler, **rules))


def test_conservative_with_perfect_estimates_starts_everybody_fairly() -> None:
    some = tt.default_workload(jobs=500, processors=64)
    run = tt.simulate(some, tt.Machine(processors=64), tt.Conservative(), estimates=tt.Estimates.perfect())
    assert run.fairness(tt.fair_starts(some, tt.Machine(processors=64)))["fair_start_miss_share"] == 0


def test_first_come_first_served_is_fair_without_later_arrivals() -> None:
    some = tt.default_workload(jobs=300, processors=64)
    run = tt.simulate(some, tt.Machine(processors=64), tt.FCFS())
    fair = tt.fair_starts(some, tt.Machine(processors=64), tt.FCFS(), method="no-later-arrivals")
    assert run.columns["start_s"].tolist() == fair.tolist()


def test_rejected_jobs_have_none() -> None:
    assert np.isnan(tt.fair_starts(BY_HAND, tt.Machine(processors=2))).tolist() == [False, True, False]


def test_no_jobs() -> None:
    none = BY_HAND.select(np.arange(0))
    assert tt.fair_starts(none, MACHINE, tt.Easy(), method="no-later-arrivals").tolist() == []


def test_wrong_questions() -> None:
    with pytest.raises(tt.InputError, match="did you mean 'conservative'"):
        tt.fair_starts(BY_HAND, MACHINE, method="conservativ")
    with pytest.raises(tt.InputError, match="needs the scheduler"):
        tt.fair_starts(BY_HAND, MACHINE, method="no-later-arrivals")
    with pytest.raises(tt.InputError, match="takes no scheduler"):
        tt.fair_starts(BY_HAND, MACHINE, tt.Easy())
