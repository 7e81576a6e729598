"""Two levels of scheduling: bars, lines and causes show the numbers that they are given."""

from __future__ import annotations

import numpy as np
import pytest

from tests.plots.samples import row_names, words
from thinktime import plots
from thinktime.metrics import CoreSeconds

DAY = 86400.0


def test_bars_are_means_in_days_and_lines_reach_from_least_to_greatest():
    groups = {"FCFS-SS": {"0": np.array([DAY]), "0.25": np.array([1.0, 3.0]) * DAY}, "SJF-SS": {"0": np.array([DAY])}}
    axes = plots.parallel_times(groups).axes[0]
    ideal, varied = axes.containers
    assert [bar.get_height() for bar in ideal] == pytest.approx([1, 1])
    assert varied[0].get_height() == pytest.approx(2)
    assert np.isnan(varied[1].get_height())
    (low, high) = axes.collections[1].get_segments()[0][:, 1]
    assert (low, high) == pytest.approx((1, 3))
    assert [label.get_text() for label in axes.get_xticklabels()] == ["FCFS-SS", "SJF-SS"]


def test_ratio_lines_have_a_panel_each_and_share_their_height():
    line = {0.0: np.array([1.0]), 0.1: np.array([1.4, 1.6])}
    grain = {1.0: np.array([1.5]), 2.0: np.array([1.2])}
    panels = {"FCFS": {"STATIC": line, "SS": line}, "grain": {"SS": grain}}
    figure = plots.ratio_lines(panels, along=("variation", "tasks a core, log scale"), doubling=(False, True))
    first, second = figure.axes
    assert first.lines[0].get_ydata() == pytest.approx([1, 1.5])
    assert (first.get_xlabel(), second.get_xlabel()) == ("variation", "tasks a core, log scale")
    assert (first.get_xscale(), second.get_xscale()) == ("linear", "log")
    assert first.get_ylim() == second.get_ylim()


def test_causes_are_stacked_and_those_that_never_occur_are_left_out():
    spent = {"a": CoreSeconds(2 * DAY, 0, DAY, 4 * DAY, 0), "b": CoreSeconds(2 * DAY, 0, 0, 0, 0)}
    axes = plots.core_second_bars(spent, processors=2).axes[0]
    assert row_names(axes) == ["a", "b"]
    assert [bar[0].get_width() for bar in axes.containers] == pytest.approx([1, 0.5, 2])
    assert [bar[0].get_x() for bar in axes.containers] == pytest.approx([0, 1, 1.5])
    assert "asking for chunks" not in words(axes)


def test_changes_are_shares_of_what_was_before():
    panels = {"time": {"a": np.array([0.8, 0.9]), "b": np.array([1.1])}, "wait": {"a": np.array([1.0])}}
    axes = plots.changes(panels).axes[0]
    assert [bar.get_width() for bar in axes.containers[0]] == pytest.approx([-0.15, 0.1])
    assert row_names(axes) == ["a", "b"]


def test_times_of_simulations_say_how_straight_they_are():
    sizes = {"jobs": np.array([1.0, 2.0, 3.0]), "tasks": np.array([1.0, 4.0, 5.0])}
    figure = plots.simulation_times(sizes, np.array([2.0, 4.0, 6.0]), title="CPU time")
    assert words(figure.axes[0]) == "R² = 1.000"
    assert words(figure.axes[1]) == "R² = 0.923"
