"""Some metrics alone are those of the summary, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

import thinktime as tt
from thinktime.metrics import CATALOGUE, checked_metrics, need_timeline, selected

EVERY = tuple(CATALOGUE.every_run())


@pytest.mark.parametrize("processors", [128, 16], ids=["all run", "some rejected"])
@pytest.mark.parametrize("users", [(), (1.0, 2.0)], ids=["all users", "without two"])
def test_selected_are_the_summarys(processors: int, users: tuple[float, ...]) -> None:
    workload = tt.default_workload(weeks=3)
    if processors == 16:
        workload = workload.select(np.asarray(workload["run_s"] < 3600.0))
    run = tt.simulate(workload, tt.Machine(processors=processors), tt.Easy())
    assert (run.summary()["rejected"] > 0) == (processors == 16)
    summary = run.summary(exclude_users=users)
    for names in (CATALOGUE.default(), EVERY):
        found = selected(run.columns, run.timeline_columns, processors, names, users)
        np.testing.assert_equal(found, {name: float(summary[name]) for name in names})


def test_of_no_jobs() -> None:
    run = tt.simulate(tt.default_workload(weeks=1).select(np.arange(0)), tt.Machine(processors=4), tt.FCFS())
    found = selected(run.columns, run.timeline_columns, 4, EVERY)
    summary = run.summary()
    np.testing.assert_equal(found, {name: float(summary[name]) for name in EVERY})


def test_names_are_checked() -> None:
    assert checked_metrics("utilisation") == ("utilisation",)
    assert need_timeline(["utilisation", "loss_of_capacity"])
    assert not need_timeline(["utilisation"])
    with pytest.raises(tt.InputError, match="different names"):
        checked_metrics(["utilisation", "utilisation"])
