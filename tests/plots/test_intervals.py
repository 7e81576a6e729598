"""Means with intervals and paired differences: where they stand, and what zero means."""

from __future__ import annotations

import pytest
from matplotlib.colors import to_hex

from tests.plots.samples import by_label, row_names, words
from thinktime import plots
from thinktime.errors import InputError
from thinktime.study.comparison.verdict import VERDICTS

NAN = float("nan")
MEANS = {"fcfs": (3600, 7200, 10800), "easy": (1800, 3600, 5400)}
DIFFERENCES = {"sjf": (-20, -10, -5), "ljf": (5, 10, 30), "edf": (-1, 1, 3)}


def spans(axes) -> list[tuple[float, float]]:
    return [(line[0, 0], line[1, 0]) for line in by_label(axes.collections, "interval").get_segments()]


def test_dots_and_intervals_in_a_unit_that_suits():
    axes = plots.intervals(MEANS, quantity="mean wait", seconds=True).axes[0]
    assert by_label(axes.collections, "mid").get_offsets()[:, 0].tolist() == [2, 1]
    assert spans(axes) == [(1, 3), (0.5, 1.5)]
    assert axes.get_xlabel() == "mean wait (h), 95 % confidence intervals"
    assert row_names(axes) == ["fcfs", "easy"]
    assert axes.get_xlim()[0] == 0
    assert axes.get_title(loc="left") == "Means"


def test_numbers_without_a_unit_stay_as_they_are():
    axes = plots.intervals({"a": (100, 101, 102)}, quantity="slowdown {of all}", confidence=0.9).axes[0]
    assert axes.get_xlabel() == "slowdown {of all}, 90 % confidence intervals"
    assert axes.get_xlim()[0] > 90  # zero is far: the axis need not begin there


def test_differences_have_a_line_at_zero_and_colours_by_verdict():
    options = {"quantity": "wait minus that of fcfs", "seconds": True}
    axes = plots.paired_differences(DIFFERENCES, metric="wait_mean_s", **options).axes[0]
    assert by_label(axes.lines, "zero").get_xdata() == [0, 0]
    assert colours_of(axes) == [VERDICTS[name].colour for name in ("better", "worse", "open")]
    assert words(axes) == "better | worse | no difference shown"
    assert axes.get_xlabel() == "wait minus that of fcfs (s), 95 % confidence intervals"


def colours_of(axes) -> list[str]:
    return [to_hex(colour).upper() for colour in by_label(axes.collections, "interval").get_colors()]


def test_without_a_metric_neither_direction_is_better():
    axes = plots.paired_differences(DIFFERENCES).axes[0]
    assert words(axes) == "lower | higher | no difference shown"


def test_given_verdicts_decide_and_not_the_interval():
    """The rank test may disagree with an interval that excludes zero."""
    axes = plots.paired_differences(DIFFERENCES, verdicts={"sjf": "open", "ljf": "correlated"}).axes[0]
    assert colours_of(axes) == [VERDICTS[name].colour for name in ("open", "correlated", "open")]
    assert words(axes) == "no difference shown | not independent"


def test_an_interval_that_touches_zero_decides_nothing():
    axes = plots.paired_differences({"same": (0, 0, 0), "touches": (0, 1, 2)}).axes[0]
    assert words(axes) == "no difference shown"


def test_few_runs_are_points_without_an_interval():
    axes = plots.intervals({"a": (NAN, 7200, NAN)}, seconds=True, points={"a": [3600, 10800]}).axes[0]
    assert by_label(axes.collections, "runs").get_offsets()[:, 0].tolist() == pytest.approx([60, 180])
    assert axes.get_xlabel() == "mean (min), too few values for intervals"


@pytest.mark.parametrize("draw", [plots.intervals, plots.paired_differences])
def test_edges(draw, tmp_path):
    assert words(draw({}).axes[0]) == "no data"
    assert words(draw({"a": (NAN, NAN, NAN)}).axes[0]) == "no data"
    assert words(draw({"a": (1, 2, 3), "b": (NAN, NAN, NAN)}).axes[0]).startswith("not known")
    with pytest.raises(InputError, match=r"got 3\.0 to 1\.0 for a"):
        draw({"a": (3, 2, 1)})
    plots.save(draw({"a": (0, 0, 0)}), tmp_path / "zero", ["svg"])
    assert len(row_names(draw({str(k): (k, k + 1, k + 2) for k in range(30)}).axes[0])) == 30
    assert len(spans(draw({str(k): (k, k + 1, k + 2) for k in range(1000)}).axes[0])) == 1000


def test_a_mean_without_an_interval_is_a_dot():
    axes = plots.intervals({"a": (NAN, 5, NAN), "b": (1, 2, 3)}).axes[0]
    assert by_label(axes.collections, "mid").get_offsets()[:, 0].tolist() == [5, 2]
    lengths = [len(line) for line in by_label(axes.collections, "interval").get_segments()]
    assert lengths == [0, 2]


def test_long_quantities_are_wrapped():
    label = plots.intervals({"a": (1, 2, 3)}, quantity="a quantity " * 12).axes[0].get_xlabel()
    assert max(map(len, label.split("\n"))) <= 64
