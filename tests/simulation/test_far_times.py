"""One submit time far in the future: nothing may cost memory or time by the span that it makes.

The far job comes 9e14 s after the others: anything that looks at weeks, days or hours one by one needs terabytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import thinktime as tt
from thinktime import plots
from thinktime.errors import InputError
from thinktime.metrics.saturation import MOST_COUNTS, saturation
from thinktime.plots.runs.week import load_by_hour
from thinktime.study.stored_distributions import stored_distributions

FAR_S = 9e14
JOBS = 1200


@pytest.fixture(scope="module")
def dirty() -> tt.Workload:
    """Twenty weeks of jobs, one every 2.8 hours, and a last one in 28 million years."""
    submit_s = np.append(np.arange(JOBS) * 10_000.0, FAR_S)
    same: dict[str, Any] = dict.fromkeys(
        ("requested_processors", "allocated_processors", "processors"), np.full(JOBS + 1, 3.0)
    )
    return tt.Workload.from_columns(
        submit_s=submit_s, run_s=np.full(JOBS + 1, 5000.0), requested_time_s=np.full(JOBS + 1, 6000.0),
        wait_s=np.zeros(JOBS + 1), user=np.arange(JOBS + 1) % 7 + 1, name="dirty", **same,
    )  # fmt: skip


@pytest.fixture(scope="module")
def run(dirty: tt.Workload) -> tt.Result:
    return tt.simulate(dirty, tt.Machine(processors=4), tt.Easy())


def test_saturation_counts_less_often(run: tt.Result) -> None:
    found = run.saturation()
    assert not found
    assert 1 < len(found.outstanding) <= MOST_COUNTS
    assert "weeks" in repr(found)
    assert found.every_weeks > 100_000


def test_the_slope_is_still_per_week() -> None:
    """200,000 weeks, in each of which two jobs come that never end."""
    submit_s = np.repeat(np.arange(200_000) * 604_800.0, 2)
    found = saturation(submit_s, np.full(len(submit_s), np.nan))
    assert found.every_weeks == 20
    assert found.slope == pytest.approx(2.0, rel=1e-3)
    assert found.saturated


def test_the_sketch_of_a_study(run: tt.Result, dirty: tt.Workload) -> None:
    shares = stored_distributions(run, dirty, {"tau_s": 10.0})["week_load"]
    assert len(shares) == 168
    assert max(shares) < 1e-6  # 1200 jobs in 28 million years


def test_the_load_by_hour(run: tt.Result) -> None:
    shares = load_by_hour(run)
    assert shares.shape == (168,)
    assert 0 < np.nanmax(shares) < 1e-6


def test_figures_of_workload_and_run(run: tt.Result, dirty: tt.Workload, tmp_path) -> None:
    for name, figure in {**plots.workload_figures(dirty), **plots.run_figures(run)}.items():
        assert plots.save(figure, tmp_path / name, ["png"])
    figure = plots.submissions_compared({"dirty": (dirty["submit_s"], run.columns["submit_s"])})
    assert "weeks" in figure.axes[0].get_ylabel()


def test_blocks_of_a_comparison(run: tt.Result) -> None:
    assert "batch" in str(tt.compare([run, run], by="auto"))
    with pytest.raises(InputError, match=r"1,488,095,\d+ weeks, and at most 20,000"):
        tt.compare([run, run], by="week")


def test_resampling_names_the_length(dirty: tt.Workload) -> None:
    with pytest.raises(InputError, match=r"at most 10,000 weeks \(dirty lasts 1,488,095,\d+\)"):
        tt.resample(dirty, seed=1)


def test_accasim_names_the_length(dirty: tt.Workload) -> None:
    with pytest.raises(InputError, match=r"at most 200 years \(dirty lasts"):
        tt.AccaSim(jobs=10).of(dirty, tt.Cluster.named("seth"))


@pytest.mark.parametrize(
    ("plugin", "said"),
    [
        (tt.Failures(mtbf_h=1000.0), "failures are expected"),
        (tt.Power(idle_w=10.0, cap_w=((8, 9000.0), (20, 8000.0))), "cap_w changes every day"),
    ],
)
def test_plugins_that_count_by_time(dirty: tt.Workload, plugin, said: str) -> None:
    with pytest.raises(InputError, match=said):
        tt.simulate(dirty, tt.Cluster.named("seth"), tt.Easy(), plugins=[plugin])


@pytest.mark.parametrize("name", ["t.json", "t.paje"])
def test_a_trace_in_nanoseconds_refuses(run: tt.Result, tmp_path, name: str) -> None:
    with pytest.raises(InputError, match=r"ends at 9\.2e\+09 s, 292 years"):
        tt.write_trace(run, tmp_path / name)
    assert not (tmp_path / name).exists()
    assert tt.write_trace(run, tmp_path / name, window=(0.0, 1e6)).tasks > 0
