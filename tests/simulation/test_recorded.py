"""The schedule that a log recorded."""

from __future__ import annotations

import pytest

from tests.shared_data import log
from thinktime import InputError, Machine, Workload, read_swf, recorded
from thinktime.result import check

# Machine of 4. Job 1: 3 processors, 0 to 10. Job 2: 2 processors, submitted at 2, waits 8, runs 5.
JOBS = Workload.from_columns(submit_s=[0, 2], wait_s=[0, 8], run_s=[10, 5], processors=[3, 2], requested_time_s=[12, 5])


def test_times_and_timeline() -> None:
    result = recorded(JOBS, Machine(processors=4))
    assert result.columns["start_s"].tolist() == [0, 10]
    assert result.columns["end_s"].tolist() == [10, 15]
    assert result.timeline.rows() == [(0, 0, 0, 1, 3), (2, 1, 2, 1, 3), (10, 0, 0, 1, 2), (15, 0, 0, 0, 0)]
    assert check(result) == []
    assert result.summary()["wait_mean_s"] == 4


def test_a_log_without_waits_is_refused() -> None:
    without = Workload.from_columns(submit_s=[0], run_s=[1], processors=[1], name="nasa")
    with pytest.raises(InputError, match=r"^nasa has no recorded waits and so no recorded schedule: simulate it with"):
        recorded(without, Machine(processors=1))


def test_the_recorded_row_of_madon_2024() -> None:
    """Table 1, KTH: makespan 332.93 d, mean wait 0.18 d, longest wait 11.34 d."""
    summary = recorded(read_swf(log("KTH-SP2-1996-2.1-cln")), Machine(processors=100)).summary()
    days = [summary["makespan_s"] / 86400, summary["wait_mean_s"] / 86400, summary["wait_max_s"] / 86400]
    assert [round(d, 2) for d in days] == [332.93, 0.18, 11.34]
