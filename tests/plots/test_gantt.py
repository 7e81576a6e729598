"""Gantt charts: rectangles where there are few, a picture where there are many; the area is always that of the jobs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_rgb

import thinktime as tt
from tests.effort import examples
from tests.plots.samples import result, words
from thinktime import plots
from thinktime.errors import InputError
from thinktime.generate import default_workload
from thinktime.plots.kit import style
from thinktime.plots.runs.rectangles import Rectangles, coverage, rectangles

NAN = float("nan")


@pytest.fixture
def run():
    # job 2 waits for job 1 and gets its processors; job 3 is rejected
    return result([0, 0, 5], [0, 100, NAN], [100, 50, 10], [6, 8, 99])


@pytest.fixture(scope="module")
def large():
    return tt.simulate(default_workload(weeks=8), tt.Machine(processors=128), tt.Easy())


def corners(axes) -> list[tuple[float, float, float, float]]:
    """Begin, end, lowest and highest processor of each rectangle."""
    outlines = [path.vertices for path in axes.collections[0].get_paths()]
    return [(*np.ptp(xy, axis=0) + xy.min(axis=0), *xy.min(axis=0)) for xy in outlines]


def test_few_jobs_are_rectangles_with_numbers(run):
    axes = plots.gantt(run).axes[0]
    shown = [(60 * begin, 60 * end, low, high) for end, high, begin, low in corners(axes)]
    assert shown == [pytest.approx((0, 100, 0, 6)), pytest.approx((100, 150, 0, 8))]
    assert [text.get_text() for text in axes.texts] == ["1", "2"]
    assert axes.get_ylim() == (0, 10)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("time (minutes)", "processor")
    assert axes.get_title(loc="right") == "2 jobs"


def test_a_job_on_scattered_processors_is_several_rectangles_and_one_number():
    # the middle job ends first; the fourth takes the four processors above the third, and two of the gap
    run = result([0, 0, 0, 50], [0, 0, 0, 50], [100, 50, 100, 50], [2, 2, 2, 6])
    axes = plots.gantt(run).axes[0]
    assert len(axes.collections[0].get_paths()) == 5
    assert sorted(text.get_text() for text in axes.texts) == ["1", "2", "3", "4"]


def test_colours_are_classes_of_sizes_or_users(run):
    sizes = plots.gantt(run).axes[0].get_legend()
    assert sizes.get_title().get_text() == "processors"
    assert [text.get_text() for text in sizes.get_texts()] == ["5–8"]
    users = plots.gantt(run, colour="user").axes[0]
    assert words(users).endswith("user 1 | user 2")
    assert to_rgb(users.collections[0].get_facecolors()[0]) == to_rgb(style.BLUE)  # 600 against 400 seconds


def test_users_without_a_colour_are_grey_and_counted(large):
    names = words(plots.gantt(large, colour="user").axes[0]).split(" | ")
    users = len(np.unique(large.columns["user"]))
    assert len(names) == 8
    assert names[-1] == f"{users - 7} other users"


def test_jobs_without_a_user_are_a_group():
    run = result([0], [0], [10], [1])
    run.columns["user"][:] = NAN
    assert words(plots.gantt(run, colour="user").axes[0]) == "1 | user unknown"


def test_occupancy_is_an_image_whose_pixels_have_the_share_in_use(large):
    axes = plots.gantt(large, colour="occupancy").axes[0]
    used = axes.images[0].get_array()
    span_s = np.nanmax(large.columns["end_s"]) - np.nanmin(large.columns["start_s"])
    area = np.nansum(large.columns["processors"] * (large.columns["end_s"] - large.columns["start_s"]))
    assert used.mean() == pytest.approx(area / (128 * span_s))
    assert used.shape == (128, 900)
    assert axes.get_title(loc="right") == f"{len(large):,} jobs"


def test_an_image_is_white_where_the_machine_is_idle(large, monkeypatch):
    monkeypatch.setattr("thinktime.plots.runs.gantt.DRAWN", 1)
    picture = plots.gantt(large).axes[0].images[0].get_array()
    occupied = plots.gantt(large, colour="occupancy").axes[0].images[0].get_array()
    assert picture.shape == (128, 900, 3)
    idle = occupied == 0
    assert idle.any()
    assert picture[idle].min() > 1 - 1e-9
    assert (picture[occupied > 0.9].min(axis=1) < 0.9).all()


def test_a_window_shows_its_jobs_alone(large):
    middle = float(np.median(large.columns["start_s"]))
    axes = plots.gantt(large, window=(middle, middle + 7200)).axes[0]
    start, end = large.columns["start_s"], large.columns["end_s"]
    inside = np.count_nonzero((start <= middle + 7200) & (end >= middle))
    assert axes.get_title(loc="right") == f"{inside:,} jobs"
    assert axes.get_xlim() == pytest.approx((0, 2))
    assert axes.get_xlabel() == f"time since {middle / 86400:.6g} d (hours)"
    ends = np.concatenate([path.vertices[:, 0] for path in axes.collections[0].get_paths()])
    assert (ends.min(), ends.max()) >= axes.get_xlim()[:1]
    assert ends.max() <= axes.get_xlim()[1] + 1e-9


def test_what_is_still_running_is_drawn_to_the_end():
    run = result([0, 0], [0, 0], [100, 40], [6, 4])
    run.columns["end_s"][0] = NAN
    (end, _, begin, _), _ = corners(plots.gantt(run).axes[0])
    assert (begin, end * 60) == (0, pytest.approx(100))  # the timeline's last instant


@pytest.mark.parametrize("times", [([7], [7], [0]), ([7, 7], [7, 7], [0, 0])], ids=["one", "two"])
def test_jobs_without_length_are_lines(times, tmp_path):
    axes = plots.gantt(result(*times, [1] * len(times[0]))).axes[0]  # type: ignore[call-arg]
    assert len(axes.collections[0].get_paths()) == len(times[0])
    assert to_rgb(axes.collections[0].get_edgecolors()[0]) != (1, 1, 1)
    plots.save(axes.figure, tmp_path / "line", ["svg"])


@pytest.mark.parametrize("colour", ["size", "user", "occupancy"])
@pytest.mark.parametrize("run", [result([], [], [], []), result([0], [NAN], [5], [99])], ids=["no jobs", "none ran"])
def test_nothing_to_show_is_said(run, colour):
    assert words(plots.gantt(run, colour=colour).axes[0]) == "no job ran"


def test_an_empty_window_and_wrong_options_are_said(run):
    assert words(plots.gantt(run, window=(900, 1000)).axes[0]) == "no job ran from 900 s to 1,000 s"
    with pytest.raises(InputError, match=r"window must be .* \(got \(5, 5\)\)"):
        plots.gantt(run, window=(5, 5))
    with pytest.raises(InputError, match="colour"):
        plots.gantt(run, colour="shape")


def test_an_oversubscribed_schedule_is_no_chart():
    crowded = result([0, 0], [0, 0], [10, 10], [6, 6])
    assert "more processors are used than the machine has" in words(plots.gantt(crowded).axes[0])


BLOCKS = st.lists(st.tuples(st.floats(0, 50), st.floats(0, 50), st.integers(0, 7), st.integers(1, 3)), max_size=8)


@examples(50)
@given(BLOCKS)
def test_coverage_is_the_area_in_each_dot(drawn):
    """Against a fine grid of points: 4 rows of 2 processors, 5 columns of 10 s."""
    begin, length, low, size = (np.array([block[k] for block in drawn], dtype=float) for k in range(4))
    blocks = Rectangles(np.arange(len(drawn)), begin, begin + length, low, np.minimum(low + size, 8))
    found = coverage(blocks, np.zeros(len(drawn), int), 1, (0.0, 50.0), 8, (4, 5))[0]
    expected = np.zeros((4, 5))
    for row in range(4):
        for column in range(5):
            wide = np.clip(np.minimum(blocks.end_s, 10 * column + 10) - np.maximum(begin, 10 * column), 0, None)
            high = np.clip(np.minimum(blocks.high, 2 * row + 2) - np.maximum(low, 2 * row), 0, None)
            expected[row, column] = np.sum(wide * high) / 20
    assert found == pytest.approx(np.minimum(expected, 1), abs=1e-9)


def test_rectangles_cover_as_many_processors_as_their_jobs_have(large):
    rows = {name: values[~np.isnan(large.columns["start_s"])] for name, values in large.columns.items()}
    blocks = rectangles(rows, 128)
    assert np.bincount(blocks.job, weights=blocks.high - blocks.low).tolist() == rows["processors"].tolist()


@pytest.fixture(scope="module")
def broken():
    """On two nodes of two processors: job 1 is hit at 10 s and starts again; job 2 on the other node is not hit."""
    nodes = tt.Cluster(groups=[{"name": "n", "nodes": 2, "core": 2}])
    log = tt.Workload.from_columns(submit_s=[0, 0], run_s=[60, 40], processors=[2, 2], user=[1, 2])
    return {
        jobs: tt.simulate(log, nodes, tt.FCFS(), plugins=[tt.Failures(table=[("n-0", 10.0, 20.0)], jobs=jobs)])
        for jobs in ("requeue", "lose")
    }


def test_aborted_runs_are_hatched_and_in_the_legend(broken):
    axes = plots.gantt(broken["requeue"]).axes[0]
    shown = [(60 * begin, 60 * end, low, high) for end, high, begin, low in corners(axes)]
    assert shown == [pytest.approx(box) for box in ((20, 80, 0, 2), (0, 40, 2, 4), (0, 10, 0, 2))]
    faces, hatched = axes.collections
    assert hatched.get_hatch() == "////"
    assert [60 * path.vertices[:, 0].max() for path in hatched.get_paths()] == [pytest.approx(10)]
    assert not np.array_equal(faces.get_facecolors()[0], faces.get_facecolors()[2])  # paler
    assert axes.get_title(loc="right") == "2 jobs, 1 aborted run"
    assert [text.get_text() for text in axes.get_legend().get_texts()][-1] == "aborted, requeued"


def test_a_lost_job_is_another_kind(broken):
    axes = plots.gantt(broken["lose"]).axes[0]
    assert len(corners(axes)) == 2
    assert axes.collections[1].get_hatch() == "xxxx"
    assert [text.get_text() for text in axes.get_legend().get_texts()][-1] == "aborted, lost"


def test_a_window_has_its_own_aborted_runs(broken):
    assert plots.gantt(broken["requeue"], window=(15, 90)).axes[0].get_title(loc="right") == "2 jobs"
    assert plots.gantt(broken["requeue"], window=(0, 15)).axes[0].get_title(loc="right") == "2 jobs, 1 aborted run"


def test_nothing_is_hatched_where_nothing_was_aborted(run):
    axes = plots.gantt(run).axes[0]
    assert len(axes.collections) == 1
    assert "aborted" not in words(axes)


def test_in_a_picture_aborted_runs_have_a_colour(broken, monkeypatch):
    monkeypatch.setattr("thinktime.plots.runs.gantt.DRAWN", 1)
    axes = plots.gantt(broken["requeue"]).axes[0]
    assert [text.get_text() for text in axes.get_legend().get_texts()][-1] == "aborted runs"
    picture = axes.images[0].get_array()
    left, right = picture[0, 5], picture[0, -5]  # node 0 before it broke, and after
    assert left.tolist() == pytest.approx(to_rgb("#B00020"))
    assert right.tolist() != left.tolist()
    occupied = plots.gantt(broken["requeue"], colour="occupancy").axes[0].images[0].get_array()
    assert occupied[0, 5] == 1.0
