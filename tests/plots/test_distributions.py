"""Boxes and distribution functions of several runs: the numbers in them, the words around them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tests.plots.samples import by_label, result, row_names, words
from thinktime import plots
from thinktime.errors import InputError

NAN = float("nan")
BOXES = (plots.wait_boxes, plots.slowdown_boxes, plots.queue_boxes)
LINES = (plots.wait_ecdf, plots.slowdown_ecdf, plots.queue_ecdf)


def run(*waits: float):
    """Jobs of 100 s that wait so long; alone on the machine, far from each other."""
    submit = np.arange(len(waits)) * 1e5
    return result(submit, submit + np.array(waits), np.full(len(waits), 100.0), np.full(len(waits), 10.0))


@pytest.fixture
def runs():
    return {"fcfs": run(0, 100, 300, 900), "easy": run(0, 0, 0, 40)}


def medians(axes) -> list[float]:
    return [float(line[0, 0]) for line in by_label(axes.collections, "median").get_segments()]


def whiskers(axes) -> list[tuple[float, float]]:
    return [(line[0, 0], line[1, 0]) for line in by_label(axes.collections, "whiskers").get_segments()]


def means(axes) -> list[float]:
    return by_label(axes.lines, "mean").get_xdata().tolist()


def test_wait_boxes_show_quantiles_and_means(runs):
    axes = plots.wait_boxes(runs).axes[0]
    assert row_names(axes) == ["fcfs", "easy"]
    assert axes.get_ylim()[0] > axes.get_ylim()[1]  # the first label is on top
    assert [(bar.get_x(), bar.get_width()) for bar in axes.patches] == [(0, 300), (0, 0)]
    assert medians(axes) == [100, 0]
    assert whiskers(axes) == [(0, 900), (0, 40)]
    assert means(axes) == [325, 10]
    assert (axes.get_title(loc="left"), axes.get_xlabel()) == ("Wait", "wait, log scale")
    assert "5 and 95 %" in words(axes)


def test_the_figure_says_which_workload_and_machine(runs):
    assert plots.wait_boxes(runs).get_suptitle() == "sample · 10 processors"
    assert plots.wait_ecdf({"a": [1, 2]}).get_suptitle() == ""


def test_slowdown_boxes_are_bounded_or_not_on_a_logarithmic_axis(runs):
    axes = plots.slowdown_boxes({"short": result([0], [30], [1], [1])}).axes[0]
    assert medians(axes) == [3.1]  # (30 + 1) / 10
    assert (axes.get_xscale(), axes.get_xlabel()) == ("log", "bounded slowdown (bound 10 s), log scale")
    axes = plots.slowdown_boxes({"short": result([0], [30], [1], [1])}, bound_s=0).axes[0]
    assert (medians(axes), axes.get_xlabel()) == ([31], "slowdown, log scale")


def test_zero_run_times_follow_accasim():
    zero = result([0, 1000], [0, 1007], [0, 0], [1, 1])
    assert whiskers(plots.slowdown_boxes({"zero": zero}, bound_s=0).axes[0]) == [(1, 7)]


def test_slowdowns_of_exactly_one_can_be_left_out_and_that_is_said(runs):
    axes = plots.slowdown_boxes(runs, bound_s=0, without_one=True).axes[0]
    assert medians(axes) == pytest.approx([4, 1.4])
    assert axes.get_xlabel() == "slowdown, without jobs at exactly 1, log scale"


def test_a_run_in_which_no_job_waits_has_no_box_without_ones():
    axes = plots.slowdown_boxes({"some": run(0, 100), "none": run(0, 0)}, without_one=True).axes[0]
    assert words(axes).split(" | ")[0] == "none"
    axes = plots.slowdown_boxes({"none": run(0, 0)}, without_one=True).axes[0]
    assert words(axes) == "no data"


def test_queue_sizes_are_counted_by_event_or_by_time():
    waiting = {"a": result([0, 0], [0, 90], [90, 10], [10, 10])}  # one waits for 90 of 100 s
    assert medians(plots.queue_boxes(waiting).axes[0]) == [0]  # of 1, 0, 0
    axes = plots.queue_boxes(waiting, weighting="time").axes[0]
    assert (medians(axes), means(axes)) == ([1], [pytest.approx(0.9)])
    assert axes.get_xlabel() == "waiting jobs, weighted by time"
    with pytest.raises(InputError, match="weighting must be 'event' or 'time'"):
        plots.queue_boxes(waiting, weighting="job")


def test_long_queues_are_on_a_logarithmic_axis():
    axes = plots.queue_boxes({"long": np.arange(3000)}).axes[0]
    assert axes.get_xscale() == "symlog"
    assert axes.get_xticks().tolist() == [0, 2, 4, 6, 8, 10, 100, 1000]


def test_a_sketch_has_the_boxes_of_its_run(runs):
    waits = np.arange(101.0)
    sketch = plots.Distribution.of_quantiles(waits)
    axes = plots.wait_boxes({"jobs": waits, "sketch": sketch}).axes[0]
    assert medians(axes) == [50, 50]
    assert np.isnan(means(axes)[1])
    assert "mean" not in words(plots.wait_boxes({"sketch": sketch}).axes[0])


def test_ecdfs_show_the_share_at_each_wait(runs):
    axes = plots.wait_ecdf(runs).axes[0]
    fcfs, easy = axes.lines
    shares = dict(zip(fcfs.get_xdata().tolist(), fcfs.get_ydata().tolist(), strict=True))
    assert (shares[100], shares[300], shares[900]) == (0.5, 0.75, 1)
    assert easy.get_ydata()[0] == 0.75
    assert words(axes) == "fcfs | easy"
    assert (axes.get_xscale(), axes.get_xlabel(), axes.get_ylabel()) == (
        "log",
        "wait, log scale",
        "share of jobs",
    )
    assert fcfs.get_drawstyle() == "steps-post"


def test_ecdfs_of_slowdowns_begin_at_one(runs):
    axes = plots.slowdown_ecdf(runs).axes[0]
    assert axes.get_xlim()[0] == 1
    assert axes.lines[0].get_ydata()[0] == 0.25
    assert plots.queue_ecdf(runs).axes[0].get_ylabel() == "share of time"


def test_lines_differ_in_colour_or_dashes_while_they_can():
    axes = plots.wait_ecdf({f"run {k}": [k, 2 * k + 1] for k in range(30)}).axes[0]
    looks = {(line.get_color(), str(line._dash_pattern)) for line in axes.lines}
    assert len(looks) == 30
    assert len(words(axes).split(" | ")) == 30


def test_a_thousand_labels_are_drawn_and_named_as_far_as_there_is_room(tmp_path):
    many = {f"configuration number {k}": [k, k + 5] for k in range(1000)}
    assert words(plots.wait_ecdf(many).axes[0]) == "1,000 runs, too many to name"
    figure = plots.wait_boxes(many)
    names = row_names(figure.axes[0])
    assert names[0] == "configuration number 0"
    assert 50 < len(names) < 200
    assert figure.get_size_inches()[1] < 30
    assert len(medians(figure.axes[0])) == 1000


def test_names_of_rows_do_not_overlap():
    figure = plots.wait_boxes({f"a rather long name of a run {k}": [k, k + 5] for k in range(200)})
    figure.draw_without_rendering()
    boxes = [tick.get_window_extent() for tick in figure.axes[0].get_yticklabels()]
    heights = sorted((box.y0, box.y1) for box in boxes)
    assert all(upper[0] >= lower[1] - 1 for lower, upper in itertools.pairwise(heights))


def test_long_names_lose_their_middle_and_dollars_are_no_formula():
    (name,) = row_names(plots.wait_boxes({"$x$" + "a" * 100: [1, 2]}).axes[0])
    assert name.startswith(r"\$x\$a")
    assert "…" in name
    assert len(name) <= 44


@pytest.mark.parametrize("draw", [*BOXES, *LINES])
@pytest.mark.parametrize(
    "runs",
    [
        {},
        {"a": result([], [], [], [])},
        {"a": result([0], [NAN], [5], [99])},
        {"a": []},
        {"a": [NAN, NAN]},
        {"a": plots.Distribution.of_quantiles([NAN] * 101)},
    ],
    ids=["no runs", "no jobs", "none started", "no values", "all missing", "empty sketch"],
)
def test_nothing_to_show_is_said(draw, runs):
    assert words(draw(runs).axes[0]) == "no data"


@pytest.mark.parametrize("draw", [*BOXES, *LINES])
@pytest.mark.parametrize("run", [[7.0], [7.0, 7.0, 7.0], [1.0, 1.0], [0.0]], ids=["one", "equal", "ones", "zero"])
def test_few_and_equal_values_are_drawn(draw, run, tmp_path):
    figure = draw({"a": run})
    plots.save(figure, tmp_path / "few", ["svg"])
    low, high = figure.axes[0].get_xlim()
    assert np.isfinite([low, high]).all()
    assert high > low


def test_an_empty_run_beside_others_keeps_its_row(runs):
    axes = plots.wait_boxes({**runs, "empty": []}).axes[0]
    assert row_names(axes) == ["fcfs", "easy", "empty"]
    assert words(axes).startswith("none | ")
    assert len(plots.wait_ecdf({**runs, "empty": []}).axes[0].lines) == 2


def test_the_scale_comes_before_the_remark_below_a_long_title(runs):
    label = plots.wait_boxes(runs, title="Wait of two policies").axes[0].get_xlabel()
    assert label == "wait, log scale\nbox: quartiles and median; whiskers: 5 and 95 %; diamond: mean"
