"""The catalogue of figure kinds: every kind is public, has a caption, and can be drawn by name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import thinktime as tt
from thinktime import plots
from thinktime.errors import InputError
from thinktime.generate import default_workload
from thinktime.plots import catalogue


@pytest.fixture(scope="module")
def runs():
    workload, machine = default_workload(weeks=1), tt.Machine(processors=128)
    policies = {"fcfs": tt.FCFS(), "easy": tt.Easy()}
    return {name: tt.simulate(workload, machine, policy, decisions=True) for name, policy in policies.items()}


def test_every_kind_is_public_and_documented():
    assert len(plots.kinds()) > 50
    for name, kind in plots.kinds().items():
        assert getattr(plots, name) is kind.draw
        assert name in dir(plots)
        assert kind.draw.__doc__
        assert kind.caption.endswith("."), name
        assert kind.needs in plots.SUBJECTS


def test_type_checkers_see_every_module_of_figures():
    source = Path(plots.__file__).read_text(encoding="utf-8")
    assert set(re.findall(r"from (\S+) import \*", source)) == {
        name for name in catalogue.modules() if hasattr(__import__(name, fromlist=["x"]), "__all__")
    }


def test_kinds_of_one_subject():
    assert {"gantt", "run_overview", "power_over_time"} <= set(plots.kinds("run"))
    assert all(kind.needs == "workload" for kind in plots.kinds("workload").values())
    with pytest.raises(InputError, match="needs"):
        plots.kinds("machines")


def test_a_figure_is_drawn_by_name(runs):
    assert plots.draw("wait_ecdf", runs).axes[0].get_title(loc="left") == "Distribution of waits"
    assert plots.draw("gantt", runs["easy"], window=(0, 86400)).axes
    with pytest.raises(InputError, match=r"no figure kind named 'gant' \(did you mean 'gantt'"):
        plots.draw("gant", runs["easy"])


def test_mappings_lists_and_single_runs_are_alike(runs):
    by_name = plots.wait_boxes(runs)
    listed = plots.wait_boxes(list(runs.values()))
    names = [[text.get_text() for text in each.axes[0].get_yticklabels()] for each in (by_name, listed)]
    assert names == [["fcfs", "easy"], ["fcfs", "easy"]]
    assert len(plots.wait_ecdf(runs["easy"]).axes[0].lines) == 1
    same = plots.wait_boxes([runs["easy"], runs["easy"]])
    assert len(same.axes[0].get_yticklabels()) == 2
    assert len(plots.utilisation_over_time(runs).axes) == len(plots.gantt(list(runs.values())).axes) == 2
    assert plots.run_overview({"easy": runs["easy"]}).axes
    with pytest.raises(InputError, match=r"shows one run \(got 2\)"):
        plots.run_overview(runs)


def test_all_figures_of_several_runs_can_be_drawn_and_saved(runs, tmp_path):
    figures = plots.comparison_figures(runs)
    assert set(plots.kinds("runs")) - set(figures) == {"resource_efficiency"}  # these runs have no nodes
    for name, figure in figures.items():
        assert "default" in figure.get_suptitle()
        assert figure.axes[0].get_title(loc="left")
        assert figure.axes[0].get_xlabel()
        assert plots.save(figure, tmp_path / name, ["svg"])[0].stat().st_size > 1000
    assert len(plots.save(figures["week_load"], tmp_path / "week")) == 3


def test_the_same_runs_give_the_same_bytes(runs, tmp_path):
    for name in ("slowdown_boxes", "wait_ecdf", "week_load"):
        first, second = (plots.save(plots.draw(name, runs), tmp_path / str(k) / name, ["svg"])[0] for k in (1, 2))
        assert first.read_bytes() == second.read_bytes()
    charts = [plots.save(plots.gantt(runs["easy"]), tmp_path / f"gantt{k}", ["png"])[0] for k in (1, 2)]
    assert charts[0].read_bytes() == charts[1].read_bytes()
