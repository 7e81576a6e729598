"""Ways to change the load, compared."""

from __future__ import annotations

import pytest

import thinktime as tt
from tests.plots.samples import words
from thinktime import plots
from thinktime.errors import InputError


def test_a_line_per_way_and_a_band_over_several_runs() -> None:
    several = [(0.5, 100.0), (0.7, 300.0), (0.6, 200.0)]
    figure = plots.load_methods({"one": {1.0: (0.5, 60.0), 0.5: (0.25, 30.0)}, "many": {1.0: several}})
    axes = figure.axes[0]
    assert axes.lines[0].get_xdata().tolist() == [0.25, 0.5]
    assert axes.lines[0].get_ydata().tolist() == [30, 60]
    assert axes.lines[1].get_xdata().tolist() == pytest.approx([0.6])
    assert axes.lines[1].get_ydata().tolist() == [200]
    assert len(axes.collections) == 1
    assert axes.get_yscale() == "log"
    assert words(axes) == "one | many"


def test_runs_are_drawn_at_the_load_that_they_reached() -> None:
    jobs = tt.default_workload(weeks=2)
    runs = {factor: tt.simulate(tt.scale_load(jobs, factor), 128) for factor in (1.0, 1.2)}
    (line,) = plots.load_methods({"arrivals": runs}, measure="utilisation").axes[0].lines
    assert line.get_xdata()[1] / line.get_xdata()[0] == pytest.approx(1.2)
    assert line.get_ydata().tolist() == [run.summary()["utilisation"] for run in runs.values()]


def test_no_runs_say_so() -> None:
    assert words(plots.load_methods({}).axes[0]) == "no runs"
    with pytest.raises(InputError, match="a factor needs a run"):
        plots.load_methods({"x": {1.0: []}})
