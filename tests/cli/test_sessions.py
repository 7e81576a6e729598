"""`thinktime sessions`: what it says, draws and writes."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from tests.cli.commands import small_log, thinktime
from thinktime.workload import read_swf


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sessions")
    small_log(folder / "small.swf")
    return folder


def test_the_structure_of_a_log(place: Path) -> None:
    found = thinktime(place, "sessions", "small.swf", "--json").json
    assert (found["jobs"], found["delimiter"], found["threshold_s"]) == (200, "arrival", 3600.0)
    assert found["sessions"] <= found["batches"] <= 200
    assert found["distributions"]["jobs_per_session"]["mean"] == pytest.approx(200 / found["sessions"])
    assert found["notes"] == ["200 jobs have no recorded wait, counted as 0"]
    assert found["paths"] == {"figures": []}


def test_people_read_the_same_numbers(place: Path) -> None:
    found = thinktime(place, "sessions", "small.swf", "--json").json
    outcome = thinktime(place, "sessions", "small.swf")
    assert outcome.code == 0
    assert f"{found['sessions']:,} sessions of {found['users']:,} users" in outcome.out
    assert f"{found['edges']:,} edges (transitive reduction), {found['roots']:,} roots" in outcome.out


def test_thresholds_and_delimiters(place: Path) -> None:
    every_job = thinktime(place, "sessions", "small.swf", "--threshold", "0", "--json").json
    assert every_job["sessions"] == 200
    long = thinktime(place, "sessions", "small.swf", "--threshold", "10d", "--delimiter", "max", "--json").json
    assert (long["threshold_s"], long["delimiter"]) == (864_000.0, "max")
    assert long["sessions"] < every_job["sessions"]
    full = thinktime(place, "sessions", "small.swf", "--threshold", "0", "--full", "--json").json
    assert full["edges"] > every_job["edges"]


def test_files(place: Path) -> None:
    options = ("--parquet", "jobs.parquet", "--edges", "edges.parquet", "--json-users", "users", "--swf", "out.swf")
    found = thinktime(place, "sessions", "small.swf", *options, "--json").json
    assert pl.read_parquet(place / "jobs.parquet")["session"].n_unique() == found["sessions"]
    assert len(pl.read_parquet(place / "edges.parquet")) == found["edges"]
    assert len(found["paths"]["json_users"]) == found["users"]
    numbers = [len(json.loads((place / path).read_text())["sessions"]) for path in found["paths"]["json_users"]]
    assert sum(numbers) == found["sessions"]
    assert "preceding jobs of sessions: delimiter arrival, threshold 3600 s" in (place / "out.swf").read_text()
    assert len(read_swf(place / "out.swf")) == 200


def test_pictures(place: Path) -> None:
    user = int(read_swf(place / "small.swf").users[0])
    outcome = thinktime(place, "sessions", "small.swf", "--user", user, "--threshold", "2h", "--out", "drawn")
    assert outcome.code == 0
    assert {path.name for path in (place / "drawn").iterdir()} == {
        *("graph_shapes.png", "think_times.png", "first_submissions.png", f"user_{user}_graph.png")
    }


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--threshold", "soon"], "--threshold"),
        (["--delimiter", "gap"], "arrival"),
        (["--user", "none"], "--user"),
        (["--user", "123456"], "has no user 123456"),
        (["--parquet", "nosuch/jobs.parquet"], "cannot write nosuch/jobs.parquet"),
    ],
)
def test_mistakes_are_one_message(place: Path, options: list[str], words: str) -> None:
    outcome = thinktime(place, "sessions", "small.swf", *options)
    assert outcome.code == 2
    assert words in outcome.err
    assert outcome.out == ""


def chain(place: Path, name: str, numbers: tuple[int, ...], gap_s: int = 20_000, run_s: int = 10) -> None:
    """One user's jobs, each submitted `gap_s` after the one before."""
    lines = [f"{job} {k * gap_s} 0 {run_s} 1 -1 -1 1 -1 -1 1 5 -1 -1 -1 -1 -1 -1" for k, job in enumerate(numbers)]
    (place / name).write_text("; MaxProcs: 4\n" + "\n".join(lines) + "\n")


def test_numbers_that_several_jobs_have_are_left_out_of_field_17(place: Path) -> None:
    chain(place, "twice.swf", (1, 1, 2, 3))
    outcome = thinktime(place, "sessions", "twice.swf", "--swf", "preceding.swf")
    said = "fields 17 and 18 are empty for 2 jobs whose preceding job has no number, or shares it with others"
    assert said in " ".join(outcome.out.split())
    assert said in (place / "preceding.swf").read_text()
    assert read_swf(place / "preceding.swf", filter="all")["preceding_job"].tolist()[3] == 2.0
    chain(place, "once.swf", (1, 2, 3))
    assert "fields 17" not in thinktime(place, "sessions", "once.swf", "--swf", "preceding.swf", "--json").out


def test_one_is_one(place: Path) -> None:
    chain(place, "two.swf", (1, 2))
    said = " ".join(thinktime(place, "sessions", "two.swf").out.split())
    assert "2 sessions of 1 user with 2 jobs" in said
    assert "1 edge (transitive reduction), 1 root, longest path 2 sessions" in said
