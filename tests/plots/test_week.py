"""The load over the week: where an hour stands, and what the axes say of the clock."""

from __future__ import annotations

import numpy as np
import pytest

import thinktime as tt
from tests.plots.samples import result, row_names, words
from tests.shared_data import log
from thinktime import plots
from thinktime.errors import InputError
from thinktime.generate import default_workload
from thinktime.plots.kit.local_time import clock_of, local_week_s
from thinktime.plots.runs.week import load_by_hour

HOUR, DAY, WEEK = 3600.0, 86400.0, 604800.0


def half_used(begin_s: float, hours: float):
    """Half of the machine is used for so many hours; a second job ends the run a week later."""
    return result([begin_s, begin_s + WEEK], [begin_s, begin_s + WEEK], [hours * HOUR, HOUR], [5, 10])


def test_each_hour_has_its_mean_load():
    load = load_by_hour(half_used(26 * HOUR, 1.5))
    assert load[26:29] == pytest.approx([0.75, 0.25, 0])  # the first hour occurs twice: half used, then full
    assert np.nansum(load) == pytest.approx(1.0)


def test_parts_of_hours_at_the_ends_count_for_as_long_as_they_last():
    load = load_by_hour(result([900], [900], [HOUR], [10]))
    assert load[:2].tolist() == [1, 1]
    assert np.isnan(load[2:]).all()


def test_a_clock_moves_the_hours():
    load = load_by_hour(half_used(0, 1), lambda time_s: time_s + 5 * HOUR + 1800)
    assert load[5:7] == pytest.approx([0.5, 0.5])  # 30 of 90 minutes half used, 30 fully


def test_the_heat_map_has_days_as_rows_and_hours_as_columns():
    figure = plots.week_load({"one": half_used(26 * HOUR, 1)})
    axes, bar = figure.axes
    values = axes.collections[0].get_array().reshape(7, 24)
    assert values[1, 2] == pytest.approx(0.75)  # day 2, hour 2
    assert axes.get_title(loc="left") == "one"
    assert axes.get_xlabel() == "hour from time 0 (local time unknown)"
    assert row_names(axes)[0] == "day 1"
    assert bar.get_ylabel() == "used processors"
    assert figure.get_suptitle() == "Load over the week · sample · 10 processors"


def test_all_panels_have_one_colour_scale():
    figure = plots.week_load({"a": np.full(168, 0.31), "b": np.full(168, 0.78)}, local=True)
    meshes = [axes.collections[0] for axes in figure.axes[:2]]
    assert {mesh.get_clim() for mesh in meshes} == {(0.3, 0.8)}
    assert figure.axes[0].get_xlabel() == "hour of the day (local time)"
    assert row_names(figure.axes[0])[0] == "Mon"


def test_a_generated_workload_knows_its_clock():
    workload = default_workload(weeks=2)
    run = tt.simulate(workload, tt.Machine(processors=128), tt.Easy())
    assert plots.week_load({"easy": run}).axes[0].get_xlabel() == "hour of the day (local time)"


def test_a_log_lends_its_clock():
    workload = tt.read_swf(log("KTH-SP2-1996-2.1-cln"))
    clock = clock_of(workload)
    assert clock is not None
    assert np.array_equal(clock(workload["submit_s"]), local_week_s(workload))  # type: ignore[arg-type]
    run = tt.simulate(workload, tt.Machine(processors=100), tt.Easy())
    load = load_by_hour(run, clock).reshape(7, 24)
    assert load[:5, 14:17].mean() > load[:5, 5:8].mean() + 0.2  # busy in the afternoon, not at dawn
    axes = plots.week_load({"easy": run}, clock=workload).axes[0]
    assert axes.get_xlabel() == "hour of the day (local time)"


def test_more_panels_than_fit_are_said():
    figure = plots.week_load({f"run {k}": np.zeros(168) for k in range(30)})
    assert len(figure.axes) == 24 + 1
    assert figure.get_suptitle().endswith("(the first 24 of 30 runs)")


@pytest.mark.parametrize("count", [1, 3, 4, 7])
def test_there_is_one_panel_a_label(count):
    figure = plots.week_load({f"run {k}": np.arange(168) / 168 for k in range(count)})
    assert [axes.get_title(loc="left") for axes in figure.axes[:-1]] == [f"run {k}" for k in range(count)]


@pytest.mark.parametrize(
    "runs",
    [{}, {"a": result([], [], [], [])}, {"a": result([5], [5], [0], [1])}, {"a": np.full(168, np.nan)}],
    ids=["no runs", "no jobs", "no time", "missing"],
)
def test_nothing_to_show_is_said(runs):
    assert words(plots.week_load(runs).axes[0]) == "no run has a timeline"


def test_a_wrong_number_of_hours_is_said():
    with pytest.raises(InputError, match=r"must have 168 values.*got 24"):
        plots.week_load({"a": np.zeros(24)})
