"""Figures of bootstraps and load sweeps: what is drawn is what was found."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import thinktime as tt
from tests.bootstrapping.logs import MACHINE, POOLS, bootstrapped, small_log
from thinktime import plots
from thinktime.errors import InputError


@pytest.fixture(scope="module")
def found() -> tt.Bootstrap:
    return bootstrapped(resamples=20)


def line(axes, label):
    return next(each for each in axes.lines if each.get_label() == label)


def test_histograms_hold_all_resamples_and_mark_the_original(found: tt.Bootstrap) -> None:
    figure = plots.resample_histograms(found, "fcfs", level=0.8)
    assert len(figure.axes) == len(found.measures)
    assert "fcfs" in figure.get_suptitle()
    for axes, measure in zip(figure.axes, found.measures, strict=True):
        assert sum(bar.get_height() for bar in axes.patches) == 20
        original = line(axes, "original log").get_xdata()[0]
        interval = line(axes, "80% percentile").get_xdata()
        values = found.values(measure, "fcfs")
        scale = found.original["fcfs"][measure] / original
        assert interval * scale == pytest.approx(np.quantile(values, [0.1, 0.9]))


def test_differences_have_a_line_at_zero(found: tt.Bootstrap) -> None:
    figure = plots.resample_differences(found)
    assert [axes.get_title(loc="left") for axes in figure.axes][-1] == "Utilisation, difference"
    for axes in figure.axes:
        assert line(axes, "no difference").get_xdata()[0] == 0.0
        assert "of resamples" in axes.get_xlabel()


def test_an_interval_that_needs_a_note_is_not_drawn() -> None:
    plain = bootstrapped(schedulers=[tt.Easy()], resamples=6, jackknife=0)
    for axes in plots.resample_histograms(plain).axes:
        assert not any("BCa" in str(each.get_label()) for each in axes.lines)


def test_every_figure_by_name(found: tt.Bootstrap, tmp_path) -> None:
    figures = plots.bootstrap_figures(found)
    assert list(figures) == ["resamples_easy", "resamples_fcfs", "differences_easy_fcfs"]
    drawn = [figures["resamples_easy"], plots.resample_histograms(found, "easy")]
    first, second = (plots.save(figure, tmp_path / str(k), ["svg"])[0] for k, figure in enumerate(drawn))
    assert first.read_bytes() == second.read_bytes()


def test_a_load_sweep_shows_shares_and_stable_runs() -> None:
    swept = tt.load_sweep(small_log(), MACHINE, [tt.Easy(), tt.FCFS()], [0.5, 1.0], resamples=4, resample=POOLS)
    flags = np.zeros(16, dtype=bool)
    flags[[0, 8]] = True  # one run of EASY at each load
    swept = replace(swept, columns={**swept.columns, "saturated": flags})
    figure = plots.load_sweep(swept)
    by_utilisation, _, shares = figure.axes[:3]
    assert line(shares, "easy").get_ydata().tolist() == [0.75, 0.75]
    assert line(shares, "fcfs").get_ydata().tolist() == [1.0, 1.0]
    assert [len(points.get_offsets()) for points in by_utilisation.collections] == [6, 8]
    with pytest.raises(InputError, match="The sweep has no"):
        plots.load_sweep(swept, ["wait_p95_s"])


def test_a_sweep_in_which_all_saturate_can_be_drawn(tmp_path) -> None:
    swept = tt.load_sweep(small_log(), MACHINE, [tt.Easy()], [1.0], resamples=2, resample=POOLS)
    none = replace(swept, columns={**swept.columns, "saturated": np.ones(2, dtype=bool)})
    assert plots.save(plots.load_sweep(none), tmp_path / "none", ["png"])[0].stat().st_size > 1000
