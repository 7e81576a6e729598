"""The figures by name: what a study or a report draws."""

from __future__ import annotations

import pytest

import thinktime as tt
from thinktime import plots
from thinktime.generate import default_workload


@pytest.fixture(scope="module")
def runs():
    workload, machine = default_workload(weeks=1), tt.Machine(processors=128)
    policies = {"fcfs": tt.FCFS(), "easy": tt.Easy()}
    return {name: tt.simulate(workload, machine, policy, decisions=True) for name, policy in policies.items()}


def test_every_figure_is_public_and_under_its_own_name():
    for name, draw in plots.FIGURES.items():
        assert getattr(plots, name) is draw
        assert name in plots.__all__
        assert draw.__doc__


def test_all_figures_of_several_runs_can_be_drawn_and_saved(runs, tmp_path):
    figures = plots.comparison_figures(runs)
    assert list(figures) == list(plots.RUNS_FIGURES)
    for name, figure in figures.items():
        assert "default" in figure.get_suptitle()
        assert figure.axes[0].get_title(loc="left")
        assert figure.axes[0].get_xlabel()
        assert plots.save(figure, tmp_path / name, ["svg"])[0].stat().st_size > 1000
    assert len(plots.save(figures["week_load"], tmp_path / "week")) == 3


def test_the_same_runs_give_the_same_bytes(runs, tmp_path):
    for name in ("slowdown_boxes", "wait_ecdf", "week_load"):
        first, second = (plots.save(plots.FIGURES[name](runs), tmp_path / str(k) / name, ["svg"])[0] for k in (1, 2))
        assert first.read_bytes() == second.read_bytes()
    charts = [plots.save(plots.gantt(runs["easy"]), tmp_path / f"gantt{k}", ["png"])[0] for k in (1, 2)]
    assert charts[0].read_bytes() == charts[1].read_bytes()
