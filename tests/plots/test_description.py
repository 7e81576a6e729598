"""Figures of descriptions: every panel shows its data, or says why there is none."""

from __future__ import annotations

import numpy as np
import pytest

import thinktime as tt
from tests.description.workloads import COLUMNS, of_users, small
from tests.plots.samples import words
from thinktime import plots
from thinktime.description import MEASURES, Comparison, Description, Settings, compare_workloads
from thinktime.plots.logs.distances import UNCLEAR
from thinktime.workload import Workload


@pytest.fixture(scope="module")
def compared() -> Comparison:
    log = small()
    return compare_workloads(
        log, [of_users(log, 77)], variants=lambda k: of_users(log, k), resamples=20, settings=Settings(shuffles=50)
    )


@pytest.fixture(scope="module")
def without_users() -> Description:
    """Neither users nor estimates."""
    log = small()
    left_out = ("user", "requested_time_s")
    return tt.describe(Workload.from_columns(name="log", **{c: log[c] for c in COLUMNS if c not in left_out}))


def test_every_figure_is_drawn_and_saved(compared: Comparison, tmp_path) -> None:
    figures = plots.description_figures(compared)
    assert list(figures) == [
        "user_marginals",
        "weekly_cycle",
        "similarity_by_distance",
        "daily_concentrations",
        "pox_plots",
        "pox_lines",
        "shuffled_sessions",
        "verdicts",
    ]
    for name, figure in figures.items():
        assert getattr(plots, name)
        assert figure.get_suptitle().startswith("default · ")
        assert plots.save(figure, tmp_path / name, ["svg"])[0].stat().st_size > 1000


def test_the_same_descriptions_give_the_same_bytes(compared: Comparison, tmp_path) -> None:
    for draw in (plots.weekly_cycle, plots.pox_lines):
        one, other = (plots.save(draw(compared.base), tmp_path / f"{k}", ["svg"])[0] for k in (1, 2))
        assert one.read_bytes() == other.read_bytes()


def test_the_eight_panels_of_users(compared: Comparison) -> None:
    axes = plots.user_marginals(compared.base, compared.others, compared.spread).axes
    assert len(axes) == 8
    assert all(len(panel.lines) == 22 for panel in axes)
    own = axes[0].lines[-1]  # drawn last, on top
    assert own.get_xdata().tolist() == list(range(1, compared.base.users + 1))
    assert np.array_equal(own.get_ydata(), compared.base.marginals["jobs"])
    legend = [text.get_text() for text in axes[0].get_legend().get_texts()]
    assert legend == ["default", "variant 77", "20 resamples"]


def test_users_are_numbered_from_0_to_1_on_demand_and_where_they_are_many(compared: Comparison) -> None:
    one = plots.user_marginals(compared.base, normalized=True).axes[0]
    assert one.lines[-1].get_xdata()[-1] == 1.0
    assert one.get_xlabel() == "share of users, sorted"
    few = tt.describe(small().select(small()["user"] < 5))
    assert plots.user_marginals(compared.base, [few]).axes[0].get_xlabel() == "share of users, sorted"


def test_the_week_has_marks_every_six_hours(compared: Comparison) -> None:
    axes = plots.weekly_cycle(compared.base).axes[0]
    assert axes.get_xticks().tolist() == list(range(0, 169, 24))
    assert {6, 12, 18, 30, 162} <= set(axes.get_xticks(minor=True).tolist())
    assert axes.get_xlabel() == "local time"
    assert plots.weekly_cycle(compared.base, compared.others).axes[0].get_xlabel() == "from time 0 (local time unknown)"


def test_similarity_has_means_above_medians(compared: Comparison) -> None:
    axes = plots.similarity_by_distance(compared.base, (), compared.spread).axes
    assert len(axes) == 6
    assert [len(panel.lines) for panel in axes] == [21, 21, 21, 1, 1, 1]  # resamples have no medians
    curve = compared.base.similarity["processors"].curve()
    assert np.array_equal(axes[0].lines[-1].get_ydata(), curve)


def test_concentration_is_a_distribution_function(compared: Comparison) -> None:
    axes = plots.daily_concentrations(compared.base).axes[2]
    line = axes.lines[0]
    assert line.get_ydata()[[0, -1]].tolist() == [0.0, 1.0]
    assert (np.diff(line.get_xdata()) >= 0).all()
    assert axes.lines[-1].get_xdata()[0] == 1 / 16


def test_pox_plots_show_every_block_and_the_line(compared: Comparison) -> None:
    figure = plots.pox_plots(compared.base, compared.others, compared.spread)
    titles = [panel.get_title(loc="left") for panel in figure.axes]
    assert titles == ["default", "variant 77", "resample 1", "resample 2"]
    found, first = compared.base.hurst, figure.axes[0]
    assert found is not None
    assert len(first.lines[0].get_xdata()) == len(found.log_n)
    x, y = first.lines[1].get_data()
    assert (y[1] - y[0]) / (x[1] - x[0]) == pytest.approx(found.h)


def test_pox_lines_have_the_two_slopes(compared: Comparison) -> None:
    axes = plots.pox_lines(compared.base).axes[0]
    slopes = [np.diff(line.get_ydata())[0] / np.diff(line.get_xdata())[0] for line in axes.lines[-2:]]
    assert slopes == pytest.approx([0.5, 1.0])


def test_shuffles_and_what_was_recorded(compared: Comparison) -> None:
    axes = plots.shuffled_sessions(compared.base).axes[2]
    assert sum(patch.get_height() for patch in axes.patches) == 50
    assert axes.lines[0].get_xdata()[0] == compared.base.permutation["run"].original


def test_verdicts_have_a_row_a_measure(compared: Comparison) -> None:
    axes = plots.verdicts(compared).axes[0]
    assert len(axes.get_yticklabels()) == len(MEASURES)
    filled = [
        line for line in axes.lines if line.get_marker() == "o" and line.get_markerfacecolor() not in ("white", UNCLEAR)
    ]
    outside = sum(row.verdict == "outside" for row in compared.rows)
    assert sum(len(line.get_xdata()) for line in filled) == outside


def test_what_is_missing_is_said(without_users: Description) -> None:
    assert words(plots.user_marginals(without_users).axes[0]) == "log has no users, so there are no sessions"
    assert words(plots.similarity_by_distance(without_users).axes[0]).startswith("log has no users")
    assert words(plots.daily_concentrations(without_users).axes[1]) == "log has no estimates"
    assert words(plots.shuffled_sessions(without_users).axes[2]).startswith("log has no users")
    unresampled = without_users.compare([without_users])
    assert words(plots.verdicts(unresampled).axes[0]) == "no resamples"


def test_an_empty_workload_can_be_drawn(tmp_path) -> None:
    empty = tt.describe(Workload.from_columns(submit_s=[], name="nothing"))
    for name, figure in plots.description_figures(empty.compare([])).items():
        plots.save(figure, tmp_path / name, ["svg"])
    assert words(plots.weekly_cycle(empty).axes[0]) == "nothing has no jobs"
    assert words(plots.pox_lines(empty).axes[0]).startswith("0 arrivals are too few")
