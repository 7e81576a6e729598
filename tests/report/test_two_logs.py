"""A study of 2 logs × 3 schedulers × 2 user models: what its answer and its page look like."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import thinktime as tt
from tests.report.pages import words_of
from thinktime.errors import InputError
from thinktime.report import Content, page
from thinktime.report.page_figures import all_figures
from thinktime.report.print_figures import write_figures
from thinktime.study import Study, open_store, run_study
from thinktime.study.comparison.short_answer import LINES, lines_of

SCHEDULERS = ["easy", {"name": "sjbf", "spec": "easy:backfill_order=sjf"}, "conservative"]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("two")
    for name, seed, weeks in (("ONE-SP2-1996-2.1", 1, 3), ("TWO-SP2-1998-4.2", 2, 2)):
        tt.write_swf(tt.default_workload(seed=seed, weeks=weeks, load=0.7), folder / f"{name}.swf")
    return folder


def content(place: Path, store: str = "s", pooled: bool = False, **keys: Any) -> Content:
    logs = [{"log": str(path), "name": path.stem, "machine": 128} for path in sorted(place.glob("*.swf"))]
    given: dict[str, Any] = {"name": "two", "question": "Which is better?", "workloads": logs, "schedulers": SCHEDULERS}
    given |= {"users": ["rigid", "session-replay"], "metrics": ["wait_mean_s", "utilisation"]}
    study = Study.of(**given | keys)
    kept = open_store(place / store, study)
    run_study(study, kept)
    return Content(study, kept, pooled)


def test_the_page_has_question_answer_tables_by_log_and_figures_in_this_order(place: Path) -> None:
    html = page(content(place))
    seen = words_of(html)
    parts = [
        "Which is better?",
        "Answer",
        "Results by log",
        "ONE-SP2-1996-2.1",
        "users: rigid",
        "users: session-replay",
    ]
    parts += ["TWO-SP2-1998-4.2", "Differences are to easy", "intervals, tests and ranks", "Figures", "Every run"]
    places = [seen.index(part) for part in parts if part != "users: session-replay"]
    assert places == sorted(places)
    assert html.count("<em>users: rigid</em>") == html.count("<em>users: session-replay</em>") == 2
    assert len(re.findall(r"<figcaption>[^<]{20,}</figcaption>", html)) == html.count("<figure>")


def test_each_log_and_user_model_is_compared_by_itself(place: Path) -> None:
    found = content(place).conclusions
    assert found is not None
    assert [case.place for case in found.cases] == [
        f"{log} ({users})" for log in ("ONE-SP2", "TWO-SP2") for users in ("rigid", "session-replay")
    ]
    assert all(case.comparison["wait_mean_s"].table.names == ("easy", "sjbf", "conservative") for case in found.cases)
    values = {
        (run["cell"]["workload"], run["cell"]["users"], run["cell"]["scheduler"]): run["summary"]["wait_mean_s"]
        for run in content(place).outcomes
    }
    table = found.at("TWO-SP2", "rigid")["wait_mean_s"].table
    assert table.values.tolist() == [[values["TWO-SP2-1998-4.2", "rigid", name] for name in table.names]]


def test_single_runs_are_facts_without_intervals(place: Path) -> None:
    concluded = content(place).conclusions
    assert concluded is not None
    said = " ".join(concluded.words())
    assert "hold for these runs and have no intervals" in said
    assert 'keep = "jobs"' in said
    assert set(concluded.table()["verdict"]) == {"baseline", "single"}
    assert concluded.table()["difference_low"].null_count() == concluded.table().height


def test_logs_are_averaged_only_when_asked(place: Path) -> None:
    separate, pooled = content(place).conclusions, content(place, pooled=True).conclusions
    assert separate is not None
    assert pooled is not None
    assert "Averaged" not in " ".join(separate.words())
    assert "Averaged over two logs; it may not hold for others." in " ".join(pooled.words())
    assert [case.place for case in pooled.cases] == ["rigid", "session-replay"]
    assert "Averaged over two logs" in words_of(page(content(place, pooled=True)))
    with pytest.raises(InputError, match="4 comparisons"):
        separate["wait_mean_s"]


def test_kept_jobs_are_compared_in_blocks_of_each_log(place: Path) -> None:
    found = content(place, "kept", keep="jobs").conclusions
    assert found is not None
    assert {case.comparison["wait_mean_s"].table.kind for case in found.cases} == {"batch"}
    assert 'keep = "jobs"' not in " ".join(found.words())


def test_one_correction_covers_all_logs_and_user_models(place: Path) -> None:
    found = content(place, "kept", keep="jobs").conclusions
    assert found is not None
    tested = [c for case in found.cases for each in case.comparison.metrics.values() for c in each.contrasts]
    least = min(tested, key=lambda contrast: contrast.wilcoxon.p_value if contrast.wilcoxon else 1.0)
    assert least.wilcoxon is not None
    assert least.p_holm == pytest.approx(min(1.0, len(tested) * least.wilcoxon.p_value))


def test_a_named_user_model_in_the_baseline_is_compared_too(place: Path) -> None:
    """With both dimensions in the baseline every cell is compared with one."""
    found = content(place, baseline={"scheduler": "easy", "users": "rigid"}).conclusions
    assert found is not None
    assert [case.place for case in found.cases] == ["ONE-SP2", "TWO-SP2"]
    assert len(found.at("ONE-SP2")["wait_mean_s"].table.names) == 6


def test_figures_are_per_log_and_have_data(place: Path) -> None:
    drawn = all_figures(content(place))
    assert {"wait, mean, difference", "utilisation", "Distribution of waits, ONE-SP2"} <= set(drawn)
    files = {path.stem for path in write_figures(content(place), place / "figures", ["svg"])}
    assert {"wait_ecdf_ONE-SP2", "wait_ecdf_TWO-SP2", "wait_mean_s_differences"} <= files


def test_logarithmic_axes_of_the_page_say_so(place: Path) -> None:
    for name, each in all_figures(content(place)).items():
        for axis, scale in ((each.plot.xaxis[0], each.plot.x_scale), (each.plot.yaxis[0], each.plot.y_scale)):
            logarithmic = type(scale).__name__ == "LogScale"
            assert logarithmic == ("log scale" in (axis.axis_label or "")), name


def test_the_answer_of_a_grid_of_five_dimensions_has_ten_lines(place: Path) -> None:
    dimensions: dict[str, Any] = {
        "schedulers": ["easy", "fcfs", "sjf", "ljf", "conservative"],
        "platforms": ["log", "log:processors_factor=2"],
        "estimates": ["requested", "perfect"],
        "rules": [{"name": "extend"}, {"name": "kill", "overrun": "kill"}],
    }
    found = content(place, "five", **dimensions).conclusions
    assert found is not None
    assert len(found.cases) == 2 * 2 * 2 * 2 * 2
    assert lines_of(found.words()) <= LINES
    assert "mean wait" in found.words()[1]  # behind a warning
    assert "of 128 comparisons with easy" in " ".join(found.words())
