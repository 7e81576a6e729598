"""Figures of a run: what they show, not how their pixels lie."""

from __future__ import annotations

import numpy as np
import pytest

from tests.plots.samples import result
from thinktime import plots
from thinktime.plots.runs.overview import BINS

NAN = float("nan")
NAMES = {
    "load_over_time",
    "run_overview",
    "utilisation_over_time",
    "queue_over_time",
    "wait_over_time",
    "wait_distribution",
    "slowdown_distribution",
    "wait_by_size",
}


@pytest.fixture
def run():
    # the second job waits 100 s, the third 0 s, the fourth is rejected
    return result([0, 0, 200, 300], [0, 100, 200, NAN], [100, 50, 400, 10], [6, 8, 2, 99])


def words(axes) -> str:
    legend = axes.get_legend()
    labels = [text.get_text() for text in legend.get_texts()] if legend else []
    return " | ".join([text.get_text() for text in axes.texts] + labels)


def many(jobs: int):
    """Jobs of 50 s every 100 s on a machine of their size; half of them waits 10 s."""
    submit = np.arange(jobs) * 100.0
    return result(submit, submit + 10.0 * (np.arange(jobs) % 2), np.full(jobs, 50.0), np.full(jobs, 10.0))


def test_every_figure_says_what_run_it_is(run):
    figures = plots.run_figures(run)
    assert set(figures) == NAMES
    for figure in figures.values():
        assert figure.get_suptitle() == "sample · easy (order=sjf) · 10 processors"
        assert all(axes.get_title(loc="left") for axes in figure.axes)


def test_axes_have_names_and_units(run):
    figures = plots.run_figures(run)
    assert figures["utilisation_over_time"].axes[0].get_xlabel() == "time (minutes)"
    assert figures["slowdown_distribution"].axes[0].get_xlabel() == "bounded slowdown (bound 10 s), log scale"
    for name in NAMES - {"run_overview"}:
        assert figures[name].axes[0].get_xlabel()
        assert figures[name].axes[0].get_ylabel()


def test_the_overview_has_six_panels(run):
    panels = plots.run_overview(run).axes
    assert len(panels) == 6
    assert all(axes.get_ylabel() and axes.get_xlabel() for axes in panels)


def test_utilisation_of_a_short_run_is_the_step_function_itself(run):
    axes = plots.utilisation_over_time(run).axes[0]
    line = axes.lines[0]
    assert line.get_xdata() * 60 == pytest.approx([0, 100, 150, 200, 600])
    assert line.get_ydata() == pytest.approx([0.6, 0.8, 0, 0.2, 0])
    assert line.get_drawstyle() == "steps-post"
    assert axes.get_ylim()[0] == 0
    assert axes.get_ylim()[1] >= 1


def test_a_long_run_is_shown_by_median_and_bands():
    axes = plots.utilisation_over_time(many(3000)).axes[0]
    stairs = axes.patches[0].get_data()
    assert len(stairs.values) <= BINS
    assert stairs.values[:-1] == pytest.approx(0.5, abs=0.01)  # 50 of every 100 s
    assert words(axes) == "median | 10–90 % | min–max"
    assert axes.get_xlabel() == "time (days), bins of 1 hour"


def test_the_queue_axis_begins_at_zero_and_an_empty_queue_is_said(run):
    assert plots.queue_over_time(run).axes[0].lines[0].get_ydata().tolist() == [1, 0, 0, 0, 0]
    assert plots.queue_over_time(run).axes[0].get_ylim()[0] == 0
    nobody_waits = result([0, 5], [0, 5], [10, 10], [1, 1])
    assert "no job ever waited" in words(plots.queue_over_time(nobody_waits).axes[0])


def test_waits_of_zero_are_marked_at_the_left_edge(run):
    axes = plots.wait_distribution(run).axes[0]
    curve, mark = axes.lines[:2]
    assert axes.get_xscale() == "log"
    assert mark.get_xdata()[0] == axes.get_xlim()[0]
    assert mark.get_ydata()[0] == pytest.approx(2 / 3)
    assert curve.get_xdata()[:2] == pytest.approx([axes.get_xlim()[0], 100])
    assert curve.get_ydata()[:2] == pytest.approx([2 / 3, 1])
    assert words(axes) == "67 % did not wait | without 1 that never started"


def test_all_waits_zero_is_a_line_at_the_top():
    axes = plots.wait_distribution(result([0, 1], [0, 1], [5, 5], [1, 1])).axes[0]
    assert set(axes.lines[0].get_ydata()) == {1.0}
    assert words(axes) == "100 % did not wait"


def test_bounded_slowdowns(run):
    axes = plots.slowdown_distribution(run).axes[0]
    # the second job: (100 + 50) / 50 = 3; the others have 1
    assert axes.lines[0].get_xdata()[:2] == pytest.approx([1, 3])
    assert axes.lines[0].get_ydata()[:2] == pytest.approx([2 / 3, 1])
    assert axes.get_xlim()[0] == 1


def test_jobs_shorter_than_the_bound_count_as_the_bound():
    axes = plots.slowdown_distribution(result([0], [40], [2], [1])).axes[0]
    assert axes.lines[0].get_xdata()[1] == pytest.approx(4.2)  # (40 + 2) / 10


def test_boxes_stand_at_their_size_class(run):
    axes = plots.wait_by_size(run).axes[0]
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["1", "2", "3–4", "5–8"]
    medians = next(lines for lines in axes.collections if lines.get_label() == "median")
    places = {round(line[:, 0].mean()): line[0, 1] for line in medians.get_segments() if len(line)}
    assert places == {1: 0.0, 3: 0.0}  # class 2: the third job; class 5–8: waits of 0 and 100 s
    boxes = [(bar.get_y(), bar.get_height()) for bar in axes.patches]
    assert boxes[3] == (0.0, 100.0)
    assert axes.get_yscale() == "symlog"
    assert axes.get_yticks()[0] == 0


def test_wait_over_time_has_median_and_tail():
    axes = plots.wait_over_time(many(3000)).axes[0]
    most, half = axes.patches[0].get_data(), axes.patches[1].get_data()
    assert set(most.values) == {10.0}
    assert set(half.values) == {0.0}


@pytest.mark.parametrize(
    "run",
    [
        result([], [], [], []),
        result([0, 1], [NAN, NAN], [5, 5], [1, 1]),
    ],
    ids=["no jobs", "no starts"],
)
def test_nothing_to_show_is_said_in_words(run, tmp_path):
    for figure in plots.run_figures(run).values():
        for axes in figure.axes:
            assert words(axes) in (
                "the run has no events",
                "no job started",
                "no job ended",
            )
    plots.save(plots.run_overview(run), tmp_path / "none", ["svg"])


@pytest.mark.parametrize(
    "run", [result([7], [7], [0], [1]), result([7], [9], [5], [10])], ids=["zero length", "one job"]
)
def test_one_job_can_be_drawn(run, tmp_path):
    assert plots.save(plots.run_overview(run), tmp_path / "one", ["svg"])[0].stat().st_size > 1000
