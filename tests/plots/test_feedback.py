"""Figures of replay with feedback: what they show."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import thinktime as tt
from thinktime import plots
from thinktime.metrics import lateness_by_user, long_windows

DAY, HOUR = 86400.0, 3600.0
SUBMIT = np.arange(20) * DAY
USER = np.repeat([1.0, 2.0], 10)


def run(late_s: float = 0.0) -> SimpleNamespace:
    columns = {"submit_s": SUBMIT + late_s, "start_s": SUBMIT + late_s, "end_s": SUBMIT + late_s + HOUR}
    return SimpleNamespace(columns={**columns, "processors": np.full(20, 2.0)}, processors=4)


def test_every_case_has_a_panel_with_both_runs():
    figure = plots.submissions_compared(dict.fromkeys(("easy", "fcfs"), (SUBMIT, SUBMIT + DAY)), "KTH")
    assert figure.get_suptitle() == "KTH"
    assert [axes.get_title(loc="left") for axes in figure.axes if axes.get_visible()] == ["easy", "fcfs"]
    for axes in figure.axes:
        rigid, feedback = (patch.get_data().values for patch in axes.patches)
        assert rigid.tolist() == [7, 7, 6]
        assert feedback.tolist() == [6, 7, 7]


def test_panels_that_are_not_needed_are_hidden():
    figure = plots.submissions_compared({str(k): (SUBMIT, SUBMIT) for k in range(4)})
    assert [axes.get_visible() for axes in figure.axes] == [True] * 4 + [False] * 2


def test_jobs_add_up_to_all_of_them():
    figure = plots.cumulative_jobs({"easy": (run(), run(3 * DAY))})
    submitted, ended = figure.axes
    assert (submitted.get_ylabel(), ended.get_ylabel()) == ("jobs submitted", "jobs ended")
    assert [line.get_ydata()[-1] for axes in figure.axes for line in axes.lines] == [20] * 4
    assert [line.get_xdata()[0] for line in submitted.lines] == [0, 3]


@pytest.mark.parametrize(("of", "words"), [("mean_s", "mean lateness"), ("additional_s", "additional lateness")])
def test_users_are_dots_on_signed_axes(of, words):
    late = lateness_by_user(SUBMIT + np.where(USER == 1, -HOUR, 3 * HOUR), SUBMIT, USER)
    axes = plots.lateness_by_jobs({"easy": late}, of).axes[0]
    dots = axes.collections[0].get_offsets()
    assert dots[:, 0].tolist() == [10, 10]
    assert dots[:, 1].tolist() == getattr(late, of).tolist()
    assert (axes.get_yscale(), axes.get_xscale(), axes.get_ylabel()) == (
        "symlog",
        "log",
        f"{words}, log scale",
    )
    low, high = axes.get_ylim()
    assert low == -high


def test_differences_say_their_mean():
    axes = plots.submit_differences({"perf*2": np.full(10, -2 * DAY), "fcfs": np.array([np.nan, 5 * DAY])}).axes[0]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["perf*2 (mean −2.0 d)", "fcfs (mean +5.0 d)"]
    for patch in axes.patches:
        values, borders, _ = patch.get_data()
        assert np.sum(values * np.diff(borders)) == pytest.approx(1.0)


def test_without_jobs_there_is_nothing_to_compare():
    assert plots.submit_differences({}).axes[0].texts[0].get_text() == "no job to compare"


def test_weeks_share_their_scale():
    figure = plots.submissions_by_hour({"rigid": np.full(5, 9 * HOUR), "easy": np.array([9 * HOUR, 10 * HOUR])})
    rigid, easy = figure.axes
    assert rigid.get_ylim() == easy.get_ylim()
    assert rigid.patches[0].get_data().values[9] == 5


def test_windows_are_bars_of_means_with_their_dots():
    windows = long_windows(run().columns, 4, lengths_s=(5 * DAY, 10 * DAY), begin_s=0.0)
    figure = plots.windows_compared({"easy": {"rigid": windows, "a60": windows}, "fcfs": {"rigid": windows}})
    throughput, utilisation = figure.axes
    assert len(throughput.containers) == 2
    mean = np.mean([window.throughput_per_day for window in windows])
    assert throughput.containers[0][0].get_height() == pytest.approx(mean)
    assert utilisation.containers[0][0].get_height() == pytest.approx(100 * 2 / 4 / 24, rel=0.2)
    assert [label.get_text() for label in throughput.get_xticklabels()] == ["easy", "fcfs"]
    legend = [text.get_text() for text in throughput.get_legend().get_texts()]
    assert sorted(legend) == ["a60", "rigid", "windows of 5, 10 days"]
    months = long_windows(run().columns, 4)
    axes = plots.windows_compared({"easy": {"rigid": months}}).axes[0]
    assert "windows of 4, 6, 8 months" in [text.get_text() for text in axes.get_legend().get_texts()]


def test_prefixes_are_lines():
    axes = plots.lateness_by_prefix({"easy": ([10, 20], [-5.0, -4.0])}).axes[0]
    assert axes.lines[0].get_xydata().tolist() == [[10, -5], [20, -4]]


def test_many_cases_stand_three_in_a_row():
    figure = plots.cumulative_jobs({str(k): (run(), run()) for k in range(4)})
    shown = [axes.get_title(loc="left") for axes in figure.axes if axes.get_visible()]
    assert shown == [
        *("0: submitted", "1: submitted", "2: submitted", "0: ended", "1: ended", "2: ended"),
        *("3: submitted", "3: ended"),
    ]


def test_activity_is_a_distribution_over_users():
    axes = plots.activity_lengths({"rigid": np.array([0.0, HOUR, DAY, np.nan]), "fluid": np.array([])}).axes[0]
    assert len(axes.lines) == 1
    x, share = axes.lines[0].get_data()
    assert dict(zip(x.tolist(), share.tolist(), strict=True)) == pytest.approx({60.0: 1 / 3, HOUR: 2 / 3, DAY: 1.0})


def test_all_figures_of_a_campaign():
    workload = tt.default_workload(jobs=300)
    machine = tt.Machine(processors=128)
    users = {"rigid": tt.Rigid(), "a60": tt.SessionReplay(threshold_min=60), "a0": tt.SessionReplay(threshold_min=0)}
    runs = {"easy": {name: tt.simulate(workload, machine, tt.Easy(), users=model) for name, model in users.items()}}
    figures = plots.feedback_figures(workload, runs, {"easy": ([100, 300], [1.0, 2.0])})
    assert [name[:5] for name in figures] == [
        *("fig02", "fig03", "fig04", "fig05", "fig06", "fig07", "fig07", "fig08", "fig09", "fig10", "fig11")
    ]
    hours = figures["fig08_submissions_by_hour"].axes
    assert [axes.get_title(loc="left") for axes in hours] == ["recorded", "easy (a60)"]


def test_without_a_clock_there_are_no_weeks():
    workload = tt.Workload.from_columns(submit_s=[0, 10], run_s=[1, 1], processors=[1, 1], user=[1, 1])
    run = tt.simulate(workload, tt.Machine(processors=1), tt.Easy())
    found = plots.feedback_figures(workload, {"easy": {"rigid": run, "a60": run}})
    assert not [name for name in found if name.startswith(("fig08", "fig11", "fig07_differences_a0"))]
