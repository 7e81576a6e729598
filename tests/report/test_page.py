"""The report: self-contained, honest about what is missing, and in the order that a reader needs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.report.pages import words_of
from tests.study.studies import small
from thinktime.errors import InputError
from thinktime.report import page, write
from thinktime.report.content import Content
from thinktime.report.metric_rows import rows_of, value_figure
from thinktime.report.page_figures import all_figures
from thinktime.study import Store, Study, open_store, run_study
from thinktime.study.outcomes import by_configuration
from thinktime.study.store import of_study


def carried_out(place: Path, study: Study) -> Store:
    store = open_store(place, study)
    run_study(study, store)
    return store


def test_the_page_needs_nothing_from_elsewhere(tmp_path: Path) -> None:
    study = small(seeds=6, question="Is <easy> better?")
    store = carried_out(tmp_path / "s", study)
    write(Content(study, store), tmp_path / "report.html")
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert not re.findall(r"""<(?:script|link|img)[^>]+(?:src|href)\s*=\s*["'](?!data:)[^"']+""", html)
    assert "Is &lt;easy&gt; better?" in html
    assert len(html) < 3_000_000


def test_the_answer_stands_before_the_tables_and_the_tables_before_the_figures(tmp_path: Path) -> None:
    study = small(seeds=6)
    seen = words_of(page(Content(study, carried_out(tmp_path / "s", study))))
    assert seen.index("Answer") < seen.index("mean wait") < seen.index("Results")
    assert seen.index("Results") < seen.index("Figures") < seen.index("Every run")


def test_every_run_and_its_hash_is_there(tmp_path: Path) -> None:
    study = small(seeds=3)
    html = page(Content(study, carried_out(tmp_path / "s", study)))
    assert all(f'title="{task.run}"' in html for task in study.tasks())


def test_failed_missing_and_saturated_runs_are_warned_of(tmp_path: Path) -> None:
    study = small(seeds=[1], rules=[{"oversized": "error"}], platforms=["log", "machine:processors=2"])
    store = carried_out(tmp_path / "s", study)
    more = small(seeds=2, rules=[{"oversized": "error"}], platforms=["log", "machine:processors=2"])
    seen = words_of(page(Content(more, store)))
    assert "4 of 8 runs are missing" in seen
    assert "2 runs failed" in seen
    assert "but the machine has 2" in seen


def test_rejected_jobs_are_warned_of(tmp_path: Path) -> None:
    study = small(seeds=[1], platforms=["machine:processors=16"])
    assert "Rejected: 17 of 60 jobs (28.3 %) in each. Not in any mean" in words_of(
        page(Content(study, carried_out(tmp_path / "s", study)))
    )


def test_one_run_each_concludes_nothing(tmp_path: Path) -> None:
    study = small(seeds=[1])
    seen = words_of(page(Content(study, carried_out(tmp_path / "s", study))))
    assert "One run per configuration: the differences hold for these runs and have no intervals." in seen


def test_an_empty_store_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No run of small has succeeded"):
        page(Content(small(), open_store(tmp_path / "s", small())))


def test_figures_show_the_runs(tmp_path: Path) -> None:
    study = small(seeds=5)
    store = carried_out(tmp_path / "s", study)
    content = Content(study, store)
    plot = value_figure(rows_of(content, "wait_mean_s"), "wait_mean_s").plot
    dots = plot.renderers[0].data_source.data
    done = by_configuration(study, of_study(store, study))
    expected = [run["summary"]["wait_mean_s"] for runs in done.values() for run in runs]
    assert list(dots["value"]) == pytest.approx(expected)
    assert list(plot.y_range.factors) == ["easy", "fcfs"]
    assert set(all_figures(content)) >= {
        "Distribution of waits",
        "Distribution of slowdowns",
        "Users",
        "Load over the week",
    }


def test_a_study_of_many_runs_stays_light(tmp_path: Path) -> None:
    """A thousand runs by copying outcomes: what counts is the size of the page."""
    study = small(seeds=500)
    store = open_store(tmp_path / "s", study)
    run_study(small(seeds=1), store)
    models = {each["cell"]["scheduler"]: each for each in store.outcomes.values()}
    for task in study.tasks():
        store.add({**models[task.cell["scheduler"]], "run": task.run, "cell": dict(task.cell)})
    assert len(page(Content(study, store))) < 15_000_000


def test_a_page_without_data_is_not_made(tmp_path: Path) -> None:
    """A scheduler that rejects every job leaves no wait to show."""
    study = small(schedulers=["reject"], metrics=["wait_mean_s"])
    store = carried_out(tmp_path / "s", study)
    with pytest.raises(InputError, match="no page is written"):
        write(Content(study, store), tmp_path / "report.html")
    assert not (tmp_path / "report.html").exists()


def test_the_table_counts_the_runs_that_were_compared(tmp_path: Path) -> None:
    """easy lacks two of ten seeds: text, table and figure are about eight."""
    study = small(seeds=10)
    store = open_store(tmp_path / "s", study)
    run_study(small(seeds=10, skip=[{"scheduler": "easy", "seed": [1, 2]}]), store)
    content = Content(study, store)
    html = page(content)
    assert "2 of 10 runs are left out" in words_of(html)
    cells = re.findall(r"<tr><td>(easy|fcfs)</td><td class=\"n\">([\d,]+)</td>", html)
    assert {count for _, count in cells} == {"8"}
    assert {len(row.values) for row in rows_of(content, "wait_mean_s")} == {8}
