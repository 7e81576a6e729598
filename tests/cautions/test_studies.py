"""A study of which one scheduler rejects every job and one kills: its counts in every table, page and file."""

from __future__ import annotations

import json
import re
from pathlib import Path

import polars as pl
import pytest

import thinktime as tt
from tests.bootstrapping.logs import POOLS, small_log
from tests.cautions.runs import KILLED, run_longer, workload
from tests.cli.commands import thinktime

STUDY = """
name = "mixed"
workloads = ["log.swf"]
platforms = ["machine:processors=8"]
schedulers = ["easy", "reject"]
metrics = ["wait_mean_s", "utilisation"]

[[rules]]
name = "extend"

[[rules]]
name = "kill"
overrun = "kill"
"""

REJECTED = "Rejected: 60 of 60 jobs (100.0 %) in each of (reject, extend; reject, kill); none in the"
SOME_KILLED = f"Killed: {KILLED} of 60 jobs (11.7 %) in easy, kill; none in the others."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("mixed")
    tt.write_swf(workload(**run_longer(KILLED)), place / "log.swf")
    (place / "mixed.toml").write_text(STUDY)
    assert thinktime(place, "study", "run", "mixed.toml").code == 0
    return place


def told(folder: Path, *command: str) -> str:
    done = thinktime(folder, *command)
    assert done.code == 0, done.err
    return " ".join(done.out.split())


def test_status_counts_by_configuration(folder: Path) -> None:
    said = told(folder, "study", "status", "mixed.toml")
    assert REJECTED in said
    assert SOME_KILLED in said
    assert re.search(rf"easy, kill 1 .* {KILLED} killed", said)
    assert re.search(r"reject, kill 1 – .* 60 rejected", said)
    found = thinktime(folder, "study", "status", "mixed.toml", "--json").json["cautions"]
    assert {name: {kind: each["count"] for kind, each in of.items()} for name, of in found.items()} == {
        "easy, extend": {"over_estimate": KILLED},
        "easy, kill": {"killed": KILLED},
        "reject, extend": {"rejected": 60},
        "reject, kill": {"rejected": 60},
    }


def test_comparisons_say_it_first(folder: Path) -> None:
    said = told(folder, "study", "compare", "mixed.toml", "--metric", "utilisation")
    assert REJECTED in said
    assert SOME_KILLED in said
    found = thinktime(folder, "study", "compare", "mixed.toml", "--metric", "utilisation", "--json").json
    assert found["cautions"]["easy, kill"]["killed"]["count"] == KILLED
    assert found["cautions"]["reject, kill"]["rejected"]["of"] == 60


def test_files_have_a_column_per_kind(folder: Path) -> None:
    told(folder, "study", "export", "mixed.toml", "--out", "runs.csv")
    table = pl.read_csv(folder / "runs.csv")
    rows = {(row["scheduler"], row["rules"]): row for row in table.to_dicts()}
    assert (rows["easy", "kill"]["killed"], rows["easy", "kill"]["over_estimate"]) == (KILLED, 0)
    assert (rows["easy", "extend"]["killed"], rows["easy", "extend"]["over_estimate"]) == (0, KILLED)
    assert rows["reject", "kill"]["rejected"] == 60
    assert f"{KILLED} of 60 jobs (11.7 %) were killed" in rows["easy", "kill"]["cautions"]
    told(folder, "study", "export", "mixed.toml", "--out", "runs.json")
    kept = json.loads((folder / "runs.json").read_text())
    assert sum(each["cautions"].get("killed", {"count": 0})["count"] for each in kept) == KILLED


def test_the_page_shows_them_in_words_and_beside_the_metric(folder: Path) -> None:
    told(folder, "report", "mixed.toml", "--out", "page.html")
    page = (folder / "page.html").read_text()
    assert REJECTED in page
    assert SOME_KILLED in page
    tables = re.findall(r"<table>.*?</table>", page, re.DOTALL)
    overview = next(table for table in tables if "utilisation" in table and "caution" in table)
    assert f"{KILLED} killed" in overview
    assert overview.count("60 rejected") == 2
    runs = next(table for table in tables if "remarks" in table)
    assert f"{KILLED} killed" in runs
    assert runs.count("60 rejected") == 2


def test_bootstraps_count_too() -> None:
    log, machine = small_log(), tt.Machine(processors=16, speed=0.5)
    found = tt.bootstrap(log, machine, [tt.Easy()], resamples=3, jackknife=0, resample=POOLS, overrun="kill")
    counted = found.cautions["easy"]
    assert counted.count("killed") == int(found.table["killed"].sum()) > 0
    assert counted.count("rejected") == int(found.table["rejected"].sum()) > 0
    again = tt.resample(log, seed=int(found.table["seed"][0]), **POOLS)
    run = tt.simulate(again, machine, tt.Easy(), overrun="kill")
    assert run.cautions.count("killed") == found.table["killed"][0]
