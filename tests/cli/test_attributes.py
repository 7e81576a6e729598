"""Attributes on the command line: keys, requests and conditions that read columns of a log."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import thinktime as tt
from tests.cli.commands import thinktime

LOG = "submit_s,run_s,processors,user,colour,gpus\n0,60,4,1,blue,0\n1,60,4,1,blue,2\n2,60,4,2,red,1\n3,60,4,2,,\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "log.csv").write_text(LOG)
    (tmp_path / "mine.toml").write_text(tt.Cluster(groups=[{"name": "g", "nodes": 1, "core": 4, "gpu": 8}]).to_toml())
    return tmp_path


KEY = 'priority:key=where(column(colour) == "red", 0, 1)'


@pytest.mark.parametrize("more", [[], ["--stream"]])
def test_a_key_reads_an_attribute(folder: Path, more: list[str]) -> None:
    thinktime(folder, "run", "log.csv", "--processors", "4", "--scheduler", KEY, "--no-figures", "--out", "run", *more)
    jobs = pl.read_parquet(folder / "run" / "jobs.parquet").sort("start_s")
    assert jobs["colour"].to_list() == ["blue", "red", "blue", None]
    assert json.loads((folder / "run" / "run.json").read_text())["attributes"] == {"colour": "text", "gpus": "whole"}


@pytest.mark.parametrize("more", [[], ["--stream"]])
def test_requests_read_an_attribute(folder: Path, more: list[str]) -> None:
    options = ["--cluster", "mine.toml", "--requests", "gpu=gpus", "--no-figures", "--out", "run", *more]
    thinktime(folder, "run", "log.csv", *options)
    assert tt.Result.load(folder / "run").jobs.sort("job")["unit_gpu"].to_list() == [0, 2, 1, 0]


def test_a_condition_reads_an_attribute(folder: Path) -> None:
    options = ["--processors", "4", "--remove", 'colour="blue"', "--no-figures", "--out", "run", "--json"]
    thinktime(folder, "run", "log.csv", *options)
    assert tt.Result.load(folder / "run").jobs["colour"].to_list() == ["red", None]


def test_mistakes_are_one_sentence(folder: Path) -> None:
    options = ["--processors", "4", "--no-figures", "--out", "run"]
    done = thinktime(folder, "run", "log.csv", *options, "--scheduler", "priority:key=column(shade)")
    assert done.code == 2
    assert "reads the attribute 'shade', which log does not have: its attributes are colour, gpus" in done.err
    done = thinktime(folder, "run", "log.csv", *options, "--remove", "colour>1")
    assert done.code == 2
    assert "compares a text with a number" in done.err
    assert not (folder / "run").exists()


def test_a_run_by_an_attribute(folder: Path) -> None:
    thinktime(folder, "run", "log.csv", "--processors", "4", "--scheduler", KEY, "--no-figures", "--out", "run")
    shown = thinktime(folder, "inspect", "run", "--by", "colour")
    assert shown.code == 0
    assert [line.split()[0] for line in shown.out.splitlines() if line.strip()[:4] in ("blue", "red ", "none")] == [
        "blue", "red", "none"
    ]  # fmt: skip
    found = thinktime(folder, "inspect", "run", "--by", "colour", "--json").json
    assert found["values"][0] == {
        "colour": "blue", "jobs": 2, "mean_wait_s": 59.5, "mean_bounded_slowdown": 1.9916666666666667,
        "processor_s": 480.0,
    }  # fmt: skip
    wrong = thinktime(folder, "inspect", "run", "--by", "color")
    assert wrong.code == 2
    assert "did you mean 'colour'" in wrong.err
    log = thinktime(folder, "inspect", "log.csv", "--by", "colour")
    assert log.code == 2
    assert "log.csv is a log, and --by colour shows the waits of a saved run" in log.err
