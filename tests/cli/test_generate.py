"""`thinktime generate` as a user meets it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import thinktime as tt
from tests.cli.commands import thinktime


@pytest.fixture
def log(tmp_path: Path) -> Path:
    tt.Lublin(jobs=1500, estimates="tsafrir").write_swf(tmp_path / "old.swf")
    (tmp_path / "small.toml").write_text(tt.Cluster(groups=[{"name": "g", "nodes": 32, "core": 4}]).to_toml())
    return tmp_path / "old.swf"


def test_a_model_is_written_as_a_log(tmp_path: Path) -> None:
    outcome = thinktime(tmp_path, "generate", "lublin:jobs=2000,processors=64", "--seed", 3, "--out", "new.swf.gz")
    assert (outcome.code, outcome.err) == (0, "")
    assert "2,000 jobs for 64 processors" in outcome.out
    made, read = tt.Lublin(jobs=2000, processors=64).workload(seed=3), tt.read_swf(tmp_path / "new.swf.gz")
    assert np.array_equal(read["submit_s"], made["submit_s"])
    assert np.array_equal(read["run_s"], made["run_s"])


def test_the_usual_name_and_json(tmp_path: Path) -> None:
    said = thinktime(tmp_path, "generate", "default:weeks=1", "--json").json
    assert said["paths"] == ["default-1.swf.gz"]
    assert said["machine_processors"] == 128
    assert said["source"]["weeks"] == 1
    assert len(tt.read_swf(tmp_path / "default-1.swf.gz")) == len(tt.default_workload(weeks=1))


def test_parquet_has_the_same_jobs_and_the_header(tmp_path: Path) -> None:
    for name in ("x.parquet", "x.swf"):
        assert thinktime(tmp_path, "generate", "lublin:jobs=900,estimates=tsafrir", "--out", name).code == 0
    frame, read = pl.read_parquet(tmp_path / "x.parquet"), tt.read_swf(tmp_path / "x.swf")
    assert frame["requested_time_s"].to_list() == read["requested_time_s"].tolist()
    assert frame["processors"].to_list() == read["processors"].tolist()
    assert frame["user"].null_count() == 900
    assert tt.read(tmp_path / "x.parquet").header == read.header


def test_accasim_learns_from_a_log(tmp_path: Path, log: Path) -> None:
    flags = ("--log", log, "--cluster", "small.toml", "--out", "new.swf", "--requests", "requests.csv")
    outcome = thinktime(tmp_path, "generate", "accasim:jobs=500,gpu_share=0.5", *flags)
    assert (outcome.code, outcome.err) == (0, "")
    assert "law of gaps" in outcome.out
    table, read = pl.read_csv(tmp_path / "requests.csv"), tt.read_swf(tmp_path / "new.swf")
    assert table.columns == ["job", "gflop", "nodes", "core", "gpu"]
    assert (table["nodes"] * table["core"]).to_list() == read["processors"].tolist()
    assert read.machine_processors == 128


def test_the_published_data_sets_with_figures(tmp_path: Path, log: Path) -> None:
    flags = ("--log", log, "--cluster", "small.toml", "--published", "--share", 0.002, "--out", "four")
    said = thinktime(tmp_path, "generate", "accasim", *flags, "--json").json
    assert [each["jobs"] for each in said["data_sets"].values()] == [100, 200, 400, 1000]
    names = {Path(path).name for path in said["paths"]}
    assert names == {*(f"gen-{n}k.swf.gz" for n in (50, 100, 200, 500)), "submissions.png", "work.png"}
    assert len(tt.read_swf(tmp_path / "four" / "gen-500k.swf.gz")) == 1000
    assert "gen-50k.swf.gz already exists" in thinktime(tmp_path, "generate", "accasim", *flags).err


def test_a_generator_can_be_run_and_inspected(tmp_path: Path) -> None:
    run = thinktime(tmp_path, "run", "lublin:jobs=300", "--seed", 2, "--no-figures", "--json").json
    assert run["spec"]["workload"]["name"] == "lublin"
    assert run["summary"]["jobs"] == 300
    assert "300 jobs in" in thinktime(tmp_path, "run", "lublin:jobs=300", "--no-figures").out
    assert thinktime(tmp_path, "inspect", "lublin:jobs=300").code == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("lublim",), "no generator is called 'lublim' (did you mean 'lublin'?)"),
        (("lublin:jbs=3",), "generator lublin has no option 'jbs' (did you mean 'jobs'?)"),
        (("lublin:jobs=0",), "jobs must be a whole number of at least 1 (got 0)"),
        (("lublin", "--seed", "x"), "--seed must be"),
        (("lublin", "--seed", "-1"), "seed is -1"),
        (("lublin", "--log", "x"), "--log applies only to accasim (got the generator lublin)"),
        (("accasim", "--log", "old.swf"), "accasim learns from a log and its cluster: add --cluster"),
        (("accasim", "--log", "old.swf", "--cluster", "set"), "no cluster is called 'set' (did you mean 'seth'?)"),
        (
            ("accasim", "--log", "old.swf", "--cluster", "seth", "--out", "old.swf"),
            "old.swf would overwrite the input old.swf",
        ),
        (("lublin", "--out", "small.toml"), "--out: a log must end in .swf, .csv, .json or .parquet"),
        (
            ("accasim:jobs=5", "--log", "old.swf", "--cluster", "seth", "--published"),
            "--published sets the options of accasim",
        ),
        (("lublin:jobs=5", "--out", "x.zip"), "(got 'x.zip')"),
    ],
)
def test_mistakes_end_with_a_message(tmp_path: Path, log: Path, arguments: tuple[str, ...], sentence: str) -> None:
    outcome = thinktime(tmp_path, "generate", *arguments)
    assert outcome.code == 2
    assert sentence in outcome.err
    assert {path.name for path in tmp_path.iterdir()} <= {"old.swf", "small.toml"}
