"""The most intensive window of a workload, against a count of every window, by hand, and on the log of Curie."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from tests.shared_data import log


def jobs(submit_s: list[float], run_s: list[float] | None = None, processors: list[float] | None = None) -> tt.Workload:
    ones = [1.0] * len(submit_s)
    return tt.Workload.from_columns(submit_s=submit_s, run_s=run_s or ones, processors=processors or ones)


def test_by_hand() -> None:
    found = tt.peak(jobs([0, 10, 11, 19, 20, 50, 51]), seconds=10)
    assert (found.from_s, found.until_s, found.jobs) == (10, 20, 3), (
        "the window is half-open: the job at 20 is not in it"
    )
    assert found.workload["submit_s"].tolist() == [10, 11, 19]
    assert found.workload["job"].tolist() == [2, 3, 4], "jobs keep their numbers"


def test_ties_go_to_the_earliest() -> None:
    assert tt.peak(jobs([0, 1, 100, 101]), seconds=5).from_s == 0
    assert tt.peak(jobs([0, 50, 50, 50, 99]), seconds=5).jobs == 3, "all of one instant are in"


def test_by_work() -> None:
    workload = jobs([0, 1, 2, 100, 101], [1, 1, 1, 50, 50], [1, 1, 1, 4, float("nan")])
    assert (tt.peak(workload, seconds=5).from_s, tt.peak(workload, seconds=5, by="work").from_s) == (0, 100)
    assert tt.peak(workload, seconds=5, by="work").work_s == 200, "what is not known counts as 0"


@given(st.lists(st.integers(0, 60), min_size=1, max_size=30), st.integers(1, 30))
def test_no_window_holds_more(submit: list[int], length: int) -> None:
    found = tt.peak(jobs(list(map(float, submit))), seconds=length)
    times = np.array(submit)
    every = [int(np.sum((times >= begin) & (times < begin + length))) for begin in range(-30, 61)]
    assert found.jobs == max(every) == len(found.workload)
    first = next(begin for begin in sorted(submit) if np.sum((times >= begin) & (times < begin + length)) == max(every))
    assert found.from_s == first


def test_where_it_is_from(tmp_path) -> None:
    found = tt.peak(tt.default_workload(jobs=300), hours=6)
    tt.write_swf(found.workload, tmp_path / "peak.swf")
    assert "(most arrivals)" in (tmp_path / "peak.swf").read_text()
    again = tt.read_swf(tmp_path / "peak.swf")
    assert len(again) == found.jobs
    assert np.array_equal(again["submit_s"], found.workload["submit_s"])


def test_mistakes() -> None:
    one = jobs([1.0])
    for wrong, words in (
        ({}, "window once"),
        ({"hours": 0}, "positive"),
        ({"hours": 1, "seconds": 1}, "window once"),
    ):
        with pytest.raises(tt.InputError, match=words):
            tt.peak(one, **wrong)  # type: ignore[arg-type]
    with pytest.raises(tt.InputError, match="arrivals"):
        tt.peak(one, hours=1, by="luck")  # type: ignore[arg-type]
    with pytest.raises(tt.InputError, match="no jobs"):
        tt.peak(one.select(np.array([False])), hours=1)


def test_the_windows_of_curie() -> None:
    """Counted independently: the whole cleaned log, and two partitions of the jobs that ran."""
    path = log("CEA-Curie-2011-2.1-cln")
    whole, ran = tt.read_swf(path, filter="all"), tt.read_swf(path, filter="strict")
    found = tt.peak(whole, hours=24)
    assert (found.jobs, int(found.from_s // 86400)) == (9643, 581)
    parts = {number: tt.peak(ran.select(ran["partition"] == number), hours=24).jobs for number in (4, 8)}
    assert parts == {4: 3390, 8: 445}
