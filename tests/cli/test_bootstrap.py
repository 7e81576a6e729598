"""`thinktime bootstrap` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import thinktime as tt
from tests.cli.commands import thinktime
from thinktime.cli.commands.bootstrap import parse_loads
from thinktime.errors import InputError
from thinktime.workload import write_swf

FEW = ("--resamples", 4, "--jackknife", 3)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    write_swf(tt.default_workload(weeks=16, users=12, load=0.3), tmp_path / "old.swf")
    return tmp_path / "old.swf"


def test_intervals_differences_and_figures(tmp_path: Path, log: Path) -> None:
    arguments = ("bootstrap", "old.swf", *FEW, "--scheduler", "easy", "--scheduler", "fcfs", "--out", "out")
    outcome = thinktime(tmp_path, *arguments)
    assert (outcome.code, outcome.err) == (0, "")
    assert "4 resamples" in outcome.out
    assert "easy − fcfs" in outcome.out
    machine = tt.Machine(processors=128)
    found = tt.bootstrap(tt.read_swf(log), machine, [tt.Easy(), tt.FCFS()], resamples=4, jackknife=3)
    assert pl.read_parquet(tmp_path / "out" / "table.parquet").equals(found.table)
    intervals = pl.read_csv(tmp_path / "out" / "intervals.csv")
    assert intervals["percentile_low"].to_list() == pytest.approx(found.intervals()["percentile_low"].to_list())
    assert (tmp_path / "out" / "differences.csv").is_file()
    assert {path.stem for path in (tmp_path / "out" / "figures").glob("*.png")} == {
        "resamples_easy",
        "resamples_fcfs",
        "differences_easy_fcfs",
    }
    again = thinktime(tmp_path, *arguments)
    assert again.out == outcome.out


def test_json(tmp_path: Path, log: Path) -> None:
    said = thinktime(tmp_path, "bootstrap", log, *FEW, "--no-figures", "--level", 0.9, "--json").json
    assert said["log"]["name"] == "old"
    assert said["level"] == 0.9
    assert [row["measure"] for row in said["intervals"]][:2] == ["jobs", "wait_mean_s"]
    assert said["original"]["easy"]["jobs"] == len(tt.read_swf(log))
    assert said["paths"] == [f"old-bootstrap/{name}" for name in ("bootstrap.json", "table.parquet", "intervals.csv")]


def test_a_sweep_over_loads(tmp_path: Path, log: Path) -> None:
    arguments = ("bootstrap", log, "--loads", "0.5:1:0.25", "--resamples", 2, "--out", "loads")
    said = thinktime(tmp_path, *arguments, "--json").json
    assert [row["load"] for row in said["loads"]] == [0.5, 0.75, 1.0]
    assert "loads/figures/load_sweep.png" in said["paths"]
    assert "load 0.75" in thinktime(tmp_path, *arguments).out


def test_a_short_log_needs_narrower_pools(tmp_path: Path) -> None:
    """What the sentence advises can be given."""
    flags = ("bootstrap", "default:weeks=4", "--resamples", 2, "--jackknife", 0, "--no-figures", "--out", "short")
    assert "choose smaller edge_weeks" in thinktime(tmp_path, *flags).err
    assert not (tmp_path / "short").exists()
    assert thinktime(tmp_path, *flags, "--edge-weeks", 0, "--long-term-weeks", 2).code == 0
    about = json.loads((tmp_path / "short" / "bootstrap.json").read_text())["about"]
    assert about["resample"] == {"edge_weeks": 0.0, "long_term_weeks": 2.0}


def test_factors() -> None:
    assert parse_loads("--loads", "0.8:1.4:0.1") == [0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4]
    assert parse_loads("--loads", "1,2.5") == [1.0, 2.5]
    for text in ("1:2", "2:1:0.1", "1:2:0", "a:b:c", "", "inf:inf:1", "1:inf:1", "1:2:inf", "0.1:100:0.001"):
        with pytest.raises(InputError, match="--loads"):
            parse_loads("--loads", text)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--resamples", "many"), "--resamples must be"),
        (("--level", "2"), "--level must be a number between 0 and 1"),
        (("--load", "1.2", "--loads", "1,2"), "exclude each other"),
        (("--scheduler", "eazy"), "easy"),
        (("--measures", "wait"), "unknown metric 'wait'"),
        (("--cluster", "seth", "--processors", "10"), "exclude each other"),
        (("--out", "old.swf"), "is a file"),
        (("--formats", "gif"), "--formats"),
    ],
)
def test_mistakes(tmp_path: Path, log: Path, arguments: tuple[str, ...], words: str) -> None:
    outcome = thinktime(tmp_path, "bootstrap", "old.swf", *arguments)
    assert outcome.code == 2
    assert words in outcome.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["old.swf"]
