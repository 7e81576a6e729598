"""Flurries drawn: every job of every week, and every resample of every dose."""

from __future__ import annotations

import pytest

import thinktime as tt
from tests.bootstrapping.logs import bootstrapped
from tests.plots.samples import words, workload
from thinktime import plots

WEEK_S = 604800.0


def test_weeks_are_stacked_by_user() -> None:
    log = workload([0.0, 1.0, 2.0, 2 * WEEK_S, 2 * WEEK_S + 5], user=[7, 7, 8, 9, 7])
    axes = plots.weekly_jobs({"a log": log}, most=1).axes[0]
    others, busiest = ([bar.get_height() for bar in group] for group in axes.containers)
    assert (others, busiest) == ([1, 0, 1], [2, 0, 1])
    assert [bar.get_y() for bar in axes.containers[1]] == [1, 0, 1]
    assert "user 7" in words(axes)


def test_users_may_be_named_and_a_log_may_be_empty() -> None:
    log = workload([0.0, 1.0], user=[7, 8])
    figure = plots.weekly_jobs({"one": log, "none": workload([])}, users=[8])
    assert "user 8" in words(figure.axes[0])
    assert "user 7" not in words(figure.axes[0])
    assert "no jobs" in words(figure.axes[1])


def test_doses_share_their_bins() -> None:
    few, many = (bootstrapped(schedulers=[tt.Easy()], resamples=n, jackknife=0) for n in (4, 9))
    figure = plots.measures_by_dose({"few": few, "many": many}, ["wait_mean_s", "utilisation"])
    for axes in figure.axes:
        outlines = [patch.get_xy() for patch in axes.patches]
        assert len(outlines) == 2
        assert outlines[0][:, 0].tolist() == pytest.approx(outlines[1][:, 0].tolist())
        assert [outline[:, 1].max() <= n for outline, n in zip(outlines, (4, 9), strict=True)] == [True, True]
