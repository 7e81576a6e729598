"""`thinktime resample` as a user meets it."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import thinktime as tt
from tests.cli.commands import thinktime
from thinktime.workload import write_swf

FLAGS = ("--weeks", 8, "--long-term-weeks", 2, "--edge-weeks", 0)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "old.swf"
    write_swf(tt.default_workload(weeks=4, users=12, load=0.3), path)
    return path


def test_a_log_is_written_with_its_table(tmp_path: Path, log: Path) -> None:
    outcome = thinktime(tmp_path, "resample", log, *FLAGS, "--seed", 2, "--out", "new.swf.gz")
    assert (outcome.code, outcome.err) == (0, "")
    made = tt.resample(tt.read_swf(log), seed=2, weeks=8, long_term_weeks=2, edge_weeks=0)
    assert f"{len(made):,} jobs of" in outcome.out
    assert len(tt.read_swf(tmp_path / "new.swf.gz")) == len(made)
    assert pl.read_csv(tmp_path / "new.replicas.csv").equals(made.replicas_frame)


def test_json_and_the_usual_name(tmp_path: Path, log: Path) -> None:
    said = thinktime(tmp_path, "resample", log, *FLAGS, "--load", 1.5, "--json").json
    assert said["paths"] == ["old-resampled-0.swf.gz", "old-resampled-0.replicas.csv"]
    assert said["options"]["load"] == 1.5
    assert said["pools"][0]["long_term"]["users"] == 12


def test_parquet_has_the_same_jobs_and_the_header(tmp_path: Path, log: Path) -> None:
    for name in ("a.parquet", "b.swf"):
        assert thinktime(tmp_path, "resample", log, *FLAGS, "--shake", "sessions", "--out", name).code == 0
    frame, swf = pl.read_parquet(tmp_path / "a.parquet"), tt.read_swf(tmp_path / "b.swf")
    for name in ("job", "submit_s", "user", "run_s", "processors", "requested_time_s"):
        assert frame[name].to_list() == swf[name].tolist()
    assert tt.read(tmp_path / "a.parquet").header == swf.header


def test_same_seed_same_bytes(tmp_path: Path, log: Path) -> None:
    for name in ("a.swf.gz", "b.swf.gz"):
        thinktime(tmp_path, "resample", log, *FLAGS, "--out", name)
    assert (tmp_path / "a.swf.gz").read_bytes() == (tmp_path / "b.swf.gz").read_bytes()


def test_several_logs(tmp_path: Path, log: Path) -> None:
    outcome = thinktime(tmp_path, "resample", log, "default", *FLAGS, "--load", "1,0.5", "--json")
    assert outcome.json["logs"] == ["old", "default"]
    assert outcome.json["paths"][0] == "old+default-resampled-0.swf.gz"


def test_flurries_are_listed(tmp_path: Path, log: Path) -> None:
    lines = log.read_text().splitlines()
    last = max(int(line.split()[0]) for line in lines if not line.startswith(";"))
    flurry = [f"{last + k} {14 * 86400 + k} 0 1 1 -1 -1 1 60 -1 1 99 -1 -1 -1 -1 -1 -1" for k in range(1, 9001)]
    log.write_text("\n".join(lines + flurry) + "\n")
    line = f"user=99 and (job>={last + 1} and job<={last + 9000}) (9000 jobs removed)"
    assert line in thinktime(tmp_path, "resample", log, "--flurries").out
    (fact,) = thinktime(tmp_path, "resample", log, "--flurries", "--json").json["old"]
    assert (fact["user"], fact["jobs"], fact["line"]) == (99, 9000, line)
    rare = ("--rare", "auto", "--rare-per-week", 0.2, "--weeks", 100, "--long-term-weeks", 5, "--edge-weeks", 0)
    assert thinktime(tmp_path, "resample", log, *rare, "--json").json["rare_users"] > 0


MISTAKES = [
    (("nowhere.swf",), "nowhere.swf"),
    (("old.swf", "--weeks", "many"), "--weeks must be"),
    (("old.swf", "--weeks", "0"), "weeks must be"),
    (("old.swf", "--load", "x"), "--load must be"),
    (("old.swf", "--load", "-1"), "load must be above 0"),
    (("old.swf", "--piece", "5"), "--piece must be"),
    (("old.swf", "--edge-weeks", "table_x"), "(got 'table_x')"),
    (("old.swf", "--shake", "weeks"), "shake is 'weeks'"),
    (("old.swf", "--rare", "1:2"), "the condition '1:2' is invalid"),
    (("old.swf", "--rare", "auto"), "no flurries found"),
    (("old.swf", "--out", "old.swf"), "would overwrite the input"),
    (("old.swf", "--out", "new.doc"), "must end in .swf, .csv, .json or .parquet"),
    (("old.swf", "--seed", "-1"), "seed is -1"),
    (("old.swf", "--bias", "work:huge=2"), "'huge'"),
    (("old.swf", "--bias", "work:large=0"), "the bias of large must be a number above 0"),
    (("old.swf", "--bias", "size"), "the quantity of bias 'size' is 'size'"),
    (("old.swf", "--load", "1e6"), "load must be above 0 and at most 1000"),
    (("old.swf", "--weeks", "9" * 20), "must be a whole number between 1 and 1,000,000"),
]


@pytest.mark.parametrize(("arguments", "words"), MISTAKES)
def test_mistakes_are_one_message(tmp_path: Path, log: Path, arguments: tuple, words: str) -> None:
    outcome = thinktime(tmp_path, "resample", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert words in outcome.err
    assert outcome.err.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["old.swf"]


def test_a_file_is_replaced_only_with_an_option(tmp_path: Path, log: Path) -> None:
    (tmp_path / "new.swf").write_text("mine")
    assert "already exists" in thinktime(tmp_path, "resample", log, *FLAGS, "--out", "new.swf").err
    assert (tmp_path / "new.swf").read_text() == "mine"
    assert thinktime(tmp_path, "resample", log, *FLAGS, "--out", "new.swf", "--overwrite").code == 0
