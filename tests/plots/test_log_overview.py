"""Figures of a workload: what they show, not how their pixels lie."""

from __future__ import annotations

import numpy as np
import pytest

from tests.plots.samples import workload
from thinktime import plots
from thinktime.generate import default_workload
from thinktime.plots.kit.local_time import local_week_s
from thinktime.plots.logs.overview import hourly_rate
from thinktime.workload.workload import Workload

HOUR, DAY, WEEK = 3600, 86400, 604800
NAMES = {
    "workload_overview",
    "arrivals_by_hour",
    "submissions_over_time",
    "sizes_and_run_times",
    "jobs_and_area_by_size",
    "jobs_per_user",
    "estimate_accuracy",
}


@pytest.fixture(scope="module")
def generated():
    return default_workload(weeks=7)


def words(axes) -> str:
    return " | ".join(text.get_text() for text in axes.texts)


def test_every_figure_says_what_workload_it_is(generated):
    figures = plots.workload_figures(generated)
    assert set(figures) == NAMES
    for figure in figures.values():
        assert figure.get_suptitle() == f"default · {len(generated):,} jobs"
        assert figure.axes[0].get_title(loc="left")
        assert figure.axes[0].get_xlabel()
        assert figure.axes[0].get_ylabel()


def test_hours_are_averaged_over_their_occurrences():
    # from Monday 00:00 to Tuesday of the next week: Monday's hour 0 occurs twice, Wednesday's once
    rate = hourly_rate(np.array([0, 10, 2 * DAY, WEEK, WEEK + DAY], dtype=float))
    assert rate[0] == 3 / 2
    assert rate[48] == 1
    assert rate[24] == 1 / 2
    assert rate.sum() == 3


def test_arrivals_of_a_generated_workload_are_in_local_time(generated):
    axes = plots.arrivals_by_hour(generated).axes[0]
    assert axes.get_xlabel() == "local time"
    assert [tick.get_text() for tick in axes.get_xticklabels(minor=True)] == [
        *("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
    ]
    assert axes.get_xlim() == (0, 168)
    values = next(patch for patch in axes.patches if hasattr(patch, "get_data")).get_data().values
    assert values.sum() * 7 == pytest.approx(len(generated), rel=0.05)


class Log(Workload):
    """A workload that knows its clock, as those of read logs do: time 0 is 1996-10-25 14:00 in Stockholm."""

    def local_s(self, column: str) -> np.ndarray:  # type: ignore[override]
        return 846252000.0 + self[column]  # a Friday


def test_a_log_that_knows_its_clock_is_shown_in_local_time():
    log = Log(workload([0, 10 * HOUR]).columns)
    assert (local_week_s(log) % WEEK).tolist() == [4 * DAY + 14 * HOUR, 5 * DAY]
    assert plots.arrivals_by_hour(log).axes[0].get_xlabel() == "local time"


def test_without_a_clock_the_axis_says_so():
    axes = plots.arrivals_by_hour(workload([0, HOUR])).axes[0]
    assert axes.get_xlabel() == "day of a week from time 0 (local time unknown)"


@pytest.mark.parametrize(("span", "unit", "bars"), [(3 * DAY, "day", 4), (8 * WEEK, "week", 9)])
def test_submissions_are_counted_by_day_or_week(span, unit, bars):
    axes = plots.submissions_over_time(workload([0, 1, span])).axes[0]
    values = axes.patches[0].get_data().values
    assert len(values) == bars
    assert (values[0], values[-1], values.sum()) == (2, 1, 3)
    assert axes.get_ylabel() == f"jobs per {unit}"


def test_the_heat_map_counts_every_job(generated):
    axes, colours = plots.sizes_and_run_times(generated).axes
    mesh = axes.collections[0].get_array()
    assert mesh.sum() == len(generated)
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert colours.get_ylabel() == "jobs, log scale"


def test_run_times_of_zero_are_shown_and_said():
    axes = plots.sizes_and_run_times(workload([0, 1], run_s=[0, 50], processors=[1, 4])).axes[0]
    assert axes.collections[0].get_array().sum() == 2
    assert axes.get_ylabel() == "run time (below 1 s drawn at 1 s), log scale"


def test_shares_by_size():
    axes = plots.jobs_and_area_by_size(workload([0, 1, 2], run_s=[30, 10, 5], processors=[1, 1, 4])).axes[0]
    jobs, area = axes.containers
    assert [bar.get_height() for bar in jobs] == pytest.approx([200 / 3, 0, 100 / 3])
    assert [bar.get_height() for bar in area] == pytest.approx([200 / 3, 0, 100 / 3])


def test_users_are_ranked_by_their_jobs():
    axes = plots.jobs_per_user(workload(range(6), user=[5, 7, 7, 7, 5, 9])).axes[0]
    assert axes.lines[0].get_ydata().tolist() == [3, 2, 1]
    assert words(axes) == "3 users; the most active user submits 50 %"


def test_one_user_is_one_point():
    axes = plots.jobs_per_user(workload([0, 1], user=[4, 4])).axes[0]
    assert axes.lines[0].get_ydata().tolist() == [2]
    assert words(axes) == "1 user"


def test_accuracy_keeps_exact_hits_and_overruns_apart():
    runs = workload(range(5), run_s=[10, 50, 100, 120, 7], requested_time_s=[100, 100, 100, 100, np.nan])
    axes = plots.estimate_accuracy(runs).axes[0]
    below, at, over = axes.containers
    assert sum(bar.get_height() for bar in below) == pytest.approx(50)
    assert [at[0].get_height(), over[0].get_height()] == [25, 25]
    assert axes.get_xlabel() == "run time / requested time (without 20 % of jobs that have none)"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("estimate_accuracy", "no job has a requested time"),
        ("jobs_per_user", "no job has a user"),
        ("sizes_and_run_times", "no job has a size and a run time"),
        ("jobs_and_area_by_size", "no job has a size and a run time"),
    ],
)
def test_missing_columns_are_said_in_words(name, sentence):
    assert words(plots.workload_figures(workload([0, 1]))[name].axes[0]) == sentence


def test_an_empty_workload_is_said_in_words(tmp_path):
    for figure in plots.workload_figures(workload([])).values():
        assert {words(axes) for axes in figure.axes} == {"the workload has no jobs"}
    plots.save(plots.workload_overview(workload([])), tmp_path / "none", ["svg"])


def test_one_job_can_be_drawn(tmp_path):
    one = workload([50], run_s=[9], processors=[1], user=[1], requested_time_s=[60])
    assert plots.save(plots.workload_overview(one), tmp_path / "one", ["svg"])[0].stat().st_size > 1000
