"""What the scheduler costs: bars per time point, and lines by queue size."""

from __future__ import annotations

import numpy as np
import pytest

import thinktime as tt
from tests.plots.samples import result, row_names, words
from thinktime import plots
from thinktime.generate import default_workload
from thinktime.plots.runs.decisions import mean_by_queue

NAN = float("nan")


def run(queued=(), seconds=(), **statistics):
    """A run of one job that says what it cost."""
    made = result([0], [0], [5], [1])
    made.statistics = statistics
    made.decisions_columns = {"queued_jobs": np.array(queued, dtype=int), "decision_s": np.array(seconds, dtype=float)}
    made.every_pass_timed = len(queued) == statistics.get("passes", len(queued))
    return made


def below(figure):
    """The sentence below the panels."""
    return figure.get_supxlabel()


def test_bars_are_means_per_time_point():
    costly = run(instants=100, decision_s=3e-4, engine_s=5e-4)
    axes = plots.decision_bars({"a": costly, "b": (1e-6, 1e-6)}).axes[0]
    deciding, rest = axes.containers
    assert [bar.get_width() for bar in deciding] == pytest.approx([3, 1])
    assert [bar.get_x() for bar in rest] == pytest.approx([3, 1])
    assert [bar.get_width() for bar in rest] == pytest.approx([2, 1])
    assert axes.get_xlabel() == "mean time per time point (µs)"
    assert words(axes) == "scheduling | everything else"
    assert row_names(axes) == ["a", "b"]


def test_a_run_that_was_only_stepped_has_no_rest():
    axes = plots.decision_bars({"a": run(instants=10, decision_s=1e-3, engine_s=0.0)}).axes[0]
    assert [bar.get_width() for bar in axes.containers[1]] == [0]


def test_unknown_costs_are_said():
    axes = plots.decision_bars({"known": (1e-3, 1e-3), "recorded": run()}).axes[0]
    assert words(axes).startswith("unknown | ")
    assert axes.get_xlabel().endswith("(ms)")
    assert words(plots.decision_bars({"recorded": run(instants=0)}).axes[0]) == "no run has measured times"
    assert words(plots.decision_bars({}).axes[0]) == "no run has measured times"


def test_means_by_queue_size_are_exact_for_short_queues():
    sizes, seconds = mean_by_queue(np.array([0, 2, 2, 7, 0]), np.array([1.0, 2.0, 4.0, 5.0, 3.0]))
    assert (sizes.tolist(), seconds.tolist()) == ([0, 2, 7], [2, 3, 5])


def test_long_queues_are_taken_together_and_no_pass_is_lost():
    queued = np.arange(5000)
    sizes, seconds = mean_by_queue(queued, queued * 1e-6)
    assert seconds == pytest.approx(sizes * 1e-6)
    assert sizes[:9].tolist() == list(range(9))
    assert len(sizes) < 100
    assert (np.diff(sizes) > 0).all()


def test_lines_by_queue_size():
    runs = {"slow": run([1, 1, 3], [2e-6, 4e-6, 9e-6]), "stored": ([1, 2], [1e-6, 2e-6])}
    axes = plots.decision_by_queue(runs).axes[0]
    slow, stored = axes.lines
    assert (slow.get_xdata().tolist(), slow.get_ydata().tolist()) == ([1, 3], pytest.approx([3, 9]))
    assert stored.get_ydata() == pytest.approx([1, 2])
    assert (axes.get_xlabel(), axes.get_ylabel()) == (
        "waiting jobs before the pass, log scale",
        "mean decision time (µs)",
    )
    assert (axes.get_yscale(), axes.get_ylim()[0]) == ("linear", 0)
    assert words(axes) == "slow | stored"


def test_policies_that_are_orders_of_magnitude_apart_share_a_logarithmic_axis():
    axes = plots.decision_by_queue({"a": ([0, 1, 2], [0.0, 1e-7, 1e-7]), "b": ([1, 2], [1e-5, 1e-4])}).axes[0]
    assert axes.get_yscale() == "log"


def test_runs_without_decisions_are_left_out():
    axes = plots.decision_by_queue({"with": run([1], [1e-6]), "without": run()}).axes[0]
    assert words(axes) == "with"
    assert axes.lines[0].get_marker() == "o"  # a line of one point would not be seen
    sentence = "no run has timed scheduling passes"
    assert words(plots.decision_by_queue({"without": run()}).axes[0]) == sentence
    assert words(plots.decision_by_queue({}).axes[0]) == sentence


def test_a_simulation_can_be_drawn(tmp_path):
    done = tt.simulate(default_workload(weeks=1), tt.Machine(processors=128), tt.Easy(), decisions=True)
    axes = plots.decision_by_queue({"easy": done}).axes[0]
    assert axes.lines[0].get_xdata()[-1] <= done.decisions_columns["queued_jobs"].max()
    assert plots.decision_bars({"easy": done}).axes[0].containers[0][0].get_width() > 0


def test_smooth_has_a_point_for_every_queue_size() -> None:
    queued = np.repeat(np.arange(200), 3)
    noisy = run(queued, queued * 1e-6 + np.tile([0.0, 1e-7, 2e-7], 200))
    (line,) = plots.decision_by_queue({"easy": noisy}, smooth=30).axes[0].lines
    assert line.get_xdata().tolist() == list(range(200))
    assert len(plots.decision_by_queue({"easy": noisy}).axes[0].lines[0].get_xdata()) < 200


def test_the_distribution_of_decision_times():
    quick, slow = run([0] * 4, [1e-6, 1e-6, 2e-6, 4e-6]), run([0] * 2, [1e-5, 1e-4])
    axes = plots.decision_time({"quick": quick, "slow": slow}).axes[0]
    x, share = axes.lines[0].get_data()
    assert axes.get_xlabel() == "duration of a pass (µs), log scale"
    assert np.interp(3.0, x, share) == 0.75
    assert share[-1] == 1.0
    assert words(axes) == "quick (mean 2 µs) | slow (mean 55 µs)"
    assert words(plots.decision_time({"none": run()}).axes[0]) == "no run has timed scheduling passes"


@pytest.mark.parametrize("kind", ["decision_time", "decision_by_queue"])
def test_a_sample_says_that_it_is_one(kind):
    sampled, whole = run([0, 1], [1e-6, 1e-6], passes=2000), run([0, 1], [1e-6, 1e-6], passes=2)
    assert below(plots.draw(kind, sampled)) == "Sample: 2 of 2,000 passes; decisions=True times all."
    assert below(plots.draw(kind, whole)) == ""
    more = run([0] * 7, [1e-6] * 7, passes=2500)
    assert below(plots.draw(kind, [sampled, whole, more])) == (
        "Sample: 2–7 of 2,000–2,500 passes per run; decisions=True times all."
    )
