"""`--scale-load` of commands."""

from __future__ import annotations

from pathlib import Path

import pytest

import thinktime as tt
from tests.cli.commands import small_log, thinktime
from thinktime import Result


@pytest.fixture
def place(tmp_path: Path) -> Path:
    small_log(tmp_path / "small.swf")
    return tmp_path


def test_the_run_is_the_library_s_and_says_what_was_done(place: Path) -> None:
    outcome = thinktime(place, "run", "small.swf", "--scale-load", "1.2:arrivals", "--out", "out", "--no-figures")
    assert outcome.code == 0
    assert "load scaled: times between submissions divided by 1.2" in " ".join(outcome.out.split())
    assert "has a crudely scaled load" in " ".join(outcome.out.split())
    expected = tt.simulate(tt.scale_load(tt.read(place / "small.swf"), 1.2))
    assert Result.load(place / "out") == expected


def test_steps_are_taken_in_order_and_sizes_know_the_machine(place: Path) -> None:
    options = ("--scale-load", "1.5:sizes", "--scale-load", "0.9:run_times", "--processors", 16, "--json")
    done = thinktime(place, "run", "small.swf", *options, "--no-figures", "--oversized", "clip").json
    assert [step["by"] for step in done["account"]["load_scaling"]] == ["sizes", "run_times"]
    assert done["account"]["load_scaling"][0]["clamped"] > 0


@pytest.mark.parametrize("command", ["inspect", "sessions"])
def test_logs_say_it_too(place: Path, command: str) -> None:
    said = thinktime(place, command, "small.swf", "--scale-load", "1.2:run_times")
    assert "load scaled: run times and estimates multiplied by 1.2" in " ".join(said.out.split())


def test_generated_workloads_can_be_scaled(place: Path) -> None:
    done = thinktime(place, "run", "default:jobs=200", "--scale-load", "1.2", "--no-figures", "--json").json
    assert done["account"]["load_scaling"][0]["factor"] == 1.2


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("x", "write FACTOR:BY"),
        ("1.2:users", "choose one of arrivals, run_times, sizes"),
        ("0", "between 0.01 and 100"),
    ],
)
def test_wrong_values_are_named(place: Path, value: str, words: str) -> None:
    outcome = thinktime(place, "run", "small.swf", "--scale-load", value)
    assert outcome.code == 2
    assert outcome.err.startswith("thinktime: --scale-load: ")
    assert words in outcome.err


def test_streams_are_scaled_too(place: Path) -> None:
    options = ("small.swf", "--scale-load", "1.2:arrivals", "--json", "--no-figures")
    found = [thinktime(place, "run", *options, "--out", out, *more).json for out, *more in (["a"], ["b", "--stream"])]
    assert found[0]["digest"] == found[1]["digest"]
    assert found[1]["account"]["load_scaling"][0]["reached"] == pytest.approx(1.2)
    assert "load_scaled" in found[1]["summary"]["cautions"]
