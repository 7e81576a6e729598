"""Critical-difference diagrams: places of ranks, bars over what cannot be told apart."""

from __future__ import annotations

import itertools

import pytest

from tests.plots.samples import by_label, words
from thinktime import plots
from thinktime.errors import InputError
from thinktime.plots.studies.critical_difference import groups

RANKS = {"fcfs": 3.6, "sjf": 1.4, "easy": 2.1, "conservative": 2.4, "ljf": 5.2}


def bars(axes) -> list[tuple[float, float]]:
    found = [line.get_xdata() for line in axes.lines if line.get_label() == "bar"]
    return [(float(x[0]), float(x[-1])) for x in found]


@pytest.mark.parametrize(
    ("ranks", "difference", "expected"),
    [
        ([1, 2, 3, 4], 1, [(0, 1), (1, 2), (2, 3)]),
        ([1, 2, 3, 4], 0.5, []),
        ([1, 2, 3, 4], 9, [(0, 3)]),
        ([1.4, 2.1, 2.4, 3.6, 5.2], 1.0, [(0, 2)]),
        ([2, 2, 2], 0, [(0, 2)]),
        ([1], 1, []),
        ([], 1, []),
    ],
)
def test_groups_are_the_largest_within_the_difference(ranks, difference, expected):
    assert groups(ranks, difference) == expected


def test_the_diagram_shows_ranks_bars_and_the_difference():
    axes = plots.critical_difference(RANKS, 1.1).axes[0]
    marks = [float(line.get_xdata()[0]) for line in axes.lines if line.get_marker() == "o"]
    assert marks == sorted(RANKS.values())
    (bar,) = bars(axes)
    assert bar == (pytest.approx(1.4, abs=0.05), pytest.approx(2.4, abs=0.05))
    ruler = by_label(axes.lines, "critical difference").get_xdata()
    assert ruler[1] - ruler[0] == pytest.approx(1.1)
    assert "critical difference = 1.1" in words(axes)
    assert "sjf  1.40" in words(axes)  # the better half to the left
    assert "5.20  ljf" in words(axes)
    assert axes.get_title(loc="left") == "Average ranks (rank 1 is best)"


def test_bars_on_one_level_do_not_touch():
    axes = plots.critical_difference({str(k): float(k) for k in range(1, 31)}, 4.0).axes[0]
    drawn = [(line.get_ydata()[0], *line.get_xdata()) for line in axes.lines if line.get_label() == "bar"]
    assert len(drawn) == 26
    for level in {y for y, *_ in drawn}:
        ends = sorted((low, high) for y, low, high in drawn if y == level)
        assert all(later[0] > earlier[1] for earlier, later in itertools.pairwise(ends))


def test_names_do_not_overlap():
    figure = plots.critical_difference({f"configuration {k}": 1 + k / 7 for k in range(30)}, 1.0)
    figure.draw_without_rendering()
    for side in ("left", "right"):
        boxes = [t.get_window_extent() for t in figure.axes[0].texts if t.get_ha() == side]
        heights = sorted((box.y0, box.y1) for box in boxes)
        assert len(heights) == 15
        assert all(upper[0] >= lower[1] - 1 for lower, upper in itertools.pairwise(heights))


def test_of_a_thousand_the_best_and_the_worst_are_shown():
    axes = plots.critical_difference({f"run {k}": float(k) for k in range(1, 1001)}, 40.0).axes[0]
    assert axes.get_xlabel() == "the 30 best and the 30 worst of 1,000"
    assert sum(line.get_label() == "label" for line in axes.lines) == 60


@pytest.mark.parametrize("ranks", [{"a": 1.0}, {"a": 1.5, "b": 1.5}], ids=["one", "equal"])
def test_few_and_equal_ranks_are_drawn(ranks, tmp_path):
    figure = plots.critical_difference(ranks, 2.0)
    assert plots.save(figure, tmp_path / "few", ["svg"])[0].stat().st_size > 1000
    assert len(bars(figure.axes[0])) == len(ranks) - 1


def test_nothing_and_nonsense_are_said():
    assert words(plots.critical_difference({}, 1.0).axes[0]) == "no ranks"
    with pytest.raises(InputError, match="ranks must be finite"):
        plots.critical_difference({"a": float("nan")}, 1.0)
    with pytest.raises(InputError, match="critical_difference must be at least 0"):
        plots.critical_difference({"a": 1.0}, -1)
