"""`thinktime study`, `report` and `reproduce` from outside: exit codes, sentences, files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import thinktime as tt
from tests.cli.commands import thinktime
from tests.study.studies import TEXT, written

FAILING = TEXT.replace("seeds = 2", 'seeds = 2\nplatforms = ["log", "machine:processors=2"]') + (
    '[[rules]]\noversized = "error"\n'
)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    written(tmp_path / "small.toml")
    return tmp_path


def test_run_status_export_report(place: Path) -> None:
    outcome = thinktime(place, "study", "run", "small.toml")
    assert (outcome.code, outcome.err) == (0, "")
    assert "small: 4 of 4 runs done" in outcome.out
    found = json.loads(thinktime(place, "study", "status", "small.study", "--json").out)
    assert (found["runs"], found["done"], found["failed"], found["missing"]) == (4, 4, 0, 0)
    assert thinktime(place, "study", "export", "small.toml", "--out", "a.json").code == 0
    assert len(json.loads((place / "a.json").read_text())) == 4
    outcome = thinktime(place, "report", "small.toml", "--no-figures")
    assert (outcome.code, outcome.err) == (0, "")
    assert (place / "small.study" / "report.html").is_file()


def test_tables_are_by_log(tmp_path: Path) -> None:
    for name, seed in (("one", 1), ("two", 2)):
        tt.write_swf(tt.default_workload(seed=seed, jobs=200), tmp_path / f"{name}.swf")
    written(
        tmp_path / "s.toml",
        'name = "s"\nworkloads = ["one.swf", "two.swf"]\nschedulers = ["fcfs", "easy"]\n'
        'platforms = ["machine:processors=128"]\n',
    )
    outcome = thinktime(tmp_path, "study", "run", "s.toml", "--json")
    assert outcome.err == ""
    rows = outcome.json["table"]
    assert [(row["log"], row["configuration"], row["runs"]) for row in rows] == [
        (log, name, 1) for log in ("one", "two") for name in ("fcfs", "easy")
    ]
    assert rows[0]["wait_mean_s"] != rows[2]["wait_mean_s"]
    shown = thinktime(tmp_path, "study", "status", "s.toml").out.split("\n")
    assert [line for line in shown if line in ("one", "two")] == ["one", "two"]


def test_a_second_run_computes_nothing(place: Path) -> None:
    thinktime(place, "study", "run", "small.toml")
    found = json.loads(thinktime(place, "study", "run", "small.toml", "--json").out)
    assert (found["computed"], found["there"]) == (0, 4)


def test_compare_says_what_cannot_be_concluded(place: Path) -> None:
    thinktime(place, "study", "run", "small.toml")
    outcome = thinktime(place, "study", "compare", "small.toml")
    assert outcome.code == 0
    assert "At least 7 runs are needed to judge a difference." in outcome.out.replace("\n  ", " ")


def test_failures_are_reported_and_exit_with_3(place: Path) -> None:
    written(place / "failing.toml", FAILING)
    outcome = thinktime(place, "study", "run", "failing.toml")
    assert outcome.code == 3
    assert "4 failed" in outcome.out
    assert "but the machine has 2" in outcome.out
    assert thinktime(place, "study", "resume", "failing.study").code == 3


#: command → what its sentence must hold
MISTAKES = {
    "study run nix.toml": "Cannot read nix.toml",
    "study status small.toml": "does not exist: run the study first",
    "study export small.study": "Cannot read small.study",
    "study init small.toml": "small.toml already exists",
    "study run small.toml --threads 0": "threads must be at least 1",
    "study run small.toml --store small.toml": "is a file: choose another --store",
    "study run small.toml --dask nonsense": "nonsense",
    "report small.toml": "does not exist: run the study first",
    "reproduce nix": "no reproduction named 'nix'",
    "reproduce madon2024 --logs empty": "has none of the logs of madon2024",
    "reproduce madon2024 --logs nowhere": "does not exist",
}


@pytest.mark.parametrize("command", MISTAKES)
def test_a_mistake_is_one_message(place: Path, command: str) -> None:
    (place / "empty").mkdir()
    outcome = thinktime(place, *command.split())
    assert outcome.code == 2
    assert MISTAKES[command] in outcome.err
    assert outcome.err.count("\n") == 1
    assert outcome.out == ""


def test_an_export_needs_a_known_format(place: Path) -> None:
    thinktime(place, "study", "run", "small.toml")
    outcome = thinktime(place, "study", "export", "small.toml", "--out", "a.xlsx")
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert not (place / "a.xlsx").exists()
