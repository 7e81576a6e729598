"""`demo`, `inspect`, `check` and `bench`."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from tests.cli.commands import small_log, thinktime
from thinktime import Result
from thinktime.cli import parsing, printing
from thinktime.errors import InputError
from thinktime.result.canonical_json import digest_of_file


def test_demo_in_an_empty_folder_and_again(tmp_path: Path) -> None:
    outcome = thinktime(tmp_path, "demo")
    assert (outcome.code, outcome.err) == (0, "")
    for name in ("fcfs", "easy"):
        assert thinktime(tmp_path, "check", f"demo/{name}").code == 0
    words = [word for word in outcome.out.split() if word.startswith("demo/")]
    named = {word for word in words if word.endswith((".png", ".swf"))}
    assert len(named) == 4
    assert all((tmp_path / path).is_file() for path in named)
    assert thinktime(tmp_path, "demo").code == 2
    again = thinktime(tmp_path, "demo", "--overwrite", "--seed", 2, "--json")
    assert (again.code, again.err) == (0, "")
    assert again.json["runs"]["easy"]["spec"]["workload"]["seed"] == 2


def test_inspect_a_log(tmp_path: Path) -> None:
    small_log(tmp_path / "small.swf")
    outcome = thinktime(tmp_path, "inspect", "small.swf", "--out", "drawn")
    assert (outcome.code, outcome.err) == (0, "")
    assert "200 of 200 jobs kept" in outcome.out
    assert "128 processors (MaxProcs)" in outcome.out
    assert len(list((tmp_path / "drawn").glob("*.png"))) == 7


def test_inspect_writes_nothing_unasked(tmp_path: Path) -> None:
    small_log(tmp_path / "small.swf")
    found = thinktime(tmp_path, "inspect", "small.swf", "--json").json
    assert [path.name for path in tmp_path.iterdir()] == ["small.swf"]
    assert found["statistics"]["jobs"] == 200
    assert found["header"]["MaxProcs"] == ["128"]
    assert found["statistics"]["distributions"]["wait_s"] == {"known": 0}


def test_inspect_a_run(tmp_path: Path) -> None:
    small_log(tmp_path / "small.swf")
    thinktime(tmp_path, "run", "small.swf", "--out", "out", "--no-figures")
    found = thinktime(tmp_path, "inspect", "out", "--figures", "--formats", "svg", "--json").json
    assert found["spec"] == json.loads((tmp_path / "out" / "run.json").read_text())["spec"]
    assert len(found["paths"]["figures"]) == len(list((tmp_path / "out" / "figures").glob("*.svg"))) == 8


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A run whose jobs 1 to 30 start a second too early, with a hash that fits."""
    small_log(tmp_path / "small.swf")
    thinktime(tmp_path, "run", "small.swf", "--out", "out", "--no-figures")
    place = tmp_path / "out"
    jobs = pl.read_parquet(place / "jobs.parquet")
    early = pl.when(pl.col("job") <= 30).then(pl.col("submit_s") - 1).otherwise(pl.col("start_s"))
    jobs.with_columns(early.alias("start_s")).write_parquet(place / "jobs.parquet")
    content = json.loads((place / "run.json").read_text())
    content["files"]["jobs.parquet"] = digest_of_file(place / "jobs.parquet")
    (place / "run.json").write_text(json.dumps(content))
    return tmp_path


def test_check_lists_violations(broken: Path) -> None:
    outcome = thinktime(broken, "check", "out")
    lines = outcome.out.splitlines()
    assert (outcome.code, outcome.err) == (1, "")
    assert "invariants are violated" in lines[0]
    assert len(lines) == 22
    assert "job 1 starts at" in lines[1]
    assert len(thinktime(broken, "check", "out", "--all").out.splitlines()) > 61


def test_check_as_json(broken: Path) -> None:
    thinktime(broken, "run", "small.swf", "--out", "good", "--no-figures")
    outcome = thinktime(broken, "check", "good", "out", "--json")
    assert outcome.code == 1
    assert [run["ok"] for run in outcome.json["runs"]] == [True, False]
    assert outcome.json["ok"] is False
    assert outcome.json["runs"][1]["violations"][0]["job"] == 1


def test_a_damaged_run_cannot_be_checked(broken: Path) -> None:
    with (broken / "out" / "jobs.parquet").open("ab") as file:
        file.write(b"x")
    outcome = thinktime(broken, "check", "out")
    assert outcome.code == 2
    assert "differs from its hash" in outcome.err


def test_bench_on_the_default_workload(tmp_path: Path) -> None:
    found = thinktime(tmp_path, "bench", "--quick", "--only", "engine", "--json").json["measurements"]
    assert [one["scheduler"] for one in found] == ["fcfs", "easy", "conservative"]
    easy = thinktime(tmp_path, "run", "default", "--no-figures", "--json").json
    assert found[1]["mean_wait_s"] == pytest.approx(easy["summary"]["wait_mean_s"], rel=1e-12)
    assert all(one["events"] == 2 * one["jobs"] and one["finished"] for one in found)
    assert found[1]["jobs"] == len(Result.load(tmp_path / easy["paths"]["run"]))


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("3600", 3600.0),
        ("90m", 5400.0),
        ("12h", 43200.0),
        ("7d", 604800.0),
        ("1d12h", 129600.0),
        ("0.5 h", 1800.0),
    ],
)
def test_durations(text: str, seconds: float) -> None:
    assert parsing.seconds("--warmup", text) == seconds


@pytest.mark.parametrize("text", ["", "7x", "d", "-1", "1h-", "nan", "inf", "1e400", "h1"])
def test_no_durations(text: str) -> None:
    with pytest.raises(InputError, match="--warmup must be"):
        parsing.seconds("--warmup", text)


@pytest.mark.parametrize(
    ("text", "window"), [("1h:2h", (3600.0, 7200.0)), (":2h", (None, 7200.0)), ("0:", (0.0, None))]
)
def test_windows(text: str, window: tuple[float | None, float | None]) -> None:
    assert parsing.window("--window", text) == window


def test_durations_in_words() -> None:
    said = [printing.duration(seconds) for seconds in (0, 0.25, 45, 150, 9000, 259200.0, 86400 * 1264.6, float("nan"))]
    assert said == ["0 s", "0.25 s", "45 s", "2.5 min", "2.5 h", "3 d", "1,265 d", "–"]


@pytest.mark.parametrize(
    "change",
    [
        {"spec": {}},
        {"spec": None},
        {"summary": {}},
        {"summary": {"wait_mean_s": "long", "settings": {}, "excluded": {}, "notes": {}}},
        {"statistics": {"engine_s": "long"}},
        {"account": {"kept": 5}},
        {"jobs": None},
        {"digest": 7},
    ],
)
def test_a_damaged_run_json_is_one_message(tmp_path: Path, change: dict[str, object]) -> None:
    small_log(tmp_path / "small.swf")
    thinktime(tmp_path, "run", "small.swf", "--no-figures", "--out", "run")
    path = tmp_path / "run" / "run.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    outcome = thinktime(tmp_path, "inspect", "run")
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert "run.json" in outcome.err
    assert thinktime(tmp_path, "check", "run").code in (0, 1, 2)


def test_figures_without_data_are_not_written_and_it_is_said(tmp_path: Path) -> None:
    """The only job is larger than the machine, so it is rejected and nothing waits."""
    (tmp_path / "big.swf").write_text("; MaxProcs: 4\n1 0 -1 10 99 -1 -1 99 10 -1 1 1 1 1 1 1 -1 -1\n")
    done = thinktime(tmp_path, "run", "big.swf", "--processors", "4", "--figures", "--out", "out")
    assert done.code == 0
    assert "thinktime: note: figure wait_distribution is not written: no job started" in done.err
    assert not (tmp_path / "out" / "figures" / "wait_distribution.png").exists()
