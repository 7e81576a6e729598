"""`thinktime trace RUN --out FILE`: traces and pictures of saved runs."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import polars as pl
import pytest

import thinktime as tt
from tests.cli.commands import process, thinktime, wait_for_temporary
from thinktime.cli.commands.trace import _fewer, parse_jobs
from thinktime.tracing import Host


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("runs")
    tt.simulate(tt.default_workload(jobs=100), tt.Machine(processors=128), tt.Easy()).save(found / "run")
    return found


def test_a_part_of_a_run(folder: Path, tmp_path: Path) -> None:
    options = ("--window", "1h:12h", "--jobs", "2-30", "--json")
    facts = thinktime(folder, "trace", "run", "--out", tmp_path / "a.csv", *options).json
    found = pl.read_csv(tmp_path / "a.csv")
    assert (facts["format"], facts["tasks"], facts["jobs"]) == ("csv", len(found), found["job"].n_unique())
    assert (found["start_s"].min() >= 3600, found["end_s"].max() <= 43200, set(found["job"]) <= {*range(2, 31)}) == (  # type: ignore[operator]
        *(True, True, True),
    )


@pytest.mark.parametrize("name", ["a.json", "a.paje", "a.parquet", "a.csv.gz"])
def test_every_format(folder: Path, tmp_path: Path, name: str) -> None:
    told = thinktime(folder, "trace", "run", "--out", tmp_path / name)
    assert (told.code, "of 100 jobs on" in told.out) == (0, True), told.err
    assert (tmp_path / name).is_file()


def test_otf2_says_what_to_open(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("_otf2", reason="the package otf2 is not installed")
    told = thinktime(folder, "trace", "run", "--out", tmp_path / "a.otf2", "--group-cores", "16", "--markers").out
    assert "a.otf2/traces.otf2" in told.replace("\n", "")
    assert (tmp_path / "a.otf2" / "traces.otf2").is_file()


def test_otf2_of_very_many_cores_advises_groups(tmp_path: Path) -> None:
    pytest.importorskip("_otf2", reason="the package otf2 is not installed")
    jobs = tt.default_workload(jobs=3, processors=16)
    tt.simulate(jobs, tt.Machine(processors=20_000), tt.Easy()).save(tmp_path / "run")
    told = thinktime(tmp_path, "trace", "run", "--out", "a.otf2")
    assert told.code == 0
    assert "20,000 locations" in told.err
    assert "--group-cores 4 makes it 5,000" in told.err
    assert "locations" not in thinktime(tmp_path, "trace", "run", "--out", "b.otf2", "--group-cores", "4").err
    assert "locations" not in thinktime(tmp_path, "trace", "run", "--out", "b.csv").err


def test_otf2_of_very_many_hosts_advises_what_helps() -> None:
    """Groups end at their host's last core."""
    small, large = ([Host(str(k), k * cores, cores) for k in range(9000)] for cores in (1, 4))
    cut = "the machine has 9,000 hosts, so cut the trace with --window or --jobs"
    assert _fewer(small, 1) == _fewer(large, 4) == cut
    assert _fewer(large, 1) == f"--group-cores 4 makes it 9,000; {cut}"
    assert _fewer(large[:4000], 1) == "--group-cores 2 makes it 8,000"


def test_a_picture(folder: Path, tmp_path: Path) -> None:
    facts = thinktime(folder, "trace", "run", "--out", tmp_path / "a.svg", "--window", ":12h", "--json").json
    assert facts["format"] == "picture"
    assert "Tasks on cores" in (tmp_path / "a.svg").read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]


def test_jobs_as_people_write_them() -> None:
    assert parse_jobs("--jobs", "1542-1544, 1600") == [1542, 1543, 1544, 1600]
    for wrong in ("", "a", "5-", "7-3", "-3", "1,,b"):
        with pytest.raises(tt.InputError, match="--jobs must be"):
            parse_jobs("--jobs", wrong)
    with pytest.raises(tt.InputError, match="ranges of at most"):
        parse_jobs("--jobs", "1-999999999999999")


def test_mistakes(folder: Path, tmp_path: Path) -> None:
    wrong = {
        ("nothing", "--out", "a.csv"): "not a run directory",
        ("run", "--out", "a.txt"): "the name must end in",
        ("run", "--out", "no/where.csv"): "the directory no does not exist",
        ("run", "--out", "a.csv", "--format", "vcd"): "choose one of",
        ("run", "--out", "a.csv", "--window", "5"): "must be BEGIN:END",
        ("run", "--out", "a.csv", "--window", "900d:901d"): "no task ran in",
        ("run", "--out", "a.csv", "--group-cores", "4"): "OTF2 archives only",
        ("run", "--out", "a.otf2", "--group-cores", "0"): "group_cores must be a whole number",
        ("run", "--out", "a.png", "--markers"): "do not apply to a figure",
        ("run", "--out", "a.png", "--window", "900d:901d"): "choose another window",
    }
    before = sorted(path.name for path in folder.iterdir())
    for arguments, sentence in wrong.items():
        done = thinktime(folder, "trace", *arguments)
        assert (done.code, sentence in done.err) == (2, True), (arguments, done.err)
    assert sorted(path.name for path in folder.iterdir()) == before


@pytest.mark.parametrize("name", ["a.otf2", "a.parquet"])
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_killed_writer_leaves_nothing_that_looks_finished(tmp_path: Path, name: str, how: signal.Signals) -> None:
    if name == "a.otf2":
        pytest.importorskip("_otf2", reason="the package otf2 is not installed")
    tt.simulate(tt.default_workload(jobs=20_000), tt.Machine(processors=128), tt.Easy()).save(tmp_path / "run")
    run = process(tmp_path, "trace", "run", "--out", name)
    wait_for_temporary(tmp_path, name, run)
    run.send_signal(how)
    run.wait()
    assert not (tmp_path / name).exists()
    left = [path for path in tmp_path.rglob("*") if path.name in ("traces.otf2", name)]
    assert left == []


def test_json_is_one_object(folder: Path, tmp_path: Path) -> None:
    told = thinktime(folder, "trace", "run", "--out", tmp_path / "a.csv", "--json").out
    assert set(json.loads(told)) == {"run", "path", "format", "tasks", "jobs", "cores", "from_s", "until_s"}
