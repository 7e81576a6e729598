"""Figures of sessions: what they show."""

from __future__ import annotations

import numpy as np
import pytest

from tests.plots.samples import workload
from thinktime import plots
from thinktime.errors import InputError
from thinktime.generate import default_workload
from thinktime.workload import Workload, session_graph, sessions

DAY = 86400
#: user 1: a job, then two at once that wait for it, then one that waits for both; user 2: one job
LOG = workload([0, 5, 100, 101, 1000], run_s=[10, 1, 50, 60, 5], wait_s=[0] * 5, user=[1, 2, 1, 1, 1])


def graph_of(log, threshold_s=0.0):
    return session_graph(sessions(log, threshold_s=threshold_s))


def bars(axes):
    return [[bar.get_height() for bar in group] for group in axes.containers]


def names(axes):
    return [label.get_text() for label in axes.get_xticklabels()]


def test_users_are_counted_by_longest_path_and_arity():
    paths, arity = plots.graph_shapes(LOG, {"a0": graph_of(LOG)}).axes
    assert (names(paths), bars(paths)) == (["1", "2–3"], [[1, 1]])  # user 1: three sessions on a path
    assert (names(arity), bars(arity)) == (["0", "1", "2–3"], [[1, 0, 1]])  # two wait for one
    assert paths.get_legend().get_texts()[0].get_text() == "a0 (at most 3)"


def test_every_graph_has_its_bars():
    generated = default_workload(jobs=500)
    graphs = {"a0": graph_of(generated), "a60": graph_of(generated, 3600.0)}
    for axes in plots.graph_shapes(generated, graphs).axes:
        assert [sum(group) for group in bars(axes)] == [len(generated.users)] * 2


def test_think_times_are_a_distribution_with_the_papers_shares():
    axes = plots.think_times(LOG, {"a0": graph_of(LOG)}).axes[0]
    share = axes.lines[0].get_ydata()
    assert (share[0], share[-1]) == (0, 1)
    assert axes.get_legend().get_texts()[0].get_text() == "a0: 100 % < 1 h, 100 % < 10 h"


def test_without_edges_the_figure_says_so():
    one = workload([0], user=[1])
    assert plots.think_times(one, {"a0": graph_of(one)}).axes[0].texts[0].get_text() == "no session waits for another"


def test_each_user_comes_once():
    axes = plots.first_submissions(workload([0, DAY, 2 * DAY, 4 * DAY], user=[1, 2, 1, np.nan])).axes[0]
    users, borders = ([segment[0][0] for segment in lines.get_segments()] for lines in axes.collections)
    assert (users, borders) == ([0, 1], [0, 4])


def test_a_users_graph_has_its_sessions_jobs_and_think_times():
    axes = plots.user_graph(LOG, graph_of(LOG), 1).axes[0]
    said = [text.get_text() for text in axes.texts]
    assert {"s1", "s2", "s3", "s4"} <= set(said)
    assert sorted(text for text in said if text.endswith(("s", "min"))) == [
        "1.5 min",
        "1.5 min",
        "14.0 min",
        "14.2 min",
    ]
    boxes = [patch for patch in axes.patches if patch.get_height() == 0.8]
    assert len(boxes) == 4
    assert {round(box.get_y(), 1) for box in boxes} == {-0.4, 0.6}  # the two at once on two lanes
    assert axes.get_title(loc="left") == "4 sessions (arrival 0 min)"


def test_of_a_busy_user_the_first_sessions_are_drawn():
    axes = plots.user_graph(LOG, graph_of(LOG), 1, sessions=2).axes[0]
    assert axes.get_title(loc="left") == "First 2 of 4 sessions (arrival 0 min)"


def test_a_user_who_is_not_there_is_named():
    with pytest.raises(InputError, match="has no user 7"):
        plots.user_graph(LOG, graph_of(LOG), 7)


def test_all_figures_by_name():
    graph = graph_of(LOG)
    assert set(plots.session_figures(LOG, {"a0": graph}, graph, user=1)) == {
        *("graph_shapes", "think_times", "first_submissions", "user_1_graph")
    }


def busy() -> Workload:
    """One user: four jobs nearly at once, then four that wait for all of them, then one at the very end of another."""
    return Workload.from_columns(
        submit_s=[0, 0, 1, 2, 90_000, 90_001, 90_002, 90_003, 90_100],
        run_s=[500, 600, 700, 800, 97, 5000, 6000, 7000, 10],
        user=[1] * 9,
    )


def overlapping(figure):
    """Pairs of texts in the axes that cover each other, as drawn."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    FigureCanvasAgg(figure).draw()
    drawn = [(text.get_text(), text.get_window_extent()) for text in figure.axes[0].texts if text.get_text()]
    return [(a, b) for k, (a, one) in enumerate(drawn) for b, other in drawn[:k] if one.overlaps(other)]


def test_labels_of_a_busy_users_graph_do_not_cover_each_other():
    log = busy()
    graph = graph_of(log)
    assert graph.edges > 16
    figure = plots.user_graph(log, graph, 1)
    assert len(figure.axes[0].texts) > 16  # names and think times
    assert overlapping(figure) == []
    ticks = [label.get_text() for label in figure.axes[0].get_xticklabels()]
    assert ticks[0] == "0"  # also where two sessions begin at once
    assert ticks.count("") >= 2  # those that would lie on others


def test_think_times_that_are_all_zero_are_said():
    log = Workload.from_columns(submit_s=[0, 10, 20], run_s=[10, 10, 10], user=[1, 1, 1])
    axes = plots.think_times(log, {"a0": graph_of(log)}).axes[0]
    assert [text.get_text() for text in axes.texts] == ["all think times are 0 s (edges of a0: 2)"]
    assert not axes.lines


def test_zero_beside_longer_think_times_is_a_line_at_the_top():
    at_once = Workload.from_columns(submit_s=[0, 10, 20], run_s=[10, 10, 10], user=[1, 1, 1])
    later = Workload.from_columns(submit_s=[0, 100, 200], run_s=[10, 10, 10], user=[1, 1, 1])
    axes = plots.think_times(at_once, {"a": graph_of(at_once), "b": graph_of(later)}).axes[0]
    assert [line.get_ydata()[-1] for line in axes.lines] == [1.0, 1.0]
    assert axes.lines[0].get_xdata().tolist() == [1.0, 90.0]
    assert axes.lines[0].get_ydata().tolist() == [1.0, 1.0]
