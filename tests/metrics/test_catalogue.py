"""The catalogue: a metric is one row, and every part of the program finds it there."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import thinktime as tt
from tests.cli.commands import thinktime
from tests.shared_data import ROOT
from tests.study.studies import small
from thinktime.metrics import CATALOGUE, Accumulator, Metric, selected
from thinktime.metrics.catalogue.job_rows import wait
from thinktime.metrics.metric import Columns, with_plugin


def long_waits(of: Columns, tau_s: float) -> np.ndarray:
    """1 for each job that waits for more than an hour."""
    return (wait(of, tau_s) > 3600.0).astype(np.float64)


TOY = Metric(
    name="long_wait_share",
    label="jobs that wait over an hour",
    formula="s − a > 1 h",
    group="wait",
    per_job=long_waits,
    main=True,
)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Metric:
    monkeypatch.setitem(CATALOGUE._rows, TOY.name, TOY)
    return TOY


def run() -> tt.Result:
    return tt.simulate(tt.default_workload(weeks=2), tt.Machine(processors=128), tt.Easy())


def test_a_new_row_is_in_summaries_and_selections(toy: Metric) -> None:
    found = run()
    expected = float(np.mean(found.columns["start_s"] - found.columns["submit_s"] > 3600.0))
    assert found.summary()[toy.name] == expected
    assert toy.label in str(found.summary())
    assert toy.label in found.summary()._repr_html_()
    assert found.summary().to_dict()[toy.name] == expected
    assert selected(found.columns, found.timeline_columns, 128, [toy.name]) == {toy.name: expected}


def test_a_new_row_is_streamed(toy: Metric) -> None:
    found, sums = run(), Accumulator(128)
    for begin in range(0, len(found), 500):
        sums.add({name: values[begin : begin + 500] for name, values in found.columns.items()})
    assert sums.summary()[toy.name] == pytest.approx(found.summary()[toy.name], rel=1e-12)


def test_a_new_row_is_on_the_command_line(toy: Metric, tmp_path: Path) -> None:
    tt.write_swf(tt.default_workload(jobs=100), tmp_path / "log.swf")
    command = ("run", "log.swf", "--processors", "128", "--no-figures", "--out", "run")
    assert toy.label in thinktime(tmp_path, *command).out
    assert toy.name in thinktime(tmp_path, *command, "--overwrite", "--json").json["summary"]


def test_a_new_row_is_compared_by_blocks_and_in_studies(toy: Metric, tmp_path: Path) -> None:
    log, machine = tt.default_workload(weeks=3), tt.Machine(processors=128)
    runs = [tt.simulate(log, machine, scheduler) for scheduler in (tt.FCFS(), tt.Easy())]
    assert tt.compare(runs, metric=toy.name)[toy.name].table.about == toy
    done = small(metrics=[toy.name]).run(tmp_path / "store")
    assert toy.name in done.table.columns
    assert toy.label in str(done.compare())


def test_cautions_apply_to_the_group_of_a_new_row(toy: Metric) -> None:
    slow = tt.Machine(processors=128).scaled(speed=0.5)
    found = tt.simulate(tt.default_workload(weeks=1), slow, tt.Easy(), overrun="kill").summary()
    assert found.cautions.of(toy.name).count("killed") == found["killed"] > 0


def test_a_plugin_carries_its_metrics() -> None:
    class Counter(tt.OwnPlugin, name="start-counter"):
        metrics = (
            Metric(
                name="starts",
                label="starts",
                runs=with_plugin("start-counter", "start-counter"),
                value=lambda run: int(run.tables["start-counter"]["starts"][0]),
            ),
        )

        def start(self, context: object) -> object:
            return Counting()

    class Counting:
        starts = 0

        def started(self, system: object, job: int) -> None:
            self.starts += 1

        def report(self) -> dict[str, list[int]]:
            return {"starts": [self.starts]}

    assert CATALOGUE["starts"].runs.plugin == "start-counter"
    log = tt.default_workload(jobs=50)
    found = tt.simulate(log, tt.Cluster.from_text("seth"), tt.Easy(), plugins=[Counter()]).summary()
    assert found["starts"] == found["completed"] > 0


def test_every_row_is_complete() -> None:
    for name, row in CATALOGUE.items():
        if row.runs.plugin == "start-counter":
            continue
        assert name == row.name
        assert row.label
        assert row.formula
        assert row.group
        assert (row.per_job is None) or (row.value is None and row.in_window is None), name
        assert row.better in (-1, 0, 1)
    assert len(CATALOGUE.main()) == 16
    assert CATALOGUE.default() == ("wait_mean_s", "bounded_slowdown_mean", "utilisation")


#: Files with two names in a row for another reason: formulas and groups of the same names, figures of two metrics, an
#: example, and the measures of a published bootstrap.
NAMED = (
    *("metrics/catalogue/", "metrics/__init__.py", "metrics/caution_kinds.py", "plugins/"),
    *("plots/", "study/study_file.py", "bootstrapping/trials.py"),
)


def test_no_list_of_metrics_outside_the_catalogue() -> None:
    """Two or more names in one statement outside the catalogue are a list that the next metric would have to join."""
    names = "|".join(CATALOGUE.every_run())
    found = re.compile(rf"\"(?:{names})\",\s*\*?\(?\"(?:{names})\"")
    package = ROOT / "src" / "thinktime"
    files = [path for path in package.rglob("*.py") if not str(path.relative_to(package)).startswith(NAMED)]
    plain = {"jobs", "completed", "killed", "rejected", "unfinished", "users"}  # also statuses and dimensions
    lists = {
        str(path.relative_to(package)): match.group()
        for path in files
        for match in found.finditer(path.read_text(encoding="utf-8"))
        if not set(re.findall(r"\w+", match.group())) <= plain
    }
    assert lists == {}
