"""Figures of generated workloads beside their log."""

from __future__ import annotations

import numpy as np
import pytest

import thinktime as tt
from thinktime import plots
from thinktime.errors import InputError


def test_shares_of_submissions_are_drawn_as_they_are() -> None:
    log = tt.default_workload(weeks=3)
    figure = plots.submission_shares({"original": log, "lublin": tt.Lublin(jobs=2000).workload()}, title="both")
    by_hour, by_weekday, by_month = figure.axes
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["By hour", "By weekday", "By month"]
    hours = np.bincount((log["submit_s"] // 3600 % 24).astype(int), minlength=24) / len(log)
    assert by_hour.lines[0].get_ydata() == pytest.approx(hours)
    assert all(line.get_ydata().sum() == pytest.approx(1.0) for axes in figure.axes for line in axes.lines)
    assert [text.get_text() for text in by_hour.get_legend().get_texts()] == ["original", "lublin"]
    assert len(by_weekday.lines[0].get_ydata()) == 7
    assert by_month.lines[0].get_ydata()[0] == 1.0  # three weeks of January
    assert figure.get_suptitle() == "both"


def test_work_on_a_logarithmic_scale_of_shares() -> None:
    figure = plots.work_distribution({"original": np.arange(1.0, 1001), "generated": np.full(10, 2000.0)})
    (axes,) = figure.axes
    assert axes.get_yscale() == "log"
    shares = axes.patches[0].get_data().values
    assert np.nansum(shares) == pytest.approx(1.0, abs=0.01)
    assert any("beyond the edge: 0.1 % of original,\nof the others at most 1e+02 %" in t.get_text() for t in axes.texts)


def test_nothing_to_draw() -> None:
    for draw in (plots.submission_shares, plots.work_distribution):
        with pytest.raises(InputError, match="No workloads to draw"):
            draw({})
