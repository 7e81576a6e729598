"""Requested load against capacity."""

from __future__ import annotations

import numpy as np
import pytest

import thinktime as tt
from tests.plots.samples import words
from tests.shared_data import log
from thinktime import plots
from thinktime.errors import InputError
from thinktime.plots.runs.load_over_time import Period

DAY = 86400.0


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tt.Result:
    """On 10 processors: a job of half a day on 8 at 9:00 of days 0 to 13, one that takes all for a day on day 14."""
    path = tmp_path_factory.mktemp("log") / "days.swf"
    jobs = [(day, DAY / 2, 8) if day < 14 else (day, DAY, 10) for day in range(15)]
    lines = [f"{day + 1} {day * DAY + 9 * 3600:.0f} 0 {run_s:.0f} {size}" for day, run_s, size in jobs]
    monday = "; UnixStartTime: 1704067200\n; TimeZoneString: UTC\n"
    path.write_text(monday + "".join(f"{line} -1 -1 {line.split()[-1]} {'-1 ' * 10}\n" for line in lines))
    return tt.simulate(path, 10, "fcfs")


def stairs(axes: object, label: str) -> np.ndarray:
    (found,) = (patch for patch in axes.patches if patch.get_label().startswith(label))  # type: ignore[attr-defined]
    return np.asarray(found.get_data().values)


def test_requested_and_used_shares_by_period(run: tt.Result) -> None:
    axes = plots.load_over_time(run).axes[0]
    asked, used = stairs(axes, "requested"), stairs(axes, "used")
    assert axes.get_xlabel() == "date, 2024 (UTC), bins of 6 hours"
    assert asked.sum() / 4 == pytest.approx(14 * 0.4 + 1.0)  # days of the whole machine
    assert used.sum() / 4 == pytest.approx(14 * 0.4 + 3 / 24)  # the last bin ends 3 h after the last start
    assert "requested" in words(axes)


def test_by_hour_of_the_day_all_requests_are_in_the_morning(run: tt.Result) -> None:
    axes = plots.load_over_time(run, by="hour").axes[0]
    asked, used = stairs(axes, "requested"), stairs(axes, "used")
    assert np.flatnonzero(asked).tolist() == [9]
    assert len(asked) == len(used) == 24
    assert used[12] > 0.75
    assert axes.get_xlabel() == "hour of the day (local time)"


def test_by_weekday(run: tt.Result) -> None:
    axes = plots.load_over_time(run, by="weekday").axes[0]
    asked = stairs(axes, "requested")
    assert len(asked) == 7
    assert asked[0] > asked[1] > 0  # day 14 is a Monday
    assert [tick.get_text() for tick in axes.get_xticklabels()][:2] == ["Mon", "Tue"]


def test_one_panel_per_run(run: tt.Result) -> None:
    titles = [axes.get_title(loc="left") for axes in plots.load_over_time({"a": run, "b": run}).axes]
    assert titles == ["Load, a", "Load, b"]


def test_wrong_periods_name_the_allowed_ones(run: tt.Result) -> None:
    with pytest.raises(InputError, match=r"by.*time.*hour.*weekday"):
        plots.load_over_time(run, by="month")  # type: ignore[arg-type]


def test_a_run_without_jobs_says_so() -> None:
    empty = tt.simulate(tt.Workload.from_columns(submit_s=[], run_s=[], processors=[]), 10, "fcfs")
    for by in ("time", "hour"):
        assert "no events" in words(plots.load_over_time(empty, by=by).axes[0])


@pytest.mark.parametrize("name", ["KTH-SP2-1996-2.1-cln", "CTC-SP2-1996-3.1-cln", "HPC2N-2002-2.2-cln"])
@pytest.mark.parametrize("by", ["time", "hour", "weekday"])
def test_real_logs(name: str, by: Period) -> None:
    done = tt.simulate(tt.read_swf(log(name)), None, "fcfs")
    axes = plots.load_over_time(done, by=by).axes[0]
    asked, used = stairs(axes, "requested"), stairs(axes, "used")
    assert 0.3 < np.nanmean(asked) < 1.2
    assert np.nanmean(used) == pytest.approx(np.nanmean(asked), rel=0.15)
